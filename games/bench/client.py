"""A browser as small as a measurement needs: one kept connection, a session, forms read from the HTML."""

import http.client
import re
import time
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.middleware.csrf import _get_new_csrf_string
from django.utils.http import urlencode

SEEN = re.compile(r'name="seen"[^>]*value="([\d.]+)"')
BESIDE = re.compile(r'name="beside" value="([\d.]+)"')
CARD = re.compile(r'name="card"[^>]*value="([^"]+)"')


def session_of(user: Any) -> str:
    """The key of a new session in which the user is signed in."""
    store = SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.create()
    return str(store.session_key)


@dataclass
class Browser:
    """Signed in as one user; ``text`` is the last page, ``taken`` how long it took in milliseconds."""

    port: int
    user: Any
    text: str = ""
    status: int = 0
    taken: float = 0.0
    seen: str = ""
    beside: str = ""
    cards: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.token = _get_new_csrf_string()
        self.session = session_of(self.user)
        self.wire = http.client.HTTPConnection("127.0.0.1", self.port)

    def get(self, path: str) -> str:
        """Ask for a page."""
        return self._ask("GET", path, None)

    def post(self, path: str, fields: dict[str, Any]) -> str:
        """Send a form as htmx does, with what the page says of itself."""
        return self._ask("POST", path, urlencode(fields | {"beside": self.beside}, doseq=True))

    @property
    def cookie(self) -> str:
        """The cookies of the session."""
        return f"sessionid={self.session}; csrftoken={self.token}"

    def _ask(self, method: str, path: str, body: str | None) -> str:
        headers = {"Cookie": self.cookie, "X-CSRFToken": self.token}
        if body is not None:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
        begun = time.perf_counter()
        self.wire.request(method, path, body, headers)
        answer = self.wire.getresponse()
        raw = answer.read()
        self.taken = (time.perf_counter() - begun) * 1000
        self.text, self.status = raw.decode(), answer.status
        if found := SEEN.search(self.text):
            self.seen = found[1]
        if found := BESIDE.search(self.text):
            self.beside = found[1]
        self.cards = CARD.findall(self.text) or self.cards
        return self.text

    def may(self, do: str) -> bool:
        """Whether the last page offers a step."""
        return re.search(rf'<button(?=[^>]*value="{do}")(?![^>]*aria-disabled="?true)[^>]*>', self.text) is not None
