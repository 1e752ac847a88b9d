"""Counts of legal action sequences from stacked packs, as chess has perft: one number notices any change of the rules.

Every count was also made by trying all actions that can be written down, without asking for the legal ones.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from games.rules.actions import Action, Discard, DrawStock, LayOff, Meld, Pass, TakeDiscard
from games.rules.cards import cards, pack
from games.rules.game import Game
from games.rules.knocking import BigGin, BigGinLast, Done, Knock, KnockLast, TakeUpcard
from games.rules.melds import natural_melds
from games.rules.table import DEALER, Table

from .playing import game, why

RICH = (
    "5H 7S 6H 7D 7H 7C 8H 2C 9H 2D TH 2H KC 3H KD 4H KH QD AS JD 9C"
    " TS JS QS KS AC AD AH 3C 4C 5C 6C 8C TC JC QC 3D 4D 5D 6D 8D 9D TD JH QH 2S 3S 4S 5S 6S 8S 9S"
)
"""Hands full of melds that meet: a long run and three kings against four sevens short of none and three twos."""

AROUND = (
    "5H 7S 6H 7D 7H 7C 8H 2C KS 2D 2S 2H KC 3H KD 4H KH QD AS JD 9C"
    " TS JS QS 9H AC AD AH 3C 4C 5C 6C 8C TC JC QC 3D 4D 5D 6D 8D 9D TD JH QH TH 3S 4S 5S 6S 8S 9S"
)
"""The same with a run from king to deuce in the first hand, for aces that go round the corner."""

PLAIN = (
    "QD 4C 8H TS 2D JC 6H 9S AC 5D KH 7C 3S TD 8C QH 4S 6D 9C JS AH 2S"
    " 5C KD 7H 3C TH QS 8D 4D JD 6S 9H AD 2H 5S KC 7D 3H TC QC 8S 4H JH 6C 9D AS 2C 5H KS 7S 3D"
)
"""Hands in which little fits."""


def counted(game: Game[Any], table: Table, depth: int) -> int:
    """How many sequences of so many steps there are; a shuffle counts as one step, an ended deal has none."""
    if depth == 0:
        return 1
    if table.outcome is not None:
        return 0
    if table.actor == DEALER:
        return counted(game, game.reshuffle(table, table.orders + 1, range(len(game.pool(table)))), depth - 1)
    return sum(counted(game, game.apply(table, table.actor, a), depth - 1) for a in game.choices(table).actions)


def stacked(text: str, preset: str, seats: int, **chosen: Any) -> tuple[Game[Any], Table]:
    played = game(preset, seats, **chosen)
    table = played.lay_out(played.new_sheet(seats - 1), cards(text))
    return played, table


COUNTS: list[tuple[str, str, int, dict[str, Any], list[int]]] = [
    (RICH, "basic-rummy", 2, {}, [2, 43, 255, 1277]),
    (RICH, "android-rummy", 2, {}, [2, 43, 255, 1277]),
    (RICH, "basic-rummy", 2, {"max_melds_per_turn": 1, "final_discard_required": True}, [2, 43, 211, 1035]),
    (RICH, "basic-rummy", 2, {"set_max": 3, "forbid_discard_drawn": False}, [2, 44, 268, 1380]),
    (AROUND, "basic-rummy", 2, {"ace": "low"}, [2, 37, 230, 1269]),
    (AROUND, "basic-rummy", 2, {"ace": "low_or_high"}, [2, 37, 230, 1269]),
    (AROUND, "basic-rummy", 2, {"ace": "wrap"}, [2, 39, 261, 1409]),
    (PLAIN, "basic-rummy", 4, {}, [2, 15, 30, 233, 490]),
    (PLAIN, "android-rummy", 2, {}, [2, 22, 50, 499, 1381]),
    (PLAIN, "solitaired-rummy", 3, {"ace": "low_or_high"}, [2, 15, 30, 227, 460]),
    (PLAIN, "basic-rummy", 6, {"hand_size": 3}, [2, 7, 14, 49, 98]),
    (RICH, "gin", 2, {}, [2, 15, 31, 249, 704]),
    (RICH, "gin", 2, {"auto_layoff": False, "big_gin_bonus": 31}, [2, 15, 36, 253, 728]),
    (RICH, "oklahoma-gin", 2, {}, [2, 13, 31, 246, 691]),
    (PLAIN, "hollywood-gin", 2, {}, [2, 12, 31, 241, 652]),
]


@pytest.mark.parametrize("text,preset,seats,chosen,expected", COUNTS)
def test_there_are_so_many_ways_to_go_on(
    text: str, preset: str, seats: int, chosen: dict[str, Any], expected: list[int]
) -> None:
    assert sorted(cards(text)) == sorted(pack())
    played, table = stacked(text, preset, seats, **chosen)
    assert [counted(played, table, depth) for depth in range(1, len(expected) + 1)] == expected


def everything(table: Table) -> Iterator[Action]:
    """All actions that can be written down about a table, but melds that no shape allows."""
    yield from (DrawStock(), TakeDiscard(), TakeUpcard(), Pass(), BigGin(), BigGinLast(), Done())
    for card in pack():
        yield from (Discard(card), Knock(card), KnockLast(card))
        yield from (LayOff(card, index) for index in range(len(table.melds)))


@pytest.mark.parametrize("text,preset,seats,chosen,expected", COUNTS)
def test_the_first_counts_come_out_by_trial_of_everything(
    text: str, preset: str, seats: int, chosen: dict[str, Any], expected: list[int]
) -> None:
    played, table = stacked(text, preset, seats, **chosen)
    level = Counter({table: 1})
    for number in expected[:3]:
        after: Counter[Table] = Counter()
        for at, times in level.items():
            melds = [Meld(some) for some in natural_melds(at.hand, played.shape)] if at.outcome is None else []
            for action in (*everything(at), *melds):
                if why(played, at, action) is None:
                    after[played.apply(at, at.turn, action)] += times
        assert sum(after.values()) == number
        level = after
