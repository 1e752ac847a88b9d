"""One adapter between the published vectors and the rules, for every game of the family.

The vectors (single decisions, whole deals, whole matches) lie in ``data/``, or where RUMMY_VECTORS says. ``KINDS``
answers a single decision; a game that has its own state adds a ``Setting`` to ``SETTINGS``. Presets that the catalog
does not know are counted by ``unknown_presets`` and not run. No assertion about the rules is made in here, but for
whole deals and matches, which are followed step by step.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from games.rules import melds
from games.rules.cards import cards
from games.rules.catalog import PRESETS, find
from games.rules.codec import decode
from games.rules.errors import Refused
from games.rules.game import Game
from games.rules.melds import new_meld
from games.rules.sheet import Sheet
from games.rules.table import DEALER, Outcome, Table

from .settings import Setting, joined
from .settings_gin import GinSetting
from .settings_rummy import RummySetting

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
    """The game that a vector plays, with its options, also those that the preset has and does not offer."""
    preset = find(vector["preset"])
    offered = {offer.name for offer in preset.offers}
    fixed = {name: value for name, value in vector["options"].items() if name not in offered}
    if seats is not None and seats not in preset.hand_sizes:
        raise AssertionError(f"{vector['id']}: {vector['preset']} has no table for {seats}")
    chosen = {name: value for name, value in vector["options"].items() if name in offered}
    return preset.play(replace(preset.options(seats, chosen), **fixed))


def least_seats(vector: Vector, at_least: int = 0) -> int:
    """The fewest seats of the preset, or of more where a state names a higher seat."""
    return max(min(find(vector["preset"]).hand_sizes), at_least)


# Single decisions


SETTINGS: dict[str, Setting] = {"rummy": RummySetting()} | dict.fromkeys(("gin", "oklahoma", "hollywood"), GinSetting())
"""By the name of the game."""


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
    table = SETTINGS[game.name].ended(game, vector["input"])
    assert isinstance(table, Table) and table.outcome is not None
    return {"points": list(table.outcome.points), **SETTINGS[game.name].outcome(table)}


def knock_score(vector: Vector) -> dict[str, Any]:
    game, state = game_of(vector), vector["input"]
    table = SETTINGS[game.name].ended(game, state)
    if isinstance(table, Refused):
        sent = {one for meld in state.get("melds", ()) for one in cards(meld)}
        left = [one for one in cards(state["knocker"]) if one not in sent]
        least = sum(map(game.points, left)) if sent else melds.least_deadwood(left, game.shape, game.points)[0]
        return {"outcome": "illegal", "reason": table.reason, "knocker_deadwood": least}
    assert table.outcome is not None
    told = SETTINGS[game.name].outcome(table)
    arranged = [line.cards for line in table.outcome.lines if line.what == "melded" and line.seat == told["knocker"]]
    return {
        "outcome": table.outcome.kind,
        "knocker_deadwood": told["k"],
        "defender_deadwood": told["d"],
        "points": {"knocker": table.outcome.points[0], "defender": table.outcome.points[1]},
        "melds": joined(arranged),
    }


def match_score(vector: Vector) -> dict[str, Any]:
    outcomes = [Outcome("out", None, tuple(points)) for points in vector["input"].get("deals", ())]
    for hand in vector["input"].get("hands", ()):
        points = tuple(hand["points"] if seat == hand["scorer"] else 0 for seat in range(2))
        outcomes.append(Outcome(hand["outcome"], hand["scorer"], points))
    game = game_of(vector, len(outcomes[0].points))
    sheet = game.new_sheet(0)
    for outcome in outcomes:
        assert not sheet.over, "over before the last deal"
        sheet = game.book(sheet, outcome)
    return sheet_said(game, sheet)


def sheet_said(game: Game[Any], sheet: Sheet) -> dict[str, Any]:
    """A Sheet in the words of the vectors."""
    return {
        "over": sheet.over,
        "winners": list(sheet.winners),
        "winner": sheet.winners[0] if len(sheet.winners) == 1 else None,
        "totals": list(sheet.totals),
        "deals_played": sheet.played,
        "by_deal_cap": sheet.capped,
        **SETTINGS[game.name].sheet(sheet),
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
        action, choices = decode(state["action"]), game.choices(table)
        if choices.exhaustive or not action.many or action == replace(action, melds=None):  # type: ignore[call-arg]
            assert (action in choices.actions) == (reason is None), "what is listed is not what is accepted"
    after = {} if reason else {"then": then(game, table, state)}
    return {"legal": reason is None, "reason": reason, **after}


def then(game: Game[Any], table: Table, state: Mapping[str, Any]) -> dict[str, Any]:
    """The table after a decision, those things that the vector asks for."""
    after = game.apply(table, table.turn, decode(state["action"]))
    return {"phase": after.phase, "actor": after.actor, "result": after.outcome and after.outcome.kind}


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
    for kind in (
        deal_shape,
        meld_valid,
        layoff_valid,
        deadwood,
        hand_score,
        knock_score,
        match_score,
        legality,
        after_deal,
    )
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
    assert action in choices.actions or (action.many and not choices.exhaustive)
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
        "table": SETTINGS[game.name].laid(table),
        **SETTINGS[game.name].counters(table),
    }


def expected_end(game: Game[Any], vector: Vector) -> dict[str, Any]:
    """The same, as the vector says it."""
    return {
        "stock_left": vector["stock_left"],
        "discard_left": vector["discard_left"],
        "hands_left": [set(hand) for hand in vector["hands_left"]],
        **SETTINGS[game.name].expected(vector),
    }
