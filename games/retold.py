"""An ended deal told again from its Record: the table at each moment, with all hands or with what one seat knew.

Nothing of a running deal comes here: only an ended one has a Record. Who may see it is asked before.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from .models import Match, Tenure
from .moments import Moment, moments
from .rules.cards import Card, by_rank, by_suit
from .rules.codec import decode_outcome, decode_sheet
from .rules.game import Game
from .rules.table import DEALER, Event, Outcome
from .rules.view import TableView
from .tables import Board, SeatSeen, Told, place_of, seats_seen

ALL = -1
"""Instead of a seat: all hands lie open."""


@dataclass(frozen=True, slots=True)
class Retold:
    """A deal and one moment ``at`` (from 1) of so many ``steps``. ``of``: the seat whose knowledge it is, or ALL."""

    number: int
    steps: int
    at: int
    of: int
    moment: Moment
    board: Board
    outcome: Outcome | None

    @property
    def last(self) -> bool:
        return self.at == self.steps

    @property
    def hands(self) -> list[tuple[SeatSeen, tuple[Card, ...]]]:
        """The hands that lie open, each as its seat likes it or by suit."""
        shown = self.board.seats if self.of == ALL else (self.board.seats[self.of],)
        order = by_rank if self.board.sort == "rank" else by_suit
        return [(seat, order(self.moment.hands[seat.index])) for seat in shown]

    @property
    def strip(self) -> list[SeatSeen]:
        """The seats whose hands are hidden, from the left of the one that is shown."""
        return [] if self.of == ALL else [*self.board.seats[self.of + 1 :], *self.board.seats[: self.of]]


@dataclass(frozen=True, slots=True)
class Source:
    """An ended deal with what stands round it: the places, and which entries of the tape its reader himself made."""

    match: Match
    seats: tuple[SeatSeen, ...]
    record: dict[str, Any]
    made: tuple[tuple[int, int | None], ...] = ()

    def moments(self) -> list[Moment]:
        """Every moment."""
        return list(moments(self.record, keeps_top=self.match.options.get("recycle_keep_top", True)))

    @property
    def me(self) -> int | None:
        return next((seat.index for seat in self.seats if seat.is_me), None)

    def mine(self, line: Told, number: int) -> bool:
        """Whether a line is the reader's own doing, and not a bot's or a substitute's at his seat."""
        return line.seat == self.me and any(lo <= number and (hi is None or number <= hi) for lo, hi in self.made)


def retell(source: Source, at: int = 1, of: int = ALL, sort: str = "suit") -> Retold:
    """An ended deal at the moment ``at``; numbers that are no moment are brought to the nearest."""
    told = source.moments()
    return _retold(source, told, min(max(at, 1), len(told)), of if 0 <= of < len(source.seats) else ALL, sort)


def retell_all(source: Source) -> Iterator[Retold]:
    """An ended deal, moment after moment, with all hands."""
    told = source.moments()
    for at in range(1, len(told) + 1):
        yield _retold(source, told, at, ALL, "suit")


def _retold(source: Source, told: list[Moment], at: int, of: int, sort: str) -> Retold:
    moment, record, game = told[at - 1], source.record, source.match.game()
    outcome = decode_outcome(record["outcome"]) if record["outcome"] and at == len(told) else None
    board = Board(
        match=source.match,
        game=game,
        options=game.options,
        me=source.me,
        seats=_seats(source, moment),
        view=_view(game, record, moment, of, outcome),
        sort=sort,
        settled=len(moment.melds),
        log=tuple(
            replace(line, event=_known(line.event, of), mine=source.mine(line, moment.number)) for line in moment.lines
        ),
        drives=source.me is not None,
    )
    return Retold(record["deal"], len(told), at, of, moment, board, outcome)


def _seats(source: Source, moment: Moment) -> tuple[SeatSeen, ...]:
    """The places as they stood at that moment."""
    return tuple(
        replace(
            seat,
            total=source.record["sheet"]["totals"][seat.side],
            cards=len(moment.hands[seat.index]),
            dealer=seat.index == source.record["dealer"],
            moving=seat.index == moment.seat,
        )
        for seat in source.seats
    )


def _known(event: Event | None, of: int) -> Event | None:
    """An event as the seat knew it; with all hands open everything is known."""
    if event is None or of in (ALL, event.seat):
        return event
    return replace(event, own=None)


def _view(game: Game[Any], record: dict[str, Any], moment: Moment, of: int, outcome: Outcome | None) -> TableView:
    hand = moment.hands[of] if of != ALL else ()
    return TableView(
        seat=of if of != ALL else None,
        phase="deal_over" if moment.seat == DEALER else "play",
        actor=moment.seat,
        turn=moment.seat,
        dealer=record["dealer"],
        hand=hand,
        drawn=moment.fresh if moment.fresh in hand else None,
        taken=None,
        points=0,
        counts=tuple(map(len, moment.hands)),
        stock=moment.stock,
        top=moment.pile[-1] if moment.pile else None,
        pile=len(moment.pile),
        melds=moment.melds,
        turns=moment.turn,
        events=tuple(line.event for line in moment.lines if line.event is not None),
        facts=(),
        own=(),
        legal=(),
        exhaustive=True,
        sheet=decode_sheet(record["sheet"], game.sheet_kind),
        outcome=outcome,
        hands=moment.hands if of == ALL else (),
    )


def source_of(match: Match, user: Any, record: dict[str, Any]) -> Source:
    """An ended deal of a match as this user looks at it."""
    rows = match.seated()
    mine = place_of(rows, user)
    made = Tenure.objects.filter(seat=mine, user=user.pk).values_list("from_move", "to_move") if mine else ()
    seats = seats_seen(match, rows, mine.index if mine else None, match.game(), None)
    return Source(match, seats, record, tuple(made))
