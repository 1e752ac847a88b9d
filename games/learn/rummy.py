"""What the rules pages of basic rummy name (RULES.md sections 4 and 5): examples of melds, and sums that are counted.

The sentences stand in templates/games/learn/rummy.html; which of them a page shows follows from the preset's options.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.preset_texts import Text
from games.rules.cards import Card, card, cards
from games.rules.catalog import Preset
from games.rules.game import Game

PACK = 52


@dataclass(frozen=True, slots=True)
class Example:
    """Cards and what is to be said about them."""

    cards: tuple[Card, ...]
    text: Text


@dataclass(frozen=True, slots=True)
class Dealt:
    """For so many ``players``: ``cards`` in each hand, and what is left in the ``stock``."""

    players: int
    cards: int
    stock: int


@dataclass(frozen=True, slots=True)
class Left:
    """A hand that somebody is caught with, and its points as a sum."""

    cards: tuple[Card, ...]
    sum: str
    points: int


@dataclass(frozen=True, slots=True)
class Worked:
    """A deal that is counted: the hands that are left, and what they come to together."""

    left: tuple[Left, ...]
    points: int

    @property
    def sum(self) -> str:
        return " + ".join(str(hand.points) for hand in self.left)

    @property
    def doubled(self) -> int:
        return self.points * 2


def _example(text: str, said: Text) -> Example:
    return Example(cards(text), said)


GOOD = (
    _example("QC QD QH", _("A set: three queens of different suits.")),
    _example("8C 8D 8H 8S", _("A set of four. It is full: no card can join it.")),
    _example("8S 9S TS", _("A run: three spades that follow each other.")),
    _example("AC 2C 3C 4C", _("A run too: the ace is low and comes before the two.")),
)
BAD = (
    _example("QS KS AS", _("No run: the ace never comes after the king.")),
    _example("KD AD 2D", _("No run: it cannot go around the corner.")),
    _example("7C 8D 9C", _("No run: the eight has another suit.")),
    _example("JH QH", _("Too short: a meld has at least three cards.")),
    _example("4H 5H 7H", _("No run: the six is missing.")),
)
CAUGHT = ("AS KD 5C", "QH QS 2D", "9D 7C 3H 3D")
"""The hands of a worked example; with fewer players the first of them."""
BLOCKED = ("AH KC 7D", "JD TD")


def facts(preset: Preset) -> dict[str, Any]:
    """What templates/games/learn/rummy.html names, for one preset."""
    options: Any = preset.options()
    game = preset.play(options)
    return {
        "options": options,
        "dealt": dealt(preset),
        "good": GOOD,
        "bad": BAD,
        "worked": worked(game, CAUGHT[: min(preset.seats - 1, len(CAUGHT))]),
        "blocked": worked(game, BLOCKED),
        "ace_points": game.points(card("AS")),
    }


def dealt(preset: Preset) -> list[Dealt]:
    """What is dealt, by the number of players."""
    return [Dealt(n, size, PACK - 1 - size * n) for n, size in sorted(preset.hand_sizes.items())]


def worked(game: Game[Any], texts: Sequence[str]) -> Worked:
    """The points of hands, counted by the rules themselves."""
    left = []
    for text in texts:
        hand = cards(text)
        points = [game.points(one) for one in hand]
        left.append(Left(hand, " + ".join(map(str, points)), sum(points)))
    return Worked(tuple(left), sum(hand.points for hand in left))
