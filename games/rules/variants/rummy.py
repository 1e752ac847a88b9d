"""Basic rummy in three presets. Source: RULES.md sections 4 and 5 (sources S1, S2, S4)."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from games.rules.actions import Action, Discard, DrawStock, LayOff, Meld, TakeDiscard
from games.rules.cards import Card
from games.rules.errors import BadOption, Illegal
from games.rules.game import Game
from games.rules.melds import Shape, fits
from games.rules.options import Options
from games.rules.sheet import Sheet
from games.rules.table import Event, Line, Outcome, Table
from games.rules.view import TableView

PACK: Final = 52


@dataclass(frozen=True, slots=True)
class RummyOptions(Options):
    """The house rules of basic rummy (RULES.md section 3). ``ace_value`` is auto, 1, 11 or 15 points."""

    ace: str = "low"
    ace_value: str | int = "auto"
    set_max: int = 4
    layoff_requires_own_meld: bool = False
    max_melds_per_turn: int | None = None
    final_discard_required: bool = False
    forbid_discard_drawn: bool = True
    stock_recycle: str = "shuffle"
    stock_recycle_max: int | None = None
    recycle_keep_top: bool = True
    blocked_scoring: str = "none"
    rummy_bonus: str = "none"

    def validate(self) -> None:
        Options.validate(self)
        most = (PACK - 2) // self.players
        if self.hand_size > most:
            raise BadOption("hand_size", "range", 3, most)


@dataclass(frozen=True, slots=True)
class RummyTable(Table):
    """``first_play[seat]`` is the turn in which the seat first melded or laid off, -1 before; ``owners`` have melded.

    ``new_melds`` counts the melds of the turn in progress, ``recycles`` how often the discards became the stock.
    """

    first_play: tuple[int, ...] = ()
    owners: frozenset[int] = frozenset()
    new_melds: int = 0
    recycles: int = 0


def played(table: RummyTable) -> tuple[int, ...]:
    """``first_play`` after the seat to move has put something down."""
    if table.first_play[table.turn] >= 0:
        return table.first_play
    return table.first_play[: table.turn] + (table.turns,) + table.first_play[table.turn + 1 :]


class Rummy(Game[RummyOptions]):
    """Draw one, meld and lay off, discard one; who has no card left scores the cards of the others."""

    name = "rummy"
    grammar: ClassVar = {
        "draw": (DrawStock, TakeDiscard),
        "play": (Meld, LayOff, Discard),
    }

    def shape_for(self, options: RummyOptions) -> Shape:
        return Shape(ace=options.ace, set_max=options.set_max)

    def points(self, card: Card) -> int:
        if card.rank != 1:
            return min(card.rank, 10)
        value = self.options.ace_value
        if isinstance(value, int):
            return value
        return 1 if self.options.ace == "low" else 15

    def empty_table(self, sheet: Sheet, hands: tuple[tuple[Card, ...], ...]) -> RummyTable:
        bare = Game.empty_table(self, sheet, hands)
        return RummyTable(
            hands=bare.hands,
            stock=(),
            discards=(),
            dealer=bare.dealer,
            turn=bare.turn,
            first_play=(-1,) * len(hands),
        )

    def facts(self, table: Table) -> tuple[tuple[str, Any], ...]:
        assert isinstance(table, RummyTable)
        return (("recycles", table.recycles), ("owners", tuple(sorted(table.owners))))

    def may_meld(self, table: Table) -> None:
        assert isinstance(table, RummyTable)
        limit = self.options.max_melds_per_turn
        if limit is not None and table.new_melds >= limit:
            raise Illegal("meld_limit")

    def noted_meld(self, table: Table) -> Table:
        assert isinstance(table, RummyTable)
        return replace(
            table,
            first_play=played(table),
            owners=table.owners | {table.turn},
            new_melds=table.new_melds + 1,
        )

    def may_lay_off(self, table: Table) -> None:
        if not self._opened(table):
            raise Illegal("no_own_meld")

    def noted_lay_off(self, table: Table) -> Table:
        assert isinstance(table, RummyTable)
        return replace(table, first_play=played(table))

    def may_add(self, view: TableView) -> bool:
        opened = not self.options.layoff_requires_own_meld or view.seat in dict(view.facts)["owners"]
        return opened and Game.may_add(self, view)

    def _opened(self, table: Table) -> bool:
        """Whether the mover may lay off at all; a meld of the same turn counts."""
        assert isinstance(table, RummyTable)
        return not self.options.layoff_requires_own_meld or table.turn in table.owners

    def may_discard(self, table: Table, card: Card) -> None:
        if self.options.forbid_discard_drawn and card == table.taken:
            raise Illegal("same_card_discard", card)

    def is_tight(self, table: Table, action: Action) -> bool:
        used = len(action.cards) if isinstance(action, Meld) else 1
        return isinstance(action, Meld | LayOff) and len(table.hand) - used <= 1

    def can_finish(self, table: Table, action: Action) -> None:
        """The finishing rule of RULES.md section 4: nobody may play himself into a turn that cannot end."""
        if not isinstance(action, Meld | LayOff):
            return
        left = table.hand
        if not left:
            if self.options.final_discard_required:
                raise Illegal("must_keep_discard")
            return
        if left != (table.taken,) or not self.options.forbid_discard_drawn:
            return
        if self.options.final_discard_required or not self._can_lay_off(table, left[0]):
            raise Illegal("stranded", left[0])

    def _can_lay_off(self, table: Table, card: Card) -> bool:
        return self._opened(table) and any(card.face in fits(meld.kind, meld.cards, self.shape) for meld in table.melds)

    def goes_on(self, table: Table) -> Table:
        """The goes-out test, then ``turn_cap``, then the stock rule (RULES.md sections 3 and 4)."""
        assert isinstance(table, RummyTable)
        if not table.hand:
            return self._over(table, self._out(table))
        if table.turns >= self.options.turn_cap * table.seats:
            return self._over(table, self._blocked(table, "turn_cap"))
        going = replace(table, turn=(table.turn + 1) % table.seats, phase="draw", drawn=None, taken=None, new_melds=0)
        return going if going.stock else self._recycled(going)

    def _recycled(self, table: RummyTable) -> Table:
        pool = self._recyclable(table)
        limit = self.options.stock_recycle_max
        used_up = limit is not None and table.recycles >= limit
        if self.options.stock_recycle == "none" or used_up or not pool:
            return self._over(table, self._blocked(table, "stock_out"))
        again = replace(table, recycles=table.recycles + 1)
        if self.options.stock_recycle == "shuffle":
            return replace(again, phase="shuffle")
        event = Event("turned_over", -1, table.turns)
        return replace(again, stock=pool, discards=table.discards[len(pool) :], events=(*table.events, event))

    def _recyclable(self, table: Table) -> tuple[Card, ...]:
        """The discards that become the stock, oldest first."""
        return table.discards[:-1] if self.options.recycle_keep_top else table.discards

    def pool(self, table: Table) -> tuple[Card, ...]:
        return tuple(sorted(self._recyclable(table), key=lambda c: c.key))

    def _out(self, table: RummyTable) -> Outcome:
        """The score of a deal and "going rummy" (RULES.md section 4)."""
        winner = table.turn
        lines = self._left(table)
        points = sum(line.points for line in lines)
        concealed = table.first_play[winner] in (-1, table.turns - 1)
        by_discard = table.events[-1].kind == "discarded"
        bonus = self.options.rummy_bonus
        doubled = concealed and (bonus == "concealed" or (bonus == "concealed_no_discard" and not by_discard))
        if doubled:
            lines = (*lines, Line("doubled", winner, points))
        return Outcome(
            "out",
            winner,
            tuple(points * (2 if doubled else 1) if seat == winner else 0 for seat in range(table.seats)),
            lines,
            frozenset({"concealed"} if concealed else ()),
        )

    def _left(self, table: Table) -> tuple[Line, ...]:
        """A line for each hand that still holds cards."""
        return tuple(
            Line("left", seat, sum(map(self.points, hand)), hand) for seat, hand in enumerate(table.hands) if hand
        )

    def _blocked(self, table: RummyTable, why: str) -> Outcome:
        """A deal that nobody went out of, scored by ``blocked_scoring``."""
        left = [sum(map(self.points, hand)) for hand in table.hands]
        points, lines = [0] * table.seats, self._left(table)
        if self.options.blocked_scoring == "opponents_total":
            points = [sum(left) - own for own in left]
            lines += tuple(Line("others", seat, total) for seat, total in enumerate(points))
        elif self.options.blocked_scoring == "lowest_hand" and left.count(min(left)) == 1:
            lowest = left.index(min(left))
            points[lowest] = sum(left) - min(left) * table.seats
            lines += tuple(Line("difference", s, own - min(left)) for s, own in enumerate(left) if s != lowest)
        return Outcome("blocked", None, tuple(points), lines, frozenset({why}))

    def _over(self, table: RummyTable, outcome: Outcome) -> RummyTable:
        told = Event(outcome.kind, table.turn if outcome.kind == "out" else -1, table.turns)
        return replace(table, phase="deal_over", outcome=outcome, events=(*table.events, told), drawn=None, taken=None)

    def idle(self, view: TableView) -> Action:
        """As in every game; a card that nothing but a lay-off can place is laid off."""
        if any(isinstance(action, DrawStock | Discard) for action in view.legal):
            return Game.idle(self, view)
        return next(action for action in view.legal if isinstance(action, LayOff))
