"""The easy level: the column "easy" of RULES.md section 13 for rummy. A pure function of what the seat sees."""

from random import Random
from typing import Any

from ..rules.actions import Action, Discard, DrawStock, LayOff, Meld, TakeDiscard
from ..rules.cards import Card
from ..rules.game import Game
from ..rules.melds import natural_melds
from ..rules.view import TableView

PAIR_TAKEN = 4
"""One discard in so many is taken for a mere pair."""


def choose(view: TableView, game: Game[Any], rng: Random) -> Action:
    """One of the legal actions: take what makes a meld, put down what can be put down, throw the dearest lone card."""
    if view.phase == "draw":
        return _draw(view, game, rng)
    down = [a for a in view.legal if isinstance(a, Meld)] or [a for a in view.legal if isinstance(a, LayOff)]
    if down:
        return max(down, key=lambda a: sum(game.points(c) for c in _cards_of(a)))
    throws = [a for a in view.legal if isinstance(a, Discard)]
    return max(throws, key=lambda a: (_is_lone(a.card, view.hand), game.points(a.card), a.card.key))


def _cards_of(action: Action) -> tuple[Card, ...]:
    if isinstance(action, Meld):
        return action.cards
    return (action.card,) if isinstance(action, LayOff) else ()


def _draw(view: TableView, game: Game[Any], rng: Random) -> Action:
    take = next((a for a in view.legal if isinstance(a, TakeDiscard)), None)
    stock = next((a for a in view.legal if isinstance(a, DrawStock)), None)
    if take is None or stock is None or view.top is None:
        return view.legal[0]
    top = view.top
    melds = any(top in meld for meld in natural_melds((*view.hand, top), game.shape))
    pair = not _is_lone(top, (*view.hand, top)) and rng.randrange(PAIR_TAKEN) == 0
    return take if melds or pair else stock


def _is_lone(card: Card, hand: tuple[Card, ...]) -> bool:
    """Whether no other card of the hand has its rank or stands next to it in its suit."""
    return not any(
        other != card and (other.rank == card.rank or (other.suit == card.suit and abs(other.rank - card.rank) <= 1))
        for other in hand
    )
