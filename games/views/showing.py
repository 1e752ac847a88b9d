"""What the page of a table shows, made of a Board: its state, regions and buttons. Views and templates ask no rules.

Its words are in sentences.py, how a deal came out in results.py, a match in endings.py, what the buttons know in
buttons.py.
"""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from games import absence, clock, tables
from games.models import Match
from games.rules.cards import Card
from games.rules.melds import Melded
from games.tables import Board, SeatSeen
from games.wording import seat_name, stock_note

from .buttons import button_words, legal_json
from .knocks import Knocks
from .orders_shown import Orders
from .previously import Previously, previously
from .sentences import Note, Sentences
from .timing import Timing

TRAVELLERS = 20
"""Cards of a page that may travel: the discard, my hand, what was put down last. More of them stutter on a phone."""


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
class Page(Sentences):
    """A table page: its state, hand, melds and buttons. ``arrived``: its reader has just come, and is told the news."""

    arrived: bool = False
    reader: Any = None

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

    @cached_property
    def beside(self) -> str:
        """Two numbers that say whether score and time have to be drawn again: they stand beside the table, and most
        moves leave them as they are. Nothing in them tells more than the page itself does."""
        match, drives, time = self.match, self.board.drives, self.time
        score = [(seat.name, seat.total, seat.is_me, seat.substitute, seat.username) for seat in self.board.seats]
        clock = (match.turn, match.due_at, match.paused_at, match.live_at, time.question, time.here)
        buttons = [(act, str(words), can) for act, words, can in time.buttons]
        stamps = (match.status, drives, score), (match.status, drives, clock, buttons)
        return ".".join(str(zlib.crc32(repr(stamp).encode())) for stamp in stamps)

    @property
    def may_report(self) -> bool:
        """Whether somebody else is here whom a signed-in reader could report."""
        me = getattr(self.reader, "pk", None)
        return me is not None and any({seat.user_id, seat.driven_by_id} - {None, me} for seat in self.board.seats)

    @property
    def playing(self) -> bool:
        """Whether my hand lies before me."""
        return self.state in ("mine", "wait")

    @cached_property
    def does(self) -> frozenset[str]:
        """The acts that the rules know in this phase, by name; none when it is not my turn."""
        if self.state != "mine" or self.board.view is None:
            return frozenset()
        return frozenset(kind.name for kind in self.board.game.grammar[self.board.view.phase])

    @property
    def takes(self) -> str:
        """The act that takes the top discard now; empty where none may."""
        if self.board.view is None or not self.board.view.top:
            return ""
        names = self.does & {"draw_discard", "take_upcard"}
        return next(iter(names), "") if any(a.name in names for a in self.board.view.legal) else ""

    @property
    def offered(self) -> bool:
        """Whether I am asked for a card that I may take or leave, before any is drawn."""
        return "take_upcard" in self.does

    @property
    def melding(self) -> bool:
        return self.state == "mine" and not self.drawing and not self.offered

    @cached_property
    def knock(self) -> Knocks:
        """What the page shows of knocking; empty where the game knows no knock."""
        return Knocks(self.board, mine=self.state == "mine", hand=self.hand)

    @cached_property
    def orders(self) -> Orders:
        """My standing order, and whether one may be left."""
        return Orders(self.board)

    @property
    def me(self) -> SeatSeen | None:
        return self.board.seats[self.board.me] if self.board.me is not None else None

    @cached_property
    def previously(self) -> Previously | None:
        """What I have missed, until I act or put it aside."""
        return previously(self.board) if self.arrived and self.playing else None

    @property
    def is_player(self) -> bool:
        """Whether the result is mine too: a substitute has none."""
        return self.me is not None and not (self.board.drives and self.me.substitute)

    @property
    def lost(self) -> bool:
        """Whether others play my seat, and I may take it back."""
        running = self.match.status == Match.Status.RUNNING
        return running and self.me is not None and not self.board.drives and self.me.gone == "given_up"

    @property
    def may_nudge(self) -> bool:
        """Whether the one to move may be told that he is awaited."""
        if self.state != "wait" or self.mover is None or self.mover.driver != "user" or self.board.nudged:
            return False
        may = absence.nudge_from(self.match, self.board.waiting_since or absence.waiting_since(self.match))
        return may is not None and may <= timezone.now()

    @property
    def i_deal(self) -> bool:
        return self.me is not None and self.me.dealer

    @cached_property
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
        return self.board.hand if self.playing or self.state == "watch" else ()

    @property
    def columns(self) -> int:
        """For how many cards the hand makes room: a card to be drawn has its place already, and moves none."""
        return len(self.hand) + (not self.melding)

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
        view = self.board.view
        last = [e for e in view.events if e.turn >= view.turns - 1 and e.kind in ("melded", "laid_off")]
        most = TRAVELLERS - 1 - (len(self.hand) if self.hand_travels else 0)
        return frozenset([c for e in last for c in e.cards][-most:])

    @property
    def hand_travels(self) -> bool:
        """A hand of more cards than that would leave none for the table."""
        return len(self.hand) <= TRAVELLERS - 4

    @property
    def stock_note(self) -> str:
        return stock_note(dict(self.board.view.facts)) if self.board.view else ""

    @cached_property
    def time(self) -> Timing:
        """What the sheet "More" says about the time of this match."""
        return Timing(self.board)

    @property
    def live(self) -> bool:
        return clock.pace_of(self.match).kind == "live"

    @cached_property
    def legal(self) -> str:
        """What I may do now, for hand.js; empty when it is not my turn to meld or discard."""
        return legal_json(self.board) if self.melding else ""

    @property
    def words(self) -> str:
        """The short reasons that stand under a button, for hand.js."""
        return json.dumps(button_words(), separators=(",", ":"), ensure_ascii=False)


def state_of(board: Board) -> str:
    """Which of the five states a table is in for its reader."""
    if board.match.status == Match.Status.OVER:
        return "over"
    if board.result is not None:
        return "deal"
    if not board.drives:
        return "watch"
    return "mine" if board.my_turn else "wait"


def others_of(user: Any, match: Match) -> list[int]:
    """Other matches that await this user, the nearest deadline first."""
    if not user.is_authenticated:
        return []
    return [pk for pk in tables.queue(user) if pk != match.pk]


def page_of(
    board: Board, user: Any, note: Note | None = None, *, whole_log: bool = False, arrived: bool = False
) -> Page:
    """The page that a user gets to see."""
    return Page(board, note or Note(), state_of(board), others_of(user, board.match), whole_log, arrived, user)
