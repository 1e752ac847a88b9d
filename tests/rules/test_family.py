"""The shared parts hold for the whole family, proved by a small game that exists only here.

Four Corners: two packs and four jokers, jokers wild, two sides of two seats, penalty points, a fixed number of deals.
Its own code is what differs from the frame; nothing of it is in the catalog.
"""

import json
import random
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest

from games.rules import codec
from games.rules.actions import Action, Discard, DrawStock, LayOff, Meld, TakeDiscard
from games.rules.cards import JOKER, Card, card, cards
from games.rules.errors import Illegal
from games.rules.game import Game
from games.rules.melds import Melded, Shape, fits, grown, least_deadwood, natural_melds, new_meld, shape_of
from games.rules.options import Options
from games.rules.sheet import Sheet
from games.rules.table import Event, Line, Outcome, Table
from games.rules.view import TableView, see

from .playing import anything, cards_of, random_order, tables, why


@dataclass(frozen=True, slots=True)
class ColumnSheet(Sheet):
    """Keeps, besides the totals, how many deals each side had nothing to pay for."""

    clean: tuple[int, ...] = (0, 0)


@dataclass(frozen=True, slots=True)
class CornersTable(Table):
    """Keeps how many wild cards have been put down."""

    wilds: int = 0


class FourCorners(Game[Options]):
    """Draw, meld, lay off, discard; when somebody is out, each side pays for the cards that it still holds."""

    name = "four-corners"
    grammar: ClassVar = {"draw": (DrawStock, TakeDiscard), "play": (Meld, LayOff, Discard)}
    lowest_wins = True
    decks = 2
    jokers = 4

    def shape_for(self, options: Options) -> Shape:
        return Shape(ace="low_or_high", set_max=None, distinct_suits=False, wild=frozenset({0}))

    def sides(self) -> tuple[tuple[int, ...], ...]:
        return ((0, 2), (1, 3))

    def points(self, card: Card) -> int:
        return 50 if card.face == JOKER else Game.points(self, card)

    def new_sheet(self, first_dealer: int) -> Sheet:
        return ColumnSheet(sides=self.sides(), totals=(0, 0), dealer=first_dealer)

    def book(self, sheet: Sheet, outcome: Outcome) -> Sheet:
        booked = Game.book(self, sheet, outcome)
        assert isinstance(booked, ColumnSheet)
        paid = [sum(outcome.points[seat] for seat in side) for side in sheet.sides]
        return replace(booked, clean=tuple(n + (p == 0) for n, p in zip(booked.clean, paid, strict=True)))

    def empty_table(self, sheet: Sheet, hands: tuple[tuple[Card, ...], ...]) -> Table:
        bare = Game.empty_table(self, sheet, hands)
        return CornersTable(hands=hands, stock=(), discards=(), dealer=bare.dealer, turn=bare.turn)

    def may_discard(self, table: Table, card: Card) -> None:
        if card == table.taken:
            raise Illegal("same_card_discard", card)

    def can_finish(self, table: Table, action: Action) -> None:
        if isinstance(action, Meld | LayOff) and table.hand == (table.taken,):
            raise Illegal("stranded", *table.hand)

    def goes_on(self, table: Table) -> Table:
        if not table.hand or not table.stock:
            kind = "out" if not table.hand else "stock"
            points = tuple(sum(map(self.points, hand)) for hand in table.hands)
            lines = tuple(Line("left", seat, paid, table.hands[seat]) for seat, paid in enumerate(points))
            outcome = Outcome(kind, table.turn if kind == "out" else None, points, lines)
            told = (*table.events, Event(kind, table.turn, table.turns))
            return replace(table, phase="deal_over", outcome=outcome, events=told, drawn=None, taken=None)
        return replace(table, turn=(table.turn + 1) % table.seats, phase="draw", drawn=None, taken=None)

    def idle(self, view: TableView) -> Action:
        return next(a for a in view.legal if isinstance(a, DrawStock | Discard))


GAME = FourCorners(Options(players=4, hand_size=11, match_end="deals", deals=3, tie_break="shared"))
WILD = GAME.shape


def corners(hand: str, **more: Any) -> CornersTable:
    """A table at which seat 0 is to play with this hand, with all 108 cards on it."""
    mine, melds = cards(hand), more.pop("melds", ())
    used = {*mine, *(c for meld in melds for c in meld.cards)}
    rest = [c for c in GAME.pack() if c not in used]
    hands = (mine, *(tuple(rest.pop() for _ in range(11)) for _ in range(3)))
    return CornersTable(
        hands=hands, stock=tuple(rest[1:]), discards=(rest[0],), dealer=3, turn=0, phase="play", melds=melds, **more
    )


def laid(text: str, shape: Shape = WILD) -> Melded:
    meld = new_meld(cards(text), 0, shape)
    assert meld is not None, text
    return meld


def test_the_pack_has_two_distinct_copies_of_a_face_and_four_jokers() -> None:
    pack = GAME.pack()
    assert len(pack) == len(set(pack)) == 108
    assert sum(c.face == "9H" for c in pack) == 2 and sum(c.face == JOKER for c in pack) == 4


def test_discarding_one_of_two_like_cards_leaves_the_other() -> None:
    """FAULTS.md A12."""
    table = corners("9H 9H#2 KD")
    after = GAME.apply(table, 0, Discard(card("9H")))
    assert after.hands[0] == cards("9H#2 KD")
    assert len(after.discards) == 2 and after.discards[-1] is card("9H")
    assert cards_of(after) == sorted(GAME.pack())
    other = GAME.apply(table, 0, Discard(card("9H#2")))
    assert other.hands[0] == cards("9H KD")


def test_the_other_copy_of_the_card_taken_may_be_discarded() -> None:
    """RULES.md section 1: equality is that of the physical card."""
    table = corners("9H 9H#2 KD", taken=card("9H#2"))
    assert why(GAME, table, Discard(card("9H#2"))) == "same_card_discard"
    assert why(GAME, table, Discard(card("9H"))) is None
    assert Discard(card("9H")) in GAME.choices(table).actions


def test_two_copies_of_a_card_make_a_set_but_not_a_run() -> None:
    assert shape_of(cards("9H 9H#2 9D"), WILD) == ("set", cards("9D 9H 9H#2"))
    assert shape_of(cards("9H 9H#2 9D"), Shape()) is None
    assert shape_of(cards("9H TH TH#2 JH"), WILD) is None
    assert shape_of(cards("9C 9D 9H 9S 9C#2 9D#2"), WILD) is not None, "a set without an upper limit"
    assert set(natural_melds(cards("9H 9H#2 9D"), WILD)) == {cards("9H 9H#2 9D")}
    assert set(natural_melds(cards("9H 9H#2 9D 9S"), Shape())) == {cards("9H 9D 9S"), cards("9H#2 9D 9S")}
    melds = set(natural_melds(cards("9H TH TH#2 JH"), WILD))
    assert melds == {cards("9H TH JH"), cards("9H TH#2 JH")}


@pytest.mark.parametrize(
    "text,stands",
    [
        ("5H XX 7H", " 6H "),
        ("XX 6H 7H", "5H  "),
        ("5H 6H XX", "4H  "),  # where it fits at both ends it stands low
        ("AH 2H XX", "  3H"),
        ("KH QH XX", "JH  "),
        ("QH XX AH", " KH "),
        ("5H XX XX#2 8H", " 6H 7H "),
        ("5H 6H 7H", "  "),
    ],
)
def test_a_wild_card_in_a_run_stands_for_the_card_that_is_missing(text: str, stands: str) -> None:
    meld = laid(text)
    assert meld.kind == "run"
    assert meld.stands == tuple(stands.split(" "))
    ranks = [stand or one.face for one, stand in zip(meld.cards, meld.stands, strict=True)]
    assert shape_of(cards(ranks), Shape(ace="low_or_high")) == ("run", cards(ranks))


def test_a_wild_card_in_a_set_stands_for_the_rank() -> None:
    meld = laid("9H XX 9D")
    assert (meld.kind, set(meld.cards), meld.stands) == ("set", set(cards("9H 9D XX")), ("", "", ""))
    assert laid("9H 9D XX XX#2 XX#3").kind == "set"


@pytest.mark.parametrize("text", ["XX XX#2 XX#3", "5H 7D XX", "5H 8H XX", "5H XX", "AH XX KH QD", "KH AH 2H XX"])
def test_wild_cards_do_not_make_a_meld_of_anything(text: str) -> None:
    assert shape_of(cards(text), WILD) is None


def test_wild_cards_alone_are_a_meld_only_where_a_game_needs_no_natural_card() -> None:
    assert shape_of(cards("XX XX#2 XX#3"), replace(WILD, naturals=0)) is not None
    assert shape_of(cards("XX XX#2 5H"), replace(WILD, naturals=2)) is None
    assert shape_of(cards("XX 5D 5H"), replace(WILD, naturals=2)) is not None


def test_ranks_can_be_wild_as_jokers_are() -> None:
    deuces = replace(WILD, wild=frozenset({0, 2}))
    meld = laid("5H 2C 7H", deuces)
    assert (meld.cards, meld.stands) == (cards("5H 2C 7H"), ("", "6H", ""))
    assert shape_of(cards("AH 2H 3H"), deuces) == ("run", cards("AH 2H 3H"))
    assert set(natural_melds(cards("AH 2H 3H 4H 5H"), deuces)) == {cards("3H 4H 5H")}


def test_a_run_has_thirteen_cards_at_most_wild_ones_included() -> None:
    whole = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH"
    assert shape_of(cards(f"{whole} XX"), WILD) is not None
    assert shape_of(cards(f"{whole} XX XX#2"), WILD) is None
    assert fits("run", cards(f"{whole} KH"), WILD) == frozenset()


def test_a_meld_with_a_wild_card_grows_and_keeps_its_kind_and_who_brought_what() -> None:
    meld = laid("5H XX 7H")
    assert fits(meld.kind, meld.cards, WILD) >= {"4H", "8H", JOKER}
    assert "9H" not in fits(meld.kind, meld.cards, WILD) and "5H" not in fits(meld.kind, meld.cards, WILD)
    more = grown(meld, card("8H"), 2, WILD)
    assert more is not None and more.by == (0, 0, 0, 2)
    assert (more.cards, more.stands) == (cards("5H XX 7H 8H"), ("", "6H", "", ""))
    assert grown(meld, card("XX#2"), 2, WILD) is not None
    pair = laid("9H XX 9D")
    assert grown(pair, card("9H#2"), 1, WILD) is not None and grown(pair, card("8H"), 1, WILD) is None
    both = Melded("set", 0, cards("9H XX XX#2"), (0, 0, 0), ("", "", ""))
    assert grown(both, card("8H"), 1, WILD) is None, "a set does not turn into a run"
    assert grown(Melded("run", 0, cards("9H XX XX#2"), (0, 0, 0)), card("9D"), 1, WILD) is None


def test_a_wild_card_on_the_table_stays_where_it_lies() -> None:
    """HOUSE.md: a meld knows which card a wild stands for."""
    meld = laid("5H XX 7H")
    assert grown(meld, card("6H"), 1, WILD) is None and "6H" not in fits(meld.kind, meld.cards, WILD)
    more = grown(meld, card("XX#2"), 1, WILD)
    assert more is not None and more.cards == cards("XX#2 5H XX 7H") and more.by == (1, 0, 0, 0)
    assert more.stands == ("4H", "", "6H", "")
    assert fits(more.kind, more.cards, WILD) == {"3H", "8H", JOKER}
    low = laid("AH 2H XX")
    assert fits(low.kind, low.cards, WILD) == {"4H", JOKER}, "no card goes below a low ace"
    high = laid("QH XX AH")
    assert fits(high.kind, high.cards, WILD) == {"JH", JOKER}, "nor above a high one"
    corner = grown(laid("AH 2H 3H"), card("XX"), 1, replace(WILD, ace="wrap"))
    assert corner is not None and corner.cards == cards("XX AH 2H 3H") and corner.stands[0] == "KH"


def test_three_cards_that_would_be_a_set_or_a_run_are_a_set_unless_a_run_is_asked_for() -> None:
    assert laid("XX XX#2 5H").kind == "set"
    assert shape_of(cards("XX XX#2 5H"), WILD, "run") == ("run", cards("XX XX#2 5H"))
    assert shape_of(cards("5H 6H XX"), WILD, "set") is None
    assert shape_of(cards("5H 5D XX"), WILD, "run") is None


def test_what_fits_a_meld_is_what_makes_it_grow() -> None:
    rng = random.Random(3)
    for text in ("5H XX 7H", "9H XX 9D", "QH KH AH", "AH 2H XX", "5H 6H 7H", "9C 9D 9H 9S"):
        meld = laid(text)
        for one in rng.sample(GAME.pack(), 60):
            if one not in meld.cards:
                grows = grown(meld, one, 1, WILD) is not None
                assert grows == (one.face in fits(meld.kind, meld.cards, WILD)), (text, one)


def test_a_wild_card_is_melded_and_laid_off_by_the_shared_actions() -> None:
    table = corners("5H XX 7H XX#2 KD 9C")
    table = GAME.apply(table, 0, Meld(cards("7H XX 5H")))
    assert table.melds[0].stands == ("", "6H", "")
    assert LayOff(card("XX#2"), 0) in GAME.choices(table).actions
    table = GAME.apply(table, 0, LayOff(card("XX#2"), 0))
    assert table.melds[0].by == (0, 0, 0, 0)
    assert table.melds[0].cards == cards("XX#2 5H XX 7H") and table.melds[0].stands[0] == "4H"
    assert cards_of(table) == sorted(GAME.pack())
    assert why(GAME, corners("XX XX#2 XX#3 KD"), Meld(cards("XX XX#2 XX#3"))) == "invalid_meld"


def test_choices_with_wild_cards_say_that_they_are_representatives() -> None:
    choices = GAME.choices(corners("5H XX 7H KD"))
    assert not choices.exhaustive and choices.actions
    assert not see(GAME, corners("5H XX 7H KD"), GAME.new_sheet(0), 0).exhaustive


def test_a_card_left_over_is_counted_by_the_games_own_points() -> None:
    least, melds = least_deadwood(cards("5H 6H 7H 7D 7C XX KD"), WILD, GAME.points)
    assert least == 60 + 11 and melds == (cards("7C 7D 7H"),)


def test_a_reshuffle_takes_all_discards_but_the_top_in_card_id_order() -> None:
    table = replace(corners("5H XX KD"), discards=cards("XX#2 9H#2 9H KD#2 2C"), phase="shuffle", stock=())
    assert GAME.pool(table) == cards("9H KD#2 9H#2 XX#2")
    after = GAME.reshuffle(table, 1, [3, 2, 1, 0])
    assert (after.stock, after.discards) == (GAME.pool(table)[::-1], cards("2C"))


def outcome(*points: int) -> Outcome:
    return Outcome("out", None, points)


def test_points_are_added_by_side_and_the_lowest_total_wins() -> None:
    sheet = GAME.new_sheet(3)
    assert [sheet.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    for points, totals in (((10, 0, 5, 0), (15, 0)), ((0, 7, 0, 20), (15, 27)), ((4, 4, 4, 4), (23, 35))):
        assert not sheet.over and sheet.winners == ()
        sheet = GAME.book(sheet, outcome(*points))
        assert sheet.totals == totals
    assert (sheet.over, sheet.winners, sheet.played) == (True, (0,), 3)
    assert isinstance(sheet, ColumnSheet) and sheet.clean == (1, 1)


def test_winners_are_a_tuple_of_sides() -> None:
    sheet = GAME.new_sheet(0)
    for points in ((1, 2, 3, 4), (4, 3, 2, 1), (0, 0, 0, 0)):
        sheet = GAME.book(sheet, outcome(*points))
    assert (sheet.over, sheet.totals, sheet.winners) == (True, (10, 10), (0, 1))


def test_a_tie_of_the_lowest_means_another_deal_where_ties_are_broken() -> None:
    broken = FourCorners(Options(players=4, hand_size=11, match_end="deals", deals=1))
    sheet = broken.book(broken.new_sheet(0), outcome(1, 2, 1, 0))
    assert not sheet.over
    assert broken.book(sheet, outcome(0, 1, 0, 0)).winners == (0,)


def test_with_penalties_a_match_by_points_ends_when_somebody_reaches_the_target_and_the_lowest_wins() -> None:
    points = FourCorners(Options(players=4, hand_size=11, target=50))
    sheet = points.book(points.new_sheet(0), outcome(20, 10, 20, 0))
    assert not sheet.over
    sheet = points.book(sheet, outcome(10, 0, 0, 0))
    assert (sheet.over, sheet.totals, sheet.winners) == (True, (50, 10), (1,))


@pytest.mark.parametrize("seed", range(4))
def test_whole_matches_of_the_family_keep_every_card_and_every_secret(seed: int) -> None:
    rng, sheet = random.Random(seed), GAME.new_sheet(seed % 4)
    pack = sorted(GAME.pack())
    while not sheet.over:
        order = random_order(108, rng)
        table = GAME.deal(sheet, order)
        assert isinstance(table, CornersTable) and table.turn == (sheet.dealer + 1) % 4
        for table in tables(GAME, rng, anything, sheet):
            assert cards_of(table) == pack
            if rng.random() < 0.05:
                view = see(GAME, table, sheet, 1)
                hidden = {*table.stock, *table.hands[0], *table.hands[2], *table.hands[3]}
                public = {c for e in view.events for c in e.cards}
                if table.outcome is None:
                    assert not hidden & ({*view.hand, *(c for m in view.melds for c in m.cards)} | {view.top}) - public
            for action in GAME.choices(table).actions[:2]:
                assert codec.decode(json.loads(json.dumps(codec.encode(action)))) == action
            if table.outcome is None:
                at = table
                while at.turns == table.turns and at.outcome is None:
                    at = GAME.apply(at, at.actor, GAME.idle(see(GAME, at, sheet, at.actor)))
        assert table.outcome is not None
        sheet = GAME.book(sheet, table.outcome)
    assert sheet.played == 3 and sheet.deal == 4
    assert sheet.winners == tuple(s for s in (0, 1) if sheet.totals[s] == min(sheet.totals))
    plain = Sheet(sides=sheet.sides, totals=sheet.totals, dealer=sheet.dealer, winners=sheet.winners, over=True)
    assert codec.decode_sheet(json.loads(json.dumps(codec.encode_sheet(plain))), type(plain)) == plain
