"""One adapter between the published vectors and the rules, for every game of the family.

The vectors (single decisions, whole deals, whole matches) lie in ``data/``, or where RUMMY_VECTORS says. ``KINDS``
answers a single decision; a game that has its own state adds a ``Setting`` to ``SETTINGS``. Presets that the catalog
does not know are counted by ``unknown_presets`` and not run. No assertion about the rules is made in here, but for
whole deals and matches, which are followed step by step.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from games.rules import melds
from games.rules.actions import Action, Discard, LayOff, Meld
from games.rules.cards import Card, cards, pack
from games.rules.catalog import PRESETS, find
from games.rules.codec import decode
from games.rules.errors import Refused
from games.rules.game import Game
from games.rules.melds import Melded, new_meld
from games.rules.sheet import Sheet
from games.rules.table import DEALER, Outcome, Table
from games.rules.variants.rummy import RummyTable

Vector = dict[str, Any]
FOLDER = Path(os.environ.get("RUMMY_VECTORS") or Path(__file__).parent / "data")
IN_CATALOG = frozenset(preset.name for preset in PRESETS)


def read(name: str) -> list[Vector]:
    """All vectors of a file, also those of presets that are not in the catalog."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return list(json.loads(text)) if name.endswith(".json") else [json.loads(line) for line in text.splitlines()]


def known(name: str) -> list[Vector]:
    """The vectors of a file whose preset is in the catalog."""
    return [vector for vector in read(name) if vector["preset"] in IN_CATALOG]


def unknown_presets(name: str) -> Counter[str]:
    """How many vectors of a file wait for a preset that is not in the catalog yet."""
    return Counter(vector["preset"] for vector in read(name) if vector["preset"] not in IN_CATALOG)


def game_of(vector: Vector, seats: int | None = None) -> Game[Any]:
    """The game that a vector plays, with its options."""
    preset = find(vector["preset"])
    if seats is not None and seats not in preset.hand_sizes:
        raise AssertionError(f"{vector['id']}: {vector['preset']} has no table for {seats}")
    return preset.play(preset.options(seats, vector["options"]))


def least_seats(vector: Vector, at_least: int = 0) -> int:
    """The fewest seats of the preset, or of more where a state names a higher seat."""
    return max(min(find(vector["preset"]).hand_sizes), at_least)


# Single decisions


class Setting(Protocol):
    """How the state of a vector becomes a Table of one game."""

    def table(self, game: Game[Any], state: Mapping[str, Any]) -> Table: ...
    def turn_end(self, game: Game[Any], state: Mapping[str, Any]) -> tuple[Table, Action]: ...
    def counters(self, table: Table) -> dict[str, Any]: ...
    def ended(self, game: Game[Any], state: Mapping[str, Any]) -> Table: ...


def others(*used: Iterable[Card]) -> list[Card]:
    """The cards of a pack that are in none of the groups."""
    gone = {card for group in used for card in group}
    return [card for card in pack() if card not in gone]


def table_melds(state: Mapping[str, Any], game: Game[Any]) -> tuple[Melded, ...]:
    """The melds that a state lists, each laid by its owner."""
    laid = []
    for told in state.get("table", ()):
        meld = new_meld(cards(told["cards"]), told["owner"], game.shape)
        assert meld is not None and meld.kind == told["type"], f"no meld: {told}"
        laid.append(meld)
    return tuple(laid)


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


SETTINGS: dict[str, Setting] = {"rummy": RummySetting()}
"""By the name of the game."""


def used_by(action: Action) -> tuple[Card, ...]:
    """The cards that an action names."""
    if isinstance(action, Meld):
        return action.cards
    return (action.card,) if isinstance(action, LayOff | Discard) else ()


def deal_shape(vector: Vector) -> dict[str, Any]:
    game = game_of(vector, vector["input"]["players"])
    table = game.deal(game.new_sheet(0), range(len(game.pack())))
    (size,) = {len(hand) for hand in table.hands}
    return {"deck": len(game.pack()), "hand": size, "discard": len(table.discards), "stock": len(table.stock)}


def meld_valid(vector: Vector) -> dict[str, Any]:
    found = melds.shape_of(cards(vector["input"]["cards"]), game_of(vector).shape)
    return {"valid": found is not None, "type": found and found[0]}


def layoff_valid(vector: Vector) -> dict[str, Any]:
    told, shape = vector["input"], game_of(vector).shape
    meld = new_meld(cards(told["meld"]), 0, shape)
    assert meld is not None and meld.kind == told["meld_type"]
    (card,) = cards([told["card"]])
    valid = melds.grown(meld, card, 1, shape) is not None
    assert valid == (card.face in melds.fits(meld.kind, meld.cards, shape)), "the two tests of a lay-off differ"
    return {"valid": valid}


def deadwood(vector: Vector) -> dict[str, Any]:
    game = game_of(vector)
    return {"deadwood": melds.least_deadwood(cards(vector["input"]["hand"]), game.shape, game.points)[0]}


def hand_score(vector: Vector) -> dict[str, Any]:
    game = game_of(vector, len(vector["input"]["hands"]))
    outcome = SETTINGS[game.name].ended(game, vector["input"]).outcome
    assert outcome is not None
    return {"points": list(outcome.points), "concealed": "concealed" in outcome.marks}


def match_score(vector: Vector) -> dict[str, Any]:
    deals = vector["input"]["deals"]
    game = game_of(vector, len(deals[0]))
    sheet = game.new_sheet(0)
    for points in deals:
        assert not sheet.over, "over before the last deal"
        sheet = game.book(sheet, Outcome("out", None, tuple(points)))
    return {
        "over": sheet.over,
        "winners": list(sheet.winners),
        "totals": list(sheet.totals),
        "deals_played": sheet.played,
    }


def legality(vector: Vector) -> dict[str, Any]:
    state = vector["input"]
    if "after_turn" in state:
        return after_turn(vector)
    highest = max([meld["owner"] for meld in state.get("table", ())] + [state.get("turn", 0), state.get("seat", 0), 1])
    game = game_of(vector, least_seats(vector, highest + 1))
    table = SETTINGS[game.name].table(game, state)
    who = state.get("seat", table.turn)
    reason = refusal(game, table, who, state["action"])
    if who == table.turn and reason != "malformed":
        listed = decode(state["action"]) in game.choices(table).actions
        assert listed == (reason is None), "what is listed is not what is accepted"
    return {"legal": reason is None, "reason": reason}


def after_turn(vector: Vector) -> dict[str, Any]:
    state = vector["input"]["after_turn"]
    game = game_of(vector, state.get("seats") or least_seats(vector))
    setting = SETTINGS[game.name]
    table, last = setting.turn_end(game, state)
    table = game.apply(table, table.turn, last)
    if table.phase == "shuffle":
        size = len(game.pool(table))
        table = game.reshuffle(table, table.orders + 1, range(size - 1, -1, -1))
    return {
        "hand_over": table.outcome is not None,
        "result": table.outcome and table.outcome.kind,
        "phase": table.phase,
        "stock": len(table.stock),
        "discard": list(table.discards),
        "draw_order": list(table.stock),
        **setting.counters(table),
    }


def after_deal(vector: Vector) -> dict[str, Any]:
    told = vector["input"]
    game = game_of(vector, told["seats"])
    outcome = Outcome(told["outcome"]["kind"], told["outcome"]["scorer"], (0,) * told["seats"])
    return {"next_dealer": game.book(game.new_sheet(told["dealer"]), outcome).dealer}


KINDS: dict[str, Callable[[Vector], dict[str, Any]]] = {
    kind.__name__: kind
    for kind in (deal_shape, meld_valid, layoff_valid, deadwood, hand_score, match_score, legality, after_deal)
}
"""Answers a single decision: what the rules say, of which the vector names some."""


def refusal(game: Game[Any], table: Table, seat: int, told: Mapping[str, Any]) -> str | None:
    """The reason code with which an action is refused, or None; the turn is tested before what cannot be read."""
    try:
        action = decode(told)
    except Refused as why:
        return "not_your_turn" if seat != table.actor else why.reason
    try:
        game.apply(table, seat, action)
    except Refused as why:
        return why.reason
    return None


# Whole deals and matches


def begun(vector: Vector, game: Game[Any]) -> tuple[Sheet, Table]:
    """The Sheet and the Table with which a deal starts."""
    sheet = replace(game.new_sheet(vector["dealer"]), totals=tuple(vector["scores_before"]))
    return sheet, game.lay_out(sheet, cards(vector["packs"][0]))


def step_on(game: Game[Any], table: Table, step: Mapping[str, Any], packs: Sequence[Sequence[str]]) -> Table:
    """Compare what a step says of the table, try what it says is refused, then do it."""
    assert (table.actor, table.phase) == (DEALER if step["actor"] == "dealer" else step["actor"], step["phase"])
    choices = game.choices(table)
    assert len(set(choices.actions)) == len(choices.actions), "a choice is listed twice"
    if step.get("legal") is not None:
        assert len(choices.actions) == step["legal"]
    before = repr(table)
    for attempt in step.get("illegal") or ():
        reason = refusal(game, table, attempt.get("actor", table.actor), attempt["action"])
        expected = attempt["reason"]
        assert reason is not None and (expected in ("*", reason)), f"{attempt}: {reason}"
        assert repr(table) == before, f"{attempt} changed something"
    if step["action"]["type"] == "shuffled":
        return reshuffled(game, table, step["action"]["n"], packs)
    action = decode(step["action"])
    assert action in choices.actions or not choices.exhaustive
    after = game.apply(table, table.actor, action)
    assert repr(table) == before, f"{action} changed the table before it"
    return after


def reshuffled(game: Game[Any], table: Table, n: int, packs: Sequence[Sequence[str]]) -> Table:
    """The table after the dealer has given the n-th order that the vector lays down."""
    pool = game.pool(table)
    return game.reshuffle(table, n, [pool.index(card) for card in cards(packs[n])])


def end_of(game: Game[Any], table: Table) -> dict[str, Any]:
    """Where the cards of an ended deal lie, in the words of the vectors."""
    return {
        "stock_left": list(table.stock),
        "discard_left": list(table.discards),
        "hands_left": [set(hand) for hand in table.hands],
        "table": [
            {
                "owner": meld.owner,
                "type": meld.kind,
                "cards": set(meld.cards),
                "laid_off": {c: by for c, by in zip(meld.cards, meld.by, strict=True) if by != meld.owner},
            }
            for meld in table.melds
        ],
        **SETTINGS[game.name].counters(table),
    }


def expected_end(vector: Vector) -> dict[str, Any]:
    """The same, as the vector says it."""
    return {
        "stock_left": vector["stock_left"],
        "discard_left": vector["discard_left"],
        "hands_left": [set(hand) for hand in vector["hands_left"]],
        "table": [{**meld, "cards": set(meld["cards"])} for meld in vector["table"]],
        "recycles_used": vector["recycles_used"],
    }
