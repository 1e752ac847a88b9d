"""What the page of a table shows, made of a Board: its state, regions and buttons. Views and templates ask no rules.

How a deal came out is in results.py, a match in endings.py, what the buttons know in buttons.py.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import tables
from games.models import Match, Seat
from games.paces import PACES
from games.preset_texts import name_of
from games.rules.cards import Card
from games.rules.melds import Melded
from games.tables import Board, SeatSeen
from games.telling import last_of_others, own_turn, recap, told
from games.wording import goal, moment, seat_name, stock_note, time_left

from .buttons import button_words, legal_json

LOG_LINES = 16
"""Lines of the log in a page; the others are one link away."""


@dataclass(frozen=True, slots=True)
class Note:
    """An answer to what was just tried: a sentence, the cards concerned, and what stays selected."""

    sentence: str | SafeString = ""
    why: frozenset[Card] = frozenset()
    kept: frozenset[str] = frozenset()
    target: int | None = None


@dataclass(frozen=True, slots=True)
class MeldShown:
    """A meld of the table. ``cards``: (card, seat that brought it or None if the owner, only in my draft, travels)."""

    index: int
    seat: SeatSeen
    name: str
    label: str
    draft: bool
    cards: list[tuple[Card, int | None, bool, bool]]
    chosen: bool


@dataclass
class Page:
    """A table page. ``state``: mine, wait, deal, over or watch."""

    board: Board
    note: Note
    state: str
    others: list[int] = field(default_factory=list)
    whole_log: bool = False

    @property
    def match(self) -> Match:
        return self.board.match

    @property
    def title(self) -> str:
        return name_of(self.match)

    @property
    def goal(self) -> str:
        result = self.board.result
        return goal(self.board, result.number if result and self.state == "deal" else self.match.deal_number)

    @property
    def dress(self) -> str:
        """The state as classes: the end of a deal and of a match share a look."""
        return "deal over" if self.state == "deal" else self.state

    @property
    def stamp(self) -> str:
        """Says whether the hand has to be drawn again."""
        return f"{self.board.hand_stamp}.{self.playing:d}"

    @property
    def version(self) -> str:
        """Orders answers: an older one never replaces a newer one."""
        return f"{self.board.seen}.{self.board.order_stamp}"

    @property
    def playing(self) -> bool:
        """Whether my hand lies before me."""
        return self.state in ("mine", "wait")

    @property
    def drawing(self) -> bool:
        return self.state == "mine" and self.board.view is not None and self.board.view.phase == "draw"

    @property
    def melding(self) -> bool:
        return self.state == "mine" and not self.drawing

    @property
    def me(self) -> SeatSeen | None:
        return self.board.seats[self.board.me] if self.board.me is not None else None

    @property
    def i_deal(self) -> bool:
        return self.me is not None and self.me.dealer

    @property
    def mover(self) -> SeatSeen | None:
        """The seat that is awaited, None while the dealer has to act."""
        turn = self.match.turn
        return self.board.seats[turn] if turn is not None else None

    @property
    def strip(self) -> list[SeatSeen]:
        """The seats around me, from my left; all of them for a watcher."""
        if self.state in ("deal", "over"):
            return []
        seats, me = self.board.seats, self.board.me
        if me is None or not self.playing:
            return list(seats)
        return [*seats[me + 1 :], *seats[:me]]

    @property
    def hand(self) -> Sequence[Card]:
        return self.board.hand if self.playing else ()

    @property
    def melds(self) -> list[MeldShown]:
        melds = self.board.view.melds if self.board.view else ()
        return [self._meld(i, meld) for i, meld in enumerate(melds)]

    def _meld(self, index: int, meld: Melded) -> MeldShown:
        owner, board = self.board.seats[meld.owner], self.board
        draft = index >= board.settled
        moved = self._moved()
        return MeldShown(
            index=index,
            seat=owner,
            name=seat_name(owner),
            label=(_("run of {name}") if meld.kind == "run" else _("set of {name}")).format(name=seat_name(owner)),
            draft=draft,
            cards=[
                (card, by if by != meld.owner else None, not draft and card in board.laid, card in moved)
                for card, by in zip(meld.cards, meld.by, strict=True)
            ],
            chosen=self.note.target == index,
        )

    def _moved(self) -> frozenset[Card]:
        """The cards that the last turn and my draft have put on the table: with my hand the only ones that travel."""
        if self.board.view is None:
            return frozenset()
        last = [
            e
            for e in self.board.view.events
            if e.turn >= self.board.view.turns - 1 and e.kind in ("melded", "laid_off")
        ]
        return frozenset([c for e in last for c in e.cards][-8:])

    @property
    def stock_note(self) -> str:
        return stock_note(dict(self.board.view.facts)) if self.board.view else ""

    @property
    def clock(self) -> tuple[str, SafeString] | None:
        """(what is left of the turn, until when)."""
        due = self.match.due_at
        return (time_left(due), moment(due)) if due else None

    @property
    def since(self) -> SafeString | None:
        return moment(self.board.waiting_since) if self.board.waiting_since else None

    @property
    def live(self) -> bool:
        return PACES[self.match.pace].kind == "live"

    # What is said

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
    def recap(self) -> str:
        return recap(self.board)

    @property
    def log(self) -> list[tuple[tables.Told, SafeString]]:
        """What happened, newest first."""
        lines = self.board.log if self.whole_log else self.board.log[-LOG_LINES:]
        return [(line, told(line, self.board)) for line in reversed(lines)]

    @property
    def cut_log(self) -> bool:
        return not self.whole_log and len(self.board.log) > LOG_LINES

    @property
    def score(self) -> list[tuple[SeatSeen, str, int, int]]:
        """(seat, name, total, how far in percent), best first."""
        board = self.board
        goal_at = board.options.target if board.options.match_end == "points" else 0
        most = max([goal_at, 1, *(seat.total for seat in board.seats)])
        lowest = board.game.lowest_wins
        ranked = sorted(board.seats, key=lambda s: (s.total if lowest else -s.total, s.index))
        return [(seat, seat_name(seat), seat.total, max(0, seat.total) * 100 // most) for seat in ranked]

    @property
    def legal(self) -> str:
        """What I may do now, for hand.js; empty when it is not my turn to meld or discard."""
        return legal_json(self.board) if self.melding else ""

    @property
    def words(self) -> str:
        """The short reasons that stand under a button, for hand.js."""
        return json.dumps(button_words(), separators=(",", ":"), ensure_ascii=False)


def state_of(board: Board) -> str:
    """Which of the five states a table is in for its reader."""
    drives = board.me is not None and board.seats[board.me].driver == Seat.Driver.USER
    if board.match.status == Match.Status.OVER:
        return "over"
    if board.result is not None:
        return "deal"
    if not drives:
        return "watch"
    return "mine" if board.my_turn else "wait"


def others_of(user: Any, match: Match) -> list[int]:
    """Other matches that await this user, the nearest deadline first."""
    if not user.is_authenticated:
        return []
    return list(tables.waiting_for(user).exclude(pk=match.pk).values_list("pk", flat=True)[:99])


def page_of(board: Board, user: Any, note: Note | None = None, *, whole_log: bool = False) -> Page:
    """The page that a user gets to see."""
    return Page(board, note or Note(), state_of(board), others_of(user, board.match), whole_log)
