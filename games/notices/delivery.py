"""Brings what is due, at least once. Twice only if this process dies between the other side's answer and our commit,
and then under the same Message-ID or topic.

A delivery is claimed by an update that names the old value of ``leased_until``; the claim is committed before anything
is sent, and no transaction is open while something is. What goes in one message stays together in every try.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from games.models import Delivery
from games.writing import writing

from . import mail
from .carriers import CARRIERS
from .current import is_current
from .errors import Never, NotYet
from .kinds import EMAIL

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=10)
"""Longer than any try takes: then another worker may take over what a dead one had claimed."""
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=6)
GIVEN_UP = timedelta(days=4)
"""What could not be brought for so long is brought no more."""
State = Delivery.State


def deliver(channel: str) -> int:
    """Bring all that is due by a channel, or as much as gets through; how many messages were taken."""
    taken = 0
    while claimed := _claim(channel, timezone.now()):
        try:
            taken += _bring(channel, claimed)
        except NotYet:  # the other side is down: the rest can wait for it as well
            break
    return taken


def _claim(channel: str, now: datetime) -> list[Delivery]:
    """The deliveries of the next message, ours until their lease ends; empty if nothing is due."""
    free = Q(leased_until=None) | Q(leased_until__lt=now)
    while True:
        due = Delivery.objects.filter(free, channel=channel, state=State.PENDING, due_at__lte=now)
        first = due.select_related("notice").order_by("due_at", "pk").first()
        if first is None:
            return []
        with writing():
            mine = _take(first, now)
        if mine:
            return mine


def _take(first: Delivery, now: datetime) -> list[Delivery]:
    """Claim a delivery and what goes with it; empty if somebody else was quicker."""
    until = now + LEASE
    taken = {"leased_until": until, "tries": F("tries") + 1, "message_id": first.message_id or _message_id(first)}
    rows = Delivery.objects.filter(state=State.PENDING, leased_until=first.leased_until)
    if not rows.filter(pk=first.pk, due_at=first.due_at).update(**taken):
        return []
    if first.message_id:
        rows.filter(message_id=first.message_id).update(**taken)
    elif CARRIERS[first.channel].together:
        due = rows.filter(channel=first.channel, notice__user=first.notice.user_id, due_at__lte=now, message_id="")
        Delivery.objects.filter(pk__in=list(due.values_list("pk", flat=True)), leased_until=None).update(**taken)
    mine = Delivery.objects.filter(message_id=taken["message_id"], leased_until=until, state=State.PENDING)
    return list(mine.select_related("notice__user", "notice__match").order_by("notice__at", "pk"))


def _message_id(first: Delivery) -> str:
    """The same for the same delivery at all times, and not to be guessed."""
    return salted_hmac("notices.message", f"{first.channel} {first.pk}", algorithm="sha256").hexdigest()[:40]


def _bring(channel: str, claimed: Sequence[Delivery]) -> bool:
    """Send one message, or drop what is no longer so. Raises NotYet when the other side is down."""
    current = [one for one in claimed if is_current(one.notice, channel)]
    _end([one for one in claimed if one not in current], State.DROPPED)
    if not current:
        return False
    try:
        CARRIERS[channel].send(current)
    except Never as refused:
        _fail(current, refused.error, refused=refused.error.startswith("refused"))
        return False
    except NotYet as later:
        _put_off(current, later)
        if later.down:
            raise
        return False
    _end(current, State.SENT)
    if channel == EMAIL:
        mail.works_again(current[0].notice.user_id)
    return True


def _held(deliveries: Sequence[Delivery]) -> "QuerySet[Delivery]":
    """These, as far as they are still ours."""
    rows = Delivery.objects.filter(pk__in=[one.pk for one in deliveries], state=State.PENDING)
    return rows.filter(leased_until=deliveries[0].leased_until)


def _end(deliveries: Sequence[Delivery], state: str, error: str = "") -> None:
    if deliveries:
        sent_at = timezone.now() if state == State.SENT else None
        _held(deliveries).update(state=state, sent_at=sent_at, leased_until=None, error=error)


def _fail(deliveries: Sequence[Delivery], error: str, *, refused: bool) -> None:
    log.warning("delivery %s failed: %s", deliveries[0].pk, error)
    _end(deliveries, State.FAILED, error)
    if deliveries[0].channel == EMAIL and error != "no address":
        mail.fails(deliveries[0].notice.user_id, refused=refused)


def _put_off(deliveries: Sequence[Delivery], why: NotYet) -> None:
    """Try again later, each time after a longer while; in the end give up."""
    first, now = deliveries[0], timezone.now()
    if now - first.notice.at > GIVEN_UP:
        _fail(deliveries, why.error, refused=False)
        return
    wait = min(FIRST_WAIT * 2 ** min(first.tries - 1, 12), LONGEST_WAIT)
    wait = max(wait, timedelta(seconds=min(why.seconds or 0, LONGEST_WAIT.total_seconds())))
    log.info("delivery %s is put off: %s", first.pk, why.error)
    _held(deliveries).update(due_at=now + wait, leased_until=None, error=why.error[:32])
