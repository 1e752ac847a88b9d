"""How tests come quickly to a match that is over."""

from typing import Any

from games import play
from games.models import Match

from .playing import opened


def ended(*users: Any, **chosen: Any) -> Match:
    """A match that its users have resigned one after the other, until it was over."""
    match = opened(*users, **chosen)
    for index in range(len(users)):
        match.refresh_from_db()
        if match.status == Match.Status.RUNNING:
            play.resign(match.pk, index)
    match.refresh_from_db()
    return match
