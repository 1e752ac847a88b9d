"""A rated match that was over gets another result, or none: its ratings are made anew, and those that rest on them.

Later matches of the same family and pace are rated again in the order of their ends as far as the change reaches: who
played with somebody whose rating is another now has another one too. Equal to ``manage.py recompute ratings``.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from . import ratings
from .models import Match, Rating, RatingChange, Seat
from .paces import PACES
from .ratings import Strength
from .rules.catalog import PRESETS


def again(match: Match, seats: Sequence[Seat], at: datetime) -> None:
    """The match, saved already, had ended ``at``. The ledgers of all users are locked."""
    if not match.rated:
        return
    group = ratings.group_of(match)
    old = RatingChange.objects.filter(match=match)
    known = {user: _before(user, group, at) for user in old.values_list("user_id", flat=True)}
    known |= {user: _before(user, group, at) for team in ratings.teams(match, seats) for user in team.users}
    old.delete()
    for later in _since(group, at):
        sit = list(later.seats.all())
        if any(seat.user_id in known for seat in sit):
            _rate(later, sit, group, known)
    for user in sorted(known):
        _total(user, group)


def _since(group: tuple[str, str], at: datetime) -> Iterator[Match]:
    """The rated matches of a group that ended then or later, in the order in which they are rated."""
    family, kind = group
    presets = [preset.name for preset in PRESETS if preset.family == family]
    paces = [name for name, pace in PACES.items() if pace.kind == kind]
    found = Match.objects.filter(
        rated=True, status=Match.Status.OVER, ended_at__gte=at, preset__in=presets, pace__in=paces
    )
    return found.order_by("ended_at", "pk").prefetch_related("seats").iterator(chunk_size=200)


def _rate(match: Match, seats: Sequence[Seat], group: tuple[str, str], known: dict[int, Strength]) -> None:
    """Rate one match anew; ``known`` goes on to after it."""
    RatingChange.objects.filter(match=match).delete()
    found = ratings.teams(match, seats)
    if not found or match.ended_at is None:
        return
    users = [user for team in found for user in team.users]
    before = {user: known.get(user) or _before(user, group, match.ended_at) for user in users}
    after = ratings.rated(before, found, match.ended_at)
    RatingChange.objects.bulk_create(ratings.changes(match, found, before, after))
    known |= after


def _before(user: int, group: tuple[str, str], at: datetime) -> Strength:
    """How strong a user seemed to be just before that moment."""
    return _strength(list(ratings.history(user, *group).filter(at__lt=at)))


def _strength(changes: Sequence[RatingChange]) -> Strength:
    if not changes:
        return Strength()
    last = changes[-1]
    ends = tuple(change.at for change in changes[-ratings.RECENT :])
    return Strength(last.mu_after, last.sigma_after, len(changes), changes[0].at, ends)


def _total(user: int, group: tuple[str, str]) -> None:
    """The rating that the changes of a user come to; without any there is none."""
    family, kind = group
    mine = Rating.objects.filter(user=user, family=family, kind=kind)
    now = _strength(list(ratings.history(user, family, kind)))
    if not now.matches:
        mine.delete()
        return
    row = mine.first() or Rating(user_id=user, family=family, kind=kind)
    ratings.fill(row, now)
    row.save()
