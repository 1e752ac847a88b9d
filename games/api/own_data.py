"""All that the site keeps about a user, as a zip of JSON files, for himself (docs/own-data.md).

Each column stands here by name. Of a deal that runs nothing is in it, of other people only what their own matches
with him show: the names at the table. No password, token, key, or address of a device.
"""

import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, Q

from accounts.models import Appeal, Sanction
from games import models as m
from games.disclosure import SECTIONS

from .export import STARTED, exported

IN_MEMORY = 2_000_000
"""Bytes; a larger file is written to the disk while it is made."""
ACCOUNT = (
    *("username", "display_name", "email", "date_joined", "last_login", "is_guest", "language", "time_zone", "deck"),
    *("card_size", "theme", "animation", "hand_sort", "confirm_live", "confirm_correspondence", "next_by_itself"),
    *("memory", "sound"),
)


@dataclass(frozen=True, slots=True)
class Part:
    """One file: the rows of a user in a table, and the columns of them that are told."""

    model: type[Model]
    mine: Callable[[Any], Q]
    columns: tuple[str, ...]

    def rows(self, user: Any) -> Iterator[dict[str, Any]]:
        """The rows, oldest first."""
        rows: Any = self.model._default_manager.filter(self.mine(user)).order_by("pk").values(*self.columns)
        return iter(rows.iterator(chunk_size=500))


def _of_user(user: Any) -> Q:
    return Q(user=user)


MATCH = ("match__preset", "match__title", "match__status", "match__ending")
SEATS = (
    "match_id",
    *MATCH,
    "index",
    "given_up_at",
    "gone",
    "match__created_at",
    "match__started_at",
    "match__ended_at",
)
SUMMARY = (
    *("preset", "opponents", "month", "won", "shared", "lost", "left", "uncounted", "deals", "deals_won", "deals_void"),
    *("points_for", "points_against", "outs", "concealed", "knocks", "knocks_won", "gins", "big_gins", "undercuts"),
    *("undercut", "caught", "caught_points", "ended_by_turn", "answers"),
)
CHANGES = ("mu_before", "sigma_before", "mu_after", "sigma_after")
PARTS: dict[str, Part] = {
    "emails": Part(EmailAddress, _of_user, ("email", "verified", "primary")),
    "sessions": Part(UserSession, _of_user, ("ip", "user_agent", "created_at", "last_seen_at")),
    "seats": Part(m.Seat, _of_user, SEATS),
    "opened": Part(m.Match, lambda user: Q(opener=user), ("id", "preset", "title", "status", "created_at")),
    "substitute": Part(
        m.Tenure, lambda user: Q(user=user) & ~Q(seat__user=user), ("seat__match_id", "from_move", "to_move", "why")
    ),
    "absences": Part(m.Absence, _of_user, ("match_id", "why", "at")),
    "notes": Part(m.Note, _of_user, ("match_id", "text", "changed_at")),
    "messages": Part(m.Message, _of_user, ("match_id", "phrase", "text", "at")),
    "reports": Part(
        m.Report,
        lambda user: Q(reporter=user),
        ("kind", "about_user__username", "words", "match_id", "message_id", "at", "state", "outcome", "answer"),
    ),
    "friends": Part(
        m.Friendship,
        lambda user: Q(asking=user) | Q(asked=user, accepted_at__isnull=False),
        ("asking__username", "asked__username", "at", "accepted_at"),
    ),
    "distances": Part(m.Distance, _of_user, ("whom__username", "kind", "at")),
    "door": Part(m.Door, _of_user, ("opens",)),
    "who_sees_what": Part(m.Disclosure, _of_user, SECTIONS),
    "habit": Part(m.Habit, _of_user, ("seconds", "part")),
    "notices": Part(m.Notice, _of_user, ("kind", "match_id", "at", "read_at")),
    "notice_settings": Part(
        m.NoticeSettings, _of_user, ("matrix", "digest_hour", "turn_delay", "reminders", "mail_failing_since")
    ),
    "muted_matches": Part(m.MutedMatch, _of_user, ("match_id",)),
    "listening": Part(m.Listener, _of_user, ("match_id", "muted")),
    "devices": Part(m.PushSubscription, _of_user, ("device", "made_at")),
    "private_addresses": Part(m.Feed, _of_user, ("kind", "made_at")),
    "tokens": Part(m.ApiToken, _of_user, ("name", "scope", "made_at", "used_at")),
    "vacations": Part(m.Vacation, _of_user, ("first_day", "last_day", "state")),
    "bench": Part(m.BenchPlace, _of_user, ("preset", "kind")),
    "offered_seats": Part(m.SeatOffer, _of_user, ("seat__match_id", "at", "until", "answer")),
    "ratings": Part(m.Rating, _of_user, ("family", "kind", "mu", "sigma", "matches", "since", "updated")),
    "rating_changes": Part(m.RatingChange, _of_user, ("match_id", "family", "kind", "place", *CHANGES, "at")),
    "summaries": Part(m.Summary, _of_user, SUMMARY),
    "luck": Part(m.Luck, _of_user, ("hands", "melds", "points", "squares")),
    "sanctions": Part(Sanction, _of_user, ("id", "kind", "ground", "reason", "at", "until", "lifted_at", "lifted_why")),
    "appeals": Part(
        Appeal,
        lambda user: Q(sanction__user=user),
        ("sanction_id", "text", "at", "answer", "answered_at", "outcome"),
    ),
    "second_step": Part(Authenticator, _of_user, ("type", "created_at", "last_used_at")),
    "leaderboards": Part(m.Ledger, _of_user, ("listed",)),
}
"""The files by name, each in the folder of the zip."""


def packed(user: Any) -> IO[bytes]:
    """The zip, to be read from its beginning; who reads it closes it."""
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115  closed by its reader
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "account", {name: getattr(user, name) for name in ACCOUNT})
        for name, part in PARTS.items():
            _add(archive, name, list(part.rows(user)))
        for match in _matches(user):
            _add(archive, f"matches/{match.pk}", exported(match))
    file.seek(0)
    return file


def _matches(user: Any) -> Iterator[m.Match]:
    """The matches of the user that have started, with their ended deals."""
    rows = m.Match.objects.filter(seats__user=user, status__in=STARTED).order_by("pk")
    return rows.prefetch_related("seats__user").iterator(chunk_size=20)


def _add(archive: zipfile.ZipFile, name: str, told: Any) -> None:
    archive.writestr(f"rummysite/{name}.json", json.dumps(told, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1))
