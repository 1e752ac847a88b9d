"""What a table tells to who comes back: the deals that ended meanwhile, and the last sentences since the last visit."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from games.paces import PACES
from games.tables import Board
from games.telling import told

from .results import deal_shown

LINES = 6
"""The last sentences; more are counted, and stand in the log and the replay."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A deal that ended while I was away: how, and (name, points) of who scored."""

    number: int
    headline: str
    scores: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Previously:
    """``before``: how many lines there are beside those told."""

    deals: list[Ended]
    lines: list[SafeString]
    before: int

    @property
    def count(self) -> int:
        """How many lines there are in all."""
        return self.before + len(self.lines)


def previously(board: Board) -> Previously | None:
    """What happened since my last visit, where that is more than the sentence at the hand says.

    Live, and alone with bots, one sees it happen.
    """
    if not board.returning or PACES[board.match.pace].kind != "correspondence":
        return None
    new = [line for line in board.log if line.new and not line.draft]
    if len(new) < 2 and not board.missed:
        return None
    shown = [deal_shown(board, result) for result in board.missed]
    deals = [
        Ended(one.number, one.headline, [(row.name, row.scored) for row in one.rows if row.scored]) for one in shown
    ]
    return Previously(deals, [told(line, board) for line in new[-LINES:]], max(0, len(new) - LINES))
