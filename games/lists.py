"""Matches as rows of a list: mine, those that await me, those with a free seat. Two queries a list, no tape read."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .habits import told
from .models import Absence, Match, Seat
from .paces import PACES
from .preset_texts import PRESET_TEXTS, Text, differences, name_of
from .tables import name_of as seat_name
from .tables import username_of
from .terms import bank_told, days_off, days_off_told
from .wording import moment, time_left

ENDED_SHOWN = 20
SOON = timedelta(hours=3)
"""A deadline that is nearer than this is marked."""


@dataclass(frozen=True, slots=True)
class Place:
    """A seat as a list shows it: a disc in its colour with an initial, and a name for those who cannot see it.

    ``username`` leads to the page of a person, ``habit`` says how soon he answers.
    ``is_me``: it is mine, or I drive it; ``plays``: I drive it.
    """

    index: int
    name: str
    driver: str
    is_me: bool
    username: str = ""
    habit: tuple[str, ...] = ()
    plays: bool = False
    gone: str = ""

    @property
    def initial(self) -> str:
        return self.name.removeprefix("Bot ")[:1].upper() if self.name else "+"

    @property
    def free(self) -> bool:
        return self.driver == Seat.Driver.OPEN


@dataclass(frozen=True, slots=True)
class Row:
    """A match in a list, as one user sees it."""

    match: Match
    name: str
    preset: Text
    pace: Text
    places: tuple[Place, ...]
    tags: tuple[Text, ...]

    @property
    def pk(self) -> int:
        return self.match.pk

    @property
    def due_at(self) -> datetime | None:
        return self.match.due_at

    @property
    def left(self) -> str:
        """What is left of the turn; empty without a deadline."""
        return time_left(self.match.due_at) if self.match.due_at else ""

    @property
    def soon(self) -> bool:
        """Whether to hurry."""
        return self.match.due_at is not None and self.match.due_at - timezone.now() < SOON

    @property
    def put_off(self) -> bool:
        """Whether I have put this table behind the others for now."""
        until = next((seat.later_until for seat, place in self._seated() if place.is_me), None)
        return until is not None and until > timezone.now()

    @property
    def bank(self) -> str:
        """The bank, told behind the pace; empty where there is none."""
        return bank_told(self.match.bank)

    @property
    def days_off(self) -> tuple[str, str] | None:
        """On which days the clock stands still: a name for a colour, and words. None where no clock could."""
        return days_off(self.match.weekend, self.match.vacations) if self._by_post else None

    @property
    def days_off_told(self) -> list[str]:
        """What the days off mean, in sentences."""
        told = days_off_told(self.match.weekend, self.match.vacations, len(self.places))
        return told if self._by_post else []

    @property
    def _by_post(self) -> bool:
        return PACES[self.match.pace].kind == "correspondence"

    @property
    def until(self) -> str:
        """The deadline as a moment, for those who wait."""
        return moment(self.match.due_at) if self.match.due_at else ""

    @property
    def me(self) -> Place | None:
        return next((place for place in self.places if place.is_me), None)

    @property
    def lost(self) -> bool:
        """Whether others play my seat, and I may take it back."""
        return self.me is not None and not self.me.plays and self.me.gone == Seat.Gone.GIVEN_UP

    @property
    def others(self) -> str:
        """The names of the other players."""
        return ", ".join(p.name for p in self.places if p.name and not p.is_me)

    @property
    def free(self) -> int:
        return sum(place.free for place in self.places)

    @property
    def moving(self) -> str:
        """Who is awaited; empty while the site itself acts."""
        return "" if self.match.turn is None else self.places[self.match.turn].name

    @property
    def asking(self) -> str:
        """Who opened the match, and asks me to play."""
        place = self._opener_place()
        return place.name if place else ""

    @property
    def opener(self) -> Place | None:
        """Who opened the match, if he sits there."""
        return self._opener_place()

    @property
    def mine(self) -> bool:
        """Whether I have opened it."""
        return self.me is not None and self._opener_place() == self.me

    def _opener_place(self) -> Place | None:
        return next((place for seat, place in self._seated() if seat.user_id == self.match.opener_id), None)

    def _seated(self) -> Iterable[tuple[Seat, Place]]:
        return zip(self.match.seats.all(), self.places, strict=True)

    @property
    def asked(self) -> list[Place]:
        """Whose answers are awaited."""
        return [place for place in self.places if place.driver == Seat.Driver.INVITED]

    @property
    def alone(self) -> bool:
        """Whether no other person sits there."""
        return not any(place.driver == Seat.Driver.USER and not place.is_me for place in self.places)

    @property
    def result(self) -> str:
        """How an ended match came out, in one sentence."""
        return result(self)


def row(match: Match, user: Any) -> Row:
    """A match as a row. ``seats`` should be prefetched."""
    places = tuple(
        Place(
            seat.index,
            seat_name(seat),
            seat.driver,
            is_me=user.is_authenticated and user.pk in (seat.user_id, seat.driven_by_id),
            plays=user.is_authenticated and seat.driven_by_id == user.pk,
            gone=seat.gone,
            username=username_of(seat),
            habit=tuple(told(getattr(seat.user, "habit", None))) if seat.user_id else (),
        )
        for seat in match.seats.all()
    )
    return Row(
        match=match,
        name=name_of(match),
        preset=PRESET_TEXTS[match.preset].name,
        pace=PACES[match.pace].label,
        places=places,
        tags=tuple(differences(match)),
    )


def rows(matches: "QuerySet[Match]", user: Any) -> list[Row]:
    """Matches as rows, in two queries."""
    return [row(match, user) for match in matches.prefetch_related(seats()).select_related("opener")]


def seats() -> "Prefetch[str]":
    """What a row needs of the seats, in one query."""
    return Prefetch("seats", Seat.objects.select_related("user__habit", "driven_by").order_by("index"))


@dataclass(frozen=True, slots=True)
class Mine:
    """My matches by what is to be done about them.

    ``invited``: others ask for a rematch. ``kept``: others keep a seat for me. ``several``: others ask me for several
    at once, each list one question. ``sent``: my challenges and offers that stay until they are answered or withdrawn.
    ``gone``: from where I was removed.
    """

    await_me: list[Row]
    invited: list[Row]
    kept: list[Row]
    several: list[list[Row]]
    sent: list[Row]
    gone: list[Absence]
    waiting: list[Row]
    open: list[Row]
    ended: list[Row]

    @property
    def empty(self) -> bool:
        return not (
            self.await_me
            or self.invited
            or self.kept
            or self.several
            or self.sent
            or self.waiting
            or self.open
            or self.ended
        )


def mine(user: Any) -> Mine:
    """All running and open matches of a user and the last that ended; the status decides where a match stands."""
    mine = Seat.objects.filter(user=user.pk)
    at = Q(pk__in=(mine | Seat.objects.filter(driven_by=user.pk)).values("match"))
    live = rows(Match.objects.filter(at, status__in=[Match.Status.OPEN, Match.Status.RUNNING]).order_by("pk"), user)
    of_mine = Match.objects.filter(pk__in=mine.values("match"))
    over = of_mine.filter(status__in=[Match.Status.OVER, Match.Status.CANCELLED]).order_by("-ended_at", "-pk")
    last = Match.objects.filter(pk__in=over.values("pk")[:ENDED_SHOWN])  # so that a long past is sorted as two columns
    running = [one for one in live if one.match.status == Match.Status.RUNNING]
    still_open = [one for one in live if one.match.status == Match.Status.OPEN]
    several, asked = _together([one for one in still_open if _driver(one) == Seat.Driver.INVITED])
    return Mine(
        await_me=_by_deadline(one for one in running if _is_my_turn(one)),
        invited=[one for one in asked if one.match.rematch_of_id is not None],
        kept=[one for one in asked if one.match.rematch_of_id is None],
        several=several,
        sent=[one for one in still_open if one.mine and _is_sent(one)],
        gone=list(_gone(user)),
        waiting=_by_deadline(one for one in running if not _is_my_turn(one)),
        open=[one for one in still_open if _driver(one) != Seat.Driver.INVITED and not (one.mine and _is_sent(one))],
        ended=rows(last.order_by("-ended_at", "-pk"), user),
    )


def _is_sent(one: Row) -> bool:
    return one.match.rematch_of_id is None and bool(one.asked or one.match.standing)


def _gone(user: Any) -> "QuerySet[Absence]":
    """From where I was removed, until I have read it."""
    rows = Absence.objects.filter(user=user.pk, why=Absence.Why.REMOVED, told=False)
    return rows.select_related("match__opener").order_by("-at")


def _driver(one: Row) -> str:
    return one.me.driver if one.me else ""


def _is_my_turn(one: Row) -> bool:
    return one.me is not None and one.me.plays and one.match.turn == one.me.index and one.match.paused_at is None


def _together(asked: list[Row]) -> tuple[list[list[Row]], list[Row]]:
    """(invitations to several matches at once, invitations to one)."""
    sets = dict[int, list[Row]]()
    for one in asked:
        sets.setdefault(one.match.together_id or one.pk, []).append(one)
    return [some for some in sets.values() if len(some) > 1], [some[0] for some in sets.values() if len(some) == 1]


def _by_deadline(some: Iterable[Row]) -> list[Row]:
    """The nearest deadline first, what was put off last; matches opened together stand together."""
    rows = sorted(some, key=lambda one: (one.put_off, one.due_at is None, one.due_at or one.match.created_at, one.pk))
    first = dict[tuple[bool, int], int]()
    for at, one in enumerate(rows):
        first.setdefault(_set_of(one), at)
    return sorted(rows, key=lambda one: first[_set_of(one)])


def _set_of(one: Row) -> tuple[bool, int]:
    return one.put_off, one.match.together_id or one.pk


def result(one: Row) -> str:
    """Who won and by what, or why there is no winner."""
    match = one.match
    if match.status == Match.Status.CANCELLED:
        return _("No rematch") if match.rematch_of_id else _("Cancelled before it began")
    if match.ending in ENDED:
        return str(ENDED[match.ending])
    if not match.winners:
        return _("Ended without a winner")
    sides = match.game().sides()
    best = match.totals[match.winners[0]]
    rest = max((total for side, total in enumerate(match.totals) if side not in match.winners), default=best)
    winners = [one.places[seat] for side in match.winners for seat in sides[side]]
    values = {"name": get_text_list([place.name for place in winners], _("and")), "best": best, "rest": rest}
    if len(match.winners) > 1:
        return _("%(name)s share the win with %(best)d points") % values
    mine, theirs = WON[Match.Ending(match.ending)]
    return str(mine if any(place.is_me for place in winners) else theirs) % values


ENDED: dict[str, Text] = {
    Match.Ending.ABANDONED: gettext_lazy("Broken off in its first deal: it counts for nobody"),
    Match.Ending.ABORTED: gettext_lazy("Broken off by a moderator: it counts for nobody"),
}
"""Endings without a result."""

WON: dict[Match.Ending, tuple[Text, Text]] = {
    Match.Ending.PLAYED: (
        gettext_lazy("You won, %(best)d to %(rest)d"),
        gettext_lazy("%(name)s won, %(best)d to %(rest)d"),
    ),
    Match.Ending.RESIGNED: (gettext_lazy("You won by resignation"), gettext_lazy("%(name)s won by resignation")),
    Match.Ending.CLOCK: (gettext_lazy("You won on time"), gettext_lazy("%(name)s won on time")),
    Match.Ending.DECIDED: (
        gettext_lazy("You won: a moderator has decided it"),
        gettext_lazy("%(name)s won: a moderator has decided it"),
    ),
}
"""How a match was won: told to the winner, and to the others."""
