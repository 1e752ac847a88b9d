"""Builds the Record of an ended deal: every step with its cards, the score, and all that is needed to check it."""

from collections.abc import Iterable
from typing import Any

from . import fairness, tape
from .models import Deal, Match, Move
from .rules import codec
from .tape import Tape

VERSION = 1


def record(match: Match, deal: Deal, ended: Tape) -> dict[str, Any]:
    """The whole story of a deal as plain JSON (docs/fairness.md shows its shape). Public once the deal is over."""
    return told_by(match, deal, ended.cuts, Move.objects.filter(deal_id=deal.pk).order_by("number"))


def told_by(match: Match, deal: Deal, cuts: tuple[str, ...], moves: Iterable[Move]) -> dict[str, Any]:
    """The Record that these moves make. Match, deal and moves need not be stored."""
    secret = bytes(deal.secret)
    told = tape.begin(match, deal, cuts)
    orders = [_order(secret, cuts, deal.number, 0, [str(c) for c in told.game.pack()])]
    hands = [[str(c) for c in hand] for hand in told.table.hands]
    steps: list[dict[str, Any]] = []
    for move in moves:
        if move.action["type"] == "shuffled":
            pool = [str(c) for c in told.game.pool(told.table)]
            orders.append(_order(secret, cuts, deal.number, move.action["n"], pool))
        before = len(told.table.events)
        told = tape.follow(deal, told, move)
        events = [codec.encode_event(e) for e in told.table.events[before:]]
        steps.append(
            {"n": move.number, "seat": move.seat, "by": _by(move), "at": move.at.isoformat(), "action": move.action}
            | ({"events": events} if events else {})
        )
    outcome = told.table.outcome
    return {
        "version": VERSION,
        "fairness": fairness.VERSION,
        "deal": deal.number,
        "dealer": deal.dealer,
        "secret": secret.hex(),
        "cuts": list(cuts),
        "sheet": deal.sheet,
        "orders": orders,
        "hands": hands,
        "steps": steps,
        "outcome": codec.encode_outcome(outcome) if outcome else None,
        "left": {zone: [str(c) for c in cards] for zone, cards in told.table.zones().items()},
    }


def _by(move: Move) -> str:
    """What a seat's standing order did, its driver did: nobody else has to know."""
    return Move.By.USER if move.by == Move.By.ORDER else move.by


def _order(secret: bytes, cuts: tuple[str, ...], deal: int, n: int, pool: list[str]) -> dict[str, Any]:
    order = fairness.order(secret, cuts, deal, n, len(pool))
    return {"n": n, "size": len(pool), "pool": pool, "cards": [pool[i] for i in order]}
