"""Leaderboards: who is strongest in a family of games at a kind of pace, of those who play there and want to be shown.

Sorted by a cautious value: the rating less twice its uncertainty, so that nobody leads by a few lucky matches.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from . import disclosure, ledgers, ratings
from .models import Ledger, Rating
from .ratings import Shown
from .writing import writing

FRESH = timedelta(days=90)
"""Whoever stands here has ended ``ratings.RECENT`` rated matches in this time."""
PAGE = 50


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a leaderboard."""

    rank: int
    user: Any
    rating: Shown
    is_me: bool


@dataclass(frozen=True, slots=True)
class Mine:
    """How a reader stands to a leaderboard. ``rank`` 0: not in it; ``enough``: enough matches of late.

    ``hidden``: he does not show his ratings to everybody.
    """

    rating: Shown | None
    listed: bool
    hidden: bool
    enough: bool
    rank: int


def standing(family: str, kind: str, now: datetime) -> "QuerySet[Rating]":
    """All who stand in a leaderboard, the strongest first."""
    found = Rating.objects.filter(family=family, kind=kind, fifth_at__gte=now - FRESH)
    shown = found.filter(user__is_active=True, user__closed_at__isnull=True, user__ledger__listed=True)
    return shown.exclude(disclosure.hidden("ratings")).order_by("-cautious", "pk")


def line(rank: int, row: Rating, reader: Any) -> Line:
    """A row as its reader sees it."""
    return Line(rank, row.user, ratings.shown(row), row.user_id == reader.pk)


def mine(user: Any, family: str, kind: str, now: datetime) -> Mine:
    """At most four queries."""
    row = Rating.objects.filter(user=user, family=family, kind=kind).first()
    listed = Ledger.objects.filter(user=user, listed=True).exists()
    enough = row is not None and row.fifth_at is not None and row.fifth_at >= now - FRESH
    hidden = disclosure.of(user).ratings != disclosure.To.ALL
    rank = 0
    if row is not None and listed and enough and not hidden:
        rank = 1 + standing(family, kind, now).filter(cautious__gt=row.cautious).count()
    return Mine(ratings.shown(row) if row else None, listed, hidden, enough, rank)


def show(user: Any, listed: bool) -> None:
    """Whether a user wants to stand in leaderboards."""
    with writing():
        ledgers.lock([user.pk])
        Ledger.objects.filter(user=user).update(listed=listed)


def forget(user: Any) -> None:
    """An account is closed: it stands in no leaderboard. What others have won against it stays."""
    Ledger.objects.filter(user=user).update(listed=False)
