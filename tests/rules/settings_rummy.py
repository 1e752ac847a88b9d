"""States of basic rummy."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.rules import melds
from games.rules.actions import Action, Discard, LayOff, Meld
from games.rules.cards import Card, cards
from games.rules.game import Game
from games.rules.melds import Melded, new_meld
from games.rules.sheet import Sheet
from games.rules.table import Table
from games.rules.variants.rummy import RummyTable

from .settings import others, table_melds


class RummySetting:
    """States of basic rummy: the cards that a vector does not name lie where they disturb nothing."""

    TURNS = 30
    """Turns taken before the decision, so that earlier turns can have happened."""

    def table(self, game: Game[Any], state: Mapping[str, Any]) -> RummyTable:
        seats, turn = game.options.players, state.get("turn", 0)
        who, hand, laid = state.get("seat", turn), cards(state["hand"]), table_melds(state, game)
        taken = cards(state["drawn_discard"])[0] if state["drawn_discard"] else None
        pile = cards(state["pile"]) if "pile" in state else None
        rest = others(hand, pile or (), *(meld.cards for meld in laid))
        if pile is None:
            pile = (rest.pop(),)
        hands = [tuple(rest.pop() for _ in range(3)) for _ in range(seats)]
        hands[who] = hand
        first, owners = [-1] * seats, {meld.owner for meld in laid}
        if state["has_melded"]:
            first[who] = self.TURNS - 2 * seats
            owners.add(who)
        elif who in owners:
            raise AssertionError("a state contradicts itself")
        return RummyTable(
            hands=tuple(hands),
            stock=tuple(rest),
            discards=pile,
            dealer=state.get("dealer", seats - 1),
            turn=turn,
            phase=state["phase"],
            melds=laid,
            taken=taken,
            drawn=hand[-1] if state["phase"] == "play" and taken is None else None,
            turns=self.TURNS,
            first_play=tuple(first),
            owners=frozenset(owners),
            new_melds=state.get("melds_this_turn", 0),
            recycles=state.get("recycles_used", 0),
        )

    def turn_end(self, game: Game[Any], state: Mapping[str, Any]) -> tuple[Table, Action]:
        """A table on which the discard of the top card of ``discard`` ends the turn described."""
        pile = cards(state["discard"])
        rest = others(pile)
        stock = tuple(rest.pop() for _ in range(state["stock"]))
        hands = [(rest.pop(), rest.pop()) for _ in range(game.options.players)]
        hands[0] = (rest.pop(), pile[-1])
        table = RummyTable(
            hands=tuple(hands),
            stock=stock,
            discards=pile[:-1],
            dealer=game.options.players - 1,
            turn=0,
            phase="play",
            drawn=pile[-1],
            turns=state.get("turns", 10) - 1,
            first_play=(-1,) * game.options.players,
            recycles=state["recycles_used"],
        )
        return table, Discard(pile[-1])

    def counters(self, table: Table) -> dict[str, Any]:
        assert isinstance(table, RummyTable)
        return {"recycles_used": table.recycles}

    def outcome(self, table: Table) -> dict[str, Any]:
        assert table.outcome is not None
        return {"concealed": "concealed" in table.outcome.marks}

    def laid(self, table: Table) -> list[dict[str, Any]]:
        return [
            {
                "owner": meld.owner,
                "type": meld.kind,
                "cards": set(meld.cards),
                "laid_off": {c: by for c, by in zip(meld.cards, meld.by, strict=True) if by != meld.owner},
            }
            for meld in table.melds
        ]

    def sheet(self, sheet: Sheet) -> dict[str, Any]:
        return {}

    def expected(self, vector: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "table": [{**meld, "cards": set(meld["cards"])} for meld in vector["table"]],
            "recycles_used": vector["recycles_used"],
        }

    def ended(self, game: Game[Any], state: Mapping[str, Any]) -> Table:
        """The deal after the last turn of the seat that went out, or of a seat at the cap of turns."""
        hands = [cards(hand) for hand in state["hands"]]
        seats = len(hands)
        if state.get("blocked"):
            rest = others(*hands)
            turns = game.options.turn_cap * seats - 1
            table = self._last_turn(hands, 0, (rest.pop(),), rest, turns=turns, first=-1, owner=False)
            return game.apply(table, 0, Discard(table.hands[0][-1]))
        winner = state["winner"]
        history, ended = self._history(state)
        mine = [step for step in history if step["seat"] == winner]
        before = [step for step in mine if step["turn"] < ended["turn"]]
        now = [step["type"] for step in mine if step["turn"] == ended["turn"]]
        rest = others(*hands)
        actions, target = self._finish(now, ended["by"], rest, game)
        held = tuple(card for action in actions for card in used_by(action))
        table = self._last_turn(
            hands,
            winner,
            held,
            rest,
            turns=ended["turn"],
            first=min((step["turn"] for step in before), default=-1),
            owner=any(step["type"] == "meld" for step in before),
        )
        table = replace(table, melds=target)
        for action in actions:
            table = game.apply(table, winner, action)
        return table

    def _history(self, state: Mapping[str, Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """What the winner had put down and how it ended, also where a vector gives only the facts of it."""
        if "history" in state:
            return state["history"], state["ended"]
        by = "discard" if state.get("final_discard", True) else "meld"
        earlier = [] if state["concealed"] else [{"turn": 3, "seat": state["winner"], "type": "meld"}]
        last = [{"turn": 20, "seat": state["winner"], "type": "meld"}] if by == "meld" or state["concealed"] else []
        return earlier + last, {"turn": 20, "by": by}

    def _finish(
        self, now: Sequence[str], by: str, rest: list[Card], game: Game[Any]
    ) -> tuple[list[Action], tuple[Melded, ...]]:
        """Actions of a last turn that are such, made of cards of ``rest``, and a meld on which to lay off."""
        actions: list[Action] = []
        target: tuple[Melded, ...] = ()
        for kind in now:
            if kind == "meld":
                laid = next(some for some in melds.natural_melds(rest, game.shape) if len(some) == 3)
                actions.append(Meld(laid))
            else:
                laid = next(some for some in melds.natural_melds(rest, game.shape) if len(some) == 4)
                meld = new_meld(laid[:3], 1, game.shape)
                assert meld is not None
                target = (meld,)
                actions.append(LayOff(laid[3], 0))
            rest[:] = others(others(rest), laid)
        if by == "discard":
            actions.append(Discard(rest.pop()))
        return actions, target

    def _last_turn(
        self,
        hands: list[tuple[Card, ...]],
        seat: int,
        more: tuple[Card, ...],
        rest: list[Card],
        *,
        turns: int,
        first: int,
        owner: bool,
    ) -> RummyTable:
        held = [hand + more if index == seat else hand for index, hand in enumerate(hands)]
        return RummyTable(
            hands=tuple(held),
            stock=tuple(rest),
            discards=(),
            dealer=0,
            turn=seat,
            phase="play",
            turns=turns,
            first_play=tuple(first if index == seat else -1 for index in range(len(hands))),
            owners=frozenset({seat} if owner else ()),
        )


def used_by(action: Action) -> tuple[Card, ...]:
    """The cards that an action names."""
    if isinstance(action, Meld):
        return action.cards
    return (action.card,) if isinstance(action, LayOff | Discard) else ()
