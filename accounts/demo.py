"""Demo players for a try on one's own machine: only where nobody else can reach the site."""

import json
import os
import secrets
from pathlib import Path

from .models import User

NAMES = ("ann", "bob", "cat")


def open_demo(folder: Path) -> dict[str, str]:
    """The demo players with their passwords, which are made once and kept in ``folder``, readable by its owner only.

    What the database made of each password is kept beside it: to compare it is quick, to work it out anew is not.
    """
    path = folder / "demo-players.json"
    known: dict[str, dict[str, str]] = json.loads(path.read_text()) if path.exists() else {}
    mine: dict[str, dict[str, str]] = {}
    for name in NAMES:
        user = User.objects.filter(username__iexact=name).first()
        if user is not None and (not user.is_demo or user.closed_at is not None):
            continue  # a person chose this name first
        kept = known.get(name) or {"password": secrets.token_urlsafe(9), "hashed": ""}
        user = user or User(username=name, is_demo=True)
        if user.pk is None or not user.is_active or user.password != kept["hashed"]:
            user.is_active = True
            user.set_password(kept["password"])
            user.save()
        mine[name] = kept | {"hashed": user.password}
    if mine != known:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "w") as file:
            json.dump(mine, file)
    return {name: kept["password"] for name, kept in mine.items()}


def shut_demo() -> int:
    """Lock the demo players out; how many were not."""
    return User.objects.filter(is_demo=True, is_active=True).update(is_active=False)
