"""What somebody may do about another: ask for friendship, mute, block. All of it can be undone.

Muting and blocking are private. Who is blocked may still ask: it is written down, and nobody is told.
"""

from collections.abc import Callable
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.names import plain

from . import inviting, lobby
from .apart import friendships
from .models import Disclosure, Distance, Door, Friendship, Habit, Match, Seat
from .notices import tell
from .seats import Refusal
from .writing import writing

User = get_user_model()

MOST_ASKED = 20
"""How many questions for friendship of one user may wait for an answer."""
MOST_FRIENDS = 300
MOST_DISTANCES = 500


def player(name: str) -> Any:
    """The user of exactly this name, in any case, guests included; None if there is none, or no more."""
    known = User.objects.filter(is_active=True, closed_at__isnull=True).select_related("habit", "disclosure")
    return known.filter(name_key=plain(name)).first() if name.isprintable() else None


def _both(user: Any, whom: Any) -> None:
    """What happens between two people happens one act at a time. Raises Refusal for oneself."""
    if user.pk == whom.pk:
        raise Refusal(_("That is you."))
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=[user.pk, whom.pk], is_active=True)
    if len(rows.order_by("pk")) != 2:
        raise Refusal(_("There is no player of this name."))


def _of_two(user: Any, whom: Any) -> Any:
    return friendships(user.pk).filter(Q(asking=whom) | Q(asked=whom))


# --- friends


def befriend(user: Any, whom: Any) -> None:
    """Ask for friendship, or say yes to the one who has asked. Asking twice is asking once. Raises Refusal."""
    with writing():
        _both(user, whom)
        _may_be_friends(user, whom)
        now = timezone.now()
        known = _of_two(user, whom).first()
        if known is None:
            _not_too_many(user)
            row = Friendship.objects.create(asking=user, asked=whom, at=now)
            if not Distance.objects.filter(user=whom, whom=user).exists():
                tell("friend", [whom], about={"by": user.pk}, key=str(row.pk))
        elif known.asked_id == user.pk and known.accepted_at is None:
            known.accepted_at = now
            known.save()
            tell("friend", [whom], about={"by": user.pk, "accepted": True}, key=f"{known.pk}.yes")


def _may_be_friends(user: Any, whom: Any) -> None:
    if user.is_guest:
        raise Refusal(_("Keep your account first: then you can have friends here."))
    if whom.is_guest:
        raise Refusal(_("A guest can be your friend when the account is kept."))
    if Distance.objects.filter(user=user, whom=whom, kind=Distance.Kind.BLOCKED).exists():
        raise Refusal(_("You have blocked this player. Undo that first."))


def _not_too_many(user: Any) -> None:
    mine = Friendship.objects.filter(asking=user, accepted_at__isnull=True)
    if mine.count() >= MOST_ASKED:
        raise Refusal(_("Many of your questions wait for an answer. Take one of them back first."))
    if friendships(user.pk).filter(accepted_at__isnull=False).count() >= MOST_FRIENDS:
        raise Refusal(_("You have as many friends as this list can hold."))


def unfriend(user: Any, whom: Any) -> None:
    """End a friendship, say no to a question, or take one back: nobody is told."""
    with writing():
        _both(user, whom)
        _of_two(user, whom).delete()


# --- at a distance


def mute(user: Any, whom: Any) -> None:
    """Read no free text of somebody from now on. Raises Refusal."""
    _keep_away(user, whom, Distance.Kind.MUTED)


def unmute(user: Any, whom: Any) -> None:
    """Read everything again."""
    Distance.objects.filter(user=user, whom=whom, kind=Distance.Kind.MUTED).delete()


def block(user: Any, whom: Any) -> None:
    """Never be paired with somebody again. What runs goes on; friendship and invitations end. Raises Refusal."""
    with writing():
        _keep_away(user, whom, Distance.Kind.BLOCKED)
        _of_two(user, whom).delete()
        _end_invitations(user, whom)


def unblock(user: Any, whom: Any) -> None:
    """May be paired again."""
    Distance.objects.filter(user=user, whom=whom, kind=Distance.Kind.BLOCKED).delete()


def _keep_away(user: Any, whom: Any, kind: Distance.Kind) -> None:
    with writing():
        _both(user, whom)
        if Distance.objects.filter(user=user).count() >= MOST_DISTANCES:
            raise Refusal(_("Your list of muted and blocked players is full. Take somebody off it first."))
        Distance.objects.get_or_create(user=user, whom=whom, kind=kind, defaults={"at": timezone.now()})


def _end_invitations(user: Any, whom: Any) -> None:
    """Those between the two, as if they were declined or taken back; matches in the order of their ids."""
    both = [user.pk, whom.pk]
    asked = Seat.objects.filter(driver=Seat.Driver.INVITED, user__in=both, match__opener__in=both)
    waiting = asked.filter(match__status=Match.Status.OPEN).order_by("match_id").select_related("match")
    for seat in waiting:
        if seat.user_id == user.pk:
            inviting.answer(seat.match_id, user, yes=False, cut=("", ""))
        elif seat.match.rematch_of_id is not None:
            lobby.leave(seat.match_id, user)
        else:
            inviting.take_back(seat.match_id, user, seat.index)


ACTS: dict[str, Callable[[Any, Any], None]] = {
    "befriend": befriend,
    "unfriend": unfriend,
    "mute": mute,
    "unmute": unmute,
    "block": block,
    "unblock": unblock,
}
"""Everything that a page offers, by the word in the address."""


# --- the door, and the end of an account


def set_door(user: Any, opens: str) -> None:
    """Say who may ask for a match."""
    Door.objects.update_or_create(user=user, defaults={"opens": opens})


def forget(user: Any) -> None:
    """Before an account is closed: no friend, nobody muted or blocked, by it or by others. What was said stays."""
    with writing():
        friendships(user.pk).delete()
        Distance.objects.filter(Q(user=user) | Q(whom=user)).delete()
        Door.objects.filter(user=user).delete()
        Disclosure.objects.filter(user=user).delete()
        Habit.objects.filter(user=user).delete()


def move(guest: Any, account: Any) -> None:
    """Whom a guest muted and blocked, the account mutes and blocks; within the transaction of a merge."""
    known = set(Distance.objects.filter(user=account).values_list("whom", "kind"))
    for row in Distance.objects.filter(user=guest).exclude(whom=account):
        if (row.whom_id, row.kind) not in known:
            row.user = account
            row.save(update_fields=["user"])
    Distance.objects.filter(Q(user=guest) | Q(user=account, whom=guest)).delete()


# --- what a page of somebody knows


def between_us(user: Any, whom: Any) -> dict[str, Any]:
    """What the reader knows of himself and the other: friendship, muted, blocked. Never what the other has done."""
    rows = Distance.objects.filter(Q(user=user, whom=whom) | Q(user=whom, whom=user)).values_list("user", "kind")
    told = set(rows)
    kinds = {kind for who, kind in told if who == user.pk}
    apart = any(kind == Distance.Kind.BLOCKED for _who, kind in told)
    row = _of_two(user, whom).first()
    theirs = row is not None and row.asking_id == whom.pk and row.accepted_at is None
    return {
        "friends": row is not None and row.accepted_at is not None,
        "asked": row is not None and row.asking_id == user.pk and row.accepted_at is None,
        "asking": theirs and not apart,
        "muted": Distance.Kind.MUTED in kinds,
        "blocked": Distance.Kind.BLOCKED in kinds,
    }
