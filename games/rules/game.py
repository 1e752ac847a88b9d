"""Game: the frame in which every member of the family is played. A game is its grammar, its options and a few hooks.

The one gate to a Table is ``apply``: whose turn, which phase, the action's own check, its effect, the end of the turn.
Chance comes from outside: ``lay_out`` and ``reshuffle`` are told the order of the cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from .actions import Action, Discard, LayOff
from .cards import Card, by_id, pack
from .errors import Illegal, Malformed, Refused
from .melds import Shape
from .options import Options
from .sheet import Sheet
from .table import DEALER, VOIDED, Event, Line, Outcome, Table
from .view import TableView

MOST_POINTS = 9_999
"""More than a deal of any game gives."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Actions that a seat may do now; ``exhaustive`` is false where they are representatives of too many."""

    actions: tuple[Action, ...]
    exhaustive: bool = True


class Game[O: Options]:
    """One game with the options of one match. Has no state: all of it is in Table and Sheet."""

    name: ClassVar[str]
    grammar: ClassVar[Mapping[str, tuple[type[Action], ...]]]
    sheet_kind: ClassVar[type[Sheet]] = Sheet
    lowest_wins: ClassVar[bool] = False
    one_scores: ClassVar[bool] = False
    decks: ClassVar[int] = 1
    jokers: ClassVar[int] = 0

    def __init__(self, options: O) -> None:
        self.options = options
        self.shape = self.shape_for(options)

    # What a member of the family says of itself

    def shape_for(self, options: O) -> Shape:
        """The melds that this game knows."""
        raise NotImplementedError

    def points(self, card: Card) -> int:
        """What a card counts in a hand: ace 1, court cards 10, others their face (RULES.md section 1)."""
        return min(card.rank, 10)

    def cost(self, hand: Sequence[Card]) -> int:
        """What a whole hand would cost its seat if the deal ended now."""
        return sum(map(self.points, hand))

    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats that score together."""
        return tuple((seat,) for seat in range(self.options.players))

    def hand_size(self, sheet: Sheet) -> int:
        """Cards dealt to each seat in the deal to come."""
        return self.options.hand_size

    def empty_table(self, sheet: Sheet, hands: tuple[tuple[Card, ...], ...]) -> Table:
        """The Table before the upcard is turned."""
        first = (sheet.dealer + 1) % self.options.players
        return Table(hands=hands, stock=(), discards=(), dealer=sheet.dealer, turn=first)

    def may_meld(self, table: Table) -> None:
        """Raise Illegal if the mover may place no meld now, however valid it is."""

    def noted_meld(self, table: Table) -> Table:
        """The table with what this game keeps about a meld being placed by the mover."""
        return table

    def may_lay_off(self, table: Table) -> None:
        """Raise Illegal if the mover may lay off no card now, however well it fits."""

    def noted_lay_off(self, table: Table) -> Table:
        """The table with what this game keeps about a lay-off by the mover."""
        return table

    def may_take(self, table: Table) -> None:
        """Raise Illegal if the mover may not take the top discard."""

    def may_discard(self, table: Table, card: Card) -> None:
        """Raise Illegal if the mover may not discard this card of its hand."""

    def is_tight(self, table: Table, action: Action) -> bool:
        """Whether ``can_finish`` could refuse this action; only then does it have to be tried out to know."""
        return True

    def can_finish(self, table: Table, action: Action) -> None:
        """Raise Illegal if after ``action``, placed already, the turn could not end legally."""

    def is_turn(self, action: Action) -> bool:
        """Whether what ``action`` ends is counted as a turn."""
        return True

    def goes_on(self, table: Table) -> Table:
        """The table after a turn has ended: the next seat's, a shuffle's, or an ended deal."""
        raise NotImplementedError

    def idle(self, view: TableView) -> Action:
        """What an overdue seat does, decided from what it sees: pass, be done or draw from the stock where that
        exists; else discard the card drawn, or where that is refused the dearest.
        """
        waiting = next((action for action in view.legal if action.passive), None)
        if waiting:
            return waiting
        throws = {action.card: action for action in view.legal if isinstance(action, Discard)}
        if view.drawn in throws:
            return throws[view.drawn]
        return throws[min(throws, key=lambda one: (-self.points(one), one.key))]

    def forced(self, view: TableView) -> Action | None:
        """What the site may do for a seat without asking: the only legal action, where it decides nothing."""
        only = view.legal[0] if len(view.legal) == 1 and view.exhaustive else None
        return only if only and only.passive else None

    def may_add(self, view: TableView) -> bool:
        """Whether this seat could lay off in its coming turn, as the table is now."""
        return bool(view.melds) and any(Discard in acts and LayOff in acts for acts in self.grammar.values())

    def insight(self, table: Table, seat: int) -> tuple[tuple[str, Any], ...]:
        """What this game works out of the own hand for the seat's eyes alone, by name."""
        return ()

    def final_lines(self, sheet: Sheet) -> tuple[tuple[Line, ...], ...]:
        """The sums that end a match, where points are added after the last deal: one group of lines a column."""
        return ()

    def facts(self, table: Table) -> tuple[tuple[str, Any], ...]:
        """Public counters of the table that the game's page shows, by name."""
        return ()

    def next_dealer(self, sheet: Sheet, outcome: Outcome) -> int:
        """Who deals after this deal."""
        return (sheet.dealer + 1) % self.options.players

    # The frame

    def pack(self) -> tuple[Card, ...]:
        """All cards of the game in card-id order."""
        return pack(self.decks, self.jokers)

    def new_sheet(self, first_dealer: int) -> Sheet:
        """The Sheet before the first deal."""
        sides = self.sides()
        return self.sheet_kind(sides=sides, totals=(0,) * len(sides), dealer=first_dealer)

    def book(self, sheet: Sheet, outcome: Outcome) -> Sheet:
        """The Sheet after a deal with this outcome."""
        dealer = self.dealer_after(sheet, outcome)
        return sheet.added(outcome, self.options, dealer).judged(self.options, lowest_wins=self.lowest_wins)

    def dealer_after(self, sheet: Sheet, outcome: Outcome) -> int:
        """Who deals after a deal with this outcome: of one that a moderator has declared void the same again."""
        return sheet.dealer if outcome.voided else self.next_dealer(sheet, outcome)

    def voided(self) -> Outcome:
        """The outcome of a deal that a moderator has declared void."""
        return Outcome(VOIDED, None, (0,) * self.options.players)

    def void(self, table: Table) -> Table:
        """The table of a running deal that a moderator has declared void: all cards stay where they are."""
        return replace(table, phase="deal_over", outcome=self.voided(), drawn=None, taken=None)

    def corrected(self, outcome: Outcome, points: Sequence[int]) -> Outcome:
        """The outcome with the points that a moderator has set. Raises Malformed for points that no deal can give."""
        scoring = [seat for seat, scored in enumerate(points) if scored]
        if len(points) != self.options.players or any(not 0 <= scored <= MOST_POINTS for scored in points):
            raise Malformed("one number of points is needed for each seat")
        if self.one_scores and len(scoring) > 1:
            raise Malformed("in this game one seat scores in a deal")
        only = scoring[0] if len(scoring) == 1 else None
        scorer = outcome.scorer if outcome.scorer in scoring else only
        return replace(outcome, points=tuple(points), scorer=scorer, marks=outcome.marks | {"corrected"})

    def deal(self, sheet: Sheet, order: Sequence[int]) -> Table:
        """Lay out a deal; ``order[i]`` is the place in ``pack()`` of the i-th card dealt."""
        cards = self.pack()
        return self.lay_out(sheet, [cards[i] for i in order])

    def lay_out(self, sheet: Sheet, cards: Sequence[Card]) -> Table:
        """Deal one card at a time from the dealer's left, turn the next up, keep the rest as the stock."""
        seats, size = self.options.players, self.hand_size(sheet)
        hands: list[tuple[Card, ...]] = [()] * seats
        for i in range(seats):
            hands[(sheet.dealer + 1 + i) % seats] = tuple(cards[i : seats * size : seats])
        table = self.empty_table(sheet, tuple(hands))
        up, rest = cards[seats * size], cards[seats * size + 1 :]
        return replace(table, discards=(up,), stock=tuple(rest), events=(Event("upcard", sheet.dealer, 0, (up,)),))

    def apply(self, table: Table, seat: int, action: Action) -> Table:
        """The table after ``seat`` does ``action``. Raises Malformed or Illegal; the given table never changes."""
        if seat != table.actor:
            raise Illegal("not_your_turn")
        if type(action) not in self.grammar.get(table.phase, ()):
            raise Illegal("wrong_phase")
        action.check(self, table)
        placed = action.place(self, table)
        self.can_finish(placed, action)
        if action.ends_turn or not placed.hand:
            return self.goes_on(replace(placed, turns=placed.turns + self.is_turn(action)))
        return placed

    def reshuffle(self, table: Table, n: int, order: Sequence[int]) -> Table:
        """The dealer's answer in phase ``shuffle``: ``order[i]`` is the place in ``pool(table)`` of the i-th card.

        ``n`` counts the reshuffles of the deal from 1. Raises Malformed for another n or another size.
        """
        pool = self.pool(table)
        if table.phase != "shuffle" or n != table.orders + 1 or sorted(order) != list(range(len(pool))):
            raise Malformed("this is not the shuffle that the table waits for")
        event = Event("shuffled", DEALER, table.turns)
        return replace(
            table,
            stock=tuple(pool[i] for i in order),
            discards=tuple(c for c in table.discards if c not in pool),
            phase="draw",
            orders=n,
            events=(*table.events, event),
        )

    def pool(self, table: Table) -> tuple[Card, ...]:
        """The discards that a reshuffle takes, in card-id order."""
        return by_id(table.discards[:-1])

    def choices(self, table: Table) -> Choices:
        """What the seat to act may do; never empty for a seat that has to act."""
        if table.actor == DEALER:
            return Choices(())
        legal = tuple(self._legal(table))
        return Choices(legal, exhaustive=not self.shape.wild and not any(action.many for action in legal))

    def _legal(self, table: Table) -> Iterator[Action]:
        for kind in self.grammar[table.phase]:
            for action in kind.choices(self, table):
                if not self.refusal(table, action):
                    yield action

    def refusal(self, table: Table, action: Action) -> Refused | None:
        """Why the seat to act may not do ``action``, or None if it may."""
        if type(action) not in self.grammar.get(table.phase, ()):
            return Illegal("wrong_phase")
        try:
            action.check(self, table)
            if self.is_tight(table, action):
                self.can_finish(action.place(self, table), action)
        except Refused as why:
            return why
        return None
