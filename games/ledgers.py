"""What the end of a deal or a match adds to its users' numbers, in the transaction in which it ends.

Called by the pen, with the match locked. The ledgers of its users are locked in the order of the users, so that two
matches of one user that end at once are added one after the other, and ``recompute`` never counts half of something.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from . import ratings, rerating, summaries
from .models import Deal, Ledger, Match, Seat, Summary


def lock(users: Collection[int]) -> None:
    """Nobody else writes these users' numbers until the transaction ends."""
    known = _locked(users)
    if missing := sorted(set(users) - known):
        Ledger.objects.bulk_create([Ledger(user_id=user) for user in missing], ignore_conflicts=True)
        _locked(missing)


def _locked(users: Collection[int]) -> set[int]:
    rows = Ledger.objects.select_for_update().filter(user__in=users).order_by("user_id")
    return set(rows.values_list("user_id", flat=True))


def enter(match: Match, seats: Sequence[Seat], ended: Deal | None) -> None:
    """``ended``: the deal that has just ended, if one has. Moves the end of a rated match behind the ends before it,
    by less than a moment; the match is not saved."""
    over = match.status == Match.Status.OVER
    users = [seat.user_id for seat in seats if seat.user_id is not None]
    if not users or not (ended or over):
        return
    lock(users)
    if over:
        ratings.settle(match, seats)
    added = summaries.of_deal(match, seats, ended, summaries.others_at([match.pk])) if ended else []
    summaries.write(added + (summaries.of_match(match, seats) if over else []))


@dataclass(frozen=True, slots=True)
class Books:
    """What a match had added before a moderator rules: ``ended_at`` if it was over, and its summaries."""

    ended_at: datetime | None
    added: list[Summary]


def books(match: Match, seats: Sequence[Seat]) -> Books:
    """Look at the numbers of a locked match before it is changed; the ledgers are locked from here on.

    All of them, if ratings may have to be made anew: matches that were rated later rest on this one.
    """
    if match.rated and match.status == Match.Status.OVER:
        list(Ledger.objects.select_for_update().order_by("user_id").values_list("pk"))
    lock([seat.user_id for seat in seats if seat.user_id is not None])
    return Books(match.ended_at if match.status == Match.Status.OVER else None, _added(match, seats))


def change(match: Match, seats: Sequence[Seat], before: Books) -> None:
    """A moderator has ruled, and the match is saved: its numbers are taken back and entered as they are now."""
    if before.ended_at is not None:
        rerating.again(match, seats, before.ended_at)
    elif match.status == Match.Status.OVER:
        ratings.settle(match, seats)
        match.save(update_fields=["ended_at"])
    summaries.write(before.added, -1)
    summaries.write(_added(match, seats))
    users = {seat.user_id for seat in seats if seat.user_id is not None}
    Summary.objects.filter(user__in=users, **dict.fromkeys(summaries.COUNTS, 0)).delete()


def _added(match: Match, seats: Sequence[Seat]) -> list[Summary]:
    deals = match.deals.filter(outcome__isnull=False)
    return summaries.of_all(match, seats, deals, summaries.others_at([match.pk]))
