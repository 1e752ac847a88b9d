"""Sanctions: imposing and lifting them, and what each one bars. What they do at matches the games say by a hook.

Who imposes is asked for more than a permission: nobody decides about himself, about his like or those above him. A
sanction with an end ends by itself: all that asks compares it with the clock.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from . import audit, roles
from .closing import tell_signed_out
from .models import AuditEntry, Sanction, User
from .refusal import Refusal

Kind = Sanction.Kind
SHUT_OUT = frozenset({Kind.SUSPENDED, Kind.BANNED})
"""Who has one of these plays nothing, and sees the page of the sanction only."""
BARS: dict[str, frozenset[Kind]] = {
    "chat": SHUT_OUT | {Kind.MUTE},
    "rated": SHUT_OUT | {Kind.UNRATED},
    "opening": SHUT_OUT | {Kind.NO_OPENING},
    "play": SHUT_OUT,
}
"""By what one would do: the kinds that bar it."""
PERMISSION: dict[str, str] = {
    Kind.WARNING: "warn",
    Kind.MUTE: "mute",
    Kind.UNRATED: "bar_rated",
    Kind.NO_OPENING: "bar_opening",
    Kind.SUSPENDED: "suspend",
    Kind.BANNED: "ban",
}
"""What it takes to impose a kind, and to lift it."""
FOREVER = datetime(9999, 12, 31, tzinfo=UTC)
SHORT = timedelta(days=7)
"""A longer suspension takes a senior."""
FARTHEST = timedelta(days=3653)
"""No end lies farther off: what is to last has none. A year that no calendar tells could be read in no time zone."""


def in_force(now: datetime) -> Q:
    """Those that bind somebody."""
    return Q(lifted_at=None) & ~Q(kind=Kind.WARNING) & (Q(until=None) | Q(until__gt=now))


def active(user: Any) -> list[Sanction]:
    """What binds this user now, the newest first."""
    return list(Sanction.objects.filter(in_force(timezone.now()), user=user))


def why_not(user: Any, what: str) -> Sanction | None:
    """The sanction that bars a user from "chat", "rated" play, "opening" or any "play"; None if there is none."""
    found = Sanction.objects.filter(in_force(timezone.now()), user=user.pk, kind__in=BARS[what])
    return found.order_by(F("until").desc(nulls_first=True), "-pk").first()


def must_be_free(user: Any, what: str) -> None:
    """Raise Refusal, with the sentence for the user himself, when a sanction bars it."""
    if (sanction := why_not(user, what)) is not None:
        raise Refusal(sentence(sanction))


def sentence(sanction: Sanction) -> str:
    """What a sanction bars its user from, and until when."""
    said = {
        Kind.WARNING: (_("A moderator has warned you."), ""),
        Kind.MUTE: (_("You may not chat."), _("You may not chat until %(until)s.")),
        Kind.UNRATED: (_("You may not play rated matches."), _("You may not play rated matches until %(until)s.")),
        Kind.NO_OPENING: (
            _("You may not open matches with others."),
            _("You may not open matches with others until %(until)s."),
        ),
        Kind.SUSPENDED: ("", _("Your account is suspended until %(until)s.")),
        Kind.BANNED: (_("Your account is banned."), ""),
    }
    always, until = said[Kind(sanction.kind)]
    return always if sanction.until is None else until % {"until": moment(sanction.until)}


def moment(at: datetime) -> str:
    """A day and a time in the time zone that is active."""
    return date_format(timezone.localtime(at), pgettext("date format", "j E Y, H:i"))


# --- who may decide


def why_not_on(by: Any, user: Any) -> str:
    """The sentence why ``by`` decides nothing about this user; empty if he may."""
    if by.pk == user.pk:
        return _("That is you. Nobody decides about himself.")
    if user.closed_at is not None:
        return _("This account is closed. Nothing can be done to it.")
    if roles.rank(user) >= roles.rank(by):
        return _("This is one of the staff. Somebody with a higher role has to decide.")
    return ""


def locked(user: Any) -> User:
    """The row of a user, on which decisions are taken one after the other."""
    return User.objects.select_for_update(no_key=True, of=("self",)).get(pk=user.pk)


def _must_be_fit(by: Any, user: User, permission: str) -> None:
    if refused := why_not_on(by, user):
        raise Refusal(refused)
    if not roles.may(by, permission):
        raise Refusal(_("This takes a senior moderator."))


def _end_is_right(by: Any, kind: str, until: datetime | None, now: datetime) -> None:
    if kind in (Kind.WARNING, Kind.BANNED) and until is not None:
        raise Refusal(_("This has no end of its own."))
    if kind == Kind.SUSPENDED and until is None:
        raise Refusal(_("Say until when."))
    if until is not None:
        must_be_near(until, now)
    if kind == Kind.SUSPENDED and until and until > now + SHORT and not roles.may(by, "suspend_long"):
        raise Refusal(_("A suspension of more than 7 days takes a senior moderator."))


def must_be_near(until: datetime, now: datetime) -> None:
    """Raise Refusal for an end that has passed, or is farther off than an end may be."""
    if until <= now:
        raise Refusal(_("The end has to lie in the future."))
    if until > now + FARTHEST:
        raise Refusal(_("The end has to lie within ten years."))


# --- imposing and lifting


def impose(by: Any, user: Any, kind: str, *, ground: str, reason: str, until: datetime | None = None) -> AuditEntry:
    """Impose a sanction; the entry of it, whose target is the Sanction. Raises Refusal."""
    with transaction.atomic():
        user, now = locked(user), timezone.now()
        _must_be_fit(by, user, PERMISSION[kind])
        _end_is_right(by, kind, until, now)
        if kind != Kind.WARNING:
            same = {kind} if kind != Kind.SUSPENDED else SHUT_OUT
            if Sanction.objects.filter(in_force(now), user=user, kind__in=same).exists():
                raise Refusal(_("This player has it already. Lift that first, or leave it as it is."))
        sanction = Sanction.objects.create(
            user=user, kind=kind, ground=ground, reason=reason.strip(), by=by, at=now, until=until
        )
        details = {"kind": kind, "ground": ground, "until": until.isoformat() if until else None}
        entry = audit.enter(by, ACT[kind], reason=reason, user=user, target=sanction, details=details)
        follow(sanction, "imposed")
    return entry


ACT: dict[str, str] = {
    Kind.WARNING: "warn",
    Kind.MUTE: "mute",
    Kind.UNRATED: "bar_rated",
    Kind.NO_OPENING: "bar_opening",
    Kind.SUSPENDED: "suspend",
    Kind.BANNED: "ban",
}
"""What imposing a kind is called in the audit log."""


def why_not_lift(by: Any, sanction: Sanction) -> str:
    """The sentence why a sanction cannot be lifted; empty if it can."""
    if sanction.lifted_at is not None:
        return _("It has been lifted already.")
    if sanction.kind != Kind.WARNING and not sanction.in_force(timezone.now()):
        return _("It has ended by itself.")
    return ""


def lift(
    by: Any, sanction: Sanction, *, reason: str, act: str = "lift", undoes: AuditEntry | None = None
) -> AuditEntry:
    """End a sanction before its time, or take a warning back. ``undoes``: the entry of its being imposed."""
    with transaction.atomic():
        sanction = _at_hand(by, sanction)
        if refused := why_not_lift(by, sanction):
            raise Refusal(refused)
        sanction.lifted_at, sanction.lifted_by, sanction.lifted_why = timezone.now(), by, reason.strip()
        sanction.save(update_fields=["lifted_at", "lifted_by", "lifted_why"])
        entry = audit.enter(by, act, reason=reason, user=sanction.user, target=sanction, undoes=undoes)
        follow(sanction, "lifted")
    return entry


def restore(by: Any, entry: AuditEntry, reason: str) -> AuditEntry:
    """Take the lifting of a sanction back: it binds again, until the end that it had."""
    with transaction.atomic():
        sanction = _at_hand(by, _imposed(entry))
        sanction.lifted_at, sanction.lifted_by, sanction.lifted_why = None, None, ""
        same = Sanction.objects.filter(in_force(timezone.now()), user=sanction.user_id, kind=sanction.kind)
        if sanction.kind != Kind.WARNING and (not sanction.in_force(timezone.now()) or same.exists()):
            raise Refusal(_("It would have ended by now, or there is another one like it."))
        sanction.save(update_fields=["lifted_at", "lifted_by", "lifted_why"])
        undo = audit.enter(by, "restore", reason=reason, user=sanction.user, target=sanction, undoes=entry)
        follow(sanction, "imposed")
    return undo


def take_back(by: Any, entry: AuditEntry, reason: str) -> AuditEntry:
    """Take back what ``impose`` did."""
    return lift(by, _imposed(entry), reason=reason, act="take_back", undoes=entry)


def _imposed(entry: AuditEntry) -> Sanction:
    """The sanction that an entry is about."""
    assert entry.target_id is not None
    return Sanction.objects.get(pk=entry.target_id)


def _at_hand(by: Any, sanction: Sanction) -> Sanction:
    """The sanction as it is now, its user locked. Raises Refusal for who may not decide about it."""
    user = locked(sanction.user)
    sanction = Sanction.objects.get(pk=sanction.pk)
    sanction.user = user
    _must_be_fit(by, user, PERMISSION[sanction.kind])
    too_long = sanction.kind == Kind.SUSPENDED and sanction.until and sanction.until > timezone.now() + SHORT
    if too_long and not roles.may(by, "suspend_long"):
        raise Refusal(_("A suspension of more than 7 days takes a senior moderator."))
    return sanction


def settle(user: User) -> None:
    """Copy to the row of a locked user until when he is shut out."""
    ends = Sanction.objects.filter(in_force(timezone.now()), user=user, kind__in=SHUT_OUT).values_list(
        "until", flat=True
    )
    user.barred_until = max((until or FOREVER for until in ends), default=None)
    User.objects.filter(pk=user.pk).update(barred_until=user.barred_until)


def follow(sanction: Sanction, what: str) -> None:
    """What a change of a sanction brings. ``what``: imposed, lifted, shortened or upheld."""
    settle(sanction.user)
    for dotted in settings.ACCOUNT_AFTER_SANCTION:
        hook: Callable[[Sanction, str], None] = import_string(dotted)
        hook(sanction, what)
    user_id = sanction.user_id
    transaction.on_commit(lambda: tell_signed_out(user_id), robust=True)
