"""What the end of a deal or a match adds to its users' numbers, in the transaction in which it ends.

Called by the pen, with the match locked. The ledgers of its users are locked in the order of the users, so that two
matches of one user that end at once are added one after the other, and ``recompute`` never counts half of something.
"""

from collections.abc import Collection, Sequence

from . import ratings, summaries
from .models import Deal, Ledger, Match, Seat


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
