"""Whole matches as they were played once, pinned for edition 1: an old match means the same for ever.

A record names the preset, its edition and options, the pack of each deal, every move in plain JSON, and what the
rules said of it. ``python -m tests.rules.test_recorded`` writes those that are not there; a record is never changed,
a new edition gets records of its own.
"""

import json
import random
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from games.bots import LEVELS
from games.rules import codec
from games.rules.cards import cards
from games.rules.catalog import PRESETS, find
from games.rules.melds import Melded
from games.rules.table import DEALER, Table

from .playing import by_bot, random_order

FOLDER = Path(__file__).parent / "data" / "recorded"
RECORDS = sorted(FOLDER.glob("*.json"))
TO_RECORD: list[tuple[str, str, int, dict[str, Any], int]] = [
    ("solitaired-rummy", "solitaired-rummy", 4, {"target": 150}, 1),
    ("basic-rummy-short", "basic-rummy", 2, {"target": 60, "hand_size": 3, "ace": "wrap"}, 5),
    ("basic-rummy", "basic-rummy", 3, {"target": 100, "ace": "low_or_high", "hand_size": 12}, 2),
    ("basic-rummy-six", "basic-rummy", 6, {"match_end": "deals", "deals": 3, "final_discard_required": True}, 3),
    ("android-rummy", "android-rummy", 2, {"rummy_bonus": "concealed_no_discard", "target": 100}, 4),
    ("gin", "gin", 2, {"target": 60, "knock_limit": 2, "turn_cap": 14}, 9),
    ("oklahoma-gin", "oklahoma-gin", 2, {"big_gin_bonus": 31, "auto_layoff": False, "knock_limit": 10}, 8),
    ("hollywood-gin", "hollywood-gin", 2, {"target": 60, "stock_floor": 5, "last_discard_takeable": True}, 8),
]


def told(meld: Melded) -> list[Any]:
    """A meld as a record spells it."""
    return [meld.kind, meld.owner, " ".join(meld.cards), list(meld.by)]


def end(table: Table) -> dict[str, Any]:
    """Where all cards lie and what the deal was worth."""
    assert table.outcome is not None
    return {
        "hands": [" ".join(hand) for hand in table.hands],
        "stock": " ".join(table.stock),
        "discards": " ".join(table.discards),
        "melds": [told(meld) for meld in table.melds],
        "events": [codec.encode_event(event) for event in table.events],
        "outcome": codec.encode_outcome(table.outcome),
    }


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_match_comes_out_as_it_was_played(path: Path) -> None:
    record = json.loads(path.read_text(encoding="utf-8"))
    game = find(record["preset"], record["edition"]).restore(record["options"])
    sheet = game.new_sheet(record["first_dealer"])
    for deal in record["deals"]:
        assert not sheet.over
        table = game.lay_out(sheet, cards(deal["pack"]))
        for move in deal["moves"]:
            if move["seat"] == DEALER:
                table = game.reshuffle(table, move["n"], move["order"])
            else:
                table = game.apply(table, move["seat"], codec.decode(move["action"]))
        assert end(table) == deal["end"]
        assert table.outcome is not None
        sheet = game.book(sheet, table.outcome)
        assert json.loads(json.dumps(codec.encode_sheet(sheet))) == deal["sheet"]
    assert sheet.over


def test_every_preset_has_a_recorded_match_of_its_edition() -> None:
    kept = {(record["preset"], record["edition"]) for record in (json.loads(p.read_text("utf-8")) for p in RECORDS)}
    assert kept >= {(preset.name, preset.edition) for preset in PRESETS}


def test_the_records_have_every_end_of_a_deal_and_a_stock_that_came_back() -> None:
    text = "".join(path.read_text("utf-8") for path in RECORDS)
    words = "blocked out turned_over shuffled concealed doubled laid_off passed knocked done knock gin undercut void"
    for word in (f'"{word}"' for word in words.split()):
        assert word in text


def recorded(preset: str, seats: int, chosen: dict[str, Any], seed: int) -> dict[str, Any]:
    """A whole match of easy bots as a record."""
    found, rng, choose = find(preset), random.Random(seed), by_bot(LEVELS["easy"])
    game = found.play(found.options(seats, chosen))
    sheet = game.new_sheet(seed % seats)
    record: dict[str, Any] = {"preset": preset, "edition": found.edition, "options": asdict(game.options)}
    record |= {"first_dealer": sheet.dealer, "deals": []}
    while not sheet.over:
        pack = game.pack()
        order = random_order(len(pack), rng)
        table, moves = game.deal(sheet, order), []
        while table.outcome is None:
            if table.actor == DEALER:
                shuffle = random_order(len(game.pool(table)), rng)
                moves.append({"seat": DEALER, "n": table.orders + 1, "order": shuffle})
                table = game.reshuffle(table, table.orders + 1, shuffle)
            else:
                action = choose(game, table, rng)
                moves.append({"seat": table.actor, "action": codec.encode(action)})
                table = game.apply(table, table.actor, action)
        sheet = game.book(sheet, table.outcome)
        deal = {"pack": " ".join(pack[i] for i in order), "moves": moves, "end": end(table)}
        record["deals"].append(deal | {"sheet": codec.encode_sheet(sheet)})
    return json.loads(json.dumps(record))


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, preset, seats, chosen, seed in TO_RECORD:
        if (FOLDER / f"{name}.json").exists():
            continue
        lines = json.dumps(recorded(preset, seats, chosen, seed), separators=(",", ":"))
        (FOLDER / f"{name}.json").write_text(lines.replace('{"pack"', '\n{"pack"') + "\n", encoding="utf-8")
