"""Writes a calendar (RFC 5545): events that are moments, with alarms. Knows nothing of matches.

Own, since what is needed is one kind of event in UTC; a library would bring time zones and repetition.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

OCTETS = 75
"""The longest line, its end not counted; longer ones are folded."""


@dataclass(frozen=True, slots=True)
class Event:
    """A moment. ``stamp``: when what is told last changed. ``alarms``: minutes before it."""

    uid: str
    at: datetime
    stamp: datetime
    summary: str
    url: str
    alarms: Sequence[int] = ()


def calendar(name: str, events: Sequence[Event]) -> bytes:
    """The whole file."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Rummysite//Deadlines//EN",
        "CALSCALE:GREGORIAN",
        f"NAME:{_text(name)}",
        f"X-WR-CALNAME:{_text(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H",
        *(line for event in events for line in _event(event)),
        "END:VCALENDAR",
    ]
    return b"".join(part + b"\r\n" for line in lines for part in _folded(line))


def _event(event: Event) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{_text(event.uid)}"
    yield f"DTSTAMP:{_utc(event.stamp)}"
    yield f"DTSTART:{_utc(event.at)}"
    yield f"SUMMARY:{_text(event.summary)}"
    yield f"URL:{event.url}"
    yield "TRANSP:TRANSPARENT"
    for minutes in event.alarms:
        yield "BEGIN:VALARM"
        yield "ACTION:DISPLAY"
        yield f"TRIGGER:-PT{minutes}M"
        yield f"DESCRIPTION:{_text(event.summary)}"
        yield "END:VALARM"
    yield "END:VEVENT"


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(text: str) -> str:
    """A value of text: four signs have a meaning of their own, and what ends a line would begin a new property."""
    plain = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    lines = "\\n".join(plain.splitlines())
    return "".join(sign for sign in lines if sign.isprintable())


def _folded(line: str) -> Iterator[bytes]:
    """The line in pieces of at most OCTETS bytes, no sign cut in two; each further piece begins with a space."""
    piece = b""
    for sign in line:
        raw = sign.encode()
        if len(piece) + len(raw) > OCTETS:
            yield piece
            piece = b" "
        piece += raw
    yield piece
