"""What a match that is over counts for whom: the one place that says who has won, who has lost, and what counts not.

Lists, pages, statistics and ratings ask here. The rules, in order:

- What never ended by play or by leaving (cancelled, still open or running) counts for nobody.
- A match broken off in its first deal counts for nobody.
- Only the user of a seat has its result. A substitute has none, a bot has none.
- Whoever has left a seat and not taken it back has lost and is last, whatever others made of the seat.
- Among those who stayed the winners of the match have won, or share the win; the others have lost.
- A match at which a bot sat from the start is counted apart (``with_bots``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .models import Match, Seat

How = Literal["won", "shared", "lost", "resigned", "given_up"]


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
    return match.status == Match.Status.OVER and match.ending != Match.Ending.ABANDONED


def standings(match: Match, seats: Sequence[Seat]) -> list[Standing]:
    """What a match counts for each of its users, in seat order; nothing for one that does not count."""
    if not counts(match):
        return []
    sides = match.game().sides()
    won = {seat for side in match.winners for seat in sides[side]}
    how_won: How = "shared" if len(match.winners) > 1 else "won"
    with_bots = any(seat.user_id is None for seat in seats)
    found = []
    for seat in seats:
        if seat.user_id is not None:
            how = _left(seat) or (how_won if seat.index in won else "lost")
            found.append(Standing(seat.user_id, seat.index, how, with_bots))
    return found


def _left(seat: Seat) -> How | None:
    if seat.gone == Seat.Gone.RESIGNED:
        return "resigned"
    return "given_up" if seat.gone == Seat.Gone.GIVEN_UP else None
