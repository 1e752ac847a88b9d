"""The notices of a user as the site shows them: the newest first, read or not on all devices alike."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from games.models import Match, Notice

from . import words

MOST = 100
"""The bell counts no further."""
TURN = "your_turn"


@dataclass(frozen=True, slots=True)
class Line:
    """A notice in the words of its reader; ``link`` leads to what it is about."""

    pk: int
    sentence: str
    link: str
    at: datetime
    is_new: bool


def listed(user: Any) -> "QuerySet[Notice]":
    """What is shown to a user, the newest first. Of the turns of one match only the last is worth a line."""
    mine = Notice.objects.filter(user=user, listed=True)
    newer = mine.filter(kind=TURN, match=OuterRef("match"), pk__gt=OuterRef("pk"))
    shown = mine.exclude(Q(kind=TURN) & Exists(newer))
    return shown.select_related("match").order_by("-at", "-pk")


def unread(user: Any) -> int:
    """How many notices wait to be read, MOST at most; the turns of one match are one."""
    new = Notice.objects.filter(user=user, listed=True, read_at=None).order_by("-pk").values_list("kind", "match", "pk")
    return len({(kind, match) if kind == TURN else pk for kind, match, pk in new[:MOST]})


def lines(notices: Iterable[Notice]) -> list[Line]:
    """Notices in words; names are looked up for all at once."""
    rows = list(notices)
    return [_line(notice, sentence) for notice, sentence in zip(rows, words.sentences(rows), strict=True)]


def _line(notice: Notice, sentence: str) -> Line:
    return Line(notice.pk, sentence, link_of(notice), notice.at, notice.read_at is None)


def link_of(notice: Notice) -> str:
    """Where a notice leads."""
    if notice.kind == "seat_offered" and "offer" in notice.about:
        return reverse("games:seat_offer", args=[notice.about["offer"]])
    if notice.kind == "sanctioned":
        return reverse("sanctions")
    if notice.kind == "reported_outcome":
        return reverse("games:reports")
    if notice.match_id:
        return reverse("games:match", args=[notice.match_id])
    return reverse("games:people" if notice.kind in ("friend", "chat") else "games:tables")


def read_all(user: Any) -> None:
    """Everything has been read."""
    Notice.objects.filter(user=user, read_at=None).update(read_at=timezone.now())


def with_news(matches: "QuerySet[Match]", user: Any) -> "QuerySet[Match]":
    """The matches, each with ``has_news``: whether a notice about it is unread."""
    mine = Notice.objects.filter(user=user.pk or 0, match=OuterRef("pk"), read_at=None)
    return matches.annotate(has_news=Exists(mine))


def opened(user: Any, match: Match) -> None:
    """The user looks at a match that came from ``with_news``: what was told of it is read."""
    if getattr(match, "has_news", False):
        Notice.objects.filter(user=user, match=match, read_at=None).update(read_at=timezone.now())
