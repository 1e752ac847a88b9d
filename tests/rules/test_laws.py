"""Laws that hold for every game, every number of seats, any options: at every table of random play.

Small by default; with ``--full`` a thousand whole matches are played.
"""

import copy
import json
import os
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.bots import LEVELS
from games.rules import codec
from games.rules.actions import Action, Discard, DrawStock, Foreign, LayOff, Meld, Pass, TakeDiscard
from games.rules.cards import Card
from games.rules.game import Game
from games.rules.knocking import BigGin, BigGinLast, Done, Knock, KnockLast, KnockTable, TakeUpcard
from games.rules.table import DEALER, Event, Table
from games.rules.variants.hollywood import HollywoodSheet
from games.rules.view import MEMORIES, TableView, see

from .playing import (
    EVERY_TABLE,
    by_bot,
    cards_of,
    dealt,
    game,
    lively,
    random_order,
    sampled,
    stepped,
    tables,
    whole_match,
    why,
)

FULL = bool(os.environ.get("RUMMY_FULL"))
MATCHES = 1_000 if FULL else 18
every_table = pytest.mark.parametrize("preset,seats", EVERY_TABLE)
seeds = st.integers(0, 2**32 - 1)


def examples(number: int) -> Any:
    """Derandomised, so that a run says the same today and tomorrow."""
    return settings(
        derandomize=True,
        max_examples=number * (10 if FULL else 1),
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def playing(preset: str, seats: int, seed: int) -> tuple[Game[Any], random.Random]:
    """A game with sampled options (one seed in three: the preset as it stands) and the chance to play it."""
    rng = random.Random(seed)
    return game(preset, seats, **({} if seed % 3 == 0 else sampled(preset, seats, rng))), rng


@every_table
@given(seed=seeds)
@examples(10)
def test_no_card_is_lost_and_somebody_can_act_until_the_end(preset: str, seats: int, seed: int) -> None:
    played, rng = playing(preset, seats, seed)
    pack, most = sorted(played.pack()), played.options.turn_cap * seats
    for table in tables(played, rng):
        assert cards_of(table) == pack
        assert table.turns <= most
        if table.outcome is None:
            assert table.actor == DEALER or played.choices(table).actions
            assert (table.actor == DEALER) == (table.phase == "shuffle")
        else:
            assert (table.phase, table.actor) == ("deal_over", DEALER)
            assert not played.choices(table).actions


def universe(game: Game[Any], table: Table, rng: random.Random) -> Iterator[Action]:
    """Actions that can be written down about this table, most of them wrong."""
    pack = game.pack()
    hand = table.hand
    yield from (DrawStock(), TakeDiscard(), Foreign(), TakeUpcard(), Pass(), BigGin(), BigGinLast(), Done())
    for card in {*hand, *rng.sample(pack, 8)}:
        yield from (Discard(card), Knock(card), KnockLast(card))
        yield from (LayOff(card, index) for index in range(-1, len(table.melds) + 1))
    for size in (0, 1, 2, 3, 4):
        yield from (Meld(some) for some in combinations(hand[:9], size))
    for _n in range(20):
        yield Meld(tuple(rng.sample(hand, rng.randint(0, len(hand)))))
        yield Meld(tuple(rng.sample(pack, rng.randint(1, 6))))
        yield Meld(tuple(rng.choices(hand, k=3)))


@every_table
@given(seed=seeds)
@examples(3)
def test_what_is_listed_is_accepted_and_everything_else_refused(preset: str, seats: int, seed: int) -> None:
    played, rng = playing(preset, seats, seed)
    for table in tables(played, rng):
        if rng.random() > 0.1 or table.outcome is not None:
            continue
        listed = played.choices(table)
        legal = set(listed.actions)
        assert listed.exhaustive == (not any(action.many for action in legal))
        assert len(legal) == len(listed.actions)
        assert all(why(played, table, action) is None for action in legal)
        for action in universe(played, table, rng):
            if action not in legal:
                reason = why(played, table, action)
                assert reason is not None, action
                if table.actor != DEALER:
                    told = played.refusal(table, action)
                    assert told is not None and told.reason == reason


@every_table
@given(seed=seeds)
@examples(3)
def test_only_the_seat_to_act_acts(preset: str, seats: int, seed: int) -> None:
    played, rng = playing(preset, seats, seed)
    for table in tables(played, rng):
        some = played.choices(table).actions[:3] or (DrawStock(), Foreign())
        for seat in {*range(-1, seats + 1)} - {table.actor}:
            assert {why(played, table, action, seat) for action in some} == {"not_your_turn"}
        if table.actor == DEALER:
            assert {why(played, table, action) for action in some} == {"not_your_turn"}


@every_table
@given(seed=seeds)
@examples(3)
def test_an_action_never_changes_the_table_before_it(preset: str, seats: int, seed: int) -> None:
    played, rng = playing(preset, seats, seed)
    table = dealt(played, rng)
    while table.outcome is None:
        kept = copy.deepcopy(table) if rng.random() < 0.3 else table
        actions = played.choices(table).actions if kept is not table else ()
        for action in rng.sample(actions, min(len(actions), 3)):
            played.apply(table, table.actor, action)
        _action, after = stepped(played, table, rng)
        assert table == kept and hash(table) == hash(kept)
        assert after != table
        table = after


@every_table
@given(seed=seeds)
@examples(8)
def test_replaying_the_written_actions_gives_the_same_deal(preset: str, seats: int, seed: int) -> None:
    played, rng = playing(preset, seats, seed)
    order = random_order(len(played.pack()), rng)
    table = played.deal(played.new_sheet(seed % seats), order)
    tape: list[Any] = []
    while table.outcome is None:
        if table.actor == DEALER:
            shuffle = random_order(len(played.pool(table)), rng)
            tape.append({"n": table.orders + 1, "order": shuffle})
            table = played.reshuffle(table, table.orders + 1, shuffle)
        else:
            action, seat = lively(played, table, rng), table.actor
            tape.append({"seat": seat, "action": codec.encode(action)})
            table = played.apply(table, seat, action)
    again = played.deal(played.new_sheet(seed % seats), order)
    for move in json.loads(json.dumps(tape)):
        if "n" in move:
            again = played.reshuffle(again, move["n"], move["order"])
        else:
            again = played.apply(again, move["seat"], codec.decode(move["action"]))
    assert again == table


@every_table
@given(seed=seeds)
@examples(2)
def test_values_come_back_from_json_as_they_were(preset: str, seats: int, seed: int) -> None:
    played, rng = playing(preset, seats, seed)
    sheet = played.new_sheet(seed % seats)
    while not sheet.over and sheet.played < 4:
        for table in tables(played, rng, sheet=sheet):
            for action in played.choices(table).actions:
                assert codec.decode(json.loads(json.dumps(codec.encode(action)))) == action
        assert table.outcome is not None
        outcome = json.loads(json.dumps(codec.encode_outcome(table.outcome)))
        assert codec.decode_outcome(outcome) == table.outcome
        for event in table.events:
            assert json.dumps(codec.encode_event(event))
        sheet = played.book(sheet, table.outcome)
        back = codec.decode_sheet(json.loads(json.dumps(codec.encode_sheet(sheet))), played.sheet_kind)
        assert back == sheet and hash(back) == hash(sheet)


@every_table
@given(seed=seeds)
@examples(4)
def test_idling_ends_the_turn_legally_from_every_table(preset: str, seats: int, seed: int) -> None:
    played, rng = playing(preset, seats, seed)
    sheet = played.new_sheet(0)
    for table in tables(played, rng):
        at, seat, steps, turns = table, table.actor, 0, 0
        while at.actor == seat != DEALER and at.turns == table.turns:
            action = played.idle(see(played, at, sheet, seat, MEMORIES[steps % 3]))
            assert action in played.choices(at).actions
            at, steps, turns = played.apply(at, seat, action), steps + 1, played.is_turn(action)
            assert steps <= 3, "draw, lay off what only that places, discard"
        assert at.turns == table.turns + turns
        assert seat == DEALER or at.actor != seat or at.turns > table.turns


def other_truth(table: Table, viewer: int | None, rng: random.Random) -> Table:
    """A table that differs in all that the viewer cannot see: others' hands, stock, what others drew or put down."""
    over = table.outcome is not None
    face_down = table.face_down if isinstance(table, KnockTable) and not over else ()
    hidden = [*table.stock, *face_down]
    for seat, hand in enumerate(table.hands):
        hidden += () if over or seat == viewer else hand
    rng.shuffle(hidden)
    pool = list(hidden)
    hands = tuple(
        hand if over or seat == viewer else tuple(pool.pop() for _ in hand) for seat, hand in enumerate(table.hands)
    )
    drawn = table.drawn
    if drawn is not None and table.turn != viewer:
        drawn = rng.choice(hidden)
    events = tuple(
        replace(e, own=rng.choice(hidden)) if e.own is not None and e.seat != viewer and hidden else e
        for e in table.events
    )
    other = replace(table, hands=hands, drawn=drawn, events=events)
    if isinstance(other, KnockTable) and face_down:
        other = replace(other, face_down=(pool.pop(),))
    return replace(other, stock=tuple(pool))


@every_table
@given(seed=seeds)
@examples(3)
def test_what_a_viewer_cannot_see_changes_nothing_in_what_he_sees(preset: str, seats: int, seed: int) -> None:
    played, rng = playing(preset, seats, seed)
    sheet = played.new_sheet(0)
    for table in tables(played, rng):
        if rng.random() > 0.2 and table.outcome is None:
            continue
        for viewer in (None, *range(seats)):
            other = other_truth(table, viewer, rng)
            for memory in MEMORIES:
                assert see(played, table, sheet, viewer, memory) == see(played, other, sheet, viewer, memory)


def shown(events: tuple[Event, ...], viewer: int | None, table: Table, memory: str) -> list[Event]:
    """The events that a viewer may be shown: all, or those since his previous turn and the older discards."""
    if memory == "all" or table.outcome is not None:
        return list(events)
    viewers = range(table.seats) if viewer is None else [viewer]
    since = 0
    for seat in viewers:
        started = [i for i, e in enumerate(events) if e.kind in ("drew", "took") and e.seat == seat]
        if table.phase == "play" and seat == table.turn:
            started.pop()
        since = max(since, started[-1] if started else 0)
    return [e for i, e in enumerate(events) if i >= since or (memory == "discards" and e.kind == "discarded")]


def cards_in(value: Any) -> Iterator[Card]:
    """All cards anywhere in a value."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, tuple | list | frozenset):
        for one in value:
            yield from cards_in(one)


def named(view: TableView) -> set[Card]:
    """All cards that stand anywhere in a view."""
    plain = [*view.hand, *(c for hand in view.hands for c in hand), view.drawn, view.taken, view.top]
    plain += [c for meld in view.melds for c in meld.cards] + [c for e in view.events for c in (*e.cards, e.own)]
    plain += [*cards_in(view.facts), *cards_in(view.own)]
    for action in view.legal:
        plain += action.cards if isinstance(action, Meld) else [getattr(action, "card", None)]
    return {card for card in plain if card is not None}


@every_table
@given(seed=seeds)
@examples(2)
def test_a_view_names_only_cards_that_its_viewer_may_know(preset: str, seats: int, seed: int) -> None:
    played, rng = playing(preset, seats, seed)
    sheet = played.new_sheet(0)
    for table in tables(played, rng):
        if rng.random() > 0.2 and table.outcome is None:
            continue
        for viewer in (None, *range(seats)):
            for memory in MEMORIES:
                view = see(played, table, sheet, viewer, memory)
                events = shown(table.events, viewer, table, memory)
                assert [replace(e, own=None) for e in view.events] == [replace(e, own=None) for e in events]
                may = {c for meld in table.melds for c in meld.cards} | set(table.discards[-1:])
                may |= {c for e in events for c in e.cards} | {e.own for e in events if e.own and e.seat == viewer}
                may |= {table.taken} if table.taken else set()
                may |= {c for name, c in view.facts if name == "upcard"}
                may |= set() if viewer is None else set(table.hands[viewer])
                if table.outcome is not None:
                    may |= {c for hand in table.hands for c in hand}
                assert named(view) <= may
                assert view.my_turn == (viewer is not None and viewer == table.actor)
                assert view.legal == (played.choices(table).actions if view.my_turn else ())


def test_the_hand_and_the_drawn_card_are_seen_by_their_seat_alone() -> None:
    played, rng = game("basic-rummy", 3), random.Random(2)
    table = dealt(played, rng)
    table = played.apply(table, table.turn, DrawStock())
    sheet = played.new_sheet(0)
    drawer, top = table.turn, table.drawn
    for viewer in (None, 0, 1, 2):
        view = see(played, table, sheet, viewer)
        mine = viewer == drawer
        assert view.drawn == (top if mine else None)
        assert [e.own for e in view.events if e.kind == "drew"] == [top if mine else None]
        assert view.hand == (() if viewer is None else table.hands[viewer])
        assert view.points == sum(map(played.points, view.hand))
        assert view.hands == ()
        assert (view.counts, view.stock, view.pile) == (tuple(map(len, table.hands)), len(table.stock), 1)


@every_table
def test_whole_matches_of_bots_end_by_the_rules_with_no_card_lost(preset: str, seats: int) -> None:
    rng = random.Random(f"matches {preset} {seats}")
    for number in range(-(-MATCHES // len(EVERY_TABLE))):
        chosen = sampled(preset, seats, rng, share=0.3) if number else {}
        played = game(preset, seats, **chosen)
        pack = sorted(played.pack())
        sheet, ends = whole_match(played, rng, by_bot(LEVELS["easy"]))
        assert sheet.over and sheet.played == len(ends) <= played.options.deal_cap
        assert all(cards_of(end) == pack for end in ends)
        points = [end.outcome.points for end in ends if end.outcome]
        assert sheet.totals == tuple(map(sum, zip(*points, strict=True)))
        best = max(sheet.totals)
        if isinstance(sheet, HollywoodSheet):
            scores = sheet.final or tuple(map(sum, zip(*(c.points for c in sheet.columns), strict=True)))
            assert all(scores[winner] == max(scores) for winner in sheet.winners)
        else:
            assert sheet.winners == tuple(s for s, total in enumerate(sheet.totals) if total == best)
        if not sheet.capped:
            assert len(sheet.winners) == 1 or played.options.tie_break == "shared"
            if played.options.match_end == "points":
                assert best >= played.options.target
            else:
                assert sheet.played >= (played.options.deals or 0)
