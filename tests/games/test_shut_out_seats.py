"""Who is shut out gets no seat by a way round: by a ruling, or by a seat that he had asked for before."""

from typing import Any

import pytest

from accounts import sanctions
from accounts.models import Sanction
from games import absence, play
from games.models import Seat, SeatOffer
from games.moderation import rulings, seating
from games.seats import Refusal

from .leaving import lost
from .playing import seat_of
from .ruling import WHY, deals_played, is_its_tape, nothing_to_correct, on, play_deal
from .seasons import index_of

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


def ban(mod: Any, user: Any) -> Sanction:
    entry = sanctions.impose(mod, user, "banned", ground="abuse", reason="Shouted.")
    user.refresh_from_db()
    return Sanction.objects.get(pk=entry.target_id)


def test_a_match_that_is_reopened_goes_on_with_a_bot_for_who_is_banned(ann, bob, mod):
    match = deals_played(ann, bob, ended=1, rated=True)
    ban(mod, ann)
    assert on(match).status == "over"
    rulings.reopen_match(match.pk, by=mod, reason=WHY)
    on(match)
    seat = seat_of(match, ann)
    assert (match.status, seat.driver, seat.driven_by_id) == ("running", Seat.Driver.BOT, None)
    assert match.turn is None or match.turn != seat.index
    is_its_tape(match)
    nothing_to_correct()


def test_a_seat_is_given_back_to_nobody_who_is_shut_out(ann, bob, cat, mod):
    match = deals_played(ann, bob, cat, ended=1)
    sanction = ban(mod, ann)
    seat = index_of(match, ann)
    with pytest.raises(Refusal, match="shut out"):
        seating.give_back(match.pk, seat, by=mod, reason=WHY)
    sanctions.lift(mod, sanction, reason="It was a mistake.")
    seating.give_back(match.pk, seat, by=mod, reason=WHY)
    assert seat_of(match, ann).driven_by_id == ann.pk


@pytest.mark.parametrize("end", ["next deal", "the substitute leaves"])
def test_who_has_asked_for_his_seat_and_is_banned_then_does_not_get_it(ann, bob, cat, dan, mod, trusted, end):
    match, seat = lost(ann, bob, cat)
    absence.accept(SeatOffer.objects.get(user=dan).pk, dan)
    assert not absence.take_back(match.pk, ann)
    assert seat_of(match, ann).wants_back
    ban(mod, ann)
    if end == "next deal":
        play_deal(match)
        assert seat_of(match, ann).driven_by_id == dan.pk
    else:
        play.resign(match.pk, seat.index, dan)
        assert seat_of(match, ann).driver == Seat.Driver.BOT
