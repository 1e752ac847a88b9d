"""What must not stand in a log: tokens that let their reader in. Addresses are logged, and some carry one."""

import logging
import re
from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponseBase

_SLASH = r"(?:/|%2F)"
TOKEN = re.compile(
    rf"({_SLASH}(?:join|back|calendar|feed|notices{_SLASH}off|confirm-email|reset{_SLASH}key){_SLASH}|token(?:=|%3D))"
    r"(?:(?!%2F|%26)[^/&?\s\"'<>])+",
    re.I,
)
"""An invitation, a link to come back, a private calendar or feed, the way out of mails, the keys in letters,
``?token=``; also inside ``?next=``, where it is quoted.
"""


def blanked(text: str) -> str:
    """The text without its tokens."""
    return TOKEN.sub(r"\1***", text)


class NoTokens(logging.Filter):
    """Lets every record pass, its message and traceback without tokens."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = blanked(record.getMessage()), ()
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = blanked(record.exc_text)
        return True


def quiet(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A page with a token in its address: pages and files asked for from it learn the host, never the address.

    Not ``no-referrer``: then a browser would not say where a form came from, and the form would be refused.
    """

    @wraps(view)
    def checked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        response["Referrer-Policy"] = "strict-origin"
        return response

    return checked
