"""The outbox: one row for each event and person, written in the event's transaction. Nothing is sent here.

A row whose channels are still to be served has no ``spread_at``; the delivery work looks for those.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from games import nudge
from games.models import Delivery, Match, MutedMatch, Notice
from games.paces import PACES

from .current import UNTIL_DONE
from .kinds import ALONE, BROUGHT, KINDS, OFF, PAGE, always, when

User = get_user_model()


def tell(
    kind: str, users: Iterable[Any], match: Match | None = None, about: dict[str, Any] | None = None, key: str = ""
) -> None:
    """Tell users (rows or their ids) of an event, once for each (user, kind, match, key). Two queries at most.

    Callers leave out whoever caused it. Nobody is told of a match that he muted, or what he wants by no channel.
    ``about``: small facts for the words, never a card; names are looked up when they are told.
    """
    ids = {getattr(user, "pk", user) for user in users} - {None}
    if not ids:
        return
    known = User.objects.filter(pk__in=ids, is_active=True)
    if match is not None:
        known = known.exclude(Exists(MutedMatch.objects.filter(user=OuterRef("pk"), match=match)))
    full_key = f"{match.pk}:{key}" if match is not None else key
    rows = [
        _notice(user_id, kind, matrix, match=match, about=about or {}, key=full_key)
        for user_id, matrix in known.values_list("pk", "notice_settings__matrix")
    ]
    wanted = [row for row in rows if row.listed or row.spread_at is None]
    if wanted:
        Notice.objects.bulk_create(wanted, ignore_conflicts=True)
    if kind in ALONE:
        told = sorted(row.user_id for row in wanted if row.listed)
        transaction.on_commit(lambda: nudge.told(told), robust=True)


def _notice(user_id: int, kind: str, matrix: dict[str, str] | None, *, match: Match | None, **fields: Any) -> Notice:
    now = timezone.now()
    live = match is not None and (match.live_at is not None or PACES[match.pace].kind == "live")
    sits_there = live and not KINDS[kind].live
    wanted = any(when(kind, channel, matrix) != OFF or always(kind, channel, fields["about"]) for channel in BROUGHT)
    carried = not sits_there and wanted
    return Notice(
        user_id=user_id,
        kind=kind,
        match=match,
        at=now,
        listed=when(kind, PAGE, matrix) != OFF,
        spread_at=None if carried else now,
        **fields,
    )


def hand_over(guest: Any, account: Any, match: Match) -> None:
    """The guest who is to move is an account from now on, and is told of the turn as the account wants it. What a
    channel has brought to the guest already only changes hands: nobody is told twice.
    """
    for muted in MutedMatch.objects.filter(user=guest, match=match):
        MutedMatch.objects.get_or_create(user=account, match=match)
        muted.delete()
    told = Notice.objects.filter(user=guest, match=match, kind__in=UNTIL_DONE)
    newest = told.filter(kind="your_turn").order_by("-pk").values("pk")[:1]
    for notice in told.exclude(kind="your_turn") | told.filter(pk__in=newest):
        mine = Notice.objects.filter(user=account, kind=notice.kind, key=notice.key)
        if notice.deliveries.filter(state=Delivery.State.SENT).exists():
            if not mine.exists():
                Notice.objects.filter(pk=notice.pk).update(user=account)
            continue
        tell(notice.kind, [account], match, notice.about, key=notice.key.removeprefix(f"{match.pk}:"))
        mine.filter(read_at=None).update(read_at=notice.read_at)
        notice.delete()
