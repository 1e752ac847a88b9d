"""What a moderator decides about deals and results: totals are derived, never adjusted (FAULTS B25, B33, B35)."""

import pytest

from accounts.models import AuditEntry
from games import agreements, play
from games.models import Match, Move, Notice, Seat
from games.moderation import rulings
from games.rules.actions import Pass
from games.rules.cards import card
from games.rules.knocking import Knock
from games.seats import Refusal

from .playing import do, mover, opened
from .ruling import WHY, deals_played, is_its_tape, nothing_to_correct, on, play_deal, play_out, points, stored, sums
from .stacking import CHEAP, DEAR, stack

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


TWO_DEALS = {"match_end": "deals", "deals": 2, "tie_break": "shared"}


def void(match, number, mod):
    return rulings.void_deal(match.pk, number, by=mod, reason=WHY)


def test_a_running_deal_that_is_void_keeps_its_number_and_the_same_player_deals_the_next(ann, bob, mod):
    match = deals_played(ann, bob, ended=1)
    before, dealer = list(match.totals), match.deals.get(number=2).dealer
    void(match, 2, mod)
    match.refresh_from_db()
    deal = match.deals.get(number=2)
    assert deal.ended_at and deal.outcome["kind"] == "voided" and match.status == "running"
    assert deal.record["secret"] == bytes(deal.secret).hex()
    on(match)
    assert match.deal_number == 3 and match.deals.get(number=3).dealer == dealer
    assert match.totals == before and match.due_at is not None
    is_its_tape(match)
    nothing_to_correct()
    assert sums(ann).deals == 1


def test_the_pause_ends_with_a_deal_that_is_void_and_stands_on_its_tape(ann, bob, mod):
    match = deals_played(ann, bob, ended=0)
    agreements.propose(match.pk, ann, "pause")
    agreements.answer(match.pk, bob, yes=True)
    void(match, 1, mod)
    on(match)
    assert match.paused_at is match.frozen is None and match.deal_number == 2 and match.due_at is not None
    told = [move.action["type"] for move in Move.objects.filter(deal=match.deals.get(number=1)).order_by("number")]
    assert told[-2:] == ["pause_ended", "voided"]
    with pytest.raises(Refusal, match="not paused"):
        agreements.go_on(match.pk, ann)
    is_its_tape(match)


def test_a_void_deal_counts_for_nobody_and_counts_again_when_it_is_taken_back(ann, bob, mod):
    match = deals_played(ann, bob, ended=2)
    before = stored(match)
    first, second = points(match)
    void(match, 1, mod)
    match.refresh_from_db()
    assert match.totals == second
    assert sums(ann).deals == 1
    is_its_tape(match)
    nothing_to_correct()
    rulings.count_again(match.pk, 1, by=mod, reason=WHY)
    match.refresh_from_db()
    assert match.totals == [a + b for a, b in zip(first, second, strict=True)]
    after = stored(match)
    assert {**after, "deals": 0} == {**before, "deals": 0}
    is_its_tape(match)
    nothing_to_correct()


def test_a_running_deal_keeps_its_sheet_and_the_next_one_begins_with_the_corrected(ann, bob, mod):
    match = deals_played(ann, bob, ended=1)
    sheet, (scored,) = match.deals.get(number=2).sheet, points(match)
    wanted = [scored[0] + 10, scored[1]]
    rulings.correct(match.pk, 1, wanted, by=mod, reason=WHY)
    match.refresh_from_db()
    assert match.totals == wanted and match.deals.get(number=2).sheet == sheet
    play_deal(match)
    _first, second = points(match)
    assert match.deals.get(number=3).sheet["totals"] == [a + b for a, b in zip(wanted, second, strict=True)]
    is_its_tape(match)
    nothing_to_correct()


def test_a_correction_made_twice_ends_at_the_last_one_and_can_be_taken_back(ann, bob, mod):
    match = deals_played(ann, bob, ended=1)
    (scored,) = points(match)
    rulings.correct(match.pk, 1, [30, 0], by=mod, reason=WHY)
    with pytest.raises(Refusal):
        rulings.correct(match.pk, 1, [30, 0], by=mod, reason=WHY)
    match.refresh_from_db()
    assert match.totals == [30, 0] and sums(ann).points_for == 30 and sums(bob).points_against == 30
    nothing_to_correct()
    rulings.take_back_correction(match.pk, 1, by=mod, reason=WHY)
    match.refresh_from_db()
    assert match.totals == scored
    is_its_tape(match)
    nothing_to_correct()
    with pytest.raises(Refusal):
        rulings.take_back_correction(match.pk, 1, by=mod, reason=WHY)


def test_a_correction_is_taken_back_only_while_it_is_the_last_word_about_its_deal(ann, bob, mod):
    match = deals_played(ann, bob, ended=1)
    first = rulings.correct(match.pk, 1, [30, 0], by=mod, reason=WHY)
    second = rulings.correct(match.pk, 1, [0, 20], by=mod, reason=WHY)
    with pytest.raises(Refusal, match="corrected again since"):
        rulings.take_back_correction(match.pk, 1, by=mod, reason=WHY, undoes=first)
    match.refresh_from_db()
    assert match.totals == [0, 20]
    rulings.correct(match.pk, 1, second.details["was"], by=mod, reason=WHY, undoes=second)
    match.refresh_from_db()
    assert match.totals == [30, 0]
    rulings.take_back_correction(match.pk, 1, by=mod, reason=WHY, undoes=first)
    nothing_to_correct()
    is_its_tape(match)


def knocked(match):
    """A deal of gin as it is stacked: both pass, the site draws, who has the cheap hand throws the ten and knocks."""
    for _seat in range(2):
        do(match, mover(match), Pass())
    do(match, mover(match), Knock(card("TH")))
    return on(match)


def test_the_last_hand_of_107_to_92_is_void_and_the_match_is_open_at_80_to_92(ann, bob, mod, monkeypatch):
    stack(monkeypatch, CHEAP, DEAR, up="3D", stock="TH", every=True)
    match = opened(ann, bob, preset="gin", rated=True)
    knocked(match)
    rulings.correct(match.pk, 1, [0, 40], by=mod, reason=WHY)
    assert match.deal_number == 2 and match.status == "running"
    rulings.correct(match.pk, 1, [0, 1], by=mod, reason=WHY)
    knocked(match)
    rulings.correct(match.pk, 1, [0, 80], by=mod, reason=WHY)
    rulings.correct(match.pk, 2, [92, 0], by=mod, reason=WHY)
    match.refresh_from_db()
    assert match.totals == [92, 80] and match.status == "running", "a running deal is played to its end"
    knocked(match)
    rulings.correct(match.pk, 3, [0, 27], by=mod, reason=WHY)
    match.refresh_from_db()
    assert (match.status, match.winners) == ("over", [1])
    assert match.totals == [92 + 0, 107 + 100 + 2 * 25], "game bonus and two boxes for the winner"
    assert (sums(bob).won, sums(ann).lost, sums(bob).points_for) == (1, 1, 107)
    void(match, 3, mod)
    match.refresh_from_db()
    assert (match.status, match.totals, match.winners) == ("running", [92, 80], [])
    assert (sums(bob).won, sums(ann).lost, sums(bob).points_for, sums(bob).deals) == (0, 0, 80, 2)
    assert not match.rating_changes.exists()
    is_its_tape(match)
    nothing_to_correct()
    for wanted in (20, 30):
        rulings.correct(match.pk, 1, [0, wanted], by=mod, reason=WHY)
    with pytest.raises(Refusal):
        rulings.correct(match.pk, 1, [0, 30], by=mod, reason=WHY)
    with pytest.raises(Refusal, match="No deal of this game"):
        rulings.correct(match.pk, 1, [5, 30], by=mod, reason=WHY)
    match.refresh_from_db()
    assert match.totals == [92, 30] and sums(bob).points_for == 30
    on(match)
    assert match.deal_number == 4 and match.deals.get(number=4).sheet["totals"] == [92, 30]
    is_its_tape(match)
    nothing_to_correct()


def won(ann, bob):
    """A rated match that was played to its end."""
    return play_out(deals_played(ann, bob, ended=1, target=40, rated=True))


def test_a_finished_match_is_open_again_when_its_last_deal_is_void_and_all_follows_once(ann, bob, mod):
    match = won(ann, bob)
    assert match.ending == "played" and sums(ann).won + sums(bob).won == 1
    last = match.deal_number
    hands = points(match)[:-1]
    rematch = Match.objects.filter(rematch_of=match)
    void(match, last, mod)
    match.refresh_from_db()
    assert (match.status, match.ending, match.winners, match.ended_at) == ("running", "", [], None)
    assert match.totals == [sum(one[0] for one in hands), sum(one[1] for one in hands)]
    assert not rematch.exists()
    assert sums(ann).won == sums(bob).won == sums(ann).lost == 0
    nothing_to_correct()
    is_its_tape(match)
    assert Notice.objects.get(user=ann, kind="ruled").about == {"what": "voided", "deal": last, "goes_on": True}
    on(match)
    assert match.deal_number == last + 1 and match.due_at is not None and match.turn is not None
    play_out(match)
    assert match.status == "over" and match.totals != hands
    nothing_to_correct()
    is_its_tape(match)
    assert Notice.objects.filter(user=ann, kind="match_over").count() <= 2


def test_a_match_whose_end_stays_is_not_reopened_but_its_winner_may_be_another(ann, bob, mod):
    match = play_out(deals_played(ann, bob, ended=1, **TWO_DEALS))
    assert match.ending == "played"
    loser = 1 - match.winners[0]
    ended = match.ended_at
    rulings.correct(match.pk, 1, [500 if seat == loser else 0 for seat in (0, 1)], by=mod, reason=WHY)
    match.refresh_from_db()
    assert (match.status, match.winners, match.ended_at) == ("over", [loser], ended)
    nothing_to_correct()
    is_its_tape(match)


def test_a_match_of_so_many_deals_plays_one_more_for_the_void_one(ann, bob, mod):
    match = deals_played(ann, bob, ended=1, **TWO_DEALS)
    void(match, 2, mod)
    play_deal(match)
    assert match.status == "over" and match.deal_number == 3
    is_its_tape(match)


def test_an_aborted_match_counts_for_nobody_and_goes_on_when_that_is_taken_back(ann, bob, mod):
    match = deals_played(ann, bob, ended=1, rated=True)
    totals = list(match.totals)
    rulings.abort(match.pk, by=mod, reason=WHY)
    match.refresh_from_db()
    assert (match.status, match.ending, match.winners, match.due_at) == ("over", "aborted", [], None)
    assert (sums(ann).uncounted, sums(ann).won, sums(ann).lost) == (1, 0, 0)
    assert not match.rating_changes.exists()
    is_its_tape(match)
    nothing_to_correct()
    with pytest.raises(Refusal):
        rulings.abort(match.pk, by=mod, reason=WHY)
    rulings.reopen_match(match.pk, by=mod, reason=WHY)
    on(match)
    assert match.status == "running" and match.deal_number == 3 and match.totals == totals
    assert match.deals.get(number=2).outcome["kind"] == "voided"
    is_its_tape(match)
    nothing_to_correct()
    play_deal(match)
    is_its_tape(match)


def test_a_result_can_be_decided_and_the_decision_taken_back_as_if_it_had_not_been(ann, bob, mod):
    match = won(ann, bob)
    before, loser = stored(match), 1 - match.winners[0]
    changes = list(match.rating_changes.order_by("user").values("user", "place", "mu_after", "at"))
    rulings.adjudicate(match.pk, [loser], by=mod, reason=WHY)
    match.refresh_from_db()
    assert (match.ending, match.winners) == ("decided", [loser])
    winner = Seat.objects.get(match=match, index=loser).user
    assert sums(winner).won == 1
    nothing_to_correct()
    is_its_tape(match)
    rulings.reopen_match(match.pk, by=mod, reason=WHY)
    assert {**stored(match), "deals": 0} == {**before, "deals": 0}
    assert list(match.rating_changes.order_by("user").values("user", "place", "mu_after", "at")) == changes
    nothing_to_correct()
    is_its_tape(match)
    with pytest.raises(Refusal, match="played to its end"):
        rulings.reopen_match(match.pk, by=mod, reason=WHY)


def test_a_running_match_is_decided_for_who_stayed(ann, bob, mod):
    match = deals_played(ann, bob, ended=1, rated=True)
    for wrong in ([], [2], [-1]):
        with pytest.raises(Refusal):
            rulings.adjudicate(match.pk, wrong, by=mod, reason=WHY)
    rulings.adjudicate(match.pk, [1], by=mod, reason=WHY)
    match.refresh_from_db()
    assert (match.status, match.ending, match.winners) == ("over", "decided", [1])
    assert sums(bob).won == 1 and sums(ann).lost == 1
    nothing_to_correct()
    is_its_tape(match)


def test_a_match_that_was_left_is_open_again_and_who_left_sits_there_again(ann, bob, mod):
    match = deals_played(ann, bob, ended=1)
    play.resign(match.pk, 0)
    match.refresh_from_db()
    assert match.ending == "resigned"
    with pytest.raises(Refusal):
        rulings.adjudicate(match.pk, [0], by=mod, reason=WHY)
    rulings.reopen_match(match.pk, by=mod, reason=WHY)
    on(match)
    assert match.status == "running" and match.deal_number == 3
    seat = Seat.objects.get(match=match, index=0)
    assert (seat.gone, seat.given_up_at, seat.driven_by_id) == ("", None, seat.user_id)
    is_its_tape(match)
    nothing_to_correct()
    play_deal(match)
    is_its_tape(match)
    nothing_to_correct()


def test_who_sits_there_or_has_a_friend_there_decides_nothing_and_nobody_without_a_reason(ann, bob, mod):
    from django.utils import timezone

    from games.models import Friendship

    match = deals_played(ann, bob, ended=1)
    with pytest.raises(Refusal, match="You sit"):
        rulings.abort(match.pk, by=ann, reason=WHY)
    with pytest.raises(Refusal, match="why"):
        rulings.abort(match.pk, by=mod, reason="  ")
    Friendship.objects.create(asking=bob, asked=mod, at=timezone.now(), accepted_at=timezone.now())
    with pytest.raises(Refusal, match="friend"):
        rulings.abort(match.pk, by=mod, reason=WHY)
    match.refresh_from_db()
    assert (
        match.status == "running" and not AuditEntry.objects.exists() and not match.tape.filter(by="moderator").exists()
    )


def test_each_act_stands_on_the_tape_and_in_the_audit_log_and_is_told_without_a_card(ann, bob, mod):
    match = deals_played(ann, bob, ended=1)
    entry = rulings.void_deal(match.pk, 1, by=mod, reason=WHY)
    again = rulings.count_again(match.pk, 1, by=mod, reason=WHY, undoes=entry)
    assert (entry.by, entry.act, entry.reason, entry.target_id) == (mod, "void_deal", WHY, match.pk)
    assert again.undoes == entry
    acts = match.tape.filter(by=Move.By.MODERATOR)
    assert [(move.seat, move.action) for move in acts] == [
        (None, {"type": "voided", "deal": 1}),
        (None, {"type": "counted", "deal": 1}),
    ]
    told = Notice.objects.filter(kind="ruled", user=bob).order_by("pk")
    assert [one.about for one in told] == [{"what": "voided", "deal": 1}, {"what": "counted", "deal": 1}]
    assert not Notice.objects.filter(user=mod).exists()
