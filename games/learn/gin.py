"""What the rules pages of the gin family name (RULES.md section 6): examples that the rules themselves count.

The sentences stand in templates/games/learn/gin.html; which of them a page shows follows from the preset's options.
"""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.preset_texts import Text
from games.rules import deadwood
from games.rules.cards import Card, card, cards
from games.rules.catalog import Preset
from games.rules.game import Game
from games.rules.knocking import Knock, KnockTable
from games.rules.table import Outcome

from .rummy import BAD, GOOD, dealt

KNOCKER = "7C 7D 7H 4S 5S 6S JC QC KC 9D"
THROWN = "KD"
LIGHT, HEAVY = "2C 2D 2H TD TH TS AC 3H AS 3D", "2C 2D 2H TD TH TS 8H 8C AC 4H"
GIN = "8C 8D 8H 8S 3S 4S 5S JC QC KC"
WON = (60, 25, 41)
"""The deals that the winner of a match has won, to be added up."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand in its best arrangement: its ``melds``, the cards that are ``left``, and their points."""

    melds: tuple[tuple[Card, ...], ...]
    left: tuple[Card, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Ending:
    """A deal that was ended, told by its numbers: ``more`` deadwood less ``less`` deadwood, and a bonus."""

    title: Text
    more: int
    less: int
    bonus: int
    points: int


def hand_of(game: Game[Any], text: str) -> Hand:
    """A hand as the rules arrange it."""
    held = cards(text)
    melds = deadwood.arrange(held)
    left = tuple(one for one in held if not any(one in meld for meld in melds))
    return Hand(melds, left, sum(map(game.points, left)))


def ended(game: Game[Any], knocker: str, defender: str) -> Outcome:
    """The outcome of a knock with ten cards, counted by the rules; the upcard is a king of hearts."""
    hands = ((*cards(knocker), card(THROWN)), cards(defender))
    rest = tuple(one for one in game.pack() if not any(one in hand for hand in hands))
    table = KnockTable(
        hands=hands, stock=rest, discards=(), dealer=1, turn=0, phase="play", upcard=card("KH"), limit=10
    )
    outcome = game.apply(table, 0, Knock(card(THROWN))).outcome
    assert outcome is not None
    return outcome


def ending(title: Text, outcome: Outcome) -> Ending:
    """What an outcome says, as a sum."""
    left = {line.seat: line.points for line in outcome.lines if line.what == "deadwood"}
    bonus = sum(line.points for line in outcome.lines if line.what.endswith("_bonus"))
    return Ending(title, max(left.values()), min(left.values()), bonus, max(outcome.points))


def facts(preset: Preset) -> dict[str, Any]:
    """What templates/games/learn/gin.html names, for one preset."""
    options: Any = preset.options()
    by_hand = preset.play(preset.options(chosen={"auto_layoff": False}))
    game = preset.play(options)
    final = options.game_bonus + len(WON) * options.box_bonus
    return {
        "options": options,
        "dealt": dealt(preset),
        "good": GOOD,
        "bad": BAD,
        "knocker": hand_of(by_hand, KNOCKER),
        "endings": (
            ending(_("A knock"), ended(game, KNOCKER, HEAVY)),
            ending(_("An undercut"), ended(game, KNOCKER, LIGHT)),
            ending(_("Gin"), ended(game, GIN, "2C 2D 2H TD TH TS 6S AC 4C 2S")),
        ),
        "won": sum(WON),
        "boxes": len(WON),
        "box_points": len(WON) * options.box_bonus,
        "final": sum(WON) + final,
        "shutout": 2 * sum(WON) + final,
    }
