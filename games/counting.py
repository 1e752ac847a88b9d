"""What a match that is over counts for whom: the one place that says who has won, who has lost, and what counts not.

Lists, pages, statistics and ratings ask here. The rules, in order:

- What never ended by play or by leaving (cancelled, still open or running) counts for nobody.
- A match broken off in its first deal, or by a moderator, counts for nobody.
- Only the user of a seat has its result. A substitute has none, a bot has none.
- Whoever has left a seat and not taken it back has lost and is last, whatever others made of the seat. So has one in
  whose place a moderator let a bot play.
- Among those who stayed the winners of the match have won, or share the win; the others have lost.
- A match at which a bot sat from the start is counted apart (``with_bots``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from .models import Match, Seat
from .rules.catalog import find

How = Literal["won", "shared", "lost", "resigned", "given_up"]
FOR_NOBODY = (Match.Ending.ABANDONED, Match.Ending.ABORTED)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a match is for the user of a seat. ``resigned`` and ``given_up`` are lost too, and last."""

    user_id: int
    seat: int
    how: How
    with_bots: bool = False

    @property
    def lost(self) -> bool:
        return self.how not in ("won", "shared")


def counts(match: Match) -> bool:
    """Whether a match counts for anybody."""
    return match.status == Match.Status.OVER and match.ending not in FOR_NOBODY


def standings(match: Match, seats: Sequence[Seat]) -> list[Standing]:
    """What a match counts for each of its users, in seat order; nothing for one that does not count."""
    if not counts(match):
        return []
    sides = match.game().sides()
    with_bots = any(seat.user_id is None for seat in seats)
    return [
        Standing(seat.user_id, seat.index, how(seat.index, seat.gone, match.winners, sides), with_bots)
        for seat in seats
        if seat.user_id is not None
    ]


def how(seat: int, gone: str, winners: Sequence[int], sides: Sequence[Sequence[int]]) -> How:
    """What a match that counts is for the user of one seat; ``gone`` is how he left it, ``winners`` are sides."""
    if gone:
        return "resigned" if gone == Seat.Gone.RESIGNED else "given_up"
    if not any(seat in sides[side] for side in winners):
        return "lost"
    return "shared" if len(winners) > 1 else "won"


@cache
def sides_of(preset: str, edition: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """The seats that score together, where only the columns of a match are at hand."""
    entry = find(preset, edition)
    return entry.play(entry.options(seats)).sides()
