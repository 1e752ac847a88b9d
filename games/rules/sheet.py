"""The Sheet: the match around the Table. Sides, totals, dealer, deal number, winners. Immutable.

It keeps running sums only, so that its size does not grow with the match; the deals themselves are rows.
"""

from dataclasses import dataclass, replace
from typing import Self

from .options import Options
from .table import Outcome


@dataclass(frozen=True, slots=True)
class Sheet:
    """The score of a match between two deals.

    ``sides`` are the seats that score together, ``totals`` their points. ``deal`` is the number of the deal in
    progress or to come (from 1), ``dealer`` its dealer, ``played`` how many have ended and were not voided.
    ``winners`` are sides. ``capped``: the match ended by ``deal_cap``.
    """

    sides: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    dealer: int
    deal: int = 1
    played: int = 0
    over: bool = False
    winners: tuple[int, ...] = ()
    capped: bool = False

    @property
    def standing(self) -> tuple[int, ...]:
        """The points of each side as a page shows them; games that add bonuses at the end have them here by then."""
        return self.totals

    def side_of(self, seat: int) -> int:
        """The side on which a seat plays."""
        return next(side for side, seats in enumerate(self.sides) if seat in seats)

    def added(self, outcome: Outcome, options: Options, dealer: int) -> Self:
        """The Sheet with the points of one more deal; ``dealer`` deals next. The end is not tested."""
        totals = tuple(
            total + sum(outcome.points[seat] for seat in seats)
            for total, seats in zip(self.totals, self.sides, strict=True)
        )
        played = self.played + (not outcome.voided)
        return replace(self, totals=totals, dealer=dealer, deal=self.deal + 1, played=played)

    def judged(self, options: Options, *, lowest_wins: bool = False) -> Self:
        """The Sheet with the end of the match tested (RULES.md section 4, "Match end").

        With ``lowest_wins`` points are penalties, and the lowest total leads.
        """
        best = min(self.totals) if lowest_wins else max(self.totals)
        leaders = tuple(side for side, total in enumerate(self.totals) if total == best)
        capped = self.played >= options.deal_cap
        if options.match_end == "deals":
            due = options.deals is not None and self.played >= options.deals
        else:
            due = max(self.totals) >= options.target
        over = capped or (due and (len(leaders) == 1 or options.tie_break == "shared"))
        return replace(self, over=over, winners=leaders if over else (), capped=capped and over)
