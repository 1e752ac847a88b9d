"""Signs as rows: one for a kind and whom it is about, the same when counted again, back only when they have grown."""

from collections import defaultdict
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Chore, User
from accounts.refusal import Refusal
from games import play
from games.models import Match, Sign
from games.moderation.signs import computing, deciding, helping, sharing, sources
from games.moderation.signs.finding import Finding

from .playing import opened
from .recorded import by_bots

pytestmark = pytest.mark.django_db

LATER = timedelta(hours=1)


def finding(user: Any, other: Any = None, observed: int = 8, kind: str = "abandoning") -> Finding:
    return Finding(kind, user.pk, other.pk if other else None, observed, 1.2, 30, 6.5, 900, (3, 2, 1))


def rows() -> list[dict[str, Any]]:
    return list(Sign.objects.order_by("kind", "user").values())


def signed_in(user: Any, ip: str, browser: str) -> None:
    UserSession.objects.create(user=user, ip=ip, user_agent=browser, session_key=f"{user.pk}{ip}{browser}")


def seen() -> dict[int, Any]:
    now = timezone.now() + LATER
    return {one.number: one for one in sources.played(now - computing.PERIOD, now)}


def test_a_sign_is_one_row_that_each_count_brings_up_to_date(ann: Any, bob: Any) -> None:
    now = timezone.now()
    computing.write([finding(ann), finding(ann, bob, 5, "wins_given")], now)
    before = rows()
    computing.write([finding(ann), finding(ann, bob, 5, "wins_given")], now)
    assert rows() == before and len(before) == 2

    computing.write([finding(ann, observed=9)], now + LATER)
    row = Sign.objects.get(kind="abandoning")
    assert (row.observed, row.numbers["observed"], row.numbers["matches"]) == (9, 9, [3, 2, 1])
    assert (row.first_seen, row.last_seen, Sign.objects.count()) == (now, now + LATER, 2)


@pytest.mark.parametrize("state", ["dismissed", "acted_on"])
def test_what_is_settled_comes_back_when_it_has_grown_by_a_half_and_not_before(ann: Any, state: str) -> None:
    now = timezone.now()
    computing.write([finding(ann, observed=8)], now)
    Sign.objects.update(state=state, reason="Was ill.", settled_at_observed=8)
    computing.write([finding(ann, observed=11)], now + LATER)
    assert Sign.objects.get().state == state
    computing.write([finding(ann, observed=12)], now + 2 * LATER)
    assert Sign.objects.get().state == "new"


def test_many_findings_are_written_in_small_transactions() -> None:
    users = User.objects.bulk_create(User(username=f"u{n}", name_key=f"u{n}") for n in range(120))
    with CaptureQueriesContext(connection) as queries:
        computing.write([finding(user) for user in users], timezone.now())
    begun = [one for one in queries.captured_queries if one["sql"].startswith("SAVEPOINT")]
    assert Sign.objects.count() == 120 and len(begun) >= 3


def test_who_left_without_being_behind_and_who_let_the_clock_run_out_is_read_from_the_rows(ann: Any, bob: Any) -> None:
    first = opened(ann, bob, pace="1d", rated=True)
    play.resign(first.pk, 0)
    found = seen()[first.pk]
    assert (found.users, found.rated, found.counts) == ((ann.pk, bob.pk), True, False)
    assert found.absent == {ann.pk} and found.level == frozenset()

    whole = by_bots(ann, bob, target=20)
    found = seen()[whole.pk]
    assert found.counts and found.won == {(ann.pk, bob.pk)[whole.winners[0]]} and not found.left

    Match.objects.filter(pk=whole.pk).update(ending="resigned", totals=[15, 5], winners=[1])
    whole.seats.filter(index=0).update(gone="resigned", given_up_at=timezone.now())
    found = seen()[whole.pk]
    assert (found.level, found.absent, found.won) == ({ann.pk}, frozenset(), {bob.pk})
    Match.objects.filter(pk=whole.pk).update(totals=[0, 5])
    assert seen()[whole.pk].level == frozenset()


def test_only_records_of_ended_deals_are_read_and_seats_of_substitutes_are_left_out(ann: Any, bob: Any) -> None:
    whole = by_bots(ann, bob, target=20)
    deal = whole.deals.filter(ended_at__isnull=False).first()
    for one in deal.record["steps"]:
        one["by"] = "user" if one["by"] == "bot" else one["by"]
    deal.save()
    opened(ann, bob)  # runs: its deal is read by nobody
    now = timezone.now() + LATER
    told = sources.told(now - computing.PERIOD, now)
    assert sum(tally.thrown for tally in told.discards.values()) > 3
    assert {tuple(sorted(key[:2])) for key in told.discards} == {(ann.pk, bob.pk)}
    assert set(told.answers) == {ann.pk, bob.pk}

    seat = whole.seats.get(index=0)
    seat.tenures.create(driver="user", user=bob, from_move=1, to_move=9, why="taken_over")
    told = sources.told(now - computing.PERIOD, now)
    assert told.discards == helping.tallies() and not told.answers


def test_one_device_of_two_accounts_that_play_each_other_becomes_a_sign_without_an_address(ann: Any, bob: Any) -> None:
    for user in (ann, bob):
        signed_in(user, "203.0.113.9", "Mozilla/5.0 (Android) Firefox/130")
    for _match in range(5):
        match, ended = opened(ann, bob), {"status": "over", "ending": "played", "ended_at": timezone.now()}
        columns = ended | {"winners": [0], "totals": [100, 20], "due_at": None, "wake_at": None}
        Match.objects.filter(pk=match.pk).update(rated=True, pace="1d", **columns)
    with time_machine.travel(timezone.now() + LATER, tick=False):
        said = StringIO()
        call_command("signs", stdout=said)
        before = rows()
        call_command("signs", stdout=StringIO())
    assert said.getvalue().startswith("Signs found: 1,")
    row = Sign.objects.get()
    assert (row.kind, row.users, row.observed) == ("sharing", [ann, bob], 5)
    assert "203.0.113" not in str(before) and "Firefox" not in str(before)
    assert rows() == before


def test_sessions_are_compared_by_keyed_hashes(ann: Any, settings: Any) -> None:
    signed_in(ann, "203.0.113.9", "Firefox")
    signed_in(ann, "0.0.0.0", "")  # its address was let go
    (one,) = sources.signed()
    settings.SECRET_KEY = "another"
    (other,) = sources.signed()
    assert len({one.place, one.device, other.place, other.device}) == 4 and "203" not in one.place
    assert not sharing.shared([one], "device")


def test_the_count_is_done_once_a_day_whoever_comes_first(db: None) -> None:
    now = timezone.now()
    assert computing.is_due(now) and not computing.is_due(now + LATER)
    assert computing.is_due(now + computing.DAY) and not computing.is_due(now + computing.DAY)
    assert Chore.objects.get(name="signs").due_at == now + 2 * computing.DAY


def test_falls_of_ratings_are_from_a_height_to_a_later_low(ann: Any, bob: Any) -> None:
    from games.models import RatingChange

    now, value = timezone.now(), 25.0
    for step in (1.0, -2.0, 0.5, -3.0, 4.0):
        match = opened(ann, bob)
        columns = {"family": "rummy", "kind": "live", "place": 1, "sigma_before": 3, "sigma_after": 3, "at": now}
        RatingChange.objects.create(user=ann, match=match, mu_before=value, mu_after=value + step, **columns)
        now, value = now + LATER, value + step
    assert sources.falls(now - computing.PERIOD, now) == {ann.pk: 90}
    assert defaultdict(int, sources.falls(now, now + LATER)) == {}


def test_the_server_counts_in_a_thread_of_its_own_and_goes_on_if_that_fails(
    db: None, monkeypatch: Any, caplog: Any
) -> None:
    monkeypatch.setattr(computing, "_looked", -computing.LOOK)
    monkeypatch.setattr(computing, "compute", lambda *told: 1 / 0)
    monkeypatch.setattr(computing.connection, "close", lambda: None)  # it is the tests' own
    thread = computing.look()
    assert thread is not None
    thread.join()
    assert "signs for moderators could not be counted" in caplog.text
    assert computing.look() is None


def test_of_two_who_decide_or_count_at_once_the_second_finds_what_the_first_did(ann: Any, bob: Any, mod: Any) -> None:
    now = timezone.now()
    computing.write([finding(ann, bob, 5, "wins_given")], now)
    as_both_saw_it = Sign.objects.get()
    deciding.decide("dismiss_sign", mod, as_both_saw_it, "dismissed", "They are sisters.")
    with pytest.raises(Refusal, match="settled"):
        deciding.decide("settle_sign", mod, as_both_saw_it, "acted_on", "Warned.")
    computing._write(None, finding(ann, bob, 6, "wins_given"), now + LATER)  # had not seen the row of the other count
    row = Sign.objects.get()
    assert (row.state, row.reason, row.observed, row.first_seen) == ("dismissed", "They are sisters.", 6, now)
