"""Keys that the site makes at its first start and keeps in var/: its secret key, and the one that signs web push."""

import base64
import os
import secrets
from collections.abc import Callable
from pathlib import Path

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the curve P-256: a private key is a number from 1 to one less."""


def secret_key(path: Path) -> str:
    """The site's secret key in ``path``; made now if there is none."""
    return _kept(path, lambda: secrets.token_urlsafe(64))


def push_key(path: Path) -> str:
    """The private key of web push (VAPID, RFC 8292) in ``path``, 32 bytes in base64url; made now if there is none."""
    return _kept(path, lambda: _text((secrets.randbelow(ORDER - 1) + 1).to_bytes(32)))


def is_push_key(text: str) -> bool:
    """Whether this is a private key of P-256 as ``push_key`` writes it."""
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        return False
    return len(raw) == 32 and 0 < int.from_bytes(raw) < ORDER


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _kept(path: Path, make: Callable[[], str]) -> str:
    """What ``path`` holds; made at the first start, readable by its owner only, never twice by two starts at once."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    if not path.exists():
        handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(make())
        try:
            os.link(draft, path)  # fails if another start was quicker, whose key then stands
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()
