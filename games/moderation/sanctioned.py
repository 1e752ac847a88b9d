"""What a sanction does at matches, and the notice of it (ACCOUNT_AFTER_SANCTION).

Who is banned gives up every running seat at once: a match for two is won by the other, a larger one goes on with a
bot. Who is suspended gives up the seats at larger matches, and can take them back later; a match for two goes on by
its clock, as for anybody who does not come. What has not begun is given back by both, and their offers end.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from accounts.models import Sanction
from games import lobby, play, standing
from games.models import Match, Seat, SeatOffer
from games.notices import tell
from games.pen import Stale
from games.seats import Refusal

Kind = Sanction.Kind


def follow(sanction: Sanction, what: str) -> None:
    """Within the transaction in which a sanction was imposed, lifted, shortened or upheld."""
    about = {"what": what, "kind": sanction.kind, "ground": sanction.ground}
    if sanction.until is not None:
        about["until"] = sanction.until.isoformat()
    tell("sanctioned", [sanction.user_id], about=about, key=_now(f"{sanction.pk}.{what}"))
    if what == "imposed" and sanction.in_force(sanction.at):
        IMPOSED.get(Kind(sanction.kind), _nothing)(sanction.user)


def renamed(user: Any) -> None:
    """Within the transaction in which a moderator has given a user another name."""
    tell("sanctioned", [user.pk], about={"what": "renamed", "name": user.username}, key=_now("renamed"))


def _now(what: str) -> str:
    """The same can be told again, of another time."""
    return f"{what}.{timezone.now():%y%m%d%H%M%S%f}"


def linked(one: Any, other: Any, what: str, key: str) -> None:
    """Within the transaction in which two accounts were held for those of one person, or no longer."""
    for user, by in ((one, other), (other, one)):
        tell("sanctioned", [user.pk], about={"what": what, "by": by.pk}, key=f"{what}.{key}")


def _nothing(user: Any) -> None:
    """What a mute or a warning does is asked where people talk."""


def _shut_out(user: Any, running: "Callable[[QuerySet[Seat]], QuerySet[Seat]]") -> None:
    _leave_what_waits(user, Q())
    SeatOffer.objects.filter(user=user, answer="").update(answer=SeatOffer.Answer.DECLINED)
    mine = Seat.objects.filter(driven_by=user, match__status=Match.Status.RUNNING)
    for match_id, index in running(mine).order_by("match_id").values_list("match_id", "index"):
        _quietly(play.lose_seat, match_id, index, user)


def _banned(user: Any) -> None:
    _shut_out(user, lambda seats: seats)


def _suspended(user: Any) -> None:
    _shut_out(user, lambda seats: seats.filter(match__in=_larger()))


def _larger() -> "QuerySet[Any, Any]":
    return Match.objects.annotate(n=Count("seats")).filter(n__gt=2).values("pk")


def _unrated(user: Any) -> None:
    _leave_what_waits(user, Q(match__rated=True))


def _no_opening(user: Any) -> None:
    """His own matches that wait for others end, also for those who are asked and have not answered; those where others
    sit already stay with him.
    """
    for match_id in _seen_once(lambda: _waiting(user).filter(match__opener=user)):
        _quietly(standing.withdraw, match_id, user)
        if not Seat.objects.filter(match=match_id, driver=Seat.Driver.USER).exclude(user=user).exists():
            _quietly(lobby.leave, match_id, user)


def _leave_what_waits(user: Any, which: Q) -> None:
    for match_id in _seen_once(lambda: _waiting(user).filter(which)):
        if Match.objects.filter(pk=match_id, opener=user).exists():
            _quietly(standing.withdraw, match_id, user)
        if Seat.objects.filter(match=match_id, user=user, driver=Seat.Driver.INVITED).exists():
            _quietly(lobby.answer, match_id, user, yes=False, cut=("", ""))
        else:
            _quietly(lobby.leave, match_id, user)


def _waiting(user: Any) -> "QuerySet[Seat]":
    return Seat.objects.filter(user=user, match__status=Match.Status.OPEN)


def _seen_once(seats: "Callable[[], QuerySet[Seat]]") -> Iterable[int]:
    """The matches of these seats in the order of their numbers, and those that were opened meanwhile."""
    seen = set[int]()
    while new := sorted(set(seats().values_list("match_id", flat=True)) - seen):
        seen.update(new)
        yield from new


def _quietly(act: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """What has changed a moment ago, so that there is nothing to do any more, is well."""
    with suppress(Refusal, Stale, Match.DoesNotExist):
        act(*args, **kwargs)


IMPOSED: dict[Kind, Callable[[Any], None]] = {
    Kind.UNRATED: _unrated,
    Kind.NO_OPENING: _no_opening,
    Kind.SUSPENDED: _suspended,
    Kind.BANNED: _banned,
}
