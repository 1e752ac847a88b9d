"""Gin rummy for two. Source: RULES.md sections 1 to 3 and 6 (source S3). Boxes and bonuses: gin_sheet.py."""

from dataclasses import replace
from typing import Any, ClassVar

from games.rules import deadwood
from games.rules.actions import Action, Discard, DrawStock, LayOff, Pass, TakeDiscard
from games.rules.cards import Card, by_suit
from games.rules.errors import Illegal
from games.rules.game import Game
from games.rules.knocking import BigGin, BigGinLast, Done, Knock, KnockLast, KnockTable, TakeUpcard
from games.rules.layoffs import best_layoffs
from games.rules.melds import Shape
from games.rules.sheet import Sheet
from games.rules.table import Event, Line, Outcome, Table

from .gin_sheet import GinOptions, GinSheet, final_lines

SPADES = 3


class Gin[O: GinOptions](Game[O]):
    """Draw one, discard one, keep the melds hidden; who has little enough deadwood knocks and lays the hand open."""

    name = "gin"
    sheet_kind = GinSheet
    one_scores = True
    grammar: ClassVar = {
        "upcard_offer": (TakeUpcard, Pass),
        "draw": (DrawStock, TakeDiscard),
        "play": (Discard, Knock, BigGin),
        "layoff": (LayOff, Done),
        "last_discard": (KnockLast, BigGinLast, Pass),
    }

    def shape_for(self, options: O) -> Shape:
        return Shape()

    def cost(self, hand: Any) -> int:
        return deadwood.least(hand)

    def knock_limit(self, upcard: Card) -> int:
        """The most deadwood with which anybody may knock in a deal that began with this upcard."""
        return int(self.options.knock_limit)

    def doubles(self, table: KnockTable) -> bool:
        """Whether all that this deal scores counts twice."""
        return self.options.spades_double and table.upcard is not None and table.upcard.suit == SPADES

    def empty_table(self, sheet: Sheet, hands: tuple[tuple[Card, ...], ...]) -> KnockTable:
        bare = Game.empty_table(self, sheet, hands)
        return KnockTable(hands=hands, stock=(), discards=(), dealer=bare.dealer, turn=bare.turn)

    def lay_out(self, sheet: Sheet, cards: Any) -> Table:
        table = Game.lay_out(self, sheet, cards)
        assert isinstance(table, KnockTable)
        upcard = table.discards[-1]
        return replace(table, phase="upcard_offer", upcard=upcard, limit=self.knock_limit(upcard))

    def facts(self, table: Table) -> tuple[tuple[str, Any], ...]:
        assert isinstance(table, KnockTable)
        return (
            ("limit", table.limit),
            ("doubled", self.doubles(table)),
            ("must_draw", table.must_draw),
            ("knocker", table.knocker if table.knocker >= 0 else None),
        )

    def insight(self, table: Table, seat: int) -> tuple[tuple[str, Any], ...]:
        """``melds``: the best arrangement; ``leaves``: (card, deadwood left) for each card that may go now."""
        hand = table.hands[seat]
        known: tuple[tuple[str, Any], ...] = (("melds", deadwood.arrange(hand)),)
        if seat != table.turn or table.phase not in ("play", "last_discard"):
            return known
        taken = table.taken if table.phase == "play" else table.discards[-1]
        after = deadwood.after_each(hand if table.phase == "play" else (*hand, table.discards[-1]))
        return (*known, ("leaves", tuple((card, left) for card, left in after.items() if card != taken)))

    def may_take(self, table: Table) -> None:
        assert isinstance(table, KnockTable)
        if table.must_draw:
            raise Illegal("must_draw_stock")

    def may_discard(self, table: Table, card: Card) -> None:
        if card == table.taken:
            raise Illegal("same_card_discard", card)

    def is_tight(self, table: Table, action: Action) -> bool:
        return False

    def is_turn(self, action: Action) -> bool:
        return not isinstance(action, Pass | LayOff | Done)

    # What follows what

    def goes_on(self, table: Table) -> Table:
        assert isinstance(table, KnockTable)
        after = {"upcard_offer": self._passed, "layoff": self._scored, "last_discard": self._stock_out}
        return after.get(table.phase, self._turn_over)(table)

    def _passed(self, table: KnockTable) -> KnockTable:
        """The dealer is asked after the other; after both the other draws from the stock."""
        both = table.turn == table.dealer
        return replace(table, turn=1 - table.turn, phase="draw" if both else "upcard_offer", must_draw=both)

    def _turn_over(self, table: KnockTable) -> KnockTable:
        """A knock, then ``turn_cap``, then the stock rule (RULES.md sections 3 and 6)."""
        if table.knocker >= 0:
            return self._knocked(table)
        if table.turns >= self.options.turn_cap * table.seats:
            return self._void(table, "turn_cap")
        going = replace(table, turn=1 - table.turn, phase="draw", drawn=None, taken=None, must_draw=False)
        if len(table.stock) > self.options.stock_floor:
            return going
        return replace(going, phase="last_discard") if self.options.last_discard_takeable else self._stock_out(going)

    def _stock_out(self, table: KnockTable) -> KnockTable:
        return self._void(table, "stock_out")

    def _knocked(self, table: KnockTable) -> KnockTable:
        """The defender lays off, by hand or at once in the best way; never against gin."""
        if not table.hand:
            return self._scored(table)
        table = replace(table, turn=1 - table.knocker, phase="layoff")
        return self._laid_off(table) if self.options.auto_layoff else table

    def _laid_off(self, table: KnockTable) -> KnockTable:
        for card, meld in best_layoffs(table.hand, [meld.cards for meld in table.melds]):
            laid = LayOff(card, meld).place(self, table)
            assert isinstance(laid, KnockTable)
            table = laid
        return self._scored(table)

    # What a deal is worth

    def _scored(self, table: KnockTable) -> KnockTable:
        """The deal after a knock and all lay-offs."""
        knocker, defender = table.knocker, 1 - table.knocker
        k, d = sum(map(self.points, table.hands[knocker])), self.cost(table.hands[defender])
        kind, scorer, bonus = self._verdict(table, k, d)
        scored = [Line("difference", scorer, abs(d - k)), *bonus]
        if self.doubles(table):
            scored.append(Line("doubled", scorer, sum(line.points for line in scored)))
        total = sum(line.points for line in scored)
        points = tuple(total if seat == scorer else 0 for seat in range(table.seats))
        lines = (*self._knocker_lines(table, k), *self._defender_lines(table), *scored)
        return self._over(table, Outcome(kind, scorer, points, lines))

    def _verdict(self, table: KnockTable, k: int, d: int) -> tuple[str, int, list[Line]]:
        """(kind, scorer, bonus) of a knock with k against d; nobody undercuts gin."""
        knocker, defender, options = table.knocker, 1 - table.knocker, self.options
        if not table.hands[knocker]:
            kind, bonus = ("gin", options.gin_bonus) if table.face_down else ("big_gin", options.big_gin_bonus)
            return kind, knocker, [Line(f"{kind}_bonus", knocker, bonus)]
        if k < d:
            return "knock", knocker, []
        return "undercut" if k > d else "tie", defender, [Line("undercut_bonus", defender, options.undercut_bonus)]

    def _knocker_lines(self, table: KnockTable, k: int) -> list[Line]:
        seat = table.knocker
        laid = [tuple(c for c, by in zip(m.cards, m.by, strict=True) if by == seat) for m in table.melds]
        lines = [Line("melded", seat, 0, some) for some in laid]
        lines += [Line("face_down", seat, 0, table.face_down)] if table.face_down else []
        return [*lines, Line("deadwood", seat, k, by_suit(table.hands[seat]))]

    def _defender_lines(self, table: KnockTable) -> list[Line]:
        seat = 1 - table.knocker
        gone = [c for m in table.melds for c, by in zip(m.cards, m.by, strict=True) if by == seat]
        lines = [Line("laid_off", seat, sum(map(self.points, gone)), by_suit(gone))] if gone else []
        return lines + self._hand_lines(table, seat)

    def _hand_lines(self, table: Table, seat: int) -> list[Line]:
        """A hand in its best arrangement: its melds, and what is left."""
        melds = deadwood.arrange(table.hands[seat])
        left = by_suit(card for card in table.hands[seat] if not any(card in meld for meld in melds))
        return [
            *(Line("melded", seat, 0, meld) for meld in melds),
            Line("deadwood", seat, sum(map(self.points, left)), left),
        ]

    def _void(self, table: KnockTable, why: str) -> KnockTable:
        lines = [line for seat in range(table.seats) for line in self._hand_lines(table, seat)]
        return self._over(table, Outcome("void", None, (0,) * table.seats, tuple(lines), frozenset({why})))

    def _over(self, table: KnockTable, outcome: Outcome) -> KnockTable:
        seat = -1 if outcome.scorer is None else outcome.scorer
        told = Event(outcome.kind, seat, table.turns)
        return replace(table, phase="deal_over", outcome=outcome, events=(*table.events, told), drawn=None, taken=None)

    # Between the deals

    def next_dealer(self, sheet: Sheet, outcome: Outcome) -> int:
        """The loser deals, or as the option says; after a void deal the same dealer."""
        if outcome.scorer is None:
            return sheet.dealer
        by = {"loser": 1 - outcome.scorer, "winner": outcome.scorer, "clockwise": 1 - sheet.dealer}
        return by[self.options.deal_rotation]

    def final_lines(self, sheet: Sheet) -> tuple[tuple[Line, ...], ...]:
        """One group: what each side's final score is made of, once the target is reached."""
        assert isinstance(sheet, GinSheet)
        if sheet.final is None:
            return ()
        return (final_lines(sheet.totals, sheet.boxes, sheet.counted, sheet.winners[0], self.options),)
