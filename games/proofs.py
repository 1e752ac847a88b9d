"""What anybody needs to check the chance of a match, as plain JSON and as a list: nothing of a deal that still runs.

docs/fairness.md tells the shape; docs/check_deal.py and games/static/games/check.js read it, and share no code with
fairness.py. No name of a person stands in it.
"""

from dataclasses import dataclass
from typing import Any

from .models import Deal, Match
from .rules.table import VOIDED
from .tables import Board

VERSION = 1
TOLD = ("dealer", "fairness", "orders", "hands", "steps", "outcome", "left")
"""What is taken over from the Record of an ended deal."""


@dataclass(frozen=True, slots=True)
class DealListed:
    """A number that was dealt. ``secret`` is empty while the deal runs; ``ending`` is a kind of outcome of the rules,
    ``voided`` by a moderator, ``broken_off`` or ``running``. ``corrected``: a moderator has set its points.
    """

    number: int
    dealer: int
    secret: str
    ending: str
    scorer: int | None
    corrected: bool = False


def listed(match: Match) -> list[DealListed]:
    """Every number dealt, from 1 on: also what was void or broken off, and what is being played."""
    return [_listed(deal) for deal in match.deals.defer("record").order_by("number")]


def _listed(deal: Deal) -> DealListed:
    if deal.ended_at is None:
        return DealListed(deal.number, deal.dealer, "", "running", None)
    outcome = deal.outcome or {"kind": "broken_off", "scorer": None, "marks": ()}
    corrected, secret = "corrected" in outcome["marks"], bytes(deal.secret).hex()
    return DealListed(deal.number, deal.dealer, secret, outcome["kind"], outcome["scorer"], corrected)


def proof(board: Board) -> dict[str, Any]:
    """The match as its checkers read it: fingerprints before the start, cuts after it, secrets of ended deals."""
    match = board.match
    ended = match.deals.filter(ended_at__isnull=False).order_by("number")
    told: dict[str, Any] = {
        "version": VERSION,
        "match": match.pk,
        "preset": match.preset,
        "edition": match.edition,
        "options": match.options,
        "status": match.status,
        "commitment": match.commitment,
        "cut_hashes": [seat.cut_hash for seat in board.seats],
        "cuts_by": [seat.cut_by for seat in board.seats],
        "cuts": [seat.cut for seat in board.seats],
    }
    if match.rematch_of_id is None and match.first_dealer is not None:
        told["first_dealer"] = match.first_dealer
    told["deals"] = [_told(deal) for deal in ended]
    told["running"] = match.deal_number if match.deal_number > len(told["deals"]) else None
    return told


def _told(deal: Deal) -> dict[str, Any]:
    record = deal.record or {}
    told = {"deal": deal.number, "secret": bytes(deal.secret).hex(), "void": _listed(deal).ending == VOIDED}
    return told | {name: record.get(name) for name in TOLD}
