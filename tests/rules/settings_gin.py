"""States of the gin family, and what its vectors say of a deal and of a sheet."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from games.rules.actions import Action, Discard, LayOff
from games.rules.cards import Card, cards
from games.rules.errors import Refused
from games.rules.game import Game
from games.rules.knocking import BigGin, Done, Knock, KnockTable
from games.rules.melds import Melded, new_meld
from games.rules.sheet import Sheet
from games.rules.table import Table
from games.rules.variants.gin_sheet import GinSheet
from games.rules.variants.hollywood import HollywoodSheet

from .settings import joined, others

DULL = "KH"
"""The upcard of a state that names none: it sets no low limit and doubles nothing."""


class GinSetting:
    """States of gin, Oklahoma and Hollywood: the cards that a vector does not name lie where they disturb nothing."""

    def table(self, game: Game[Any], state: Mapping[str, Any]) -> KnockTable:
        turn = state.get("turn", 0)
        who, hand = state.get("seat", turn), cards(state["hand"])
        taken = cards(state["drawn_discard"])[0] if state["drawn_discard"] else None
        laid = self._melds(game, state, 1 - turn)
        shown = cards(state.get("knocker_rest", ()))
        pile = cards(state["pile"]) if "pile" in state else None
        rest = others(hand, pile or (), shown, *(meld.cards for meld in laid))
        pile = pile if pile is not None else (rest.pop(),)
        hands = [hand, hand]
        hands[1 - who] = shown or tuple(rest.pop() for _ in range(10))
        return replace(
            self._bare(game, state.get("upcard", DULL), (hands[0], hands[1]), turn, rest),
            discards=pile,
            dealer=state.get("dealer", 1),
            phase=state["phase"],
            melds=laid,
            knocker=1 - turn if laid else -1,
            taken=taken,
            drawn=hand[-1] if state["phase"] == "play" and taken is None else None,
            must_draw=state.get("after_double_pass", False),
        )

    def _bare(
        self, game: Game[Any], upcard: str, hands: tuple[tuple[Card, ...], ...], turn: int, rest: Iterable[Card]
    ) -> KnockTable:
        (up,) = cards([upcard])
        return KnockTable(
            hands=hands,
            stock=tuple(rest),
            discards=(),
            dealer=1 - turn,
            turn=turn,
            phase="play",
            upcard=up,
            limit=game.knock_limit(up),  # type: ignore[attr-defined]  # every game of the family has one
            turns=10,
        )

    def _melds(self, game: Game[Any], state: Mapping[str, Any], owner: int) -> tuple[Melded, ...]:
        laid = [new_meld(cards(some), owner, game.shape) for some in state.get("knock_melds", ())]
        return tuple(meld for meld in laid if meld is not None)

    def turn_end(self, game: Game[Any], state: Mapping[str, Any]) -> tuple[Table, Action]:
        rest = others()
        hands = (tuple(rest.pop() for _ in range(11)), tuple(rest.pop() for _ in range(10)))
        stock = [rest.pop() for _ in range(state["stock"])]
        table = self._bare(game, DULL, hands, 0, stock)
        return replace(table, drawn=hands[0][-1], turns=state.get("turns", 10) - 1), Discard(hands[0][-1])

    def ended(self, game: Game[Any], state: Mapping[str, Any]) -> Table | Refused:
        """The deal after the knock that the state describes, or why that knock is refused."""
        knocker, defender = cards(state["knocker"]), cards(state["defender"])
        rest = others(knocker, defender)
        action: Action = BigGin()
        if len(knocker) == 10:
            spare = rest.pop()
            knocker += (spare,)
            melds = tuple(map(cards, state["melds"])) if "melds" in state else None
            action = Knock(spare, melds)
        table: Table = self._bare(game, state.get("upcard") or DULL, (knocker, defender), 0, rest)
        try:
            table = game.apply(table, 0, action)
        except Refused as why:
            return why
        for card, meld in state.get("hand_layoffs", ()):
            table = game.apply(table, 1, LayOff(cards([card])[0], meld))
        return game.apply(table, 1, Done()) if table.phase == "layoff" else table

    def counters(self, table: Table) -> dict[str, Any]:
        assert isinstance(table, KnockTable)
        return {"face_down": list(table.face_down)}

    def outcome(self, table: Table) -> dict[str, Any]:
        assert isinstance(table, KnockTable) and table.outcome is not None
        if table.knocker < 0:
            return {}
        left = {line.seat: line.points for line in table.outcome.lines if line.what == "deadwood"}
        laid_off = [line.cards for line in table.outcome.lines if line.what == "laid_off"]
        return {
            "knocker": table.knocker,
            "k": left[table.knocker],
            "d": left[1 - table.knocker],
            "layoffs": sum(map(len, laid_off)),
        }

    def laid(self, table: Table) -> list[dict[str, Any]]:
        assert isinstance(table, KnockTable)
        melds = joined(meld.cards for meld in table.melds)
        return [{"owner": table.knocker, "cards": set(meld)} for meld in melds]

    def expected(self, vector: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "table": [{**meld, "cards": set(meld["cards"])} for meld in vector["table"]],
            "face_down": vector["face_down"],
        }

    def sheet(self, sheet: Sheet) -> dict[str, Any]:
        assert isinstance(sheet, GinSheet)
        told: dict[str, Any] = {
            "hand_points": list(sheet.totals),
            "boxes": list(sheet.boxes),
            "counted": sheet.counted,
            "shutout": sheet.shutout,
            "final": sheet.final and list(sheet.final),
        }
        if isinstance(sheet, HollywoodSheet):
            told |= {
                "columns": [list(column.points) for column in sheet.columns],
                "closed_by": [column.closed_by for column in sheet.columns],
                "column_boxes": [list(column.boxes) for column in sheet.columns],
                "column_counted": [column.counted for column in sheet.columns],
                "column_final": [column.final and list(column.final) for column in sheet.columns],
                "total": told["final"],
            }
        return told
