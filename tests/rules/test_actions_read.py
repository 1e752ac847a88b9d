"""Actions as clients send them: what is malformed, and what this game lacks."""

import random

import pytest

from games.rules import codec
from games.rules.errors import Malformed

from .playing import (
    dealt,
    game,
    why,
)


def test_what_no_client_sends_is_malformed() -> None:
    for told in (
        {},
        {"type": None},
        {"type": ["meld"]},
        {"type": {"meld": 1}},
        {"type": "fly"},
        {"type": "draw_stock", "card": "7H"},
        {"type": "discard"},
        {"type": "discard", "card": 7},
        {"type": "discard", "card": "7X"},
        {"type": "discard", "card": ""},
        {"type": "discard", "card": "7H#1"},
        {"type": "discard", "card": "7H#"},
        {"type": "discard", "card": "7H#10"},
        {"type": "discard", "card": "7H#2#3"},
        {"type": "discard", "card": ["7H"]},
        {"type": "discard", "card": "7H", "name": "discard"},
        {"type": "discard", "card": "7H", "ends_turn": False},
        {"type": "meld", "cards": "7H 8H 9H"},
        {"type": "meld", "cards": None},
        {"type": "meld", "cards": [None]},
        {"type": "lay_off", "card": "7H"},
        {"type": "lay_off", "card": "7H", "meld": "0"},
        {"type": "lay_off", "card": "7H", "meld": True},
        {"type": "lay_off", "card": "7H", "meld": 0.0},
        {"type": "lay_off", "card": "7H", "meld": None},
        {"type": "knock"},
        {"type": "knock", "card": "7H", "melds": None},
        {"type": "knock", "card": "7H", "melds": ["7H 8H 9H"]},
        {"type": "knock", "card": "7H", "melds": [["7H", 8]]},
        {"type": "knock", "melds": []},
        {"type": "pass", "card": "7H"},
    ):
        with pytest.raises(Malformed):
            codec.decode(told)


def test_actions_that_the_family_has_and_this_game_lacks_are_read_and_refused() -> None:
    played = game("basic-rummy", 2)
    table = dealt(played, random.Random(1))
    for name in sorted(codec.FAMILY):
        assert why(played, table, codec.decode({"type": name, "card": "7H", "anything": [1]})) == "wrong_phase"
