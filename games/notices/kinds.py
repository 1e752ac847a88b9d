"""What a user may be told, by which channels, and how that is at first. Literal lists; nothing else.

No fact of a notice is a card: ``about`` holds numbers of users, deals and moves, and short words.
"""

from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PAGE, EMAIL, PUSH = "page", "email", "push"
NOW, DIGEST, OFF = "now", "digest", "off"

CHANNELS: dict[str, str | Promise] = {PAGE: _("on the site"), EMAIL: _("e-mail"), PUSH: _("push")}
TIMES: dict[str, str | Promise] = {NOW: _("now"), DIGEST: _("once a day"), OFF: _("off")}


@dataclass(frozen=True, slots=True)
class Kind:
    """``label`` stands in the settings. ``usual``: when each channel brings it, unless the user chose otherwise.
    ``live``: brought by e-mail and push also from a live match, whose players sit at it.
    """

    label: str | Promise
    usual: dict[str, str] = field(default_factory=dict)
    live: bool = False


def _kind(label: str | Promise, email: str, push: str, *, live: bool = True) -> Kind:
    return Kind(label, {PAGE: NOW, EMAIL: email, PUSH: push}, live)


KINDS: dict[str, Kind] = {
    "your_turn": _kind(_("It is my turn"), NOW, NOW, live=False),
    "reminder": _kind(_("My time runs out"), NOW, NOW, live=False),
    "invited": _kind(_("Somebody invites me"), NOW, NOW),
    "rematch": _kind(_("Somebody asks for a rematch"), NOW, NOW),
    "asked": _kind(_("Somebody proposes a pause or to go live"), NOW, NOW),
    "answered": _kind(_("My proposal is answered"), OFF, NOW),
    "accepted": _kind(_("Somebody joins my match"), OFF, NOW),
    "declined": _kind(_("Somebody declines my match"), DIGEST, OFF),
    "removed": _kind(_("I am removed from a match"), DIGEST, OFF),
    "deal_over": _kind(_("A deal has ended"), OFF, OFF, live=False),
    "match_over": _kind(_("A match has ended"), DIGEST, NOW, live=False),
    "ruled": _kind(_("A moderator decides something at my match"), NOW, NOW),
    "hands_seen": _kind(_("A moderator has seen the hands of my match"), NOW, NOW),
    "clock_played": _kind(_("The clock has played for me"), NOW, NOW, live=False),
    "given_up": _kind(_("A seat has been given up"), NOW, NOW, live=False),
    "seat_offered": _kind(_("A free seat is offered to me"), DIGEST, OFF),
    "seat_back": _kind(_("A player takes a seat back"), OFF, OFF),
    "nudged": _kind(_("Somebody waits for my turn and says so"), NOW, NOW),
    "time_given": _kind(_("I am given more time"), OFF, OFF),
    "chat": _kind(_("Somebody writes to me"), DIGEST, OFF, live=False),
    "sanctioned": _kind(_("A moderator decides about my account"), NOW, NOW),
    "reported_outcome": _kind(_("What became of my report"), DIGEST, OFF),
    "friend": _kind(_("Somebody wants to be my friend"), DIGEST, OFF),
}
"""The settings list them in this order."""

ALONE = frozenset({"friend", "chat", "nudged", "reminder", "seat_offered", "sanctioned", "reported_outcome"})
"""Come without a change of a match, of which open pages would hear: their bell is told by itself."""


BROUGHT = (EMAIL, PUSH)
"""The channels that go out to where the user is."""


def always(kind: str, channel: str, about: dict[str, Any]) -> bool:
    """Whether a notice is brought whatever the settings say: who is shut out is told by letter, once."""
    return kind == "sanctioned" and channel == EMAIL and about.get("kind") in ("suspended", "banned")


def when(kind: str, channel: str, matrix: dict[str, str] | None) -> str:
    """When a channel brings a kind: as the user chose (``matrix``: ``kind.channel`` -> time), else as usual."""
    chosen = (matrix or {}).get(f"{kind}.{channel}", "")
    return chosen if chosen in TIMES else KINDS[kind].usual[channel]
