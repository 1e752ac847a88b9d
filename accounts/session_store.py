"""Sessions in the database, asked only for keys that could be one: PostgreSQL takes no NUL, which a cookie can hold."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Django's own; a key of other characters than it makes is no session, for pages and sockets alike."""

    def _validate_session_key(self, key: str) -> bool:
        known = super()._validate_session_key(key)  # type: ignore[misc]
        return bool(known) and key.isascii() and key.isalnum()
