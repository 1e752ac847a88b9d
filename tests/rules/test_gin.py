"""Gin, Oklahoma and Hollywood by tables and short stories (RULES.md sections 2, 3 and 6; FAULTS.md by number).

What the published vectors leave open stands here too: the last discard, sent melds against gin, a tie under a spade,
the shutouts, a tie in Hollywood, who deals next, the lines from which every score can be added up again.
"""

import random
from dataclasses import replace
from typing import Any

import pytest

from games.bots import LEVELS
from games.rules.actions import Action, Discard, DrawStock, LayOff, Meld, Pass, TakeDiscard
from games.rules.cards import card, cards, pack
from games.rules.catalog import find
from games.rules.game import Game
from games.rules.knocking import BigGin, Done, Knock, KnockTable, TakeUpcard
from games.rules.table import Table

from .gin_world import DEFENDER, FAMILY, GIN, KNOCKER, knocked, melds, opened, scored, told, view, won
from .playing import by_bot, cards_of, dealt, game, gin_table, tables, why

SCORED = {"difference", "gin_bonus", "big_gin_bonus", "undercut_bonus", "doubled"}


def test_a33_the_upcard_is_offered_to_the_non_dealer_then_to_the_dealer_then_the_stock_must_be_drawn() -> None:
    table = opened()
    assert (table.phase, table.actor) == ("upcard_offer", 0)
    for action in (DrawStock(), TakeDiscard(), Knock(table.hands[0][0]), Discard(table.hands[0][0])):
        assert why(GIN, table, action) == "wrong_phase"
    table = GIN.apply(table, 0, Pass())
    assert (table.phase, table.actor, table.turns) == ("upcard_offer", 1, 0)
    table = GIN.apply(table, 1, Pass())
    assert (table.phase, table.actor, table.turns) == ("draw", 0, 0)
    assert why(GIN, table, TakeDiscard()) == "must_draw_stock"
    assert GIN.choices(table).actions == (DrawStock(),)
    table = GIN.apply(table, 0, DrawStock())
    table = GIN.apply(table, 0, Discard(table.hand[0]))
    assert (table.phase, table.actor, table.turns) == ("draw", 1, 1)
    assert set(GIN.choices(table).actions) == {DrawStock(), TakeDiscard()}, "only that once"


def test_a33_the_dealer_takes_the_upcard_discards_another_and_the_other_moves() -> None:
    table = GIN.apply(opened(), 0, Pass())
    upcard = table.discards[-1]
    table = GIN.apply(table, 1, TakeUpcard())
    assert (table.phase, table.actor, table.discards) == ("play", 1, ())
    assert why(GIN, table, Discard(upcard), 1) == "same_card_discard"
    other = next(one for one in table.hand if one != upcard)
    table = GIN.apply(table, 1, Discard(other))
    assert (table.phase, table.actor, table.discards) == ("draw", 0, (other,))
    assert set(GIN.choices(table).actions) == {DrawStock(), TakeDiscard()}


def test_who_takes_the_upcard_may_knock_at_once() -> None:
    table = gin_table(GIN, KNOCKER.replace(" 9D", " 2S"), DEFENDER, pile="QD", phase="upcard_offer", turns=0)
    table = GIN.apply(table, 0, TakeUpcard())
    assert why(GIN, table, Knock(card("QD"))) == "same_card_discard"
    assert why(GIN, table, Knock(card("4S"))) == "deadwood_too_high"
    table = gin_table(GIN, "7C 7D 7H 4S 5S 6S JC QC KC KD", DEFENDER, pile="2S", phase="upcard_offer", turns=0)
    table = GIN.apply(GIN.apply(table, 0, TakeUpcard()), 0, Knock(card("KD")))
    assert scored(table)[0] == "knock"


def test_a38_a_pile_that_is_empty_is_seen_as_empty_and_cannot_be_taken() -> None:
    table = GIN.apply(opened(), 0, TakeUpcard())
    for seat in (None, 0, 1):
        assert (view(GIN, table, seat).top, view(GIN, table, seat).pile) == (None, 0)
    assert why(GIN, replace(table, phase="draw"), TakeDiscard()) == "empty_discard"


def test_a35_the_card_just_taken_stays_for_the_turn_whichever_seat_took_it() -> None:
    for seat in (0, 1):
        hands = [KNOCKER, DEFENDER]
        table = gin_table(GIN, *hands, pile="9H", phase="draw", turn=seat)
        taken = GIN.apply(table, seat, TakeDiscard())
        assert why(GIN, taken, Discard(card("9H")), seat) == "same_card_discard"
        assert why(GIN, taken, Discard(taken.hands[seat][0]), seat) is None
        drawn = GIN.apply(replace(table, stock=cards("5D 6D 3H")), seat, DrawStock())
        assert why(GIN, drawn, Discard(card("5D")), seat) is None


@pytest.mark.parametrize("action", [Meld(cards("7C 7D 7H")), LayOff(card("7C"), 0), Done(), Pass(), TakeUpcard()])
def test_gin_shows_no_melds_during_play(action: Any) -> None:
    assert why(GIN, gin_table(GIN, f"{KNOCKER} KD", DEFENDER, pile="3C", drawn="KD"), action) == "wrong_phase"


def test_a30_a32_a_knock_is_offered_for_each_discard_that_allows_it_and_the_view_says_what_remains() -> None:
    table = gin_table(GIN, "2S 3S 4S 7H 7D 7C 9C TC JC KD TH", DEFENDER.replace("TH", "6C"), pile="3C", drawn="TH")
    seen = view(GIN, table, 0)
    assert {a.card for a in seen.legal if isinstance(a, Knock)} == set(cards("KD TH"))
    leaves = dict(dict(seen.own)["leaves"])
    assert (leaves[card("KD")], leaves[card("TH")], leaves[card("2S")]) == (10, 10, 27)
    assert {one for one, left in leaves.items() if left <= dict(seen.facts)["limit"]} == set(cards("KD TH"))
    assert seen.points == 20 and not seen.exhaustive
    assert [" ".join(meld) for meld in dict(seen.own)["melds"]] == ["7C 7D 7H", "9C TC JC", "2S 3S 4S"]
    before = view(GIN, gin_table(GIN, KNOCKER, DEFENDER, pile="3C", phase="draw"), 0)
    assert not any(isinstance(a, Knock) for a in before.legal) and "leaves" not in dict(before.own)


def test_a32_the_knock_of_the_long_run() -> None:
    table = gin_table(GIN, "4S 5S 6S 7S 8S 9S TS 7C 7D KH 2C", "2D 2H 3C 3D 3H JC JD QC QD AC", pile="4C", drawn="2C")
    assert dict(dict(view(GIN, table, 0).own)["leaves"])[card("KH")] == 2
    assert {a.card for a in GIN.choices(table).actions if isinstance(a, Knock)} >= set(cards("KH 2C"))


def test_own_figures_are_for_the_own_seat_alone() -> None:
    table = gin_table(GIN, f"{KNOCKER} KD", DEFENDER, pile="3C", drawn="KD")
    assert dict(view(GIN, table, 1).own).keys() == {"melds"}
    assert view(GIN, table, 1).points == 8 + 8 + 1 + 4
    assert view(GIN, table, None).own == () and view(GIN, table, None).points == 0


@pytest.mark.parametrize(
    "action,reason",
    [
        (Knock(card("KD")), None),
        (Knock(card("4S")), "deadwood_too_high"),
        (Knock(card("2D")), "card_not_in_hand"),
        (Knock(card("KD"), melds("7C 7D 7H;4S 5S 6S;JC QC KC")), None),
        (Knock(card("KD"), melds("7C 7D 7H;7D 5S 6S")), "malformed"),
        (Knock(card("KD"), melds("7C 7D 7S")), "card_not_in_hand"),
        (Knock(card("KD"), melds("7C 7D")), "invalid_meld"),
        (Knock(card("KD"), melds("7C 7D 4S")), "invalid_meld"),
        (Knock(card("KD"), ()), "deadwood_too_high"),
        (Knock(card("7H"), melds("7C 7D 7H;4S 5S 6S")), "invalid_meld"),
        (Knock(card("KD"), melds("7C 7D 7H;4S 5S 6S")), "deadwood_too_high"),
        (Knock(card("7C#2")), "malformed"),
        (BigGin(), "option_off"),
    ],
)
def test_knocks_are_refused_in_the_order_of_the_rules(action: Any, reason: str | None) -> None:
    table = gin_table(GIN, f"{KNOCKER} KD", DEFENDER, pile="3C", drawn="KD")
    assert why(GIN, table, action) == reason


def test_same_card_comes_before_too_much_deadwood() -> None:
    table = gin_table(GIN, f"{KNOCKER} KD", DEFENDER, pile="3C", taken="4S")
    assert why(GIN, table, Knock(card("4S"))) == "same_card_discard"


def test_a_low_hand_may_knock_without_any_meld() -> None:
    table = knocked(GIN, "AC 2D 2H 3S AS", "KC KS QD JH 9S 9D 9H 5C 6H 8D")
    assert told(table)["deadwood 0"] == (9, "AC 2D 2H AS 3S") and scored(table)[0] == "knock"


def test_sent_melds_leave_what_they_leave() -> None:
    knocker = "AC 2C 3C 4C 9D 9H 9S 2H 3D AS"
    best = knocked(GIN, knocker, "KC QH JS 8C 2D 7D 5H 3S 6C TS")
    sent = knocked(GIN, knocker, "KC QH JS 8C 2D 7D 5H 3S 6C TS", sent="AC 2C 3C;9D 9H 9S")
    assert (told(best)["deadwood 0"][0], told(sent)["deadwood 0"][0]) == (6, 10)


def test_sent_melds_never_make_less_of_gin() -> None:
    """Where the ten can be arranged to leave nothing it is gin, even if the melds sent leave far too much."""
    knocker, defender = "AC 2C 3C 4C AD AH 8H 8S 8C 8D", "KC QH JS 7C 2D 2H AS 7D 5H 3S"
    for sent in ("AC 2C 3C 4C;8C 8D 8H 8S", "AC AD AH", "2C 3C 4C"):
        table = knocked(GIN, knocker, defender, sent=sent)
        assert scored(table) == ("gin", (57 + 25, 0))
        assert [" ".join(meld.cards) for meld in table.melds] == ["AC AD AH", "2C 3C 4C", "8C 8D 8H 8S"]
    table = gin_table(GIN, f"{knocker} KD", defender, pile="3C", drawn="KD")
    assert why(GIN, table, Knock(card("KD"), melds("AC AD 2C"))) == "invalid_meld", "even against gin"


def test_the_knock_discard_lies_face_down_and_nobody_sees_it_before_the_end() -> None:
    by_hand = game("gin", auto_layoff=False)
    table = knocked(by_hand, KNOCKER, DEFENDER)
    assert table.face_down == cards("KD") and "KD" not in table.discards
    for seat in (None, 1):
        assert "KD" not in repr(view(by_hand, table, seat))
    over = by_hand.apply(table, 1, Done())
    assert told(over)["face_down 0"] == (0, "KD")


def test_what_the_defender_sees_of_a_knock() -> None:
    by_hand = game("gin", auto_layoff=False)
    table = knocked(by_hand, KNOCKER, DEFENDER)
    seen = view(by_hand, table, 1)
    assert (seen.phase, seen.actor, dict(seen.facts)["knocker"]) == ("layoff", 1, 0)
    assert [" ".join(meld.cards) for meld in seen.melds] == ["7C 7D 7H", "JC QC KC", "4S 5S 6S"]
    assert [" ".join(event.cards) for event in seen.events if event.kind == "knocked"] == ["9D"]
    assert seen.drawn is None and seen.hands == ()


def test_a18_the_knocker_is_paid_the_difference_after_lay_offs() -> None:
    table = knocked(GIN, "4H 5H 6H JS JD JC AS AD AC 4C", "7H 2H 3H JH KS QD 8C 3D 3S 3C", thrown="9D")
    lines = told(table)
    assert lines["laid_off 1"] == (7 + 10 + 3 + 2, "2H 3H 7H JH")
    assert (lines["deadwood 0"][0], lines["deadwood 1"][0]) == (4, 28)
    assert scored(table) == ("knock", (24, 0))


def test_a19_equal_deadwood_gives_the_defender_the_bonus() -> None:
    knocker, defender = "2S 3S 4S 9H 9D 9C JD QD KD 5H", "AC 2C 3C 6S 6H 6D TS TH TC 5D"
    table = knocked(GIN, knocker, defender, thrown="8H")
    assert scored(table) == ("tie", (0, 25))
    for preset, box in (("gin", 0), ("oklahoma-gin", 1), ("hollywood-gin", 1)):
        played = game(preset)
        assert table.outcome is not None
        assert played.book(played.new_sheet(0), table.outcome).boxes == (0, box)  # type: ignore[attr-defined]


def test_a21_nothing_is_laid_off_on_gin() -> None:
    for played in (GIN, game("gin", auto_layoff=False)):
        table = knocked(played, "3H 4H 5H 6H 9S 9D 9C JC QC KC", "7H 9H 2S 2D 2C KD QD AS 4C 8S", thrown="8D")
        assert table.phase == "deal_over" and table.actor == -1
        assert told(table)["deadwood 1"][0] == 49 and "laid_off 1" not in told(table)
        assert scored(table) == ("gin", (74, 0))


def test_lay_offs_by_hand_chain_and_done_arranges_the_rest() -> None:
    by_hand = game("gin", auto_layoff=False)
    table: Table = knocked(by_hand, KNOCKER, "TC 9C 3S TH TS AC 3H AS 3D 7S")
    names = [" ".join(meld.cards) for meld in table.melds]
    run, clubs = names.index("4S 5S 6S"), names.index("JC QC KC")
    assert why(by_hand, table, LayOff(card("9C"), clubs)) == "invalid_layoff", "the ten first"
    assert why(by_hand, table, LayOff(card("9D"), clubs)) == "card_not_in_hand"
    assert why(by_hand, table, LayOff(card("TC"), 3)) == "malformed"
    assert why(by_hand, table, LayOff(card("TC"), clubs), 0) == "not_your_turn"
    for one, meld in (("7S", run), ("TC", clubs), ("9C", clubs)):
        table = by_hand.apply(table, 1, LayOff(card(one), meld))
    assert table.turns == 11 and table.phase == "layoff"
    table = by_hand.apply(table, 1, Done())
    assert told(table)["deadwood 1"] == (22, "AC TH AS TS") and told(table)["melded 1"] == (0, "3D 3H 3S")
    assert table.turns == 11, "a lay-off is no turn"
    assert scored(table) == ("knock", (13, 0))


def test_lay_offs_name_the_melds_in_the_order_in_which_they_were_sent() -> None:
    by_hand = game("gin", auto_layoff=False)
    table = knocked(by_hand, KNOCKER, DEFENDER, sent="4S 6S 5S;JC QC KC;7C 7D 7H")
    assert [" ".join(meld.cards) for meld in table.melds] == ["4S 5S 6S", "JC QC KC", "7C 7D 7H"]


def test_who_has_laid_off_every_card_is_done() -> None:
    by_hand = game("gin", auto_layoff=False)
    table = replace(knocked(by_hand, KNOCKER, "7S 2C"), hands=(cards("9D"), cards("7S")), face_down=cards("KD"))
    run = next(i for i, meld in enumerate(table.melds) if meld.kind == "run" and meld.cards[0].suit == 3)
    assert scored(by_hand.apply(table, 1, LayOff(card("7S"), run))) == ("undercut", (0, 9 + 25))


@pytest.mark.parametrize(
    "upcard,chosen,points",
    [
        ("9S", {}, (0, 50)),
        ("9S", {"spades_double": False}, (0, 25)),
        ("9S", {"undercut_bonus": 10}, (0, 20)),
        ("9H", {}, (0, 25)),
    ],
)
def test_a_tie_under_a_spade_is_doubled_bonus_and_all(upcard: str, chosen: Any, points: tuple[int, int]) -> None:
    played = game("oklahoma-gin", **chosen)
    knocker, defender = "2S 3S 4S 9D 9C 9H JD QD KD 5H", "AC 2C 3C 6S 6H 6D TS TH TC 5D"
    table = knocked(played, knocker, defender, thrown="8H", upcard=upcard)
    assert scored(table) == ("tie", points)
    assert ("doubled 1" in told(table)) == (points[1] != 25 - 15 * ("undercut_bonus" in chosen))


def test_a27_the_limit_is_the_first_upcard_of_the_deal_in_oklahoma_and_ten_in_gin() -> None:
    hand, other = "2S 3S 4S 9H 9D 9C JD QD KD 7H TC", "AC 2C 3C 6S 6H 6C TS TH TD 5D"
    for preset, upcard, chosen, refused in (
        ("gin", "6D", {}, False),
        ("oklahoma-gin", "6D", {}, True),
        ("oklahoma-gin", "KH", {}, False),
        ("oklahoma-gin", "AS", {}, True),
        ("oklahoma-gin", "AS", {"upcard_ace": "one"}, True),
        ("oklahoma-gin", "AS", {"knock_limit": 7}, False),
    ):
        played = game(preset, **chosen)
        table = gin_table(played, hand, other, pile="8S", drawn="TC", upcard=upcard)
        expected = "deadwood_too_high" if refused else None
        assert why(played, table, Knock(card("TC"))) == expected, (preset, upcard)


@pytest.mark.parametrize("upcard,limit,with_one", [("AS", 0, 1), ("6D", 6, 6), ("TD", 10, 10), ("QD", 10, 10)])
def test_oklahoma_shows_the_upcard_and_its_limit_all_deal(upcard: str, limit: int, with_one: int) -> None:
    for chosen, expected in (({}, limit), ({"upcard_ace": "one"}, with_one)):
        played = game("oklahoma-gin", **chosen)
        order = [one for one in pack() if one != upcard]
        order.insert(20, card(upcard))
        table = played.lay_out(played.new_sheet(0), order)
        for _step in range(3):
            facts = dict(view(played, table, None).facts)
            assert (facts["upcard"], facts["limit"], facts["doubled"]) == (upcard, expected, upcard == "AS")
            table = played.apply(table, table.actor, played.idle(view(played, table, table.actor)))
    assert "upcard" not in dict(GIN.facts(opened())), "in gin it is one discard among others"


def test_big_gin_is_named_where_it_is_played_and_beats_gin() -> None:
    hand, other = "AC 2C 3C 4D 5D 6D 8H 8S 8C 8D 7D", "KD QH JS 7C 2D 2H AS 7H 5H 3S"
    played = game("gin", big_gin_bonus=31)
    table = gin_table(played, hand, other, pile="3D", drawn="7D")
    assert BigGin() in played.choices(table).actions
    over = played.apply(table, 0, BigGin())
    assert scored(over) == ("big_gin", (57 + 31, 0)) and over.hands[0] == ()
    assert cards_of(over) == sorted(pack())
    assert scored(played.apply(table, 0, Knock(card("8D")))) == ("gin", (57 + 25, 0))
    assert why(played, replace(table, hands=(cards(hand.replace("7D", "KC")), table.hands[1])), BigGin()) == (
        "deadwood_too_high"
    )


def patient(played: Game[Any], table: Table, rng: random.Random) -> Action:
    """As the easy bot, but often it waits with a knock, so that deals end in all ways."""
    action = by_bot(LEVELS["easy"])(played, table, rng)
    if not isinstance(action, Knock) or table.phase != "play" or rng.random() < 0.15:
        return action
    left = dict(dict(view(played, table, table.turn).own)["leaves"])
    if left[action.card] == 0:
        return action
    return Discard(min(left, key=lambda one: (left[one], one.key)))


@pytest.mark.parametrize("preset", FAMILY)
def test_every_score_can_be_added_up_again_from_its_lines(preset: str) -> None:
    rng, kinds = random.Random(f"lines {preset}"), set()
    for number in range(60):
        played = game(preset, big_gin_bonus=31, auto_layoff=bool(number % 2), last_discard_takeable=bool(number % 3))
        *_, last = tables(played, rng, patient)
        outcome = last.outcome
        assert outcome is not None and isinstance(last, KnockTable)
        kinds.add(outcome.kind)
        for line in outcome.lines:
            if line.what in ("deadwood", "laid_off"):
                assert line.points == sum(map(played.points, line.cards))
        for seat in (0, 1):
            assert outcome.points[seat] == sum(
                line.points for line in outcome.lines if line.what in SCORED and line.seat == seat
            )
        left = {line.seat: line.points for line in outcome.lines if line.what == "deadwood"}
        difference = [line.points for line in outcome.lines if line.what == "difference"]
        assert difference == ([] if outcome.kind == "void" else [abs(left[0] - left[1])])
        shown = [c for line in outcome.lines if line.what in ("melded", "laid_off", "deadwood", "face_down")
                 for c in line.cards]  # fmt: skip
        assert len(shown) == len(set(shown)) == (20 if outcome.kind == "void" else 21)
    assert {"knock", "gin", "undercut"} <= kinds


def test_the_options_of_the_family_are_offered_where_the_rules_say() -> None:
    shared = {
        "target", "turn_cap", "deal_rotation", "knock_limit", "gin_bonus", "undercut_bonus", "big_gin_bonus",
        "tie_counts_box", "game_bonus", "box_bonus", "box_bonus_to", "shutout", "stock_floor",
        "last_discard_takeable", "auto_layoff",
    }  # fmt: skip
    for preset, more in (("gin", set()), ("oklahoma-gin", {"upcard_ace", "spades_double"}), ("hollywood-gin", set())):
        assert {offer.name for offer in find(preset).offers} == shared | more
        options: Any = find(preset).options()
        assert (options.players, options.hand_size, options.match_end, options.deal_cap) == (2, 10, "points", 200)
        assert (options.gin_bonus, options.undercut_bonus, options.big_gin_bonus) == (25, 25, 0)
        assert (options.game_bonus, options.box_bonus, options.box_bonus_to) == (100, 25, "winner")
        assert (options.shutout, options.stock_floor, options.deal_rotation) == ("double_hand_points", 2, "loser")
        assert (options.auto_layoff, options.last_discard_takeable) == (True, False)
        oklahoma = preset == "oklahoma-gin"
        assert options.target == (150 if oklahoma else 100)
        assert options.knock_limit == ("upcard" if oklahoma else 10)
        assert options.spades_double is oklahoma
        assert options.tie_counts_box is (preset != "gin")


def test_a42_fifty_deals_have_ten_cards_each_one_upcard_and_thirty_one_in_the_stock() -> None:
    rng = random.Random("A42 gin")
    for preset in FAMILY:
        played = game(preset, target=10_000)
        sheet = played.new_sheet(0)
        for _deal in range(50):
            table = dealt(played, rng, sheet)
            assert ([len(hand) for hand in table.hands], len(table.discards), len(table.stock)) == ([10, 10], 1, 31)
            assert cards_of(table) == sorted(pack()) and table.turn == 1 - sheet.dealer
            sheet = played.book(sheet, won(rng.randrange(2), 5))
