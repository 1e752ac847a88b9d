"""The standing order that an easy bot would leave for its coming turns. Pure: from its own view alone.

Used to measure what orders save; no bot at a table needs one.
"""

from typing import Any

from games.rules.game import Game
from games.rules.orders import DRAWN_OR_NAMED, MOST_TURNS, Order, makes_meld
from games.rules.view import TableView

from .easy import is_lone, worth


def order_of(view: TableView, game: Game[Any]) -> Order:
    """Pass an upcard, take what makes a meld, keep the new card for a meld only, throw the dearest lone cards."""
    free = [c for c in view.hand if not makes_meld(c, view.hand, game)] or list(view.hand)
    free.sort(key=lambda c: (is_lone(c, view.hand), worth(c, game)), reverse=True)
    named = tuple(free[:MOST_TURNS])
    keep = tuple(c for c in view.hand if c not in named)
    return Order(passes=True, take_with=keep, end=DRAWN_OR_NAMED, cards=named, turns=MOST_TURNS)
