"""What must hold at the end of a simulated season for pushes, reminders, digests, muted matches and days off."""

from collections import Counter
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.db.models import F
from django.utils import timezone

from games import tape
from games.clock import waiting_since
from games.models import Delivery, Match, Move, Notice, NoticeSettings, PushSubscription, Seat, Vacation
from games.notices import push, reminders
from games.notices.kinds import DIGEST, when
from games.terms import WEEKENDS

if TYPE_CHECKING:
    from .season import Season


def all_hold(season: "Season") -> None:
    """All of this module."""
    _pushes_came_and_doubles_are_those_placed(season)
    _a_lost_phone_is_forgotten(season)
    _reminders_are_those_chosen(season)
    _digests_come_at_the_hour()
    _muted_matches_are_silent(season)
    _days_off_stop_the_clock(4 * season.size.late)


def _pushes_came_and_doubles_are_those_placed(season: "Season") -> None:
    """By device and topic: as many as were written down as sent, and more only for a fault that was placed."""
    came = Counter((path, headers["topic"]) for path, headers, _body in season.push.taken)
    sent = Counter[tuple[str, str]]()
    for one in Delivery.objects.filter(channel="push", state="sent").select_related("notice__user"):
        sent[f"/push/{one.notice.user.username}", push.topic(one.notice)] += 1
    missing = sent - came
    assert not missing, f"{missing.total()} pushes are written down as sent and never came"
    allowed = season.placed["after an answer"] + season.placed["crash"]
    twice = (came - sent).total()
    assert twice <= allowed, f"{twice} pushes came twice, {allowed} faults were placed"
    season.placed["push twice"] = twice


def _a_lost_phone_is_forgotten(season: "Season") -> None:
    """A device that is no more is asked once, and again only where the process died before it was forgotten."""
    asked = Counter(path for path, _headers, _body in season.push.got if path in season.push.gone)
    asked -= Counter(path for path, _headers, _body in season.push.taken if path in season.push.gone)
    for path, times in asked.items():
        assert times <= 1 + season.placed["crash"], f"{path} is gone and was asked {times} times"
        name = path.rpartition("/")[2]
        if times:
            assert not PushSubscription.objects.filter(user__username=name).exists(), f"{name} is not forgotten"


def _reminders_are_those_chosen(season: "Season") -> None:
    """For each deadline no more reminders than its user has chosen, each at one of the times, none twice."""
    chosen = {row.user_id: row.reminders for row in NoticeSettings.objects.exclude(reminders__isnull=True)}
    found = Counter[tuple[int, int | None, str]]()
    for one in Notice.objects.filter(kind="reminder"):
        mine = chosen.get(one.user_id, reminders.USUAL)
        found[one.user_id, one.match_id, one.about["due"]] += 1
        left = (datetime.fromisoformat(one.about["due"]) - one.at).total_seconds()
        assert any(left <= float(minutes) * 60 for minutes in mine), f"{one.user}: not a time that he chose: {left}"
        assert found[one.user_id, one.match_id, one.about["due"]] <= len(mine), f"{one.user} was reminded twice"
    season.done["reminders"] = found.total()


def chosen_reminders_came(season: "Season") -> int:
    """The site has just looked: of the times that somebody chose before the deadline of his turn, and that have come
    since the turn began, the last one has been told. How many there are.
    """
    now = timezone.now()
    ours = Match.objects.filter(status="running", due_at__gt=now, live_at=None, pace__in=reminders.CORRESPONDENCE)
    chosen = dict(NoticeSettings.objects.exclude(reminders__isnull=True).values_list("user", "reminders"))
    turns = dict(
        Seat.objects.filter(match__in=ours, match__turn=F("index"), driver="user").values_list("match", "driven_by")
    )
    wanted = {}
    for match in ours.filter(pk__in=turns).only("due_at", "turn_at", "pace"):
        user_id, due, began = turns[match.pk], match.due_at, waiting_since(match)
        times = [due - timedelta(minutes=int(one)) for one in chosen.get(user_id, reminders.USUAL)]
        come = [at for at in times if began < at <= now]
        if come and match.pk not in season.of[user_id].muted:
            minutes = (due - max(come)) // timedelta(minutes=1)
            wanted[user_id, f"{match.pk}:{due.timestamp():.0f}.{minutes}"] = max(come)
    told = set(
        Notice.objects.filter(kind="reminder", user__in={user for user, _key in wanted}).values_list("user", "key")
    )
    missing = wanted.keys() - told
    assert not missing, f"a reminder did not come: {missing}"
    return len(wanted)


def _digests_come_at_the_hour() -> None:
    """What somebody wants once a day was due when his clock showed the hour that he chose."""
    rows = {row.user_id: row for row in NoticeSettings.objects.all()}
    for one in Delivery.objects.filter(tries__lte=1).select_related("notice__user"):
        row = rows.get(one.notice.user_id, NoticeSettings())
        if when(one.notice.kind, one.channel, row.matrix) == DIGEST and not one.error:
            local = one.due_at.astimezone(ZoneInfo(one.notice.user.time_zone))
            assert local.hour == row.digest_hour, f"{one.notice.user}: {one.notice.kind} at {local}"


def _muted_matches_are_silent(season: "Season") -> None:
    for person in season.people:
        for match_id, since in person.muted.items():
            later = Notice.objects.filter(user=person.user, match=match_id, at__gt=since)
            assert not later.exists(), f"{person.name} has muted match {match_id}, and is told {later.first()}"


def _days_off_stop_the_clock(late: timedelta) -> None:
    """The clock plays for nobody long after a vacation or a weekend of his has begun. ``late``: so long after a
    deadline it may play, by its grace and because the site is late.
    """
    matches = {match.pk: match for match in Match.objects.filter(tape__by=Move.By.CLOCK).distinct()}
    away = list(Vacation.objects.values_list("user", "starts_at", "ends_at"))
    for match in matches.values():
        seats = {seat.index: seat for seat in match.seats.all()}
        moves = match.tape.filter(by=Move.By.CLOCK, seat__isnull=False).exclude(action__type__in=tape.SITE_ACTS)
        for move in moves if match.pace != "60s" else ():
            assert move.seat is not None
            seat = seats[move.seat]
            local = (move.at - late).astimezone(ZoneInfo(seat.zone or "UTC"))
            here = move.at.astimezone(ZoneInfo(seat.zone or "UTC"))
            off = WEEKENDS[match.weekend][1]
            assert not (local.weekday() in off and here.weekday() in off), f"{match}: played at {here}"
            for user, starts, ends in away if match.vacations and len(seats) == 2 else ():
                inside = user == seat.user_id and starts < move.at - late and move.at < ends
                assert not inside, f"{match}: played for {seat.user} in a vacation"
