"""The bench: who is reliable, who is asked for a seat that its user has lost, and who is asked next."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games import absence, lobby, people, play, substitutes, sweep
from games.models import BenchPlace, Match, Notice, SeatOffer

from .leaving import NOON, client, lost, text
from .test_races import at_once

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("made_by", "may"),
    [
        (["user"] * 20, True),
        (["user"] * 10, True),
        (["user"] * 9, False),
        (["clock"] + ["user"] * 19, True),
        (["clock", "clock"] + ["user"] * 18, False),
        (["user"] * 20 + ["clock"] * 9, True),
        ([], False),
    ],
)
def test_reliable_is_who_missed_at_most_one_of_the_last_twenty_turns(made_by, may):
    assert substitutes.reliable(made_by) is may


def test_the_last_turns_of_a_user_are_his_own_and_those_of_the_clock_for_him(ann, bob, cat):
    match, _seat = lost(ann, bob, cat)
    play.drive(match.pk)
    assert substitutes.last_turns(ann)[:2] == ["clock", "clock"] and "bot" not in substitutes.last_turns(ann)
    assert set(substitutes.last_turns(bob)) == {"user"}


def test_only_those_are_asked_who_like_to_may_and_are_reliable(ann, bob, cat, dan, monkeypatch, django_user_model):
    def bench(name, **more):
        user = django_user_model.objects.create(username=name, **more)
        BenchPlace.objects.create(user=user, preset="basic-rummy", kind="correspondence")
        return user

    bench("guest77", is_guest=True), bench("gone", is_active=False)
    late = bench("late")
    people.block(bench("blocker"), cat), people.block(ann, bench("blocked"))
    live = django_user_model.objects.create(username="live")
    BenchPlace.objects.create(user=live, preset="basic-rummy", kind="live")
    BenchPlace.objects.create(user=bob, preset="basic-rummy", kind="correspondence")
    monkeypatch.setattr(substitutes, "last_turns", lambda user: ["clock" if user == late else "user"] * 20)
    match, seat = lost(ann, bob, cat)

    assert [offer.user for offer in seat.offers.all()] == [dan]
    assert seat.driver == "bot", "a bot drives meanwhile"
    assert Notice.objects.filter(kind="seat_offered", user=dan, match=match).count() == 1


def test_the_bench_is_a_page_that_the_settings_lead_to(ann):
    assert "/seats/" in text(ann, "/accounts/settings/")
    assert (
        client(ann).post("/seats/", {"presets": ["basic-rummy"], "kinds": ["live", "correspondence"]}).status_code
        == 302
    )
    assert BenchPlace.objects.filter(user=ann).count() == 2 and text(ann, "/seats/").count(" checked") == 3
    assert "Choose at least one game and one pace" in client(ann).post("/seats/", {"kinds": ["live"]}).content.decode()
    assert client(ann).post("/seats/", {}).status_code == 302 and not BenchPlace.objects.filter(user=ann).exists()


def benched(make, *names):
    users = [make.objects.create(username=name) for name in names]
    for user in users:
        BenchPlace.objects.create(user=user, preset="basic-rummy", kind="correspondence")
    return users


def asked(seat):
    """Who can say yes now."""
    return {offer.user.username for offer in seat.offers.filter(answer="")}


def test_a_long_bench_of_unknown_people_is_looked_at_by_one_query_each(
    ann, bob, cat, django_user_model, django_assert_num_queries
):
    match, seat = lost(ann, bob, cat)
    benched(django_user_model, *(f"b{number}" for number in range(20)))
    with django_assert_num_queries(2 + 20):
        assert not substitutes.ask(match, seat, timezone.now())


def test_whom_nobody_answers_in_time_the_next_three_are_asked_until_the_bench_is_done(
    ann, bob, cat, trusted, django_user_model
):
    benched(django_user_model, "b1", "b2", "b3", "b4", "b5", "b6", "b7")
    with time_machine.travel(NOON, tick=False) as clock:
        match, seat = lost(ann, bob, cat)
        assert asked(seat) == {"b1", "b2", "b3"}
        clock.shift(timedelta(hours=11, minutes=59))
        sweep.sweep()
        assert asked(seat) == {"b1", "b2", "b3"}
        first = seat.offers.get(user__username="b1")
        for others in ({"b4", "b5", "b6"}, {"b7"}, set(), set()):
            clock.shift(timedelta(hours=12, minutes=1))
            sweep.sweep()
            assert asked(seat) == others
            seat.refresh_from_db()
            assert seat.driver == "bot", "a bot drives meanwhile"
        assert Notice.objects.filter(kind="seat_offered", match=match).count() == 7
        page = text(first.user, f"/seats/{first.pk}/")
        assert "The time to answer is over" in page and "Take over the seat" not in page
        with pytest.raises(lobby.Refusal, match="time to answer is over"):
            absence.accept(first.pk, first.user)


def test_offers_of_a_seat_that_is_taken_back_or_of_a_match_that_is_over_end_and_nobody_is_asked(
    ann, bob, cat, trusted, django_user_model
):
    benched(django_user_model, "b1", "b2", "b3", "b4")
    with time_machine.travel(NOON, tick=False) as clock:
        match, seat = lost(ann, bob, cat)
        absence.take_back(match.pk, ann)
        other, free = lost(ann, bob, cat)
        Match.objects.filter(pk=other.pk).update(
            status="over", ending="played", ended_at=timezone.now(), turn=None, due_at=None, wake_at=None
        )
        clock.shift(timedelta(hours=13))
        assert absence.ask_others() == 3
        assert absence.ask_others() == 0
        assert not asked(seat) and not asked(free)


@pytest.mark.django_db(transaction=True)
@pytest.mark.pg
def test_two_sweeps_at_once_ask_the_next_once(ann, bob, cat, trusted, django_user_model):
    benched(django_user_model, "b1", "b2", "b3", "b4")
    _match, seat = lost(ann, bob, cat)
    now = timezone.now()
    SeatOffer.objects.update(at=now - timedelta(hours=13), until=now - timedelta(hours=1))
    at_once(absence.ask_others, absence.ask_others)
    assert asked(seat) == {"b4"} and seat.offers.count() == 4
