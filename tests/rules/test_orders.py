"""Standing orders: what an order does with a view, what ends it, and laws under random play in every preset."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.bench.handovers import measure
from games.rules.actions import Discard, DrawStock, LayOff, Pass, TakeDiscard
from games.rules.cards import card, cards
from games.rules.catalog import PRESETS, find
from games.rules.codec import decode_order, encode_order
from games.rules.errors import Malformed
from games.rules.knocking import TakeUpcard
from games.rules.melds import new_meld
from games.rules.orders import ENDS, NAMING, WAIT, Halt, Order, fits, follow, may_pass, surprise, taken
from games.rules.table import Event
from games.rules.view import see

GIN_HAND = "7H 7D 2S 3S 9C TC KD QH 5D 4H"
RUMMY_HAND = "7H 7D 2S 3S 9C KD QH"


def table_of(preset, hand, up="4C", stock="5S 8H 6D", phase="draw", **more):
    """Seat 0 is to move with this hand, and what the others hold matters not."""
    game = find(preset).play(find(preset).options(2))
    held = cards(hand)
    used = {*held, *cards(up), *cards(stock), *more.get("used", ())}
    rest = [c for c in game.pack() if c not in used]
    start = game.empty_table(game.new_sheet(1), (held, tuple(rest[: len(held)])))
    table = replace(start, stock=(*cards(stock), *rest[len(held) :]), discards=cards(up), turn=0, phase=phase)
    return game, replace(table, **{k: v for k, v in more.items() if k != "used"})


def played(game, table, order):
    """What the order does from here until it halts or another is to move: (names of the acts, why it halted)."""
    sheet, done = game.new_sheet(1), []
    while table.actor == 0 and table.outcome is None:
        step = follow(see(game, table, sheet, 0), game, order)
        if isinstance(step, Halt):
            return done, step.why
        card_named = getattr(step, "card", None)
        done.append(f"{step.name} {card_named}" if card_named else step.name)
        table = game.apply(table, 0, step)
        if isinstance(step, Pass):
            break
    return done, ""


GIN_CASES = [
    # what lies on the discards, the stock, the order; what it does, why it halts
    ("7S", "5S", Order(take_with=cards("7H 7D")), ["draw_discard"], "asked"),
    ("7S", "5S", Order(take_with=cards("2S 3S")), ["draw_stock"], "asked"),
    ("4S", "5S", Order(take_with=cards("7H 7D 2S 3S")), ["draw_discard"], "asked"),
    ("AS", "5S", Order(take_with=cards("2S 3S")), ["draw_discard"], "asked"),
    ("8C", "5S", Order(take_with=cards("9C TC"), end="named", cards=cards("KD")), ["draw_discard", "discard KD"], ""),
    ("4C", "5S", Order(end="named", cards=cards("KD")), ["draw_stock", "discard KD"], ""),
    ("4C", "7S", Order(end="named", cards=cards("KD")), ["draw_stock", "discard KD"], ""),
    ("4C", "5S", Order(end="named_or_wait", cards=cards("KD")), ["draw_stock", "discard KD"], ""),
    ("4C", "7S", Order(end="named_or_wait", cards=cards("KD")), ["draw_stock"], "meld"),
    ("4C", "6S", Order(end="drawn_or_named", cards=cards("KD")), ["draw_stock", "discard 6S"], ""),
    ("4C", "7S", Order(end="drawn_or_named", cards=cards("KD")), ["draw_stock", "discard KD"], ""),
    ("4C", "7S", Order(end="drawn_or_named"), ["draw_stock"], "no_card"),
    ("4C", "7S", Order(end="drawn_or_named", cards=cards("7H")), ["draw_stock"], "meld"),  # the meld needs the 7H
    ("4C", "6S", Order(end="drawn_or_wait"), ["draw_stock", "discard 6S"], ""),
    ("4C", "7S", Order(end="drawn_or_wait"), ["draw_stock"], "meld"),
    ("7S", "5S", Order(take_with=cards("7H 7D"), end="drawn_or_wait"), ["draw_discard"], "meld"),
]


@pytest.mark.parametrize("preset", ["gin", "oklahoma-gin", "hollywood-gin"])
@pytest.mark.parametrize(("up", "stock", "order", "acts", "why"), GIN_CASES)
def test_an_order_in_a_game_with_a_knock(preset, up, stock, order, acts, why):
    game, table = table_of(preset, GIN_HAND, up, stock, limit=0)
    assert played(game, table, order) == (acts, why)


def test_an_order_never_throws_what_could_be_a_knock():
    game, table = table_of("gin", "7H 7D 2S 3S 4S 9C TC JC AD AH", "4C", "7S", limit=10)
    order = Order(end="named", cards=cards("AD"))
    assert played(game, table, order) == (["draw_stock"], "knock")


@pytest.mark.parametrize(
    ("order", "acts", "why"),
    [
        (Order(passes=True, end="named", cards=cards("KD")), ["pass"], ""),
        (Order(), [], "upcard"),
        (Order(take_with=cards("7H 7D"), end="named", cards=cards("KD")), ["take_upcard", "discard KD"], ""),
    ],
)
def test_an_upcard_is_passed_where_the_order_says_so(order, acts, why):
    game, table = table_of("gin", GIN_HAND, "7S", phase="upcard_offer", limit=0)
    assert played(game, table, order) == (acts, why)


RUMMY_CASES = [
    ("7S", "5S", Order(take_with=cards("7H 7D"), end="named", cards=cards("KD")), ["draw_discard", "discard KD"], ""),
    ("4C", "8S", Order(end="drawn_or_wait"), ["draw_stock", "discard 8S"], ""),
    ("4C", "7S", Order(end="drawn_or_wait"), ["draw_stock"], "meld"),
    ("4C", "8S", Order(lay_off=True, end="named", cards=cards("KD")), ["draw_stock", "lay_off QH", "discard KD"], ""),
    ("4C", "8S", Order(lay_off=True, end="named", cards=cards("QH")), ["draw_stock", "discard QH"], ""),
    ("4C", "8H", Order(lay_off=True), ["draw_stock", "lay_off QH", "lay_off 8H", "lay_off 7H"], "asked"),
    (
        "4C",
        "8H",
        Order(lay_off=True, end="drawn_or_wait"),
        ["draw_stock", "lay_off QH", "lay_off 8H", "lay_off 7H"],
        "asked",
    ),
]


@pytest.mark.parametrize("preset", ["basic-rummy", "solitaired-rummy", "android-rummy"])
@pytest.mark.parametrize(("up", "stock", "order", "acts", "why"), RUMMY_CASES)
def test_an_order_in_a_game_with_lay_offs(preset, up, stock, order, acts, why):
    run, own = cards("9H TH JH"), cards("AC AH AS")
    shape = find(preset).play(find(preset).options(2)).shape
    melds = (new_meld(run, 1, shape), new_meld(own, 0, shape))
    game, table = table_of(
        preset, RUMMY_HAND, up, stock, used=(*run, *own), melds=melds, first_play=(0, 1), owners=frozenset({0, 1})
    )
    assert played(game, table, order) == (acts, why)


def test_nothing_is_laid_off_before_an_own_meld_where_that_is_the_rule():
    shape = find("solitaired-rummy").play(find("solitaired-rummy").options(2)).shape
    melds = (new_meld(cards("9H TH JH"), 1, shape),)
    game, table = table_of(
        "solitaired-rummy", RUMMY_HAND, stock="8S", used=cards("9H TH JH"), melds=melds, owners=frozenset({1}),
        first_play=(-1, 0),
    )  # fmt: skip
    order = Order(lay_off=True, end="named", cards=cards("KD"))
    assert played(game, table, order) == (["draw_stock", "discard KD"], "")
    assert not game.may_add(see(game, table, game.new_sheet(1), 0))


@pytest.mark.parametrize("hand", ["7H 7D 7C 2S 3S 4S", "7H 7D 7C QH KH"])
def test_a_turn_in_which_the_whole_hand_could_go_waits(hand):
    shape = find("basic-rummy").play(find("basic-rummy").options(2)).shape
    melds = (new_meld(cards("9H TH JH"), 1, shape),)
    game, table = table_of("basic-rummy", hand, stock="8S", used=cards("9H TH JH"), melds=melds, first_play=(-1, 0))
    assert played(game, table, Order(end="drawn_or_wait")) == (["draw_stock"], "out")


@pytest.mark.parametrize(
    ("kind", "lives"),
    [("drew", True), ("discarded", True), ("passed", True)]
    + [(kind, False) for kind in ("took", "melded", "laid_off", "knocked", "turned_over", "shuffled", "out", "new")],
)
def test_what_an_order_outlives_and_what_not(kind, lives):
    events = (Event("took", 1, 0), Event("discarded", 0, 1), Event("drew", 1, 2), Event(kind, 1, 2))
    found = surprise(events, 0, 2)
    assert (found is None) == lives
    assert lives or found.kind == kind
    assert surprise(events[:3], 0, 2) is None, "what was there before is no surprise"


@pytest.mark.parametrize(
    "wrong",
    [
        {"end": "later"},
        {"end": WAIT, "cards": cards("KD")},
        {"end": "named", "cards": cards("KD"), "take_with": cards("KD KH")},
        {"turns": 2},
        {"end": "drawn_or_wait", "turns": 4},
    ],
)
def test_an_order_that_means_nothing_is_none(wrong):
    with pytest.raises(Malformed):
        Order(**wrong)


def test_an_order_goes_through_json_and_shrinks_with_each_turn():
    order = Order(True, cards("7H 7D"), True, "named", cards("KD QH"), 3)
    assert decode_order(encode_order(order)) == order
    left = order.after(card("KD"))
    assert (left.turns, left.cards) == (2, cards("QH"))
    assert replace(order, turns=1).after(card("KD")) is None


def some_order(rng, view, game):
    """An order as a person might leave it here, or None where none fits."""
    hand = list(view.hand)
    rng.shuffle(hand)
    end, cut = rng.choice(ENDS), rng.randrange(4)
    order = Order(
        passes=may_pass(view, game) and rng.random() < 0.7,
        take_with=tuple(hand[cut:]) if rng.random() < 0.7 else (),
        lay_off=game.may_add(view) and rng.random() < 0.5,
        end=end,
        cards=tuple(hand[:cut]) if end in NAMING else (),
        turns=1 if end == WAIT else rng.randrange(1, 4),
    )
    return order if fits(order, view, game) else None


@pytest.mark.parametrize("preset", [preset.name for preset in PRESETS])
@settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_orders_act_legally_and_never_outlive_a_surprise_under_random_play(preset, seed):
    rng = Random(seed)
    entry = find(preset)
    game = entry.play(entry.options())
    sheet = game.new_sheet(0)
    table = game.deal(sheet, rng.sample(range(52), 52))
    left, acted = {}, 0
    for _step in range(120):
        if table.outcome is not None:
            break
        if table.phase == "shuffle":
            size = len(game.pool(table))
            table = game.reshuffle(table, table.orders + 1, rng.sample(range(size), size))
            continue
        seat = table.actor
        order, since = left.get(seat, (None, 0))
        step = None
        if order and not surprise(table.events, seat, since):
            assert all(e.kind in ("drew", "discarded", "passed") for e in table.events[since:] if e.seat != seat)
            view = see(game, table, sheet, seat)
            step = follow(view, game, order)
            blind = replace(view, events=(), sheet=game.new_sheet(0))
            assert follow(blind, game, order) == step, "an order is decided by the hand and the piles alone"
        if isinstance(step, DrawStock | TakeDiscard | TakeUpcard | LayOff | Discard | Pass):
            acted += 1
            table = game.apply(table, seat, step)  # raises where it is not legal
            if isinstance(step, Discard):
                rest = order.after(step.card)
                left[seat] = (rest, since) if rest else (None, 0)
        else:
            left.pop(seat, None)
            table = game.apply(table, seat, rng.choice(game.choices(table).actions))
        for other in range(table.seats):
            if other != table.actor and not left.get(other, (None, 0))[0] and table.outcome is None:
                view = see(game, table, sheet, other)
                left[other] = (some_order(rng, view, game), len(table.events))
    assert all(card in game.pack() for order, _since in left.values() if order for card in taken(order, game, ()))


def test_orders_save_hand_overs(full):
    """At most 60 % of the hand-overs of a gin deal: USERS.md finding 1."""
    found = measure("gin", 2000 if full else 40, 1)
    assert found.share <= (0.6 if full else 0.66), found
    assert found.low < found.share < found.high
