"""The table role x act. Whoever registers an act adds a row: who may, a row to act on, and what the form is sent."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import Group
from django.utils import timezone

from accounts import appeals, roles, sanctions
from accounts.models import Sanction, User

WHO = (roles.MODERATOR, roles.SENIOR, roles.OPERATOR, "superuser", "staff without a role", "player")
BOTH = frozenset({roles.MODERATOR, roles.SENIOR, "superuser"})
SENIORS = frozenset({roles.SENIOR, "superuser"})


@dataclass(frozen=True)
class Case:
    """``may``: those of WHO who have the act; ``row``: makes what it is done to, of a player and a superuser."""

    may: frozenset[str]
    row: Callable[[Any, Any], Any]
    data: Callable[[], dict[str, Any]] = field(default=lambda: {})


def staff(name: str, who: str) -> Any:
    """Somebody of WHO."""
    user = User.objects.create(username=name, is_staff=who != "player", is_superuser=who == "superuser")
    if who in roles.ROLES:
        user.groups.add(Group.objects.get(name=who))
    return user


def in_days(days: int) -> str:
    """A moment as a form sends it."""
    return f"{timezone.now() + timedelta(days=days):%Y-%m-%dT%H:%M}"


def on_player(player: Any, boss: Any) -> Any:
    return player


def muted(player: Any, boss: Any) -> Sanction:
    entry = sanctions.impose(boss, player, "mute", ground="abuse", reason="Shouted.")
    return Sanction.objects.get(pk=entry.target_id)


def appealed(player: Any, boss: Any) -> Any:
    return appeals.appeal(player, muted(player, boss).pk, "I did not shout.")


CASES: dict[str, Case] = {
    "warn": Case(BOTH, on_player),
    "mute": Case(BOTH, on_player),
    "bar_rated": Case(BOTH, on_player),
    "bar_opening": Case(BOTH, on_player),
    "suspend": Case(BOTH, on_player, lambda: {"until": in_days(3)}),
    "ban": Case(SENIORS, on_player),
    "rename": Case(SENIORS, on_player, lambda: {"name": "newname"}),
    "lift": Case(BOTH, muted),
    "answer_appeal": Case(SENIORS, appealed, lambda: {"outcome": "upheld"}),
}
"""By the name of the act. A form that asks for less leaves the rest out."""
