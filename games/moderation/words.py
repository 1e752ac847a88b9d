"""Words that are not wanted, in messages and titles: refused with a sentence, or let through and reported by the site.

How they are found stands in accounts/words.py; there names are looked at too, which come here to be reported.
"""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from accounts.words import MESSAGES, TITLES, refused, reported
from games.models import Match, Message
from games.seats import Refusal

from . import reports

__all__ = ["MESSAGES", "TITLES", "must_be_wanted", "named", "said", "titled"]


def must_be_wanted(text: str, where: str) -> str:
    """The text. Raises Refusal if it has a word that is refused there; which, it does not repeat."""
    if text and refused(text, where) is not None:
        raise Refusal(_("There is a word in it that is not wanted here. Say it in another way."))
    return text


def said(message: Message) -> None:
    """Within the transaction in which something is said."""
    if message.text and (words := reported(message.text, MESSAGES)):
        kind = reports.Kind.ABUSE
        reports.report(None, message.user, kind, _found(words), match=message.match, message=message)


def titled(match: Match, user: Any) -> None:
    """Within the transaction in which a match gets its title."""
    if match.title and (words := reported(match.title, TITLES)):
        reports.report(None, user, reports.Kind.NAME, _found(words), match=match)


def named(user: Any, words: Sequence[str]) -> None:
    """Within the transaction in which somebody takes a name (ACCOUNT_UNWANTED_NAME)."""
    reports.report(None, user, reports.Kind.NAME, _found(words))


def _found(words: Sequence[str]) -> str:
    """For moderators, in the language that the site has."""
    return _("The word list has found: %(words)s") % {"words": ", ".join(words)}
