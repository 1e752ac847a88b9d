"""What moderators decided in a match that is read in: the acts are believed, and all else must follow from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import tape, verdicts
from .models import Move
from .rules import codec
from .rules.errors import Malformed
from .rules.game import Game
from .rules.sheet import Sheet

DECISIONS = ("aborted", "adjudicated", "withdrawn", "reopened")
OF_DEALS = ("voided", "counted", "corrected", "uncorrected")


class NotTrue(Exception):
    """The file is refused; the text says why, in a sentence."""


@dataclass(frozen=True, slots=True)
class Rulings:
    """The acts of moderators in a file, each with its place on the tape, and whoever dealt first."""

    game: Game[Any]
    first_dealer: int
    acts: tuple[tuple[int, Mapping[str, Any]], ...]

    def sheet(self, played: Sequence[Mapping[str, Any]], before: int | None = None) -> Sheet:
        """The Sheet after these deals (Records), as they counted before an entry of the tape, or count now."""
        found = verdicts.of_deals(act for n, act in self.acts if before is None or n < before)
        deals = []
        for record in played:
            if record["outcome"] is None:
                continue
            outcome = codec.decode_outcome(record["outcome"])
            try:
                counts = verdicts.counts_as(self.game, outcome, found.get(record["deal"], verdicts.AS_PLAYED))
            except Malformed as wrong:
                raise NotTrue(f"Deal {record['deal']}: a moderator has set points that no deal gives.") from wrong
            deals.append((record["dealer"], counts))
        return verdicts.sheet_after(self.game, self.first_dealer, deals)

    def decided(self, told: Mapping[str, Any]) -> dict[str, Any] | None:
        """The result as a moderator has decided it; None where it follows from the play."""
        last = next((act for _n, act in reversed(self.acts) if act["type"] in DECISIONS), {"type": ""})
        if last["type"] == "aborted":
            return {"status": "over", "ending": "aborted", "winners": []}
        if last["type"] == "adjudicated":
            return {"status": "over", "ending": "decided", "winners": last["winners"]}
        if self.acts and told["status"] == "running":  # a deal that runs keeps the Sheet that it began with
            return {"ending": "", "winners": [], "ended_at": None}
        return None


def rulings_of(told: Mapping[str, Any], game: Game[Any], first_dealer: int) -> Rulings:
    """The acts of moderators that a file tells. Raises NotTrue where they are not what the tape has."""
    acts = tuple((one["n"], one["action"]) for one in told.get("rulings", ()))
    if list(acts) != sorted(acts, key=lambda one: one[0]) or len({n for n, _act in acts}) < len(acts):
        raise NotTrue("The rulings are not in the order of the tape.")
    for n, act in acts:
        if not _is_written(act, len(game.sides())):
            raise NotTrue(f"Move {n}: this is no ruling.")
    steps = [step for deal in told["deals"] for step in deal["steps"]]
    seen = {step["n"]: step["action"] for step in steps if step["action"]["type"] in tape.RULINGS}
    last = max((step["n"] for step in steps), default=0)
    if {n: act for n, act in acts if n <= last} != seen:
        raise NotTrue("The rulings are not those that stand in the deals.")
    return Rulings(game, first_dealer, acts)


def _is_written(act: Mapping[str, Any], sides: int) -> bool:
    winners = act.get("winners", [])
    return (
        act["type"] in tape.RULINGS
        and ("deal" in act) == (act["type"] in OF_DEALS)
        and ("points" in act) == (act["type"] == "corrected")
        and bool(winners) == (act["type"] == "adjudicated")
        and winners == sorted({side for side in winners if side < sides})
    )


def is_by(move: Move) -> bool:
    """Whether an entry is a moderator's exactly where it says so."""
    return (move.by == Move.By.MODERATOR) == (move.action["type"] in tape.MODERATOR_ACTS)
