"""The lobby: public matches with a free seat, popular games first, narrowed by what the address says."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.core.cache import cache
from django.db.models import Case, Count, IntegerField, Q, QuerySet, Value, When
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from . import apart, lists, lobby
from .models import Match, Seat
from .paces import PACES
from .preset_texts import PRESET_TEXTS, Text
from .rules.catalog import PRESETS

SHOWN = 100
"""How many rows the page has; the filters find the others."""
PLAYING = 12
"""So many of the matches that are being played are shown to watch, the newest first."""
LOOKED_AT = 500
"""Among how many matches those without house rules are looked for."""
POPULAR_DAYS, POPULAR_SECONDS = 30, 60
"""Popular is what was started in so many days; counted anew after so many seconds."""


def _seats(n: int) -> Text:
    """So many free seats, in the language of whoever reads it."""
    return lazy(lambda: ngettext("%(n)d free seat", "%(n)d free seats", n) % {"n": n}, str)()


SPEEDS: tuple[tuple[str, Text], ...] = (
    ("", _("any pace")),
    ("correspondence", _("by correspondence")),
    ("live", _("live")),
)
FREE: tuple[tuple[str, Text], ...] = (
    ("", _("any number of seats")),
    *((str(n), _seats(n)) for n in range(1, 6)),
)
GAMES: tuple[tuple[str, Text], ...] = (
    ("", _("all games")),
    *((preset.name, PRESET_TEXTS[preset.name].name) for preset in PRESETS),
)
PLAIN: tuple[tuple[str, Text], ...] = (("", _("with any house rules")), ("1", _("without house rules")))


@dataclass(frozen=True, slots=True)
class Filters:
    """What somebody looks for; "" is anything. What an address says and nobody knows is left out."""

    game: str = ""
    speed: str = ""
    free: str = ""
    plain: str = ""

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> "Filters":
        """From the query of an address."""
        known = {name: dict(choices) for name, choices in CHOICES}
        said = {name: str(told.get(name, "")) for name in known}
        return cls(**{name: value for name, value in said.items() if value in known[name]})

    @property
    def query(self) -> str:
        """The part of an address that says the same, with its question mark; empty when nothing is asked for."""
        said = {name: value for name, _choices in CHOICES if (value := getattr(self, name))}
        return f"?{urlencode(said)}" if said else ""

    @property
    def chosen(self) -> list[tuple[Text, str]]:
        """What narrows the list, each with the address of the list without it."""
        return [
            (dict(choices)[getattr(self, name)], replace(self, **{name: ""}).query)
            for name, choices in CHOICES
            if getattr(self, name)
        ]

    @property
    def questions(self) -> list[tuple[str, Text, list[tuple[str, Text, bool]]]]:
        """Name, label and choices of each question of the form."""
        return [
            (name, LABELS[name], [(key, label, key == getattr(self, name)) for key, label in choices])
            for name, choices in CHOICES
        ]


CHOICES: tuple[tuple[str, tuple[tuple[str, Text], ...]], ...] = (
    ("game", GAMES),
    ("speed", SPEEDS),
    ("free", FREE),
    ("plain", PLAIN),
)
LABELS: dict[str, Text] = {
    "game": _("Game"),
    "speed": _("Pace"),
    "free": _("Free seats"),
    "plain": _("House rules"),
}


def rows(user: Any, filters: Filters) -> list[lists.Row]:
    """The lobby as this user sees it: popular games first, then the newest."""
    matches = _narrowed(apart.listed_for(user, lobby.open_matches()), filters)
    ranks = [When(preset=name, then=Value(rank)) for rank, name in enumerate(popular())]
    order = Case(*ranks, default=Value(len(ranks)), output_field=IntegerField())
    found = lists.rows(matches.order_by(order, "-created_at", "-pk")[: LOOKED_AT if filters.plain else SHOWN], user)
    return [row for row in found if not (filters.plain and row.tags)][:SHOWN]


def playing(user: Any, filters: Filters) -> list[lists.Row]:
    """Public matches that are being played and that this user can watch: the newest of others."""
    running = Match.objects.filter(status=Match.Status.RUNNING, private=False)
    if user.is_authenticated:
        mine = Q(user_id=user.pk) | Q(driven_by_id=user.pk)
        running = running.exclude(pk__in=Seat.objects.filter(mine).values("match"))
    seen = _narrowed(apart.listed_for(user, running, Match.Status.RUNNING), replace(filters, free=""))
    return lists.rows(seen.order_by("-created_at", "-pk")[:PLAYING], user)


def _narrowed(matches: "QuerySet[Match]", filters: Filters) -> "QuerySet[Match]":
    if filters.game:
        matches = matches.filter(preset=filters.game)
    if filters.speed:
        matches = matches.filter(pace__in=[name for name, pace in PACES.items() if pace.kind == filters.speed])
    if filters.free:
        free = Count("seats", filter=Q(seats__driver=Seat.Driver.OPEN))
        matches = matches.alias(free=free).filter(free=int(filters.free))
    return matches


def popular() -> list[str]:
    """The presets, those started most often of late first. Counted at most once a minute."""
    known: list[str] | None = cache.get("popular-presets")
    if known is None:
        since = timezone.now() - timedelta(days=POPULAR_DAYS)
        counted = Match.objects.filter(started_at__gte=since).order_by().values_list("preset").annotate(n=Count("pk"))
        counts = dict(counted)
        known = sorted((preset.name for preset in PRESETS), key=lambda name: -counts.get(name, 0))
        cache.set("popular-presets", known, POPULAR_SECONDS)
    return known
