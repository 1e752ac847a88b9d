"""Options: what each preset offers, in which range, and what cannot be played (RULES.md section 3)."""

from typing import Any

import pytest

from games.rules.catalog import PRESETS, find
from games.rules.errors import BadOption
from games.rules.options import Choice, Range
from games.rules.variants.rummy import RummyOptions

from .playing import EVERY_TABLE, game

NAMES = [preset.name for preset in PRESETS]
every_preset = pytest.mark.parametrize("name", NAMES)
RUMMY = ("solitaired-rummy", "basic-rummy", "android-rummy")

SHARED = {
    "ace": "low",
    "ace_value": "auto",
    "set_max": 4,
    "max_melds_per_turn": None,
    "final_discard_required": False,
    "forbid_discard_drawn": True,
    "recycle_keep_top": True,
    "turn_cap": 50,
    "deal_cap": 200,
    "match_end": "points",
    "deals": None,
    "tie_break": "extra_deal",
}
DEFAULTS: dict[str, dict[str, Any]] = {
    "solitaired-rummy": {
        "players": 4,
        "hand_size": 7,
        "layoff_requires_own_meld": True,
        "stock_recycle": "turn_over",
        "stock_recycle_max": 1,
        "blocked_scoring": "none",
        "rummy_bonus": "none",
        "target": 200,
    },
    "basic-rummy": {
        "players": 4,
        "hand_size": 7,
        "layoff_requires_own_meld": False,
        "stock_recycle": "shuffle",
        "stock_recycle_max": None,
        "blocked_scoring": "none",
        "rummy_bonus": "concealed",
        "target": 150,
    },
    "android-rummy": {
        "players": 2,
        "hand_size": 10,
        "layoff_requires_own_meld": True,
        "stock_recycle": "turn_over",
        "stock_recycle_max": 2,
        "blocked_scoring": "opponents_total",
        "rummy_bonus": "concealed",
        "target": 100,
    },
}
"""The columns SR, BR and AR of the table in RULES.md section 3."""


def refused(name: str, seats: int | None = None, **chosen: Any) -> tuple[str, str, int | None, int | None]:
    with pytest.raises(BadOption) as caught:
        find(name).options(seats, chosen)
    why = caught.value
    return why.option, why.code, why.low, why.high


@pytest.mark.parametrize("name", RUMMY)
def test_the_defaults_are_those_of_the_rules(name: str) -> None:
    options = find(name).options()
    expected = SHARED | DEFAULTS[name]
    assert {field: getattr(options, field) for field in RummyOptions.__dataclass_fields__} == expected


@pytest.mark.parametrize("name", RUMMY)
def test_offers_cover_the_options_but_for_seats_and_the_cap_of_deals(name: str) -> None:
    offered = [offer.name for offer in find(name).offers]
    assert len(offered) == len(set(offered))
    assert set(offered) == set(RummyOptions.__dataclass_fields__) - {"players", "deal_cap"}


RANGES = [
    ("hand_size", 3, 25, 2),
    ("target", 10, 10_000, 2),
    ("deals", 1, 50, 2),
    ("turn_cap", 10, 200, 2),
    ("stock_recycle_max", 0, 20, 2),
]


@pytest.mark.parametrize("name", RUMMY)
@pytest.mark.parametrize("option,low,high,seats", RANGES)
def test_numbers_have_bounds_that_belong_to_them(name: str, option: str, low: int, high: int, seats: int) -> None:
    for value in (low, high, (low + high) // 2):
        assert getattr(find(name).options(seats, {option: value}), option) == value
    for wrong in (low - 1, high + 1, str(low), float(low), True, [low]):
        assert refused(name, seats, **{option: wrong}) == (option, "range", low, high)


@pytest.mark.parametrize("name", RUMMY)
def test_none_stands_where_there_may_be_no_limit_and_nowhere_else(name: str) -> None:
    for option in ("deals", "stock_recycle_max", "max_melds_per_turn"):
        assert getattr(find(name).options(2, {option: None}), option) is None
    for option in ("hand_size", "target", "turn_cap", "set_max", "ace", "match_end", "recycle_keep_top"):
        assert refused(name, 2, **{option: None})[0] == option


CHOICES: list[tuple[str, list[Any], list[Any]]] = [
    ("match_end", ["points", "deals"], ["", "rounds", 1]),
    ("tie_break", ["extra_deal", "shared"], ["none", True]),
    ("ace", ["low", "low_or_high", "wrap"], ["high", ""]),
    ("ace_value", ["auto", 1, 11, 15], ["1", 10, True, 15.0, None]),
    ("rummy_bonus", ["none", "concealed", "concealed_no_discard"], [None, "double"]),
    ("set_max", [3, 4], [2, 5, "4", 4.0]),
    ("max_melds_per_turn", [None, 1], [0, 2, True, "1"]),
    ("stock_recycle", ["turn_over", "shuffle", "none"], [None, "turn"]),
    ("blocked_scoring", ["none", "opponents_total", "lowest_hand"], [None, "all"]),
    ("layoff_requires_own_meld", [True, False], [1, 0, "true", None]),
    ("final_discard_required", [True, False], [1, 0, "true", None]),
    ("forbid_discard_drawn", [True, False], [1, 0, "true", None]),
    ("recycle_keep_top", [True, False], [1, 0, "true", None]),
]


@pytest.mark.parametrize("name", RUMMY)
@pytest.mark.parametrize("option,values,wrong", CHOICES, ids=[option for option, _v, _w in CHOICES])
def test_choices_take_their_values_and_no_others(name: str, option: str, values: list[Any], wrong: list[Any]) -> None:
    for value in values:
        options = find(name).options(2, {option: value, "deals": 3})
        assert getattr(options, option) == value and type(getattr(options, option)) is type(value)
    for value in wrong:
        assert refused(name, 2, **{option: value}) == (option, "choice", None, None)


@pytest.mark.parametrize("name,low,high", [("solitaired-rummy", 2, 4), ("basic-rummy", 2, 6), ("android-rummy", 2, 2)])
def test_a_preset_has_tables_for_its_own_numbers_of_seats(name: str, low: int, high: int) -> None:
    assert [seats for preset, seats in EVERY_TABLE if preset == name] == list(range(low, high + 1))
    for seats in range(low, high + 1):
        assert find(name).options(seats).players == seats
    for seats in (low - 1, high + 1, 0, -1):
        assert refused(name, seats) == ("players", "seats", low, high)


@pytest.mark.parametrize("seats,most", [(2, 25), (3, 16), (4, 12), (5, 10), (6, 8)])
def test_two_cards_at_least_stay_after_dealing(seats: int, most: int) -> None:
    """hand_size 3 to floor((pack - 2) / seats)."""
    played = game("basic-rummy", seats, hand_size=most)
    table = played.deal(played.new_sheet(0), range(52))
    assert len(table.stock) + len(table.discards) == 52 - seats * most >= 2 and len(table.stock) >= 1
    code = refused("basic-rummy", seats, hand_size=most + 1)
    assert code == ("hand_size", "range", 3, most)


def test_a_match_of_so_many_deals_needs_to_know_how_many() -> None:
    assert refused("basic-rummy", match_end="deals") == ("deals", "needs_deals", None, None)
    assert refused("basic-rummy", match_end="deals", deals=None) == ("deals", "needs_deals", None, None)
    assert find("basic-rummy").options(chosen={"match_end": "deals", "deals": 3}).deals == 3


@every_preset
def test_what_is_not_offered_cannot_be_chosen(name: str) -> None:
    offered = {offer.name for offer in find(name).offers}
    known = {"deal_rotation", "knock_limit", "gin_bonus", "spades_double", "upcard_ace", "ace", "hand_size", "deals"}
    assert len(known - offered) >= 3
    for option in {"deal_cap", "players", "no_such_option", ""} | (known - offered):
        assert refused(name, **{option: 1})[:2] == (option, "unknown")


@every_preset
def test_a_match_keeps_every_option_and_comes_back_from_what_it_keeps(name: str) -> None:
    preset = find(name)
    options = preset.options(2, {"target": 77, "turn_cap": 33})
    stored = {field: getattr(options, field) for field in type(options).__dataclass_fields__}
    assert preset.restore(stored).options == options
    assert preset.play(options).options is options


def test_presets_are_found_by_name_and_edition() -> None:
    for name in NAMES:
        assert find(name).name == name and find(name).edition == 1
    assert len(set(NAMES)) == len(NAMES)
    for name, edition in (("basic-rummy", 2), ("bridge", 1), ("", 1)):
        with pytest.raises(KeyError):
            find(name, edition)


def test_offers_say_what_they_take() -> None:
    for preset in PRESETS:
        for offer in preset.offers:
            values = offer.values if isinstance(offer, Choice) else (offer.low, offer.high)
            for value in values:
                offer.check(value)
            if isinstance(offer, Range):
                assert offer.low < offer.high
