"""TableView: what one seat, or a watcher, may see. Built by LISTING what may be seen, never by copying and masking."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .cards import Card
from .melds import Melded
from .sheet import Sheet
from .table import Event, Outcome, Table

if TYPE_CHECKING:
    from .actions import Action
    from .game import Game

MEMORIES = ("all", "discards", "none")
"""What a page keeps of events before the seat's previous turn (RULES.md section 1), most first."""


@dataclass(frozen=True, slots=True)
class TableView:
    """All that a seat (None: a watcher) may know of a deal.

    ``counts`` are the cards in each hand, ``top`` the top discard, ``pile`` the size of the discard pile.
    ``legal`` is what this seat may do now, empty when it is not its turn. ``hands`` is filled when the deal is over.
    ``points`` is what the own hand would cost. ``facts`` are the public counters of the game, by name; ``own`` is what
    the game works out of the own hand, for this seat alone.
    """

    seat: int | None
    phase: str
    actor: int
    turn: int
    dealer: int
    hand: tuple[Card, ...]
    drawn: Card | None
    taken: Card | None
    points: int
    counts: tuple[int, ...]
    stock: int
    top: Card | None
    pile: int
    melds: tuple[Melded, ...]
    turns: int
    events: tuple[Event, ...]
    facts: tuple[tuple[str, Any], ...]
    own: tuple[tuple[str, Any], ...]
    legal: tuple["Action", ...]
    exhaustive: bool
    sheet: Sheet
    outcome: Outcome | None
    hands: tuple[tuple[Card, ...], ...]

    @property
    def my_turn(self) -> bool:
        return self.seat is not None and self.seat == self.actor


def see(game: "Game[Any]", table: Table, sheet: Sheet, seat: int | None, memory: str = "all") -> TableView:
    """The table as ``seat`` sees it; None is a watcher, who sees the least of any seat."""
    mine = table.hands[seat] if seat is not None else ()
    moving = seat is not None and seat == table.turn and table.outcome is None
    choices = game.choices(table) if seat is not None and seat == table.actor else None
    return TableView(
        seat=seat,
        phase=table.phase,
        actor=table.actor,
        turn=table.turn,
        dealer=table.dealer,
        hand=mine,
        drawn=table.drawn if moving else None,
        taken=table.taken,
        points=game.cost(mine),
        counts=tuple(map(len, table.hands)),
        stock=len(table.stock),
        top=table.discards[-1] if table.discards else None,
        pile=len(table.discards),
        melds=table.melds,
        turns=table.turns,
        events=_events(table, seat, memory),
        facts=game.facts(table),
        own=game.insight(table, seat) if seat is not None else (),
        legal=choices.actions if choices else (),
        exhaustive=choices.exhaustive if choices else True,
        sheet=sheet,
        outcome=table.outcome,
        hands=table.hands if table.outcome else (),
    )


def _events(table: Table, seat: int | None, memory: str) -> tuple[Event, ...]:
    """The events that this viewer may be shown, without what only another seat saw."""
    start = 0
    if memory != "all" and table.outcome is None:
        seats = range(table.seats) if seat is None else (seat,)
        start = max(previous_turn(table.events, table.turn, one) for one in seats)
    kept = [e for e in table.events[:start] if memory == "discards" and e.kind == "discarded"]
    # most events are told as they are; a draw of another seat is made anew for each view, by the quickest way there is
    return tuple(e if e.own is None or e.seat == seat else _without_own(e) for e in (*kept, *table.events[start:]))


def _without_own(event: Event) -> Event:
    return Event(event.kind, event.seat, event.turn, event.cards, None, event.meld)


def previous_turn(events: Sequence[Event], turn: int, seat: int) -> int:
    """Where in the events the seat's previous turn begins (not the turn in progress); 0 if it had none."""
    now = events[-1].turn if events and seat == turn else None
    starts = (i for i, e in enumerate(events) if e.seat == seat and e.kind in ("drew", "took") and e.turn != now)
    return max(starts, default=0)
