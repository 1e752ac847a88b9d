"""What a table page says: its title, the sentence at the hand, what happened, the score."""

from dataclasses import dataclass
from functools import cached_property

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import tables
from games.models import Match
from games.preset_texts import name_of
from games.rules.cards import Card
from games.tables import Board, SeatSeen
from games.telling import last_of_others, own_turn, recap, told
from games.wording import goal, last_look, moment, seat_name, time_left

LOG_LINES, LEAST_LINES = 16, 9
"""Lines of the log in a page, at most while many of them are new, else; the others are one link away."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An act that throws a card and ends a turn, to be confirmed. ``way``: how the melds of a knock are to lie."""

    do: str
    card: Card
    way: str = ""

    @property
    def knocks(self) -> bool:
        return self.do != "discard"


@dataclass(frozen=True, slots=True)
class Note:
    """An answer to what was just tried: a sentence, the cards concerned, and what stays selected.

    ``asked``: the act that has to be confirmed; nothing has been done.
    """

    sentence: str | SafeString = ""
    why: frozenset[Card] = frozenset()
    kept: frozenset[str] = frozenset()
    target: int | None = None
    asked: Asked | None = None


@dataclass
class Sentences:
    """The words of a page. ``state``: mine, wait, deal, over or watch."""

    board: Board
    note: Note
    state: str
    others: list[int]
    whole_log: bool

    @property
    def match(self) -> Match:
        return self.board.match

    @cached_property
    def title(self) -> str:
        return name_of(self.match)

    @cached_property
    def goal(self) -> str:
        result = self.board.result
        return goal(self.board, result.number if result and self.state == "deal" else self.match.deal_number)

    @property
    def drawing(self) -> bool:
        return self.state == "mine" and self.board.view is not None and self.board.view.phase == "draw"

    @property
    def mover(self) -> SeatSeen | None:
        """The seat that is awaited, None while the dealer has to act."""
        turn = self.match.turn
        return self.board.seats[turn] if turn is not None else None

    @cached_property
    def clock(self) -> tuple[str, SafeString] | None:
        """(what is left of the turn, until when)."""
        due = self.match.due_at
        return (time_left(due), moment(due)) if due else None

    @cached_property
    def since(self) -> SafeString | None:
        return moment(self.board.waiting_since) if self.board.waiting_since else None

    @cached_property
    def looks(self) -> str:
        """When the one who is awaited was last seen at this table, in coarse words."""
        return last_look(self.mover) if self.mover and self.mover.driver == "user" and not self.mover.is_me else ""

    @property
    def heading(self) -> str:
        """The title of the page; the lobby of the browser's tabs should tell my turn from all else."""
        if self.state == "mine":
            return _("Your turn · {match}").format(match=self.title)
        return self.title

    @property
    def speaker(self) -> SeatSeen | None:
        """Whose disc stands before the sentence."""
        if self.note.sentence:
            return None
        if self.state == "wait":
            return self.mover
        line = last_of_others(self.board) if self.state == "mine" else None
        return self.board.seats[line.seat] if line and line.seat >= 0 else None

    @property
    def news(self) -> SafeString | None:
        """The last thing that somebody else did."""
        line = last_of_others(self.board)
        return told(line, self.board) if line else None

    @property
    def latest(self) -> SafeString | None:
        """The last thing that anybody did, for who only looks on."""
        line = next((line for line in reversed(self.board.log) if line.what not in ("turned_over", "shuffled")), None)
        return told(line, self.board) if line else None

    @property
    def own_news(self) -> list[SafeString]:
        """What I have done in this turn, the last two acts of it."""
        return [told(line, self.board) for line in own_turn(self.board)[-2:]]

    @property
    def call(self) -> str:
        """What changes for the reader beside the lines of the log: told once to who listens to the page."""
        if self.drawing:
            return _("It is your turn. Draw a card.")
        if self.state == "mine":
            return _("It is your turn.")
        if self.state == "deal":
            return _("The deal is over.")
        return _("The match is over.") if self.state == "over" else ""

    @cached_property
    def recap(self) -> str:
        return recap(self.board)

    @property
    def log(self) -> list[tuple[tables.Told, int, SafeString]]:
        """What happened, newest first: (line, a number that grows through the match, sentence)."""
        lines = self.board.log if self.whole_log else self.board.log[-self._log_lines :]
        first = self.match.deal_number * 10_000
        return [(line, first + line.number, told(line, self.board)) for line in reversed(lines)]

    @property
    def cut_log(self) -> bool:
        return not self.whole_log and len(self.board.log) > self._log_lines

    @cached_property
    def _log_lines(self) -> int:
        new = sum(line.new for line in self.board.log[-LOG_LINES:])
        return max(LEAST_LINES, new)

    @cached_property
    def score(self) -> list[tuple[SeatSeen, str, int, int]]:
        """(seat, name, total, how far in percent), best first."""
        board = self.board
        goal_at = board.options.target if board.options.match_end == "points" else 0
        most = max([goal_at, 1, *(seat.total for seat in board.seats)])
        lowest = board.game.lowest_wins
        ranked = sorted(board.seats, key=lambda s: (s.total if lowest else -s.total, s.index))
        return [(seat, seat_name(seat), seat.total, max(0, seat.total) * 100 // most) for seat in ranked]
