"""The arithmetic of the observatory: intervals and tests over counted deals. Pure: numbers in, numbers out.

Shares have Wilson's interval, means the normal one, both of 95 %. Places of cards are tested by chi-square.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.959964
MELD_SHARE = 0.3965
"""So many hands of ten from one pack hold at least one meld, aces low (simulated, give or take 0.0018)."""
MEAN_COUNT = 10 * 340 / 52
"""What ten cards count on average: 65.4. A pack counts 340, court cards ten and aces one."""
CARDS = 52
FEWEST_PACKS = 5 * CARDS
"""With fewer packs a card is expected less than five times at a place, and chi-square says nothing."""
FEWEST_HANDS = 30
"""With fewer hands a player's luck is not compared with others'."""
BANDS = (-2.0, -1.0, 1.0, 2.0)
"""Standard deviations that part players by their luck."""
BAND_SHARES = (0.0228, 0.1359, 0.6827, 0.1359, 0.0228)
"""What chance alone puts between them."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A value and what it may be off by: the interval of 95 %."""

    value: float
    low: float
    high: float


def share(hits: int, n: int) -> Interval | None:
    """A share with Wilson's interval, which stays honest for few cases and shares near none or all; None of nothing."""
    if n == 0:
        return None
    p, z2 = hits / n, Z95 * Z95
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    reach = Z95 / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return Interval(p, max(0.0, middle - reach), min(1.0, middle + reach))


def mean(total: int, squares: int, n: int) -> Interval | None:
    """A mean with the normal interval, from the sum of the values and of their squares; None of less than two."""
    if n < 2:
        return None
    value = total / n
    variance = max(0.0, (squares - n * value * value) / (n - 1))
    reach = Z95 * math.sqrt(variance / n)
    return Interval(value, value - reach, value + reach)


def chi_by_place(counts: Sequence[Sequence[int]], packs: int) -> list[float]:
    """For each place of the pack how far the cards that lay there are from being equally frequent.

    About 51 for an honest shuffle, give or take 20 in 19 of 20 places.
    """
    expected = packs / CARDS
    return [sum((n - expected) ** 2 for n in row) / expected for row in counts]


def chi_of_all(by_place: Sequence[float]) -> tuple[float, float]:
    """(chi-square of the whole pack, standard deviations by which it is off its mean).

    Each card lies at one place and each place holds one card, so of 52 times 52 counts 51 times 51 are free, and the
    sum is a 52nd part too large.
    """
    free = (CARDS - 1) ** 2
    chi = sum(by_place) * (CARDS - 1) / CARDS
    return chi, (chi - free) / math.sqrt(2 * free)


def luck(melds: int, hands: int) -> float:
    """How many standard deviations more hands with a meld somebody was dealt than chance gives."""
    return (melds - hands * MELD_SHARE) / math.sqrt(hands * MELD_SHARE * (1 - MELD_SHARE))


def band(deviations: float) -> int:
    """In which of the five bands somebody is."""
    return sum(deviations > edge for edge in BANDS)
