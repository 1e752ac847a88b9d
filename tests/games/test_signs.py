"""Signs for moderators: each kind is found in a world that has it, and in no honest one."""

from collections import defaultdict
from datetime import timedelta
from random import Random

import pytest

from games import records
from games.moderation.signs import abandoning, helping, sandbagging, sharing, timing, trading
from games.moderation.signs.finding import Finding
from games.moderation.signs.sharing import Signed

from .recorded import dealt
from .signs_world import DAY, NOON, RUMMY, answered, honest, over, thrown

HOUR = timedelta(hours=1)


def names(found: list[Finding]) -> list[tuple[str, int, int | None]]:
    return [(one.kind, one.user, one.other) for one in found]


# Discards that help one neighbour


def a_table(share_of_two: float, others: float = 0.3, matches: int = 12) -> helping.Tallies:
    """1 throws to 2 and to 3, 2 takes from 1 and from 4; so do 3 and 4, and 5 and 6 among themselves."""
    found = helping.tallies()
    thrown(found, 1, 2, share_of_two, matches=range(matches))
    for one, two in ((1, 3), (4, 2), (3, 4), (5, 6), (6, 5)):
        thrown(found, one, two, others, matches=range(100, 100 + matches))
    return found


def test_a_neighbour_whose_discards_are_taken_twice_as_often_as_anybodys_is_found() -> None:
    (found,) = helping.find(a_table(0.7))
    assert (found.kind, found.user, found.other) == ("helping", 1, 2)
    assert (found.n, found.more["thrower"], found.more["taker"], found.more["of_matches"]) == (480, 1, 2, 12)
    assert found.observed > 2 * found.expected > 200 and found.z > 6 and found.sample == 2400


def test_discards_that_help_like_anybodys_are_no_sign_and_three_matches_never_are() -> None:
    assert not helping.find(a_table(0.3))
    assert not helping.find(a_table(0.4))
    assert not helping.find(a_table(0.95, matches=3))


def test_who_takes_everything_from_everybody_is_no_sign() -> None:
    found = a_table(0.7)
    thrown(found, 4, 2, 0.7, matches=range(200, 212))
    del found[4, 2, RUMMY]
    thrown(found, 4, 2, 0.7, matches=range(200, 212))
    assert not helping.find(found)


def test_friends_who_only_ever_play_each_other_have_nothing_to_be_compared_with() -> None:
    found = helping.tallies()
    thrown(found, 1, 2, 0.8, matches=range(30))
    for one in range(3, 9):
        thrown(found, one, one + 1, 0.3, matches=range(30))
    assert not helping.find(found)


# Wins given and in turns


def test_wins_that_two_give_each_other_without_being_behind_are_found() -> None:
    traded = [over(1000 + n, 31, 32, won=31 + n % 2, left=32 - n % 2, level=n < 7) for n in range(12)]
    (found,) = [one for one in trading.find(honest() + traded) if one.kind == "wins_given"]
    assert (found.user, found.other, found.observed, found.n) == (31, 32, 7, 12)
    assert (found.more["given_by_a"], found.more["given_by_b"], found.expected) == (3, 4, pytest.approx(0.36))
    assert found.matches == tuple(range(1006, 999, -1))


def test_who_meets_a_strong_player_forty_times_loses_much_and_gives_nothing() -> None:
    beaten = [over(1000 + n, 1, 32, won=1, left=32 if n % 2 else None) for n in range(40)]
    assert not trading.find(honest() + beaten)


def test_friends_who_play_often_and_sometimes_have_to_go_are_no_sign() -> None:
    rng = Random(5)
    friends = [over(1000 + n, 31, 32, won=rng.choice((31, 32))) for n in range(60)]
    friends += [over(2000 + n, 31, 32, won=31, left=32, level=True) for n in range(4)]
    assert not trading.find(honest() + friends)
    assert not trading.find(honest() + [over(1000 + n, 31, 32, won=31, left=32, level=True) for n in range(3)])


def test_who_leaves_everybody_gives_nobody_anything() -> None:
    quits = [over(1000 + n, 31, 32 + n % 6, won=32 + n % 6, left=31, level=True) for n in range(60)]
    assert not [one for one in trading.find(honest() + quits) if one.kind == "wins_given"]


def test_twenty_wins_all_in_turns_are_found_and_those_of_luck_are_not() -> None:
    turns = [over(1000 + n, 31, 32, won=31 + n % 2) for n in range(20)]
    (found,) = trading.find(honest() + turns)
    assert (found.kind, found.observed, found.n, found.expected) == ("wins_in_turns", 19, 19, 10)
    assert not trading.find(honest() + turns[:19])
    assert not trading.find(honest() + [over(1000 + n, 31, 32, won=31 + n // 2 % 2) for n in range(40)])


# Sandbagging


def thrower(lost: int = 10, won: int = 14, stayed: int = 20) -> list:
    """Somebody who throws matches away, and wins so many of those that he plays out."""
    away = [over(1000 + n, 31, 2 + n % 6, won=2 + n % 6, left=31, level=True) for n in range(lost)]
    return away + [over(2000 + n, 31, 2 + n % 6, won=31 if n < won else 2 + n % 6) for n in range(stayed)]


def test_who_throws_rated_matches_away_and_wins_the_others_is_found() -> None:
    (found,) = sandbagging.find(honest() + thrower(), {31: 140})
    assert (found.user, found.other, found.observed, found.n) == (31, None, 10, 30)
    assert (found.more["stayed"], found.more["won"], found.more["fall"]) == (20, 14, 140)


def test_a_strong_player_a_weak_one_and_one_whose_rating_stands_are_no_sandbaggers() -> None:
    assert not sandbagging.find(honest(), dict.fromkeys(range(30), 200))
    assert not sandbagging.find(honest() + thrower(won=4), {31: 140})
    assert not sandbagging.find(honest() + thrower(), {31: 20})
    assert not sandbagging.find(honest() + thrower(lost=3), {31: 140})


# Timing


def people() -> dict:
    """Twenty who answer like people: a middle of their own, from half of it to twice as long in two of three cases."""
    return {user: answered(user, 400, median=60.0 * user, spread=2.0) for user in range(1, 21)}


def test_answers_that_all_take_equally_long_are_found() -> None:
    (found,) = timing.find(people() | {31: answered(31, 400, median=2.0, spread=1.04)})
    assert (found.user, found.n, found.more["hours"]) == (31, 400, 24)
    assert found.observed > 380 and found.expected < 80 and 1900 < found.more["median_ms"] < 2100


def test_quick_answers_of_somebody_by_correspondence_are_no_sign_and_few_never_are() -> None:
    assert not timing.find(people() | {31: answered(31, 2000, median=12.0, spread=1.6)})
    assert not timing.find(people() | {31: answered(31, 150, median=2.0, spread=1.04)})


def test_what_a_standing_order_or_a_bot_did_is_no_answer() -> None:
    step = {"events": [{"kind": "drew", "seat": 0, "turn": 0}], "action": {"type": "draw_stock"}}
    steps = [
        {"n": n, "seat": n % 2, "by": by, "at": (NOON + n * HOUR).isoformat()} | step
        for n, by in enumerate(["user", "user", "bot", "user", "user"])
    ]
    assert [(seat, one.took) for seat, one in timing.answers({"steps": steps}, 7, {3})] == [(1, 3600.0), (0, 3600.0)]


# Shared devices


def signed(user: int, place: str, browser: str) -> Signed:
    return Signed(user, place, place + browser)


def test_two_accounts_with_one_device_that_play_each_other_are_found_and_no_address_is_told() -> None:
    matches = [over(1000 + n, 31, 32, won=31) for n in range(9)]
    both = [signed(31, "home", "Firefox"), signed(32, "home", "Firefox"), signed(31, "work", "Chrome")]
    (found,) = sharing.find(both, honest() + matches)
    assert (found.user, found.other, found.observed, found.more) == (
        31,
        32,
        9,
        {"devices": 1, "places": 1, "rated": 9},
    )
    assert "home" not in str(found.numbers())


def test_a_family_a_school_and_friends_on_a_visit_are_no_sign() -> None:
    matches = [over(1000 + n, 31 + n % 3, 34, won=34) for n in range(30)]
    family = [signed(31 + n, "home", browser) for n, browser in enumerate(["Firefox", "Chrome", "Safari", "iPad"])]
    school = [signed(30 + n, "school", "Chrome") for n in range(7)]
    assert not sharing.find(family, honest() + matches)
    assert not sharing.find(school, honest() + matches)
    visit = [signed(31, "home", "iPad"), signed(32, "home", "iPad")]
    assert not sharing.find(visit, honest() + [over(1000 + n, 31, 32) for n in range(3)])
    for_fun = [over(1000 + n, 31, 32, rated=False) for n in range(30)]
    assert not sharing.find(visit, honest() + for_fun)


# Abandoning


def abandoner(matches: int = 12, every: int = 5) -> list:
    return [over(1000 + n * every, 31, 2 + n % 7, left=31, absent=n % 2 == 0) for n in range(matches)]


def test_who_leaves_matches_to_the_clock_again_and_again_is_found() -> None:
    (found,) = abandoning.find(honest() + abandoner(16))
    assert (found.user, found.other, found.observed, found.n) == (31, None, 8, 16)
    assert found.more == {"times": 8, "opponents": 7} and found.expected == pytest.approx(0.8)


def test_who_fell_ill_and_lost_all_at_once_and_who_resigns_are_no_abandoners() -> None:
    ill = [over(1000, 31, 2 + n % 9, left=31, absent=True) for n in range(12)]
    assert not abandoning.find(honest() + ill)
    resigns = [over(1000 + 5 * n, 31, 2 + n % 9, left=31) for n in range(20)]
    assert not abandoning.find(honest() + resigns)
    assert not abandoning.find(honest() + abandoner(6))


# No false alarms


def test_in_honest_matches_of_bots_nothing_is_found(full: bool) -> None:
    """Players with a table, an opponent and a time of their own, all played by bots: no kind of sign."""
    rng, matches = Random(11), 300 if full else 40
    discards, given, played = helping.tallies(), defaultdict(list), []
    for number in range(matches):
        preset, seats = rng.choice((("gin", 2), ("basic-rummy", 3)))
        users = rng.sample(range(1, 9), seats)
        at, won = NOON + number * DAY / 4, rng.choice(users)
        for deal_number in range(3):
            match, deal, cuts, moves = dealt(preset, 10 * number + deal_number, seats)
            for move in moves:
                took = 40 * users[(move.seat or 0) % seats] * 2 ** rng.gauss(0, 1)
                at += timedelta(seconds=took)
                move.at = at
            record = records.told_by(match, deal, cuts, moves)
            helping.add(discards, record, dict(enumerate(users)), number, (preset, seats))
            for seat, answer in timing.answers(record, number, set()):
                given[users[seat]].append(answer)
        played.append(over(number, *users, won=won))
    assert sum(tally.thrown for tally in discards.values()) > 8 * matches
    found = helping.find(discards) + trading.find(played) + sandbagging.find(played, {}) + timing.find(given)
    assert names(found + abandoning.find(played)) == []
