"""The table role x act. Whoever registers an act adds a row: who may, a row to act on, and what the form is sent."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import Group
from django.utils import timezone

from accounts import appeals, roles, sanctions
from accounts.models import Sanction, User
from games import play
from games.models import Delivery, Message, Notice, Sign
from games.moderation import reports, rulings, seating

from .playing import opened
from .ruling import deals_played

WHO = (roles.MODERATOR, roles.SENIOR, roles.OPERATOR, "superuser", "staff without a role", "player")
BOTH = frozenset({roles.MODERATOR, roles.SENIOR, "superuser"})
OPERATORS = frozenset({roles.OPERATOR, "superuser"})
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


def a_failed_mail(player: Any, boss: Any) -> Delivery:
    notice = Notice.objects.create(user=player, kind="friend", at=timezone.now())
    return Delivery.objects.create(
        notice=notice, channel="email", state="failed", due_at=timezone.now(), error="refused 550"
    )


def with_another(player: Any, boss: Any) -> Any:
    User.objects.create(username="another")
    return player


def muted(player: Any, boss: Any) -> Sanction:
    entry = sanctions.impose(boss, player, "mute", ground="abuse", reason="Shouted.")
    return Sanction.objects.get(pk=entry.target_id)


def appealed(player: Any, boss: Any) -> Any:
    return appeals.appeal(player, muted(player, boss).pk, "I did not shout.")


def running(player: Any, boss: Any) -> Any:
    """A match of the player, at seat 0, and somebody else."""
    return opened(player, User.objects.create(username="opponent"), hand_size=3)


def with_a_deal(player: Any, boss: Any) -> Any:
    return deals_played(player, User.objects.create(username="opponent"), ended=1)


def with_a_void_deal(player: Any, boss: Any) -> Any:
    match = with_a_deal(player, boss)
    rulings.void_deal(match.pk, 1, by=boss, reason="As agreed.")
    return match


def with_a_correction(player: Any, boss: Any) -> Any:
    match = with_a_deal(player, boss)
    rulings.correct(match.pk, 1, [77, 0], by=boss, reason="As agreed.")
    return match


def left(player: Any, boss: Any) -> Any:
    match = running(player, boss)
    play.resign(match.pk, 0)
    return match


def with_a_bot(player: Any, boss: Any) -> Any:
    match = running(player, boss)
    seating.let_bot_drive(match.pk, 0, by=boss, reason="As agreed.")
    return match


def reported(player: Any, boss: Any) -> Any:
    return reports.report(User.objects.create(username="reporter"), player, "abuse", "He shouts.")


def reported_and_closed(player: Any, boss: Any) -> Any:
    row = reported(player, boss)
    reports.close(boss, row, outcome="nothing", answer="We have looked at it.", reason="No insult.")
    row.refresh_from_db()
    return row


def spoken(player: Any, boss: Any) -> Any:
    return Message.objects.create(match=running(player, boss), user=player, text="You fool", at=timezone.now())


def signed(player: Any, boss: Any, state: str = "new") -> Sign:
    """A sign about the player and somebody else."""
    other = User.objects.create(username="opponent")
    numbers = {"observed": 8, "expected": 0.4, "n": 12, "z": 9.1, "sample": 900, "matches": [3, 2], "rated": 12}
    days = {"since": "2026-06-01T12:00:00+00:00", "until": "2026-11-28T12:00:00+00:00"}
    settled = {} if state in ("new", "looked_at") else {"reason": "Sisters.", "settled_at_observed": 8}
    return Sign.objects.create(
        kind="wins_given", user=player, other=other, observed=8, state=state, first_seen=timezone.now(),
        last_seen=timezone.now(), numbers=numbers | days | {"given_by_a": 5, "given_by_b": 3}, **settled,
    )  # fmt: skip


def dismissed(player: Any, boss: Any) -> Sign:
    return signed(player, boss, "dismissed")


CASES: dict[str, Case] = {
    "warn": Case(BOTH, on_player),
    "mute": Case(BOTH, on_player),
    "bar_rated": Case(BOTH, on_player),
    "bar_opening": Case(BOTH, on_player),
    "suspend": Case(BOTH, on_player, lambda: {"until": in_days(3)}),
    "ban": Case(SENIORS, on_player),
    "rename": Case(SENIORS, on_player, lambda: {"name": "newname"}),
    "send_again": Case(OPERATORS, a_failed_mail),
    "link_accounts": Case(SENIORS, with_another, lambda: {"name": "another"}),
    "lift": Case(BOTH, muted),
    "answer_appeal": Case(SENIORS, appealed, lambda: {"outcome": "upheld"}),
    "void_deal": Case(SENIORS, with_a_deal, lambda: {"deal": 1}),
    "count_again": Case(SENIORS, with_a_void_deal, lambda: {"deal": 1}),
    "correct_points": Case(SENIORS, with_a_deal, lambda: {"deal": 1, "seat0": 77, "seat1": 0}),
    "take_back_correction": Case(SENIORS, with_a_correction, lambda: {"deal": 1}),
    "abort_match": Case(SENIORS, running),
    "adjudicate": Case(SENIORS, running, lambda: {"winners": [1]}),
    "reopen_match": Case(SENIORS, left),
    "give_time": Case(BOTH, running, lambda: {"seat": 0, "hours": 6}),
    "bot_drives": Case(BOTH, running, lambda: {"seat": 0}),
    "give_back": Case(BOTH, with_a_bot, lambda: {"seat": 0}),
    "close_report": Case(BOTH, reported, lambda: {"outcome": "acted", "answer": "Thank you."}),
    "reopen_report": Case(BOTH, reported_and_closed),
    "hide_message": Case(BOTH, spoken),
    "note_sign": Case(BOTH, signed),
    "dismiss_sign": Case(BOTH, signed),
    "settle_sign": Case(BOTH, signed),
    "reopen_sign": Case(BOTH, dismissed),
}
"""By the name of the act. A form that asks for less leaves the rest out."""
