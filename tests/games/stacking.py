"""Deals as written: the order of the pack in the first deal of a match is what the test says."""

from typing import Any

import pytest

from games import fairness, play, tables
from games.models import Match
from games.rules.actions import Discard, DrawStock, LayOff, Meld, Pass
from games.rules.cards import card, cards, pack

from .playing import do, mover, opened

LONG = "WWWWWWWWWWWWWWWWWWWW"
"""The widest name that a person can have."""


def stack(monkeypatch: pytest.MonkeyPatch, *hands: str, up: str, stock: str = "", every: bool = False) -> None:
    """The first deal of each match, or ``every`` one: ``hands`` begin after the dealer, ``stock`` is drawn first."""
    real, whole = fairness.order, pack()
    dealt = [one for row in zip(*map(cards, hands), strict=True) for one in row] + [card(up), *cards(stock)]
    places = tuple(whole.index(one) for one in [*dealt, *(c for c in whole if c not in dealt)])

    def order(secret: bytes, cuts: Any, deal: int, n: int, size: int) -> tuple[int, ...]:
        if size == len(cuts):
            return tuple(range(size))
        return places if n == 0 and (every or deal == 1) else real(secret, cuts, deal, n, size)

    monkeypatch.setattr(fairness, "order", order)


THIRTEEN = "AS AD AH 4C 5C 6C 7C TD TH QS KD 2H 9S"
OTHER_THIRTEEN = "2S 3D 5H 4S 6D 7H 8C TS JH QC KS 3H 9C"


def fourteen(monkeypatch: pytest.MonkeyPatch, ann: Any, bob: Any, **chosen: Any) -> Match:
    """A match of two in which bob has thirteen cards and is to draw the ten of clubs; 8C is the discard."""
    stack(monkeypatch, THIRTEEN, OTHER_THIRTEEN.replace("8C", "JC"), up="8C", stock="TC 8D JD")
    return opened(ann, bob, preset="basic-rummy", hand_size=13, **chosen)


def melds_on_the_table(match: Match, ann: Any, bob: Any) -> None:
    """Bob melds and discards, ann draws and discards, bob draws: his draft has one meld more."""
    do(match, bob, DrawStock())
    do(match, bob, Meld(cards("AS AD AH")))
    do(match, bob, Discard(card("2H")))
    do(match, ann, DrawStock())
    do(match, ann, Discard(card("KS")))
    do(match, bob, DrawStock())
    do(match, bob, Meld(cards("4C 5C 6C")))


def over(monkeypatch: pytest.MonkeyPatch, ann: Any, bob: Any, **chosen: Any) -> Match:
    """A deal that bob ends in his first turn with his three sevens, ann holds TD 5C TS; the next one is dealt."""
    stack(monkeypatch, "7H 7D 7C", "TD 5C TS", up="9D", stock="2C 3D")
    match = opened(ann, bob, preset="basic-rummy", hand_size=3, **chosen)
    do(match, bob, DrawStock())
    do(match, bob, Meld(cards("7H 7D 7C")))
    do(match, bob, Discard(card("2C")))
    play.drive(match.pk)
    match.refresh_from_db()
    return match


def six(users: Any) -> Match:
    """Six seats, the middle of a deal: everybody has had two turns and put down what he could."""
    match = opened(*users, preset="basic-rummy", hand_size=8)
    for _turn in range(12):
        user = mover(match)
        do(match, user, DrawStock())
        for _act in range(8):
            board = tables.board(Match.objects.get(pk=match.pk), user)
            down = [a for a in board.view.legal if isinstance(a, Meld | LayOff)] if board.view else []
            if not down or len(board.hand) < 6:
                break
            do(match, user, down[0])
        board = tables.board(Match.objects.get(pk=match.pk), user)
        assert board.view is not None
        do(match, user, next(a for a in board.view.legal if isinstance(a, Discard)))
    return match


CHEAP = "2S 3S 4S 7H 7D 7C 9C TC JC KD"
"""With TH drawn: KD and TH may be thrown to knock with ten, nothing else."""
DEAR = "2H 4H 6S 8S QS KS 9D QD AC 5C"


def in_play(
    monkeypatch: pytest.MonkeyPatch,
    ann: Any,
    bob: Any,
    *,
    bobs: str = CHEAP,
    anns: str = DEAR,
    draws: str = "TH",
    up: str = "3D",
    preset: str = "gin",
    **chosen: Any,
) -> Match:
    """A game with a knock in which bob has drawn: both passed the upcard, and the site drew for him."""
    stack(monkeypatch, bobs, anns, up=up, stock=draws)
    match = opened(ann, bob, preset=preset, **chosen)
    do(match, bob, Pass())
    do(match, ann, Pass())
    play.drive(match.pk)
    match.refresh_from_db()
    return match
