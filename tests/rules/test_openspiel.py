"""Fresh random deals of gin played side by side with OpenSpiel 2.0.2, a program that knows nothing of ours.

At every step the actions that both allow are compared, at the end the points. Where the two differ the difference has
to have one of the reasons in ``EXPLAINED``, and each reason is checked where it is given. OpenSpiel comes with
requirements-dev.txt; without it these tests fail, unless they are told ``--no-engines``.
"""

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from games.bots import LEVELS
from games.rules.actions import Action, Discard, DrawStock, LayOff, Pass, TakeDiscard
from games.rules.cards import Card, card, cards, pack
from games.rules.game import Game
from games.rules.knocking import Done, Knock, KnockTable
from games.rules.layoffs import best_layoffs
from games.rules.melds import Shape, least_deadwood
from games.rules.table import Table

from .playing import by_bot, game

DEALS = 500
EXPLAINED = {
    "same_card": "OpenSpiel lets the card just taken go back, and be the discard of a knock",
    "search_of_eleven": "OpenSpiel's least deadwood of eleven cards is too high at times, so it refuses a knock",
    "tie": "equal deadwood is worth nothing there; here the defender gets the undercut bonus",
    "repeat": "OpenSpiel ends a deal in which cards go round; here only the cap of turns does",
}
UPCARD, STOCK, PASS, KNOCK = 52, 53, 54, 55
GAME = game("gin", auto_layoff=False, last_discard_takeable=True)
SUITS = "scdh"


def theirs(one: Card) -> int:
    """The number of a card in OpenSpiel."""
    return SUITS.index(one.face[1].lower()) * 13 + one.rank - 1


def ours(number: int) -> Card:
    return card("A23456789TJQK"[number % 13] + SUITS[number // 13].upper())


def least(hand: Iterable[Card]) -> int:
    """Least deadwood by plain search, not by the solver of the rules."""
    return least_deadwood(hand, Shape(), GAME.points)[0]


class Pair:
    """One deal at both tables."""

    def __init__(self, spiel: Any, seed: int) -> None:
        self.rng = random.Random(f"openspiel {seed}")
        self.state = spiel.new_initial_state()
        order = self.rng.sample(pack(), 52)
        dealt = [one for pair in zip(order[:10], order[10:20], strict=True) for one in pair] + order[20:]
        self.table: Table = GAME.lay_out(GAME.new_sheet(1), dealt)
        for one in order[:21]:
            self.state.apply_action(theirs(one))
        self.differences: Counter[str] = Counter()
        self.knocks = 0

    def legal(self) -> set[int]:
        return set(self.state.legal_actions())

    def play(self) -> None:
        """To the end of the deal."""
        while self.table.outcome is None:
            if self.state.is_terminal():
                assert "Repeated move: 1" in str(self.state) or "Repeated move: 2" in str(self.state), str(self.state)
                self.differences["repeat"] += 1
                return
            assert self.table.actor == self.state.current_player()
            {"play": self.turn, "last_discard": self.wall}.get(self.table.phase, self.draw)()
        self.compare_points()

    def do(self, action: Action, number: int) -> None:
        drawn = self.table.stock[0] if isinstance(action, DrawStock) else None
        self.table = GAME.apply(self.table, self.table.actor, action)
        self.state.apply_action(number)
        if drawn is not None:
            self.state.apply_action(theirs(drawn))

    def chosen(self) -> Action:
        """Mostly as the easy bot plays, so that deals come to a knock; sometimes anything."""
        if self.rng.random() < 0.8:
            return by_bot(LEVELS["easy"])(GAME, self.table, self.rng)
        return self.rng.choice(GAME.choices(self.table).actions)

    def draw(self) -> None:
        """The upcard, or a draw: what may be done is the same."""
        numbers = {self.number(action) for action in GAME.choices(self.table).actions}
        assert numbers == self.legal()
        action = self.chosen()
        self.do(action, self.number(action))

    def number(self, action: Action) -> int:
        if isinstance(action, Discard):
            return theirs(action.card)
        return UPCARD if isinstance(action, TakeDiscard) else {DrawStock: STOCK, Pass: PASS}[type(action)]

    def turn(self) -> None:
        throws = {theirs(one) for one in self.table.hand if one != self.table.taken}
        legal = self.legal() - {KNOCK}
        if self.table.taken is not None:
            assert legal - throws == {theirs(self.table.taken)}
            self.differences["same_card"] += 1
        assert legal - ({theirs(self.table.taken)} if self.table.taken else set()) == throws
        knocks = self.knocks_of(self.table.hand, self.table.taken)
        action = self.chosen()
        if isinstance(action, Knock) and KNOCK in self.legal():
            self.knock(action)
        elif isinstance(action, Knock) or (knocks and action.name == "big_gin"):
            self.do(Discard(action.card), theirs(action.card))
        else:
            self.do(action, self.number(action))

    def knocks_of(self, hand: Iterable[Card], taken: Card | None) -> set[Card]:
        """The cards with which we may knock; that they may too is compared."""
        mine = {action.card for action in GAME.choices(self.table).actions if isinstance(action, Knock)}
        if bool(mine) != (KNOCK in self.legal()):
            held = list(hand)
            lowest = {one: least([c for c in held if c != one]) for one in held}
            assert mine == {one for one, left in lowest.items() if left <= 10 and one != taken}
            assert mine or (taken is not None and lowest[taken] <= 10)
            self.differences["search_of_eleven" if mine else "same_card"] += 1
        return mine

    def wall(self) -> None:
        """Two cards left: a knock with the last discard, or nothing."""
        top = self.table.discards[-1]
        self.knocks_of((*self.table.hand, top), top)
        knocks = [action for action in GAME.choices(self.table).actions if isinstance(action, Knock)]
        assert PASS in self.legal()
        if knocks and KNOCK in self.legal():
            self.knock(knocks[0])
        else:
            self.do(Pass(), PASS)

    def knock(self, action: Knock) -> None:
        """Both lay down our arrangement and the best lay-offs, card by card there."""
        self.knocks += 1
        knocker = self.table.actor
        taken = self.table.discards[-1] if self.table.phase == "last_discard" else self.table.taken
        mine = {one.card for one in GAME.choices(self.table).actions if isinstance(one, Knock)}
        self.state.apply_action(KNOCK)
        there = {ours(number) for number in self.legal()}
        assert mine - there == set()
        assert there - mine <= {taken}
        self.state.apply_action(theirs(action.card))
        self.table = GAME.apply(self.table, knocker, action)
        self.lay_down([meld.cards for meld in self.table.melds])
        self.state.apply_action(PASS)
        if self.table.outcome is None:
            self.lay_off()
        hand = self.table.hands[1 - knocker]
        assert self.state.current_player() == 1 - knocker
        self.lay_down(least_deadwood(hand, Shape(), GAME.points)[1])
        self.state.apply_action(PASS)
        assert self.state.is_terminal()

    def lay_off(self) -> None:
        table = self.table
        assert isinstance(table, KnockTable)
        for one, meld in best_layoffs(table.hand, [meld.cards for meld in table.melds]):
            may = {action.card for action in GAME.choices(self.table).actions if isinstance(action, LayOff)}
            assert {ours(number) for number in self.legal() if number < UPCARD} == may
            self.do(LayOff(one, meld), theirs(one))
        self.do(Done(), PASS)

    def lay_down(self, melds: Iterable[tuple[Card, ...]]) -> None:
        """Lay down melds there; a run of six or more goes as two."""
        for meld in melds:
            left = set(meld)
            while left:
                number, used = next(self.pieces(left))
                self.state.apply_action(number)
                left -= used

    def pieces(self, left: set[Card]) -> Any:
        for number in self.state.legal_actions():
            if number <= KNOCK:
                continue
            text = self.state.action_to_string(number).rsplit(" ", 1)[1]
            some = set(cards(text[i] + text[i + 1].upper() for i in range(0, len(text), 2)))
            rest = left - some
            if some <= left and (not rest or least(rest) == 0):
                yield number, some

    def compare_points(self) -> None:
        assert self.table.outcome is not None and self.state.is_terminal()
        points = self.table.outcome.points
        returns = [int(one) for one in self.state.returns()]
        if self.table.outcome.kind == "tie":
            assert sorted(points) == [0, 25] and returns == [0, 0]
            self.differences["tie"] += 1
        else:
            assert [points[0] - points[1], points[1] - points[0]] == returns


@pytest.fixture(scope="module")
def spiel(request: pytest.FixtureRequest) -> Any:
    """OpenSpiel's gin, or a plain word that it is not there."""
    if request.config.getoption("--no-engines"):
        pytest.skip("told to leave OpenSpiel out")
    try:
        import pyspiel
    except ImportError:
        pytest.fail("OpenSpiel is missing: pip install -r requirements-dev.txt, or leave it out with --no-engines.")
    return pyspiel.load_game("gin_rummy")


def test_random_deals_go_as_in_openspiel_but_for_what_is_explained(spiel: Any, record_property: Any) -> None:
    differences: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    knocks = 0
    for seed in range(DEALS):
        pair = Pair(spiel, seed)
        pair.play()
        differences += pair.differences
        knocks += pair.knocks
        kinds[pair.table.outcome.kind if pair.table.outcome else "repeat"] += 1
    record_property("differences", dict(differences))
    assert {"same_card", "tie"} <= set(differences) <= set(EXPLAINED), differences
    assert knocks >= DEALS // 2 and {"knock", "gin", "undercut", "tie", "void"} <= set(kinds), kinds


def test_the_cards_of_both_have_the_same_names(spiel: Any) -> None:
    assert {ours(theirs(one)) for one in pack()} == set(pack())
    state = spiel.new_initial_state()
    for one in cards("AS KS AC"):
        assert state.action_to_string(-1, theirs(one)).lower().endswith(one.lower())


def test_the_game_played_here_is_theirs(spiel: Any) -> None:
    assert isinstance(GAME, Game)
    told = spiel.get_parameters()
    assert (told["gin_bonus"], told["undercut_bonus"], told["knock_card"]) == (25, 25, 10)
    assert (GAME.options.gin_bonus, GAME.options.undercut_bonus, GAME.options.knock_limit) == (25, 25, 10)
