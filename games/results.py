"""How the deals of a match came out, read from their Records: what was played, and what of it counts."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from .models import Deal, Match
from .rules.cards import Card
from .rules.codec import decode_outcome, decode_sheet
from .rules.game import Game
from .rules.sheet import Sheet
from .rules.table import Outcome


@dataclass(frozen=True, slots=True)
class Result:
    """An ended deal: outcome as it was played, hands, and the sheet before and after it.

    ``counted`` is the outcome that counts: another one where a moderator has ruled. ``laid``: (card, index of the meld)
    for each lay-off of the deal, in order.
    """

    number: int
    dealer: int
    outcome: Outcome | None
    hands: tuple[tuple[Card, ...], ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    next_dealer: int
    sheet_after: Sheet
    laid: tuple[tuple[Card, int], ...] = ()
    counted: Outcome | None = None

    @property
    def points(self) -> tuple[int, ...]:
        """What each seat scores in the end; empty for a deal that was broken off."""
        return self.counted.points if self.counted else ()


def result_of(game: Game[Any], deal: Deal, before: Sheet | None = None) -> Result:
    """An ended deal told completely, from its Record. ``before``: the Sheet, if it is not the one it began with."""
    sheet, record = before or decode_sheet(deal.sheet, game.sheet_kind), deal.record or {}
    played = decode_outcome(record["outcome"]) if record.get("outcome") else None
    counted = decode_outcome(deal.outcome) if deal.outcome else None
    after = game.book(sheet, counted) if counted else sheet
    left: dict[str, list[str]] = record.get("left", {})
    hands = tuple(tuple(Card(c) for c in left.get(f"hand {seat}", [])) for seat in range(game.options.players))
    told = [event for step in record.get("steps", ()) for event in step.get("events", ())]
    laid = tuple((Card(event["cards"][0]), int(event["meld"])) for event in told if event["kind"] == "laid_off")
    totals = sheet.totals, after.totals
    return Result(deal.number, deal.dealer, played, hands, *totals, after.dealer, after, laid, counted)


def results(match: Match) -> list[Result]:
    """All ended deals, oldest first: the score sheet."""
    return results_of(match, match.deals.filter(ended_at__isnull=False).order_by("number"))


def results_of(match: Match, deals: Iterable[Deal]) -> list[Result]:
    """Ended deals from the first on. Where a moderator has ruled, each Sheet is made of the deals as they count now, so
    that anybody can add it up: a deal that ran meanwhile began with another one."""
    game, found = match.game(), list[Result]()
    for deal in deals:
        before = replace(found[-1].sheet_after, dealer=deal.dealer) if match.ruled and found else None
        found.append(result_of(game, deal, before))
    return found
