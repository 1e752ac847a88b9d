"""What the page of a match shows to who looks after it: seats, clock, rulings, what its players share, and the tape in
words. No card that was not seen at the table, no secret column, and no address.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import audit, roles, shared
from accounts.models import AuditEntry
from games import chronicle
from games.models import Match, Report, Seat
from games.moderation import stuck
from games.paces import PACES
from games.preset_texts import PRESET_TEXTS, differences, name_of
from games.tables import name_of as called
from games.terms import bank_told, days_off

from . import acts

FEW_RULINGS = 50
"""So many of a kind are listed; the lists have all."""


@dataclass(frozen=True, slots=True)
class Place:
    """A seat in words. ``address``: the page of its player; empty for bots."""

    name: str
    address: str
    drives: str
    notes: list[str]
    moves: bool


@dataclass(frozen=True, slots=True)
class Ruling:
    """An act of a moderator at this match."""

    at: datetime
    by: str
    what: str
    reason: str
    undone: bool


def context(match: Match, reader: Any, asked: str) -> dict[str, Any]:
    """All that the page needs; ``asked``: the number of the deal whose story is told, as the address has it."""
    audit.saw(reader, "match", target=match)
    seats = match.seated()
    numbers = chronicle.deals(match)
    number = _number(asked, [deal["number"] for deal in numbers])
    runs = any(deal["number"] == number and deal["ended_at"] is None for deal in numbers)
    own = runs and any(reader.pk in (seat.user_id, seat.driven_by_id) for seat in seats)
    return {
        "match_title": name_of(match),
        "facts": _facts(match),
        "places": [_place(match, seat) for seat in seats],
        "rulings": _rulings(match),
        "reports": reports(Q(match=match), reader),
        "pairs": _pairs(seats),
        "deal_numbers": sorted(deal["number"] for deal in numbers),
        "told_deal": number,
        "deal_runs": runs,
        "own_deal": own,  # the table forgets by the terms of the match, and who plays there has no other memory
        "story": chronicle.chronicle(match, number, seats) if number and not own else [],
        "sees_hands": roles.may(reader, "see_hands") and match.status == Match.Status.RUNNING,
        "sees_addresses": roles.may(reader, "see_addresses"),
        "reads_audit": roles.may(reader, "see_audit"),
    }


def reports(which: Q, reader: Any) -> list[Report]:
    """The latest reports, but for those about the reader: who reported him he does not learn."""
    rows = Report.objects.filter(which).exclude(about_user=reader.pk)
    return list(rows.select_related("about_user", "reporter").order_by("-pk")[:FEW_RULINGS])


def _number(asked: str, known: list[int]) -> int:
    """The deal that is asked for, else the last one; 0 if there is none."""
    wanted = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else 0
    return wanted if wanted in known else max(known, default=0)


def _facts(match: Match) -> list[tuple[str, Any]]:
    """State, terms and clock, each with its name."""
    rules = ", ".join(str(text) for text in differences(match))
    terms = [str(PACES[match.pace].label), bank_told(match.bank)]
    if PACES[match.pace].kind == "correspondence":
        terms.append(days_off(match.weekend, match.vacations)[1])
    facts: list[tuple[str, Any]] = [
        (_("Game"), str(PRESET_TEXTS[match.preset].name)),
        (_("House rules"), rules or _("as usual")),
        (_("State"), _state(match)),
        (_("Pace"), ", ".join(filter(None, terms))),
        (_("Rated"), _("yes") if match.rated else _("no")),
        (_("Opened"), match.created_at),
        (_("Started"), match.started_at),
        (_("Ended"), match.ended_at),
        (_("Deadline"), match.due_at),
        (_("Paused since"), match.paused_at),
        (_("Live since"), match.live_at),
    ]
    return [(label, value) for label, value in facts if value]


def _state(match: Match) -> str:
    now = timezone.now()
    if match.status == Match.Status.OVER:
        return _("{state}: {ending}").format(state=match.get_status_display(), ending=match.get_ending_display())
    if stuck.is_stuck(match, now):
        return _("Stuck. {why}").format(why=stuck.why(match, now))
    return match.get_status_display()


def _place(match: Match, seat: Seat) -> Place:
    notes = []
    if match.totals:
        side = next(at for at, seats in enumerate(match.game().sides()) if seat.index in seats)
        notes.append(ngettext("{n} point", "{n} points", match.totals[side]).format(n=match.totals[side]))
        if side in match.winners:
            notes.append(_("has won"))
    if seat.missed:
        notes.append(
            ngettext("{n} turn missed in a row", "{n} turns missed in a row", seat.missed).format(n=seat.missed)
        )
    if seat.gone:
        notes.append(seat.get_gone_display())
    address = reverse("admin:accounts_user_change", args=[seat.user_id]) if seat.user_id else ""
    moves = match.status == Match.Status.RUNNING and match.turn == seat.index
    return Place(called(seat) or _("free seat"), address, _drives(seat), notes, moves)


def _drives(seat: Seat) -> str:
    if seat.driver == Seat.Driver.BOT:
        return _("a bot plays") if seat.user_id else _("bot")
    if seat.driven_by is not None and seat.driven_by_id != seat.user_id:
        return _("{name} plays as a substitute").format(name=seat.driven_by.shown_name)
    return _("plays") if seat.driver == Seat.Driver.USER else seat.get_driver_display()


def _rulings(match: Match) -> list[Ruling]:
    done = AuditEntry.objects.filter(target_kind="match", target_id=match.pk).exclude(act__startswith=audit.SAW)
    rows = done.exclude(act="see_hands").select_related("by", "undone").order_by("-pk")[:FEW_RULINGS]
    return [_ruling(row) for row in rows]


def _ruling(row: AuditEntry) -> Ruling:
    by = row.by.username if row.by else _("the server")
    return Ruling(row.at, by, acts.called(row.act), row.reason, hasattr(row, "undone"))


def _pairs(seats: list[Seat]) -> list[tuple[str, str, shared.Shared]]:
    """Each two people who play here, and how much they share."""
    people = {user.pk: user.shown_name for seat in seats for user in (seat.user, seat.driven_by) if user is not None}
    return [(people[pair.one], people[pair.other], pair) for pair in shared.between(people)] if people else []
