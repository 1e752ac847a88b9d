"""Cases of FAULTS.md about results and the log that no other test holds exactly as they are written there (B21, B23,
B25, B33). What a moderator voids is tested where that is done.
"""

import pytest

from games import absence, counting, play, tape, vacations
from games.models import Match, Move, RatingChange
from games.rules import codec

from .playing import mover, opened, play_on, seat_of
from .seasons import played
from .test_faults_time import overdue, plain_turn
from .test_ratings import after_one_deal, mu

SHORT = {"match_end": "deals", "hand_size": 3, "turn_cap": 10}
"""A match of a few turns."""

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]


def told(match):
    """What a match counts for whom."""
    match.refresh_from_db()
    return {one.user_id: one for one in counting.standings(match, list(match.seats.order_by("index")))}


# --- B21: what is eligible


def test_b21_matches_with_bots_count_apart_and_move_no_rating(ann, bob):
    alone = play_on(opened(ann, bots=1, pace="none", deals=1, **SHORT))
    mixed = play_on(opened(ann, bob, bots=1, deals=1, **SHORT))
    for match, users in ((alone, {ann.pk}), (mixed, {ann.pk, bob.pk})):
        assert set(told(match)) == users
        assert all(one.with_bots for one in told(match).values())
    assert not RatingChange.objects.exists()


def test_b21_two_accounts_that_break_a_match_off_in_its_first_turn_get_nothing_by_it(ann, bob):
    match = opened(ann, bob, rated=True)
    play.resign(match.pk, seat_of(match, mover(match)).index)

    assert told(match) == {}
    assert not RatingChange.objects.exists()


def test_b21_of_two_persons_never_both_go_up(ann, bob):
    play_on(opened(ann, bob, deals=1, rated=True, **SHORT))
    assert not (mu(ann) > 25 and mu(bob) > 25)


# --- B23: every way to end books a result once


@pytest.mark.parametrize("way", ["resigned", "given_up"])
def test_b23_who_leaves_at_12_to_88_has_lost_once_and_the_log_says_why(ann, bob, way):
    match = after_one_deal(opened(ann, bob, target=100, turn_cap=10, rated=True))
    deal = match.deals.get(number=2)
    deal.sheet |= {"totals": [12, 88]}
    deal.save()
    Match.objects.filter(pk=match.pk).update(totals=[12, 88])
    tape._kept.clear()
    if way == "resigned":
        play.resign(match.pk, 0)
        with pytest.raises(play.Stale):
            play.resign(match.pk, 0)
        match.refresh_from_db()
    for _turn in range(5):
        if match.status == "running":
            overdue(match) if mover(match) == ann else plain_turn(match, bob)

    assert match.totals == [12, 88]
    assert {user: one.how for user, one in told(match).items()} == {ann.pk: way, bob.pk: "won"}
    assert match.tape.filter(action__type=way, seat=0).count() == 1
    assert RatingChange.objects.filter(match=match).count() == 2
    assert mu(bob) > 25 > mu(ann)


def test_b23_at_a_table_of_four_the_others_go_on(ann, bob, cat, dan):
    match = opened(ann, bob, cat, dan, deals=2, **SHORT)
    while match.deal_number < 2:
        play_on(match, turns=1)
    for _twice in range(2):
        play.resign(match.pk, seat_of(match, ann).index)
    match.refresh_from_db()

    assert match.status == "running"
    assert match.tape.filter(action__type="resigned").count() == 1
    play_on(match)
    how = {user: one.how for user, one in told(match).items()}
    assert how[ann.pk] == "resigned"
    assert set(how) == {ann.pk, bob.pk, cat.pk, dan.pk}
    assert {"won", "shared"} & {how[bob.pk], how[cat.pk], how[dan.pk]}


# --- B25: totals are derived


def test_b25_the_totals_of_a_match_are_what_its_deals_come_to(ann, bob):
    match = played(ann, bob, target=20, turn_cap=12)
    assert match.status == "over"
    game, sheet = match.game(), None
    for deal in match.deals.order_by("number"):
        begun = codec.decode_sheet(deal.sheet, game.sheet_kind)
        assert sheet is None or begun == sheet
        sheet = game.book(begun, codec.decode_outcome(deal.outcome))

    assert list(sheet.standing) == match.totals
    assert list(sheet.winners) == match.winners


# --- B33: the log alone tells the match, at every step


def retold(match):
    """The deal in progress from its moves alone, and who drives the seats by what the tape says of them."""
    deal = match.deals.get(number=match.deal_number)
    now = tape.begin(match, deal, tape.cuts_of(match))
    for move in Move.objects.filter(deal=deal, number__lte=match.moves).order_by("number"):
        now = tape.follow(deal, now, move)
    drivers = [("user", "")] * match.seats.count()
    kinds = {"resigned": ("bot", "resigned"), "given_up": ("bot", "given_up"), "taken_back": ("user", "")}
    for move in Move.objects.filter(match=match, action__type__in=kinds).order_by("number"):
        drivers[move.seat] = kinds[move.action["type"]]
    return now, drivers


def test_b33_a_match_with_resignation_timeout_and_vacation_is_rebuilt_from_its_log_at_every_step(ann, bob, cat, dan):
    match = opened(ann, bob, cat, dan, target=10_000)
    steps = []

    def check():
        play.drive(match.pk)
        match.refresh_from_db()
        now, drivers = retold(match)
        kept = tape.read(match, match.deals.get(number=match.deal_number))
        assert (now.table, now.sheet, now.asides) == (kept.table, kept.sheet, kept.asides)
        assert now.table.actor == match.turn
        assert drivers == [(seat.driver, seat.gone) for seat in match.seats.order_by("index")]
        steps.append(match.moves)

    gone = mover(match)
    overdue(match)
    check()
    with_days_off = next(one for one in (ann, bob, cat, dan) if one != gone)
    vacations.plan(with_days_off, vacations.today_of(with_days_off), vacations.today_of(with_days_off))
    check()
    leaver = next(one for one in (ann, bob, cat, dan) if one not in (gone, with_days_off, mover(match)))
    play.resign(match.pk, seat_of(match, leaver).index)
    check()
    while (user := mover(match)) != gone:
        plain_turn(match, user)
        check()
    overdue(match)
    check()
    absence.take_back(match.pk, gone)
    check()
    acts = set(match.tape.values_list("action__type", flat=True))
    assert {"vacation_began", "resigned", "given_up", "taken_back"} <= acts
    assert len(steps) == len(set(steps))
