"""Ratings: how strong somebody seems to be in a family of games at a kind of pace (openskill, Plackett-Luce).

A match is rated when all who sit have agreed to it; whether it then counts, and who stands where, is said in
counting.py. ``settle`` is part of the transaction that ends a match; ``manage.py recompute ratings`` makes all anew.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from .models import Rating, RatingChange

PROVISIONAL = 10
"""With fewer matches a rating is provisional."""
MIDDLE, SCALE = 1500, 40
"""How a rating is shown: openskill's middle, 25, as 1500, and one of its points as 40."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A rating as pages tell it. Two times out of three the true strength lies within ``about`` of ``value``."""

    value: int
    about: int
    matches: int
    provisional: bool
    since: datetime


def shown(rating: Rating) -> Shown:
    """A rating on the scale of the pages."""
    return Shown(
        on_scale(rating.mu), round(SCALE * rating.sigma), rating.matches, rating.matches < PROVISIONAL, rating.since
    )


def on_scale(mu: float) -> int:
    """A value of openskill as pages show it."""
    return round(MIDDLE + SCALE * (mu - 25))


def of(user: Any) -> list[Rating]:
    """All ratings of a user, the one with most matches first. One query."""
    return list(Rating.objects.filter(user=user).order_by("-matches", "family", "kind"))


def history(user: Any, family: str, kind: str) -> "QuerySet[RatingChange]":
    """How a rating came about, the oldest change first; its points are ``on_scale(change.mu_after)``."""
    return RatingChange.objects.filter(user=user, family=family, kind=kind).order_by("at", "pk")
