"""What the rulings on a tape come to: which deals count, and with which points; the Sheet that follows.

Pure. It is derived from the deals as they were played and from all rulings, each time anew, and never adjusted: what is
ruled twice is ruled once. Making rulings stands in games/moderation/.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .rules.game import Game
from .rules.sheet import Sheet
from .rules.table import Outcome


@dataclass(frozen=True, slots=True)
class Verdict:
    """What moderators say of a deal now. ``points``: one number for each seat instead of those played."""

    void: bool = False
    points: tuple[int, ...] | None = None


AS_PLAYED = Verdict()


def of_deals(acts: Iterable[Mapping[str, Any]]) -> dict[int, Verdict]:
    """The verdict on each deal that these acts name, in the order of the tape."""
    found = dict[int, Verdict]()
    for act in acts:
        if (number := act.get("deal", 0)) > 0:
            found[number] = _after(found.get(number, AS_PLAYED), act)
    return found


def _after(now: Verdict, act: Mapping[str, Any]) -> Verdict:
    match act["type"]:
        case "voided":
            return replace(now, void=True)
        case "counted":
            return replace(now, void=False)
        case "corrected":
            return replace(now, points=tuple(act["points"]))
        case "uncorrected":
            return replace(now, points=None)
    return now


def counts_as(game: Game[Any], played: Outcome, verdict: Verdict) -> Outcome:
    """The outcome that counts for a deal that was played so. Raises Malformed for points that no deal can give."""
    if verdict.void:
        return game.voided()
    return played if verdict.points is None else game.corrected(played, verdict.points)


def sheet_after(game: Game[Any], first_dealer: int, deals: Iterable[tuple[int, Outcome]]) -> Sheet:
    """The Sheet after these deals, told as (dealer, outcome that counts): whoever dealt them has dealt them."""
    sheet = game.new_sheet(first_dealer)
    for dealer, outcome in deals:
        sheet = game.book(replace(sheet, dealer=dealer), outcome)
    return sheet
