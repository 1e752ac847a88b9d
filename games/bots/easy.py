"""The easy level: the column "easy" of RULES.md section 13 for rummy. A pure function of what the seat sees."""

from random import Random
from typing import Any

from games.rules.actions import Action, Discard, DrawStock, LayOff, Meld, TakeDiscard
from games.rules.cards import Card
from games.rules.game import Game
from games.rules.melds import natural_melds
from games.rules.view import TableView

PAIR_TAKEN = 4
"""One discard in so many is taken for a mere pair."""


def choose(view: TableView, game: Game[Any], rng: Random) -> Action:
    """One of the legal actions: take what makes a meld, put down what can be put down, throw the dearest lone card."""
    if view.phase == "draw":
        return _draw(view, game, rng)
    sets_and_runs = [a for a in view.legal if isinstance(a, Meld)]
    if sets_and_runs:
        return max(sets_and_runs, key=lambda a: sum(map(game.points, a.cards)))
    additions = [a for a in view.legal if isinstance(a, LayOff)]
    if additions:
        return max(additions, key=lambda a: game.points(a.card))
    melded = _in_melds(view.hand, game)
    throws = [a for a in view.legal if isinstance(a, Discard)]
    return max(throws, key=lambda a: (a.card not in melded, _is_lone(a.card, view.hand), _worth(a.card, game)))


def _draw(view: TableView, game: Game[Any], rng: Random) -> Action:
    take = next((a for a in view.legal if isinstance(a, TakeDiscard)), None)
    stock = next((a for a in view.legal if isinstance(a, DrawStock)), None)
    top = view.top
    if take is None or stock is None or top is None:
        return view.legal[0]
    if top in _in_melds((*view.hand, top), game):
        return take
    pair = any(held.rank == top.rank for held in view.hand)
    return take if pair and rng.randrange(PAIR_TAKEN) == 0 else stock


def _in_melds(hand: tuple[Card, ...], game: Game[Any]) -> frozenset[Card]:
    """The cards of a hand that are in some meld of it."""
    return frozenset(card for meld in natural_melds(hand, game.shape) for card in meld)


def _is_lone(card: Card, hand: tuple[Card, ...]) -> bool:
    """Whether no other card of the hand has its rank or stands next to it in its suit."""
    return not any(
        other != card and (other.rank == card.rank or (other.suit == card.suit and abs(other.rank - card.rank) == 1))
        for other in hand
    )


def _worth(card: Card, game: Game[Any]) -> tuple[int, int]:
    """Points first; of equal ones always the same card."""
    return game.points(card), card.key
