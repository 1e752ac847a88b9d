"""What a deal and a match of rummy come to, who deals next, and what each seat sees of it."""

import random
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from games.rules.actions import Action, DrawStock, TakeDiscard
from games.rules.cards import cards, pack
from games.rules.game import Game
from games.rules.table import DEALER, Outcome, Table
from games.rules.variants.rummy import Rummy
from games.rules.view import see

from .playing import RUMMY_TABLES, cards_of, dealt, game, rummy_table, sampled, stepped, tables
from .rummy_world import BASIC, OWN_MELD, done, ended, lay, meld, throw


def test_held_melds_count_in_full_and_only_the_winner_scores() -> None:
    played = game("solitaired-rummy", 4)
    table = rummy_table(played, "AS KD 5C", "2C", "QC QH QS", "", pile="4C", drawn="2C", turn=1, first_play=(-1,) * 4)
    outcome = ended(done(played, table, throw("2C")))
    assert (outcome.kind, outcome.scorer, outcome.points) == ("out", 1, (0, 46, 0, 0))
    assert [(line.what, line.seat, line.points, line.cards) for line in outcome.lines] == [
        ("left", 0, 16, cards("AS KD 5C")),
        ("left", 2, 30, cards("QC QH QS")),
    ]


@pytest.mark.parametrize(
    "ace,value,points",
    [
        ("low", "auto", 1),
        ("low_or_high", "auto", 15),
        ("wrap", "auto", 15),
        *((ace, value, value) for ace, value in product(("low", "low_or_high", "wrap"), (1, 11, 15))),
    ],
)
def test_what_an_ace_counts(ace: str, value: str | int, points: int) -> None:
    played = game("basic-rummy", 2, ace=ace, ace_value=value)
    assert [played.points(one) for one in cards("AS 2S 9S TS JS QS KS")] == [points, 2, 9, 10, 10, 10, 10]
    table = rummy_table(played, "2C", "AS KD", pile="4C", drawn="2C", melds=[(0, "7H 8H 9H")])
    assert ended(done(played, table, throw("2C"))).points == (points + 10, 0)


BLOCKED = [
    ("none", ["KC", "4D", "QS 2C"], (0, 0, 0)),
    ("opponents_total", ["KC", "4D", "QS 2C"], (16, 22, 14)),
    ("lowest_hand", ["KC", "4D", "QS 2C"], (0, 14, 0)),
    ("lowest_hand", ["4C", "4D", "QS 2C"], (0, 0, 0)),  # two share the lowest hand
    ("lowest_hand", ["KC", "KD", "QS"], (0, 0, 0)),  # all do
    ("lowest_hand", ["KC", "KD", "2S"], (0, 0, 16)),  # the others being equal is no tie
    ("opponents_total", ["4C", "4D", "QS 2C"], (16, 16, 8)),
]


@pytest.mark.parametrize("scoring,hands,points", BLOCKED)
def test_a_blocked_deal_is_scored_alike_for_an_empty_stock_and_the_cap(
    scoring: str, hands: list[str], points: tuple[int, ...]
) -> None:
    for why_blocked in ("stock_out", "turn_cap"):
        played = game("basic-rummy", 3, blocked_scoring=scoring, stock_recycle="none", turn_cap=10)
        table = rummy_table(
            played,
            *(f"{hand} 9H" if seat == 2 else hand for seat, hand in enumerate(hands)),
            pile="3C",
            stock="" if why_blocked == "stock_out" else "5C",
            turn=2,
            drawn="9H",
            turns=29 if why_blocked == "turn_cap" else 10,
        )
        outcome = ended(done(played, table, throw("9H")))
        assert (outcome.kind, outcome.scorer, outcome.points) == ("blocked", None, points)
        assert outcome.marks == {why_blocked}
        left = [line for line in outcome.lines if line.what == "left"]
        assert [line.points for line in left] == [sum(map(played.points, cards(hand))) for hand in hands]
        more = [line for line in outcome.lines if line.what != "left"]
        if scoring == "opponents_total":
            assert [(line.what, line.seat, line.points) for line in more] == [
                ("others", s, points[s]) for s in range(3)
            ]
        else:
            assert {line.what for line in more} <= {"difference"}
            assert sum(line.points for line in more) == sum(points)
            assert all(points[line.seat or 0] == 0 for line in more)
        assert played.book(played.new_sheet(0), outcome).totals == points


def test_a_blocked_deal_is_never_doubled() -> None:
    played = game("basic-rummy", 2, blocked_scoring="opponents_total", rummy_bonus="concealed", stock_recycle="none")
    table = rummy_table(played, "2C 9H", "KD", pile="3C", stock="", drawn="9H")
    assert ended(done(played, table, throw("9H"))).points == (10, 2)


@pytest.mark.parametrize("preset,seats", [("solitaired-rummy", 4), ("basic-rummy", 6), ("android-rummy", 2)])
def test_the_cap_of_turns_blocks_the_deal_at_the_last_turn_and_not_before(preset: str, seats: int) -> None:
    for cap in (10, 50):
        played = game(preset, seats, turn_cap=cap)
        held = [f"{r}C {r}D" for r in "23456789"[:seats]]
        for turns, kind in ((cap * seats - 2, None), (cap * seats - 1, "blocked")):
            table = rummy_table(played, *held, pile="KC", drawn="2D", turns=turns)
            after = done(played, table, throw("2C"))
            assert (after.outcome and after.outcome.kind) == kind
            assert after.turns == turns + 1


def test_going_out_on_the_last_turn_counts_and_the_cap_comes_before_the_stock_rule() -> None:
    played = game("basic-rummy", 2, turn_cap=10)
    out = rummy_table(played, "2C", "KD", pile="3C", drawn="2C", turns=19)
    assert ended(done(played, out, throw("2C"))).kind == "out"
    dry = rummy_table(played, "2C 2D", "KD", pile="3C 4C", stock="", drawn="2C", turns=19)
    after = done(played, dry, throw("2C"))
    assert ended(after).marks == {"turn_cap"} and after.phase == "deal_over" and after.recycles == 0


def points_of(*deals: tuple[int, ...]) -> list[Outcome]:
    return [Outcome("out", None, points) for points in deals]


def test_the_cap_of_deals_ends_a_match_that_nobody_wins() -> None:
    for deals, winners in (
        ([(5, 0), (0, 3), (0, 0)], (0,)),
        ([(5, 0), (0, 5), (0, 0)], (0, 1)),
        ([(0, 0), (0, 0), (0, 0)], (0, 1)),
    ):
        played = Rummy(replace(BASIC.options, deal_cap=3))
        sheet = played.new_sheet(0)
        for outcome in points_of(*deals):
            assert not sheet.over and sheet.winners == ()
            sheet = played.book(sheet, outcome)
        assert (sheet.over, sheet.capped, sheet.winners, sheet.played) == (True, True, winners, 3)


def test_the_cap_of_deals_is_two_hundred() -> None:
    sheet = BASIC.new_sheet(0)
    for number in range(200):
        assert not sheet.over and sheet.deal == number + 1
        sheet = BASIC.book(sheet, Outcome("blocked", None, (0, 0)))
    assert sheet.over and sheet.capped and sheet.played == 200


def test_the_cap_of_deals_ends_a_tie_at_the_target_too() -> None:
    played = Rummy(replace(BASIC.options, deal_cap=2, target=20))
    sheet = played.book(played.new_sheet(0), points_of((20, 20))[0])
    assert not sheet.over
    sheet = played.book(sheet, points_of((5, 5))[0])
    assert (sheet.over, sheet.winners) == (True, (0, 1))


@pytest.mark.parametrize(
    "chosen,deals,winners",
    [
        ({"target": 100}, [(99, 0)], None),
        ({"target": 100}, [(100, 0)], (0,)),
        ({"target": 100}, [(60, 0), (0, 110)], (1,)),
        ({"target": 100}, [(100, 100)], None),
        ({"target": 100, "tie_break": "shared"}, [(100, 100)], (0, 1)),
        ({"target": 100}, [(100, 100), (0, 0)], None),
        ({"target": 100}, [(100, 100), (0, 1)], (1,)),
        ({"target": 100, "tie_break": "shared"}, [(90, 90)], None),
        ({"match_end": "deals", "deals": 2}, [(500, 0)], None),
        ({"match_end": "deals", "deals": 2}, [(500, 0), (0, 0)], (0,)),
        ({"match_end": "deals", "deals": 2}, [(5, 0), (0, 5)], None),
        ({"match_end": "deals", "deals": 2}, [(5, 0), (0, 5), (0, 0)], None),
        ({"match_end": "deals", "deals": 2}, [(5, 0), (0, 5), (0, 1)], (1,)),
        ({"match_end": "deals", "deals": 2, "tie_break": "shared"}, [(5, 0), (0, 5)], (0, 1)),
        ({"match_end": "deals", "deals": 1}, [(0, 0)], None),
        ({"match_end": "points", "deals": 1, "target": 10}, [(5, 0)], None),  # deals mean nothing here
        ({"match_end": "deals", "deals": 3, "target": 10}, [(50, 0)], None),  # nor the target here
    ],
)
def test_when_a_match_is_over(
    chosen: dict[str, Any], deals: list[tuple[int, int]], winners: tuple[int, ...] | None
) -> None:
    played = game("basic-rummy", 2, **chosen)
    sheet = played.new_sheet(0)
    for number, outcome in enumerate(points_of(*deals), 1):
        assert not sheet.over
        sheet = played.book(sheet, outcome)
        assert (sheet.played, sheet.deal) == (number, number + 1)
    assert (sheet.over, sheet.winners, sheet.capped) == (winners is not None, winners or (), False)
    assert sheet.totals == tuple(map(sum, zip(*deals, strict=True)))


@pytest.mark.parametrize("preset,seats", RUMMY_TABLES)
def test_the_deal_moves_on_clockwise_after_every_kind_of_deal(preset: str, seats: int) -> None:
    """FAULTS.md A64: out by any seat, blocked by the stock, blocked by the cap."""
    played = game(preset, seats)
    outs = [Outcome("out", s, tuple(10 * (s == t) for t in range(seats))) for s in range(seats)]
    blocked = [Outcome("blocked", None, (0,) * seats, marks=frozenset({why})) for why in ("stock_out", "turn_cap")]
    for outcome, dealer in product([*outs, *blocked], range(seats)):
        sheet = played.book(played.new_sheet(dealer), outcome)
        assert sheet.dealer == (dealer + 1) % seats
        assert dealt(played, random.Random(1), sheet).turn == (dealer + 2) % seats


def test_three_players_start_in_turn() -> None:
    """FAULTS.md A64: dealer seat 0; the first to act is seat 1, then 2, then 0."""
    played = game("basic-rummy", 3)
    sheet, first = played.new_sheet(0), []
    for _deal in range(3):
        table = dealt(played, random.Random(1), sheet)
        assert table.dealer == sheet.dealer
        first.append(table.actor)
        sheet = played.book(sheet, Outcome("out", 0, (5, 0, 0)))
    assert first == [1, 2, 0]


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    played = game("basic-rummy", 3)
    table = played.deal(played.new_sheet(1), range(52))
    ordered = pack()
    assert table.hands[2] == tuple(ordered[0:21:3])
    assert table.hands[0] == tuple(ordered[1:21:3])
    assert table.hands[1] == tuple(ordered[2:21:3])
    assert table.discards == (ordered[21],) and table.stock == tuple(ordered[22:])
    assert (table.turn, table.phase, table.turns, table.recycles, table.orders) == (2, "draw", 0, 0, 0)
    assert [(e.kind, e.seat, e.cards) for e in table.events] == [("upcard", 1, (ordered[21],))]


SIZES = {
    "solitaired-rummy": {2: 7, 3: 7, 4: 7},
    "basic-rummy": {2: 10, 3: 7, 4: 7, 5: 6, 6: 6},
    "android-rummy": {2: 10},
}


@pytest.mark.parametrize("preset,seats", RUMMY_TABLES)
def test_fifty_deals_of_a_match_have_hands_of_the_right_size_and_every_card_once(preset: str, seats: int) -> None:
    """FAULTS.md A42."""
    played = game(preset, seats, match_end="deals", deals=50)
    rng, sheet = random.Random(f"fifty {preset} {seats}"), played.new_sheet(0)
    for _deal in range(50):
        table = dealt(played, rng, sheet)
        assert [len(hand) for hand in table.hands] == [SIZES[preset][seats]] * seats
        assert len(table.stock) == 52 - 1 - seats * SIZES[preset][seats]
        for _step in range(6):
            if table.outcome is None:
                _action, table = stepped(played, table, rng)
            assert cards_of(table) == sorted(pack())
        sheet = played.book(sheet, Outcome("blocked", None, (0,) * seats))


def test_a_table_that_was_given_out_cannot_be_changed() -> None:
    """FAULTS.md A42: what a caller does to a table or a sheet does not change the game."""
    table, sheet = dealt(BASIC, random.Random(1)), BASIC.new_sheet(0)
    for value, field in ((table, "hands"), (table, "turn"), (sheet, "totals"), (BASIC.options, "target")):
        with pytest.raises(AttributeError):
            setattr(value, field, 0)
    zones = table.zones()
    assert isinstance(zones, dict)
    zones["stock"] = ()
    assert table.zones()["stock"] == table.stock != ()


def idles(game: Game[Any], table: Table) -> Action:
    return game.idle(see(game, table, game.new_sheet(0), table.turn))


def test_an_overdue_seat_draws_and_throws_the_card_drawn() -> None:
    table = rummy_table(BASIC, "KD 2C", "3C 3D", pile="KS", stock="5D 6D", phase="draw")
    assert idles(BASIC, table) == DrawStock()
    table = done(BASIC, table, DrawStock())
    assert idles(BASIC, table) == throw("5D")


def test_an_overdue_seat_that_took_a_card_throws_the_dearest_other_and_of_equal_ones_the_lowest() -> None:
    table = rummy_table(BASIC, "QS KD TH 2C 9D JC", "3C 3D", taken="JC")
    assert idles(BASIC, table) == throw("KD")
    aces = game("basic-rummy", 2, ace="wrap")
    table = rummy_table(aces, "QS AH TH 2C KC", "3C 3D", taken="KC")
    assert idles(aces, table) == throw("AH")


def test_an_overdue_seat_whose_drawn_card_has_gone_throws_the_dearest() -> None:
    table = rummy_table(BASIC, "7H 8H 9H QS 2C", "3C 3D", pile="4C", drawn="9H")
    table = done(BASIC, table, meld("7H 8H 9H"))
    assert idles(BASIC, table) == throw("QS")


def test_an_overdue_seat_lays_off_the_taken_card_that_nothing_else_can_place() -> None:
    table = rummy_table(BASIC, "TH JH", "3C", pile="4C", taken="JH", melds=[(1, "7H 8H 9H")])
    table = done(BASIC, table, lay("TH"))
    assert idles(BASIC, table) == lay("JH")


def test_a_short_memory_shows_what_happened_since_the_seats_previous_turn() -> None:
    table = rummy_table(BASIC, "KD 2C", "3C 4D", pile="9D", stock="5C 6C 7C 8C", phase="draw", turns=0)
    table = done(BASIC, table, DrawStock(), throw("KD"), TakeDiscard(), throw("3C"), DrawStock(), throw("2C"))

    def past(viewer: int | None, memory: str) -> list[tuple[str, int]]:
        view = see(BASIC, table, BASIC.new_sheet(0), viewer, memory)
        return [(e.kind, e.turn) for e in view.events]

    everything = [("drew", 0), ("discarded", 0), ("took", 1), ("discarded", 1), ("drew", 2), ("discarded", 2)]
    assert table.turn == 1
    for viewer in (0, 1, None):
        assert past(viewer, "all") == everything
    assert past(1, "none") == everything[2:]
    assert past(0, "none") == everything[4:]
    assert past(None, "none") == everything[4:], "a watcher sees the least of any seat"
    assert past(0, "discards") == [everything[1], everything[3], *everything[4:]]
    table = done(BASIC, table, DrawStock())
    assert past(1, "none") == [*everything[2:], ("drew", 3)], "the turn in progress is not the previous one"


def test_a_seat_that_has_had_no_turn_sees_the_deal_from_its_start() -> None:
    table = dealt(BASIC, random.Random(1))
    assert [e.kind for e in see(BASIC, table, BASIC.new_sheet(0), 0, "none").events] == ["upcard"]
    table = done(BASIC, table, DrawStock())
    assert [e.kind for e in see(BASIC, table, BASIC.new_sheet(0), 1, "none").events] == ["upcard", "drew"]


def test_a_deal_that_is_over_shows_all_hands_and_the_whole_past() -> None:
    for table in tables(BASIC, random.Random(5)):
        view = see(BASIC, table, BASIC.new_sheet(0), None, "none")
        if table.outcome is None:
            assert view.hands == () and view.outcome is None
    assert view.hands == table.hands and view.outcome == table.outcome
    assert len(view.events) == len(table.events)
    assert (table.drawn, table.taken, view.actor, view.legal) == (None, None, DEALER, ())


def test_public_facts_say_who_has_melded_and_how_often_the_stock_came_back() -> None:
    table = rummy_table(OWN_MELD, "7H 8H 9H KD 2C", "3C 4D", pile="9D", drawn="2C", recycles=1)
    assert dict(OWN_MELD.facts(table)) == {"recycles": 1, "owners": ()}
    assert dict(OWN_MELD.facts(done(OWN_MELD, table, meld("7H 8H 9H")))) == {"recycles": 1, "owners": (0,)}


def test_sampled_options_reach_every_value() -> None:
    """The laws are no stronger than the options that they are tried with."""
    seen: dict[str, set[Any]] = {}
    for seed in range(400):
        for name, value in sampled("basic-rummy", 4, random.Random(seed)).items():
            seen.setdefault(name, set()).add(value)
    for offer in ("ace", "stock_recycle", "blocked_scoring", "rummy_bonus"):
        assert len(seen[offer]) == 3
    assert len(seen["hand_size"]) == 10 and seen["max_melds_per_turn"] == {None, 1}
