"""What waits, as the home page of the administration lists it: each role sees its own, with numbers and the way there.

No secret, no card, and for operators no name of a player.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import roles, sanctions
from accounts.models import Appeal, Sanction
from games.models import Delivery, Report, Sign
from games.moderation import stuck
from games.moderation.signs import deciding
from games.preset_texts import name_of

User = get_user_model()

SHOWN = 5
"""So many rows a section names; its list has all."""
SOON = timedelta(days=3)
"""A sanction that ends sooner is named."""
LATELY = timedelta(days=7)
"""Deliveries of so many days are counted."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that waits: what, since or until when, and where it is looked after (empty: nowhere)."""

    text: str
    note: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A kind of thing that waits. ``said`` is the count in words; ``calm``: nothing waits; ``address``: all of them."""

    title: str
    said: str
    rows: list[Row] = field(default_factory=list)
    address: str = ""
    calm: bool = False


def sections(user: Any) -> list[Section]:
    """What waits for the roles of this user."""
    now = timezone.now()
    return [make(user, now) for permissions, make in SECTIONS if any(roles.may(user, one) for one in permissions)]


def listed(name: str, query: str = "") -> str:
    """The address of a list."""
    return reverse(f"admin:{name}_changelist") + (f"?{query}" if query else "")


def ago(at: datetime, now: datetime) -> str:
    """How long something has been waiting, in one unit."""
    return _("for {time}").format(time=timesince(at, now, depth=1))


def _reports(user: Any, now: datetime) -> Section:
    """Those that are open, the oldest first, without those about the reader."""
    waiting = Report.objects.filter(state=Report.State.OPEN).exclude(about_user=user)
    count = waiting.count()
    rows = [
        Row(str(one), ago(one.at, now), reverse("admin:games_report_change", args=[one.pk]))
        for one in (waiting.select_related("about_user").order_by("at")[:SHOWN] if count else ())
    ]
    said = ngettext("{n} report is open.", "{n} reports are open.", count).format(n=count)
    address = listed("games_report", "state__exact=open")
    return Section(_("Reports"), said if count else _("No report is open."), rows, address, not count)


def _appeals(user: Any, now: datetime) -> Section:
    waiting = Appeal.objects.filter(answered_at=None)
    count = waiting.count()
    first = waiting.select_related("sanction__user").order_by("at")[:SHOWN] if count else ()
    rows = [
        Row(
            f"{one.sanction.user.shown_name}: {one.sanction.get_kind_display()}",
            ago(one.at, now),
            reverse("admin:accounts_appeal_change", args=[one.pk]),
        )
        for one in first
    ]
    said = ngettext("{n} appeal waits for an answer.", "{n} appeals wait for an answer.", count).format(n=count)
    address = listed("accounts_appeal", "answered_at__isempty=1")
    return Section(_("Appeals"), said if count else _("No appeal waits."), rows, address, not count)


def _stuck(user: Any, now: datetime) -> Section:
    """Names what plays and since when; the page of a match is for moderators."""
    all_of_them = stuck.stuck(now)
    found = list(stuck.moved_last(all_of_them)[: SHOWN + 1])
    count = len(found) if len(found) <= SHOWN else all_of_them.count()
    opens = roles.may(user, "moderate")
    rows = [
        Row(
            _("{match}, number {number}").format(match=name_of(one), number=one.pk),
            _("{why} Nothing has happened {time}.").format(why=stuck.why(one, now), time=ago(one.moved_at, now))
            if one.moved_at
            else stuck.why(one, now),
            reverse("admin:games_match_change", args=[one.pk]) if opens else "",
        )
        for one in found[:SHOWN]
    ]
    said = ngettext("{n} match is stuck.", "{n} matches are stuck.", count).format(n=count)
    address = listed("games_match", "stuck=yes") if opens else ""
    return Section(_("Matches that are stuck"), said if count else _("All matches move."), rows, address, not count)


def _deliveries(user: Any, now: datetime) -> Section:
    """What has failed for good in the last days, and what is being tried again, by channel and error."""
    state = Delivery.State
    lately = Q(state=state.FAILED, due_at__gte=now - LATELY) | (Q(state=state.PENDING) & ~Q(error=""))
    found = list(Delivery.objects.filter(lately).order_by().values("state", "channel", "error").annotate(n=Count("pk")))
    failed = sum(one["n"] for one in found if one["state"] == state.FAILED)
    tried = sum(one["n"] for one in found) - failed
    channels = dict(Delivery.Channel.choices)
    rows = [
        Row(
            f"{capfirst(channels[one['channel']])}: {one['error']}",
            ngettext("{n} delivery, {state}", "{n} deliveries, {state}", one["n"]).format(
                n=one["n"], state=_("failed") if one["state"] == state.FAILED else _("tried again")
            ),
            listed("games_delivery", f"state__exact={one['state']}&channel__exact={one['channel']}"),
        )
        for one in sorted(found, key=lambda one: -one["n"])[:SHOWN]
    ]
    said = _("Failed in 7 days: {failed}. Being tried again: {tried}.").format(failed=failed, tried=tried)
    calm = not failed and not tried
    address = listed("games_delivery", "state__exact=failed")
    return Section(_("Mail and push"), _("All mail and push gets through.") if calm else said, rows, address, calm)


def _sign_ups(user: Any, now: datetime) -> Section:
    today = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    found = User.objects.filter(date_joined__gte=today).aggregate(
        accounts=Count("pk", filter=Q(is_guest=False)), guests=Count("pk", filter=Q(is_guest=True))
    )
    said = " ".join(
        (
            ngettext("{n} new account.", "{n} new accounts.", found["accounts"]).format(n=found["accounts"]),
            ngettext("{n} new guest.", "{n} new guests.", found["guests"]).format(n=found["guests"]),
        )
    )
    day = f"date_joined__year={today.year}&date_joined__month={today.month}&date_joined__day={today.day}"
    address = listed("accounts_user", day) if roles.may(user, "moderate") else ""
    return Section(_("Today"), said, address=address, calm=not any(found.values()))


def _ending(user: Any, now: datetime) -> Section:
    soon = Sanction.objects.filter(sanctions.in_force(now), until__lte=now + SOON)
    count = soon.count()
    rows = [
        Row(
            f"{one.user.shown_name}: {one.get_kind_display()}",
            _("until {moment}").format(moment=sanctions.moment(one.until)),
            reverse("admin:accounts_sanction_change", args=[one.pk]),
        )
        for one in (soon.select_related("user").order_by("until")[:SHOWN] if count else ())
        if one.until is not None
    ]
    said = ngettext("{n} sanction ends within 3 days.", "{n} sanctions end within 3 days.", count).format(n=count)
    address = listed("accounts_sanction", "ending=soon")
    return Section(_("Sanctions that end soon"), said if count else _("None ends soon."), rows, address, not count)


def _signs(user: Any, now: datetime) -> Section:
    """New signs, but those about the reader or a friend."""
    new = deciding.visible_to(user).filter(state=Sign.State.NEW)
    count = new.count()
    rows = [
        Row(
            ": ".join([str(one.get_kind_display()), ", ".join(user.shown_name for user in one.users)]),
            ago(one.first_seen, now),
            reverse("admin:games_sign_change", args=[one.pk]),
        )
        for one in (new.select_related("user", "other").order_by("-last_seen", "-pk")[:SHOWN] if count else ())
    ]
    said = ngettext("{n} new sign to look at.", "{n} new signs to look at.", count).format(n=count)
    address = listed("games_sign", "state__exact=new")
    return Section(_("Signs"), said if count else _("No new sign."), rows, address, not count)


SECTIONS: tuple[tuple[tuple[str, ...], Callable[[Any, datetime], Section]], ...] = (
    (("handle_reports",), _reports),
    (("answer_appeals",), _appeals),
    (("moderate", "operate"), _stuck),
    (("operate",), _deliveries),
    (("moderate",), _signs),
    (("moderate",), _ending),
    (("moderate", "operate"), _sign_ups),
)
"""Who sees what: any of these permissions, in this order."""
