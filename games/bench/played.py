"""Matches that bots have played, and their deals given to generated matches as if persons had made every move."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from games import lobby, play
from games.models import Deal, Match, Move, Seat

GAMES = (("basic-rummy", {"target": 40}), ("gin", {"target": 30}))
APART = timedelta(minutes=50)
"""Between two steps of a copied deal."""


@dataclass(frozen=True, slots=True)
class Model:
    """A match for two that was played to its end."""

    match: Match
    deals: list[Deal]
    moves: list[Move]
    cuts: list[str]


def models(user: Any, count: int) -> list[Model]:
    """So many matches of each game, played now by bots; one seat is a person's until the cards are dealt."""
    made = []
    for preset, chosen in GAMES:
        for _match in range(count):
            opened = lobby.open_match(user, preset, seats=["easy"], pace="none", chosen=chosen)
            Seat.objects.filter(match=opened, index=0).update(driver="bot", driven_by=None, bot_level="easy")
            Match.objects.filter(pk=opened.pk).update(wake_at=timezone.now())
            play.drive(opened.pk)
            match = Match.objects.get(pk=opened.pk)
            deals = list(match.deals.filter(ended_at__isnull=False))
            cuts = list(match.seats.values_list("cut", flat=True))
            made.append(Model(match, deals, list(match.tape.all()), cuts))
    return made


def dress(match: Match, model: Model) -> None:
    """A generated match becomes the one that was played, at another time."""
    for name in ("preset", "edition", "options", "totals", "winners", "deal_number", "moves", "chain", "commitment"):
        setattr(match, name, getattr(model.match, name))
    match.first_dealer = model.match.first_dealer


def deals(match: Match, model: Model, number: int) -> list[Deal]:
    """Its deals, numbered from here, the last of them ending with the match."""
    assert match.ended_at is not None
    left = sum(len(deal.record["steps"]) for deal in model.deals if deal.record)
    found = []
    for at, deal in enumerate(model.deals):
        assert deal.record is not None
        begun = match.ended_at - left * APART
        record = deal.record | {"steps": list(_steps(deal.record["steps"], begun))}
        left -= len(record["steps"])
        found.append(
            Deal(
                pk=number + at, match=match, number=deal.number, dealer=deal.dealer, secret=deal.secret,
                sheet=deal.sheet, outcome=deal.outcome, record=record,
                started_at=begun, ended_at=match.ended_at - left * APART,
            )
        )  # fmt: skip
    return found


def _steps(steps: list[dict[str, Any]], begun: datetime) -> Iterator[dict[str, Any]]:
    for at, step in enumerate(steps):
        by = "user" if step["by"] == "bot" else step["by"]
        yield step | {"by": by, "at": (begun + at * APART).isoformat()}


def moves(match: Match, model: Model, copied: list[Deal], number: int) -> list[Move]:
    """Its tape, numbered from here."""
    assert match.ended_at is not None
    deal_of = {old.pk: new for old, new in zip(model.deals, copied, strict=True)}
    found = []
    for at, move in enumerate(model.moves):
        by = "user" if move.by == "bot" else move.by
        deal = deal_of.get(move.deal_id or 0)
        found.append(
            Move(
                pk=number + at, match=match, deal=deal, number=move.number, seat=move.seat, action=move.action, by=by,
                at=(deal and deal.ended_at) or match.ended_at,
            )
        )  # fmt: skip
    return found
