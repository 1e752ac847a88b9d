"""What a match that is over did to ratings, at its end: each seat whose rating the reader may see."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from games import disclosure, ratings
from games.models import Match
from games.rating_texts import FAMILY_TEXTS, KIND_TEXTS
from games.tables import Board, SeatSeen
from games.wording import seat_name


@dataclass(frozen=True, slots=True)
class Changed:
    """A seat whose rating has changed. ``matches``: on how many the rating rests now."""

    seat: SeatSeen
    name: str
    before: int
    after: int
    about: int
    gain: str
    matches: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class Rated:
    """``group`` is what was rated, in words; ``nothing`` says why nothing was. ``hidden``: not all may be seen."""

    group: str = ""
    nothing: str = ""
    changes: tuple[Changed, ...] = ()
    hidden: bool = False


def rated(board: Board, reader: Any) -> Rated:
    """At most two queries; none for a match that was not to be rated."""
    match = board.match
    if not match.rated:
        return Rated(nothing=_("This match was not rated."))
    rows = ratings.of_match(match)
    if not rows:
        return Rated(nothing=_why_not(match))
    friends = disclosure.friends_of(reader)
    seen = {row.user_id: row for row in rows if disclosure.shows("ratings", row.user, reader, friends)}
    changes = tuple(_changed(seat, seen[seat.user_id]) for seat in board.seats if seat.user_id in seen)
    family, kind = ratings.group_of(match)
    return Rated(f"{FAMILY_TEXTS[family]}, {KIND_TEXTS[kind]}", "", changes, len(changes) < len(rows))


def _why_not(match: Match) -> str:
    if match.ending == Match.Ending.ABANDONED:
        return _("Nothing was rated: the match was broken off in its first deal.")
    return _("Nothing was rated: the match counts for nobody.")


def _changed(seat: SeatSeen, row: Any) -> Changed:
    before, after = ratings.on_scale(row.mu_before), ratings.on_scale(row.mu_after)
    return Changed(
        seat=seat,
        name=seat_name(seat),
        before=before,
        after=after,
        about=round(ratings.SCALE * row.sigma_after),
        gain=f"{after - before:+d}".replace("-", "−"),
        matches=row.matches,
        provisional=row.matches < ratings.PROVISIONAL,
    )
