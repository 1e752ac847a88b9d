"""Ratings: by agreement, between persons, from results alone (FAULTS B21, B23)."""

from random import Random

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from games import lobby, play, ratings, together
from games.models import Match, Rating, RatingChange, Seat
from games.seats import Refusal

from .playing import CUT, opened
from .seasons import index_of, played, turn

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


@pytest.fixture
def dan(db):
    return User.objects.create(username="dan")


def mu(user, family="rummy", kind="correspondence"):
    row = Rating.objects.filter(user=user, family=family, kind=kind).first()
    return row.mu if row else 25.0


def after_one_deal(match, seed=4):
    """Play until the first deal has ended and the second is dealt."""
    rng = Random(seed)
    while not match.deals.filter(outcome__isnull=False).exists():
        turn(match, rng)
    play.drive(match.pk)
    match.refresh_from_db()
    return match


def put_end(match, winners, totals=None, **columns):
    """A match that has ended so, without having been played."""
    match.status, match.ending, match.ended_at = Match.Status.OVER, Match.Ending.PLAYED, timezone.now()
    match.turn = match.due_at = match.wake_at = None
    match.winners, match.totals = winners, totals or match.totals
    for name, value in columns.items():
        setattr(match, name, value)
    return match


def test_the_winner_goes_up_and_the_loser_down_and_both_know_by_what_match(ann, bob):
    match = played(ann, bob, target=10, turn_cap=12, rated=True)
    winner = Seat.objects.get(match=match, index=match.winners[0]).user
    loser = bob if winner == ann else ann
    assert mu(winner) > 25 > mu(loser)
    change = RatingChange.objects.get(match=match, user=winner)
    assert (change.place, change.mu_before, change.mu_after) == (1, 25.0, mu(winner))
    assert change.at == match.ended_at
    shown = ratings.shown(ratings.of(winner)[0])
    assert shown.value > 1500 and shown.about > 150 and shown.matches == 1 and shown.provisional


def test_no_rating_without_agreement(ann, bob):
    played(ann, bob, target=10, turn_cap=12)
    assert not Rating.objects.exists() and not RatingChange.objects.exists()


def test_each_family_and_pace_has_a_rating_of_its_own(ann, bob):
    played(ann, bob, target=10, turn_cap=12, rated=True)
    played(ann, bob, preset="gin", target=10, rated=True)
    played(ann, bob, preset="oklahoma-gin", target=10, rated=True)
    found = {(row.family, row.kind): row.matches for row in ratings.of(ann)}
    assert found == {("rummy", "correspondence"): 1, ("gin", "correspondence"): 2}
    assert ratings.group_of(Match(preset="gin", edition=1, pace="60s")) == ("gin", "live")


def test_who_resigns_is_last_and_the_other_wins(ann, bob):
    match = after_one_deal(opened(ann, bob, target=10_000, turn_cap=10, rated=True))
    play.resign(match.pk, index_of(match, ann))
    assert mu(bob) > 25 > mu(ann)
    assert RatingChange.objects.count() == 2


def test_what_is_broken_off_in_the_first_deal_changes_nothing(ann, bob):
    match = opened(ann, bob, rated=True)
    play.resign(match.pk, index_of(match, ann))
    assert not Rating.objects.exists()


def test_a_seat_given_up_is_last_for_its_user_and_nothing_for_the_substitute(ann, bob, cat, dan):
    match = opened(ann, bob, cat, target=10_000, turn_cap=10, rated=True)
    seats = list(match.seats.select_related("user"))
    put_end(match, winners=[2], totals=[30, 20, 90])
    seats[0].given_up_at, seats[0].gone, seats[0].driven_by = match.ended_at, Seat.Gone.GIVEN_UP, dan
    found = ratings.teams(match, seats)
    assert [(team.users, team.place) for team in found] == [((bob.pk,), 2), ((cat.pk,), 1), ((ann.pk,), 3)]


def test_places_follow_the_points_and_equal_points_share_one(ann, bob, cat, dan):
    match = opened(ann, bob, cat, dan, rated=True)
    seats = list(match.seats.all())
    put_end(match, winners=[0], totals=[150, 60, 90, 60])
    assert [team.place for team in ratings.teams(match, seats)] == [1, 3, 2, 3]
    put_end(match, winners=[0, 2], totals=[150, 60, 150, 20])
    assert [team.place for team in ratings.teams(match, seats)] == [1, 3, 1, 4]


def test_two_on_a_side_are_rated_together_and_who_left_alone(ann, bob, cat, dan, monkeypatch):
    match = opened(ann, bob, cat, dan, rated=True)
    game = type(match.game())
    monkeypatch.setattr(game, "sides", lambda self: ((0, 2), (1, 3)))
    seats = list(match.seats.all())
    put_end(match, winners=[1], totals=[100, 300])
    assert [(t.users, t.place) for t in ratings.teams(match, seats)] == [
        ((ann.pk, cat.pk), 2),
        ((bob.pk, dan.pk), 1),
    ]
    seats[1].gone = Seat.Gone.RESIGNED
    assert [(t.users, t.place) for t in ratings.teams(match, seats)] == [
        ((ann.pk, cat.pk), 2),
        ((dan.pk,), 1),
        ((bob.pk,), 3),
    ]


def test_a_match_with_bots_or_without_a_clock_cannot_be_rated(ann):
    for seats, pace in ((["easy"], "1d"), (["open", "easy"], "1d"), (["open"], "none")):
        with pytest.raises(Refusal):
            lobby.open_match(ann, "basic-rummy", seats=seats, pace=pace, rated=True)
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", rated=True)
    with pytest.raises(Refusal, match="bots take no seat"):
        lobby.start(match.pk, ann)
    with pytest.raises(IntegrityError), transaction.atomic():
        Match.objects.filter(pk=match.pk).update(pace="none")


def test_persons_at_a_table_with_a_bot_are_not_rated_whatever_the_row_says(ann, bob):
    match = played(ann, bob, bots=1, target=10, turn_cap=10)
    match.rated = True
    assert match.status == Match.Status.OVER and ratings.teams(match, list(match.seats.all())) == []


def test_a_guest_neither_opens_nor_joins_a_rated_match(ann, client):
    guest = User.objects.create(username="guest-7", is_guest=True)
    with pytest.raises(Refusal, match="players with an account"):
        lobby.open_match(guest, "basic-rummy", seats=["open"], pace="1d", rated=True)
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", rated=True)
    with pytest.raises(Refusal, match="players with an account"):
        lobby.join(match.pk, guest, CUT)
    users = User.objects.count()
    answer = client.post(f"/join/{match.token}/")
    assert answer.status_code == 302 and "/login/" in answer.url and User.objects.count() == users
    client.force_login(guest)
    page = client.get(f"/join/{match.token}/").content.decode()
    assert "This match is rated" in page and "Take a seat" not in page and "/keep/" in page


def test_all_see_that_a_match_is_rated_before_they_sit_down(ann, bob, client):
    match = lobby.open_match(ann, "basic-rummy", seats=["open", "@bob"], pace="1d", rated=True)
    says = "changes the ratings of all who play"
    assert says in client.get(f"/join/{match.token}/").content.decode()
    assert ">rated<" in client.get("/lobby/").content.decode()
    client.force_login(bob)
    assert says in client.get(f"/matches/{match.pk}/").content.decode()
    assert "· rated" in client.get("/tables/").content.decode()


def test_the_form_of_a_new_match_asks_for_it_and_refuses_what_cannot_be(ann, client):
    client.force_login(ann)
    page = client.get("/matches/new/?rated=1").content.decode()
    assert 'name="rated" value="1" checked' in page
    told = {"preset": "basic-rummy", "seats": "2", "seat_1": "easy", "who": "lobby", "pace": "1d", "rated": "1"}
    answer = client.post("/matches/new/", told)
    assert answer.status_code == 422 and "for persons only" in answer.content.decode()
    assert not Match.objects.exists()
    client.post("/matches/new/", told | {"seat_1": "open"})
    assert Match.objects.get().rated
    guest = User.objects.create(username="guest-8", is_guest=True)
    client.force_login(guest)
    assert 'name="rated"' not in client.get("/matches/new/").content.decode()


def test_rematches_series_and_matches_opened_together_stay_rated(ann, bob):
    match = after_one_deal(opened(ann, bob, target=10_000, turn_cap=10, rated=True))
    play.resign(match.pk, index_of(match, ann))
    assert together.rematch(match.pk, bob, 2).rated
    assert Match.objects.filter(nth=2).get().rated
    offer = lobby.open_match(ann, "gin", seats=["open"], pace="1d", standing=2, rated=True)
    lobby.join(offer.pk, bob, CUT)
    assert Match.objects.get(series=offer, status="open").rated


def season(users, matches=40, seed=11):
    """Rated and other matches of all kinds of ends, settled one after the other as they end."""
    rng = Random(seed)
    for _match in range(matches):
        some = rng.sample(users, rng.randint(2, len(users)))
        preset = "gin" if len(some) == 2 and rng.random() < 0.5 else "basic-rummy"
        match = opened(*some, preset=preset, pace=rng.choice(["1d", "60s"]), rated=rng.random() < 0.8)
        seats = list(match.seats.all())
        totals = [10 * rng.randint(0, 9) for _seat in seats]
        gone = rng.sample(seats, len(seats) - 1) if rng.random() < 0.3 else []
        best = max(total for seat, total in zip(seats, totals, strict=True) if seat not in gone)
        stayed = [seat.index for seat in seats if seat not in gone]
        put_end(match, [i for i in stayed if totals[i] == best], totals)
        if rng.random() < 0.1:
            match.ending, match.winners = Match.Ending.ABANDONED, []
        for seat in gone:
            seat.given_up_at, seat.gone = match.ended_at, rng.choice(list(Seat.Gone))
            seat.save()
        ratings.settle(match, seats)
        match.save()


def stored():
    rows = Rating.objects.order_by("user", "family", "kind").values_list(
        "user", "family", "kind", "mu", "sigma", "matches", "since", "updated", "fifth_at"
    )
    changes = RatingChange.objects.order_by("match", "user").values_list(
        "match", "user", "place", "mu_before", "sigma_before", "mu_after", "sigma_after", "at"
    )
    return list(rows), list(changes)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_ratings_made_anew_from_the_results_of_a_season_are_equal(seed, ann, bob, cat, dan, capsys):
    season([ann, bob, cat, dan], seed=seed)
    before = stored()
    assert len(before[1]) > 40 and any(row[-1] for row in before[0])
    call_command("recompute", "ratings")
    assert "different: 0." in capsys.readouterr().out and stored() == before
    RatingChange.objects.filter(user=ann).update(mu_after=1)
    Rating.objects.filter(user=bob).delete()
    Rating.objects.filter(user=cat).update(mu=3, matches=99)
    call_command("recompute", "ratings")
    assert "different: 0." not in capsys.readouterr().out and stored() == before


def test_two_matches_at_the_same_moment_have_an_order(ann, bob, monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    for _match in range(3):
        match = put_end(opened(ann, bob, rated=True), winners=[0], totals=[50, 10])
        ratings.settle(match, list(match.seats.all()))
        match.save()
    ends = list(Match.objects.order_by("pk").values_list("ended_at", flat=True))
    assert ends == sorted(set(ends))
    before = stored()
    call_command("recompute", "ratings")
    assert stored() == before


def test_ten_matches_make_a_rating_settled_and_surer(ann, bob):
    for n in range(10):
        match = put_end(opened(ann, bob, rated=True), winners=[n % 2], totals=[50 - n % 2, 49 + n % 2])
        ratings.settle(match, list(match.seats.all()))
        match.save()
        shown = ratings.shown(ratings.of(ann)[0])
        assert shown.provisional == (n < 9)
    assert shown.about < 167
