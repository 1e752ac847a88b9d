"""What the page of a user shows to who looks after people: sanctions, matches, what went wrong at them, names, linked
accounts. Neither password nor session, no address of a computer, no card.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Q, Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts import audit, linking, roles
from accounts.models import AuditEntry, Sanction, User
from games import counting
from games.models import Match, Move, Seat
from games.preset_texts import Text, name_of

from . import acts, match_page

SHOWN = 20
"""So many matches are listed, the latest first; the list has all."""
FEW = 30
LATELY = 60
"""Days in which turns that the clock played are counted."""
MOST = 200
"""So many of his latest matches are looked at."""
ABOUT_REPORTS = ("close_report", "reopen_report")
ENDS_A_TURN = ("discard", "pass", "done")
HOW: dict[str, Text] = {
    "won": gettext_lazy("won"),
    "shared": gettext_lazy("shared the win"),
    "lost": gettext_lazy("lost"),
    "resigned": gettext_lazy("resigned"),
    "given_up": gettext_lazy("missed too many turns"),
}


@dataclass(frozen=True, slots=True)
class Played:
    """A match in a line. ``how``: what it was for this user, or its state."""

    name: str
    address: str
    how: str
    at: datetime


def context(user: Any, reader: Any) -> dict[str, Any]:
    """All that the page needs. That it is looked at is noted."""
    audit.saw(reader, "user", user=user)
    entries = AuditEntry.objects.filter(user=user).exclude(act__startswith=audit.SAW)
    if user.pk == reader.pk:  # what became of reports about himself would tell of them
        entries = entries.exclude(act__in=ABOUT_REPORTS)
    done = list(entries.select_related("by", "undone").order_by("-pk")[:FEW])
    known = linking.linked(user)
    sums, seats = _sums(user), _seats(user)
    return {
        "facts": _facts(user, reader, sums),
        "sanctions": list(Sanction.objects.filter(user=user).select_related("by", "appeal").order_by("-pk")[:FEW]),
        "reports": match_page.reports(Q(about_user=user) | Q(reporter=user), reader),
        "now": timezone.now(),
        "played": [_played(seat) for seat in seats[:SHOWN]],
        "troubles": _troubles(sums, _played_by_clock(seats)),
        "names": [entry for entry in done if entry.act in ("rename", "rename_back")],
        "links": list(User.objects.filter(pk__in=known)) if known else [],
        "done": [(entry, acts.called(entry.act)) for entry in done],
        "sees_devices": roles.may(reader, "see_private"),
        "reads_audit": roles.may(reader, "see_audit"),
        "matches_address": reverse("admin:games_seat_changelist") + f"?user={user.pk}",
        "messages_address": reverse("admin:games_message_changelist") + f"?user={user.pk}",
    }


def _facts(user: Any, reader: Any, sums: dict[str, Any]) -> list[tuple[str, Any]]:
    seen = max((at for at in (user.last_login, sums["looked"]) if at is not None), default=None)
    email = user.email if roles.may(reader, "see_addresses") else ""
    facts: list[tuple[str, Any]] = [
        (_("User name"), user.username),
        (_("Shown as"), user.shown_name),
        (_("State"), state(user)),
        (_("E-mail"), email),
        (_("Joined"), user.date_joined),
        (_("Last seen"), seen),
        (_("Language"), user.get_language_display()),
        (_("Time zone"), user.time_zone),
    ]
    return [(label, value) for label, value in facts if value]


def state(user: Any) -> str:
    """What an account is, in a word."""
    if user.closed_at is not None:
        return _("closed account")
    if user.is_barred:
        return _("shut out")
    if user.is_staff:
        return _("of the staff")
    return _("guest") if user.is_guest else _("player")


def _seats(user: Any) -> list[Any]:
    """His seats at his latest matches, each with its match and ``n``, how many sit there. One query."""
    seats = Seat.objects.filter(user=user).exclude(match__status=Match.Status.CANCELLED)
    return list(seats.select_related("match").annotate(n=Count("match__seats")).order_by("-match_id")[:MOST])


def _played(seat: Any) -> Played:
    match = seat.match
    how = match.get_status_display()
    if counting.counts(match):
        sides = counting.sides_of(match.preset, match.edition, seat.n)
        how = str(HOW[counting.how(seat.index, seat.gone, match.winners, sides)])
    elif match.status == Match.Status.OVER:
        how = match.get_ending_display()
    at = match.ended_at or match.started_at or match.created_at
    return Played(name_of(match), reverse("admin:games_match_change", args=[match.pk]), how, at)


def _sums(user: Any) -> dict[str, Any]:
    """All that his seats tell in numbers, in one query."""
    return Seat.objects.filter(user=user).aggregate(
        looked=Max("looked_at"),
        sat=Count("pk", filter=~Q(match__status=Match.Status.CANCELLED)),
        missed=Sum("missed", default=0),
        given_up=Count("pk", filter=Q(gone=Seat.Gone.GIVEN_UP)),
        resigned=Count("pk", filter=Q(gone=Seat.Gone.RESIGNED)),
        replaced=Count("pk", filter=Q(gone=Seat.Gone.REPLACED)),
    )


def _troubles(found: dict[str, Any], clock: int) -> list[str]:
    """Missed turns, turns that the clock played, seats given up, in sentences."""
    return [
        ngettext("{n} match.", "{n} matches.", found["sat"]).format(n=found["sat"]),
        ngettext(
            "{n} turn that the clock played in 60 days.", "{n} turns that the clock played in 60 days.", clock
        ).format(n=clock),
        ngettext("{n} turn missed just now.", "{n} turns missed just now.", found["missed"]).format(n=found["missed"]),
        ngettext("{n} seat lost by missed turns.", "{n} seats lost by missed turns.", found["given_up"]).format(
            n=found["given_up"]
        ),
        ngettext("{n} time resigned.", "{n} times resigned.", found["resigned"]).format(n=found["resigned"]),
        ngettext(
            "{n} seat given to a bot by a moderator.", "{n} seats given to a bot by a moderator.", found["replaced"]
        ).format(n=found["replaced"]),
    ]


def _played_by_clock(seats: list[Any]) -> int:
    """Turns at these seats that the clock played, which all at the table were told, by what ends a turn."""
    since = timezone.now() - timedelta(days=LATELY)
    late = [seat for seat in seats if seat.match.ended_at is None or seat.match.ended_at >= since]
    mine = Q(pk__in=())
    for index in {seat.index for seat in late}:
        mine |= Q(match__in=[seat.match_id for seat in late if seat.index == index], seat=index)
    ended = Q(action__type__in=ENDS_A_TURN)
    return Move.objects.filter(mine, ended, by=Move.By.CLOCK, at__gte=since).count() if late else 0
