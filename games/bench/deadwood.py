"""How long the least deadwood of ten cards takes, by class of hand, beside RLCard's solver on the same hands.

RLCard comes with requirements-dev.txt; without it only our own times are given.
"""

import importlib
import importlib.util
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from games.rules.cards import RANKS, SUITS, Card, card, pack
from games.rules.deadwood import least

HANDS, ROUNDS = 400, 7


def random_hand(rng: random.Random) -> list[Card]:
    """Any ten cards."""
    return rng.sample(pack(), 10)


def clustered_hand(rng: random.Random) -> list[Card]:
    """Ten of the cards of eight ranks that follow each other."""
    low = rng.randint(1, 6)
    return rng.sample([one for one in pack() if low <= one.rank < low + 8], 10)


def meld_rich_hand(rng: random.Random) -> list[Card]:
    """Sets and runs thrown together, so that many cards belong to several melds."""
    hand: list[Card] = []
    while len(hand) < 10:
        rank, suit = rng.randrange(11), rng.choice(SUITS)
        run = [RANKS[rank + n] + suit for n in range(3)]
        same = [RANKS[rank] + other for other in rng.sample(SUITS, 3)]
        hand += [one for one in map(card, rng.choice((run, same))) if one not in hand]
    return hand[:10]


CLASSES: dict[str, Callable[[random.Random], list[Card]]] = {
    "random": random_hand,
    "clustered": clustered_hand,
    "meld_rich": meld_rich_hand,
}


def figures() -> dict[str, dict[str, float]]:
    """``deadwood_us``: microseconds a hand by class; with RLCard its own times, and ours as a part of them."""
    ours: dict[str, float] = {}
    theirs: dict[str, float] = {}
    rlcard = _rlcard()
    for name, deal in CLASSES.items():
        rng = random.Random(name)
        hands = [deal(rng) for _hand in range(HANDS)]
        if rlcard is None:
            ours[name] = _fastest([(least, hands)])[0]
            continue
        solve, card_of = rlcard
        pair = [(least, hands), (solve, [[card_of(one) for one in hand] for hand in hands])]
        ours[name], theirs[name] = _fastest(pair)
    if not theirs:
        return {"deadwood_us": ours}
    ratio = {name: ours[name] / theirs[name] for name in ours}
    return {"deadwood_us": ours, "deadwood_rlcard_us": theirs, "deadwood_ratio": ratio}


def _fastest(work: Sequence[tuple[Callable[[Any], Any], Sequence[Any]]]) -> list[float]:
    """The best time a hand of each piece of work, in turn, so that a busy moment meets all of them."""
    best = [float("inf")] * len(work)
    for _round in range(ROUNDS):
        for index, (solve, hands) in enumerate(work):
            begun = time.perf_counter()
            for hand in hands:
                solve(hand)
            best[index] = min(best[index], (time.perf_counter() - begun) / len(hands) * 1e6)
    return best


def _rlcard() -> tuple[Callable[[Any], Any], Callable[[Card], Any]] | None:
    """RLCard's search for the best melds, and its cards; None if it is not installed."""
    if importlib.util.find_spec("rlcard") is None:
        return None
    melding = importlib.import_module("rlcard.games.gin_rummy.utils.melding")
    kind = importlib.import_module("rlcard.games.base").Card
    return melding.get_best_meld_clusters, lambda one: kind(one.face[1], one.face[0])
