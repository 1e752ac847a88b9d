"""The easy level: the column "easy" of RULES.md section 13. A pure function of what the seat sees, phase by phase."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from games.rules.actions import Action, Discard, LayOff, Meld, TakeDiscard
from games.rules.cards import Card
from games.rules.game import Game
from games.rules.knocking import BigGin, Knock
from games.rules.melds import natural_melds
from games.rules.view import TableView

PAIR_TAKEN = 4
"""One discard in so many is taken for a mere pair."""


def choose(view: TableView, game: Game[Any], rng: Random) -> Action:
    """One of the legal actions: take what makes a meld, put down what can be put down or knock, throw the dearest
    lone card.
    """
    return PHASES[view.phase](view, game, rng)


def _draw(view: TableView, game: Game[Any], rng: Random) -> Action:
    """Take the top discard or leave it: draw from the stock, or pass while it is only offered."""
    take = next((a for a in view.legal if isinstance(a, TakeDiscard)), None)
    leave = next((a for a in view.legal if a.passive), None)
    top = view.top
    if take is None or leave is None or top is None:
        return view.legal[0]
    if top in _in_melds((*view.hand, top), game):
        return take
    pair = any(held.rank == top.rank for held in view.hand)
    return take if pair and rng.randrange(PAIR_TAKEN) == 0 else leave


def _play(view: TableView, game: Game[Any], rng: Random) -> Action:
    return _open_hand(view, game) or _put_down(view, game) or _throw(view, game)


def _lay_off(view: TableView, game: Game[Any], rng: Random) -> Action:
    """After a knock: add what is in no own meld, the dearest card first, then be done."""
    melded = {card for meld in dict(view.own)["melds"] for card in meld}
    additions = [a for a in view.legal if isinstance(a, LayOff) and a.card not in melded]
    return max(additions, key=lambda a: worth(a.card, game)) if additions else _nothing(view)


def _last_discard(view: TableView, game: Game[Any], rng: Random) -> Action:
    return _open_hand(view, game) or _nothing(view)


PHASES: Final[Mapping[str, Callable[[TableView, Game[Any], Random], Action]]] = {
    "upcard_offer": _draw,
    "draw": _draw,
    "play": _play,
    "layoff": _lay_off,
    "last_discard": _last_discard,
}


def _nothing(view: TableView) -> Action:
    """Pass, or be done."""
    return next(a for a in view.legal if a.passive)


def _open_hand(view: TableView, game: Game[Any]) -> Action | None:
    """Big gin, or the knock that leaves least."""
    big_gin = next((a for a in view.legal if isinstance(a, BigGin)), None)
    knocks = [a for a in view.legal if isinstance(a, Knock)]
    if big_gin or not knocks:
        return big_gin
    leaves = dict(dict(view.own)["leaves"])
    return min(knocks, key=lambda a: (leaves[a.card], worth(a.card, game)))


def _put_down(view: TableView, game: Game[Any]) -> Action | None:
    """The dearest meld, then the dearest card that fits on a meld."""
    sets_and_runs = [a for a in view.legal if isinstance(a, Meld)]
    if sets_and_runs:
        return max(sets_and_runs, key=lambda a: sum(map(game.points, a.cards)))
    additions = [a for a in view.legal if isinstance(a, LayOff)]
    return max(additions, key=lambda a: game.points(a.card)) if additions else None


def _throw(view: TableView, game: Game[Any]) -> Action:
    """The dearest card that is in no meld and has no neighbour."""
    melded = _in_melds(view.hand, game)
    throws = [a for a in view.legal if isinstance(a, Discard)]
    return max(throws, key=lambda a: (a.card not in melded, is_lone(a.card, view.hand), worth(a.card, game)))


def _in_melds(hand: tuple[Card, ...], game: Game[Any]) -> frozenset[Card]:
    """The cards of a hand that are in some meld of it."""
    return frozenset(card for meld in natural_melds(hand, game.shape) for card in meld)


def is_lone(card: Card, hand: tuple[Card, ...]) -> bool:
    """Whether no other card of the hand has its rank or stands next to it in its suit."""
    return not any(
        other != card and (other.rank == card.rank or (other.suit == card.suit and abs(other.rank - card.rank) == 1))
        for other in hand
    )


def worth(card: Card, game: Game[Any]) -> tuple[int, int]:
    """Points first; of equal ones always the same card."""
    return game.points(card), card.key
