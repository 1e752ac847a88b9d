"""What a report is about, kept as it was then: names, the talk around a message, who sat at a match and since when.

No card is in it, and nothing that somebody at the table does not see anyway. And how it is told again, in words.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games.models import Match, Message
from games.paces import PACES
from games.phrases import words_of
from games.preset_texts import name_of

AROUND = 10
"""So many messages before and after the one that is reported."""
COLUMNS = (
    *("preset", "title", "status", "ending", "pace", "version", "moves", "bank"),
    *("turn_at", "due_at", "paused_at", "live_at", "created_at", "started_at", "ended_at"),
)


def kept(about: Any, match: Match | None, message: Message | None) -> dict[str, Any]:
    """The context of a report as JSON."""
    context: dict[str, Any] = {
        "about": {"user": about.pk, "name": about.username, "shown": about.shown_name, "since": _iso(about.date_joined)}
    }
    if match is not None:
        context |= _of_match(match)
    if message is not None:
        context["talk"] = [_of_message(row, message) for row in _around(message)]
    return context


def _iso(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _of_match(match: Match) -> dict[str, Any]:
    seats = match.seats.select_related("user", "driven_by").order_by("index")
    told = {name: _iso(getattr(match, name)) for name in COLUMNS}
    return {
        "match": told | {"id": match.pk, "deal": match.deal_number, "turn": match.turn},
        "seats": [
            {
                "index": seat.index,
                "user": seat.user_id,
                "name": seat.user.username if seat.user else seat.bot_name,
                "driver": seat.driver,
                "played_by": seat.driven_by.username if seat.driven_by else "",
                "gone": seat.gone,
                "missed": seat.missed,
                "looked_at": _iso(seat.looked_at),
            }
            for seat in seats
        ],
    }


def _around(message: Message) -> list[Message]:
    rows = Message.objects.filter(match=message.match_id).select_related("user")
    before = rows.filter(pk__lte=message.pk).order_by("-pk")[: AROUND + 1]
    return [*reversed(before), *rows.filter(pk__gt=message.pk).order_by("pk")[:AROUND]]


def _of_message(row: Message, about: Message) -> dict[str, Any]:
    said = {"phrase": row.phrase} if row.phrase else {"text": row.text}
    told = {"id": row.pk, "user": row.user_id, "name": row.user.username, "at": _iso(row.at)} | said
    return told | ({"this": True} if row.pk == about.pk else {})


# --- told again


def moment(told: Any) -> str:
    """A time of the context in the reader's zone."""
    return date_format(timezone.localtime(datetime.fromisoformat(told)), "Y-m-d H:i") if told else ""


def facts(context: Mapping[str, Any]) -> list[str]:
    """Player and match in sentences."""
    return [*_player(context.get("about") or {}), *_match(context)]


def _player(about: Mapping[str, Any]) -> Iterator[str]:
    if about:
        names = {"name": about["name"], "shown": about["shown"], "since": moment(about["since"])}
        yield _("The player was called {name}, shown as {shown}, here since {since}.").format(**names)


def _match(context: Mapping[str, Any]) -> Iterator[str]:
    match: Mapping[str, Any] = context.get("match") or {}
    if not match:
        return
    row = Match(preset=match["preset"], title=match["title"], status=match["status"], ending=match["ending"])
    pace = PACES[match["pace"]].label if match["pace"] in PACES else match["pace"]
    names = {"number": match["id"], "name": name_of(row), "pace": pace, "state": row.get_status_display()}
    yield _("Match {number}, {name}, pace {pace}: {state}.").format(**names)
    if row.ending:
        yield _("It ended {at}: {how}.").format(at=moment(match["ended_at"]), how=row.get_ending_display())
    if match["deal"]:
        yield _("Deal {deal}; moves: {moves}; version: {version}.").format(**match)
    yield from _turn(match, context.get("seats") or [])
    yield from (_seat(seat) for seat in context.get("seats") or [])


def _turn(match: Mapping[str, Any], seats: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if match["paused_at"]:
        yield _("It was paused since {at}.").format(at=moment(match["paused_at"]))
    if match["status"] != "running" or match["turn"] is None:
        return
    name = next((seat["name"] for seat in seats if seat["index"] == match["turn"]), "")
    names = {"name": name, "since": moment(match["turn_at"]), "until": moment(match["due_at"])}
    if match["turn_at"] and match["due_at"]:
        yield _("{name} was to move since {since}, with time until {until}.").format(**names)
    elif match["turn_at"]:
        yield _("{name} was to move since {since}.").format(**names)
    else:
        yield _("{name} was to move.").format(**names)


def _seat(seat: Mapping[str, Any]) -> str:
    names = {"n": seat["index"] + 1, "name": seat["name"] or "—", "by": seat["played_by"], "missed": seat["missed"]}
    if seat["gone"]:
        text = _("Seat {n}: {name}, who had left.")
    elif seat["played_by"] and seat["played_by"] != seat["name"]:
        text = _("Seat {n}: {name}, played by {by}.")
    elif seat["driver"] == "bot":
        text = _("Seat {n}: {name}, a bot.")
    elif seat["missed"]:
        text = _("Seat {n}: {name}. Turns in a row that the clock had played: {missed}.")
    else:
        text = _("Seat {n}: {name}.")
    return text.format(**names)


def talk(context: Mapping[str, Any]) -> list[tuple[str, str, str, bool]]:
    """The talk around a message: who, when, the words, and whether it is the one."""
    lines = []
    for row in context.get("talk") or []:
        words = str(words_of(Message(phrase=row.get("phrase", ""), text=row.get("text", ""))))
        lines.append((row["name"], moment(row["at"]), words, bool(row.get("this"))))
    return lines
