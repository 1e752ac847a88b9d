"""The published vectors, one case each: single decisions, whole deals step by step, whole matches, least deadwood."""

from typing import Any

import pytest

from games.rules.cards import cards
from games.rules.melds import Shape, least_deadwood, shape_of
from games.rules.table import Outcome

from . import vectors

RULES, DEALS, MATCHES = (vectors.known(name) for name in ("rules.json", "deals.jsonl", "matches.jsonl"))
DEADWOOD = vectors.read("deadwood.jsonl")
BLOCK = 100


def named(vector: dict[str, Any]) -> str:
    return str(vector["id"])


def test_vectors_are_found_for_every_preset_of_the_catalog() -> None:
    for found in (RULES, DEALS, MATCHES):
        assert {vector["preset"] for vector in found} == vectors.IN_CATALOG
    assert len(DEADWOOD) >= 1_000


def test_vectors_of_games_not_in_the_catalog_are_counted(record_property: Any) -> None:
    for name, found in (("rules.json", RULES), ("deals.jsonl", DEALS), ("matches.jsonl", MATCHES)):
        waiting = vectors.unknown_presets(name)
        record_property(name, dict(waiting))
        assert len(found) + sum(waiting.values()) == len(vectors.read(name))


@pytest.mark.parametrize("vector", RULES, ids=named)
def test_vector_of_a_single_decision(vector: dict[str, Any]) -> None:
    said = vectors.KINDS[vector["kind"]](vector)
    expected = vector["expect"]
    if "then" in expected:
        said = {**said, "then": {key: said["then"][key] for key in expected["then"]}}
    assert {key: said[key] for key in expected} == expected, vector["note"]


@pytest.mark.parametrize("vector", DEALS, ids=named)
def test_vector_of_a_whole_deal(vector: dict[str, Any]) -> None:
    game = vectors.game_of(vector, vector["seats"])
    sheet, table = vectors.begun(vector, game)
    for step in vector["steps"]:
        table = vectors.step_on(game, table, step, vector["packs"])
        assert sorted(card for zone in table.zones().values() for card in zone) == sorted(game.pack())
    outcome, told = table.outcome, vector["outcome"]
    assert outcome is not None and table.phase == "deal_over"
    assert (outcome.kind, outcome.scorer, list(outcome.points)) == (told["kind"], told["scorer"], told["points"])
    more = vectors.SETTINGS[game.name].outcome(table)
    assert more == {key: told[key] for key in more}
    booked = game.book(sheet, outcome)
    assert list(booked.totals) == vector["scores_after"]
    assert booked.dealer == vector["next_dealer"]
    assert vectors.end_of(game, table) == vectors.expected_end(game, vector)


@pytest.mark.parametrize("vector", MATCHES, ids=named)
def test_vector_of_a_whole_match(vector: dict[str, Any]) -> None:
    game = vectors.game_of(vector, vector["seats"])
    sheet = game.new_sheet(vector["first_dealer"])
    for number, deal in enumerate(vector["deals"], 1):
        assert not sheet.over, "the match was over before its last deal"
        assert (sheet.deal, sheet.dealer) == (number, deal["dealer"])
        sheet = game.book(sheet, Outcome(deal["kind"], deal["scorer"], tuple(deal["points"])))
    told = vector["outcome"]
    assert sheet.over
    assert sheet.played == len(vector["deals"])
    said = vectors.sheet_said(game, sheet)
    for column, key in ("points", "columns"), ("boxes", "column_boxes"), ("counted", "column_counted"):
        if "columns" in told:
            assert said[key] == [one[column] for one in told["columns"]]
    # After the cap of deals the sums with bonuses are null and not compared.
    compared = {key for key, value in told.items() if not (value is None or key == "columns")}
    assert {key: said[key] for key in compared} == {key: told[key] for key in compared}


@pytest.mark.parametrize("start", range(0, len(DEADWOOD), BLOCK))
def test_vectors_of_least_deadwood(start: int) -> None:
    for vector in DEADWOOD[start : start + BLOCK]:
        hand = cards(vector["hand"])
        assert deadwood(hand) == vector["dw"], vector
        if len(hand) == 11:
            after = {str(card): deadwood([c for c in hand if c != card]) for card in hand}
            least = min(after.values())
            assert least == vector["dw_after_discard"], vector
            assert {card for card in after if after[card] == least} == set(vector["best_discards"].split()), vector


def deadwood(hand: Any) -> int:
    """Least deadwood with aces low, checked against the melds given with it."""
    least, chosen = least_deadwood(hand, Shape(), value)
    used = [card for meld in chosen for card in meld]
    assert len(used) == len(set(used)) and set(used) <= set(hand)
    assert all(shape_of(meld, Shape()) for meld in chosen)
    assert least == sum(value(card) for card in hand if card not in used)
    return least


def value(card: Any) -> int:
    return int(min(card.rank, 10))
