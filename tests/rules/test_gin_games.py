"""Whole gin deals that OpenSpiel 2.0.2 played, followed action by action (the file is described in vectors/README.md).

Its players lay down and lay off by hand, so the deals are replayed with ``auto_layoff`` off; what the rules would have
laid off by themselves is compared with the least possible besides.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from games.rules.actions import Action, Discard, DrawStock, LayOff, Pass, TakeDiscard
from games.rules.cards import Card, card
from games.rules.catalog import find
from games.rules.knocking import Done, Knock, KnockLast, KnockTable, TakeUpcard
from games.rules.layoffs import best_layoffs, points_kept
from games.rules.table import Table
from games.rules.variants.gin import Gin
from games.rules.variants.gin_sheet import GinOptions

from . import vectors

GAMES = vectors.read("gin_games.jsonl")


class Lenient(Gin[GinOptions]):
    """Gin in which the card just taken may go back, as in OpenSpiel; only to follow a deal past such a move."""

    def may_discard(self, table: Table, card: Card) -> None:
        """Nothing is forbidden."""


@dataclass(frozen=True, slots=True)
class Token:
    """One entry of a log: who, what (the letter), with which cards."""

    seat: int
    what: str
    cards: tuple[Card, ...]


def tokens(log: str) -> list[Token]:
    def cards_in(text: str) -> tuple[Card, ...]:
        return tuple(card(text[i : i + 2]) for i in range(0, len(text), 2))

    return [Token(int(word[0]), word[1], cards_in(word[2:])) for word in log.split()]


def pack_of(deal: str) -> list[Card]:
    """The pack as we deal it: one card at a time, seat 0 first."""
    cards = [card(deal[i : i + 2]) for i in range(0, 104, 2)]
    return [one for pair in zip(cards[:10], cards[10:20], strict=True) for one in pair] + cards[20:]


def games_of(vector: dict[str, Any]) -> tuple[Gin[GinOptions], Lenient]:
    chosen = {"auto_layoff": False, "last_discard_takeable": "wall_knock" in vector.get("flags", ())}
    preset = find("gin")
    options = preset.options(2, chosen)
    assert isinstance(options, GinOptions)
    return Gin(options), Lenient(options)


def plain(token: Token, table: Table) -> Action:
    """What a token of a draw or discard means on this table."""
    if token.what == "U":
        return TakeUpcard() if table.phase == "upcard_offer" else TakeDiscard()
    if token.what == "d":
        return Discard(token.cards[0])
    return {"S": DrawStock(), "P": Pass()}[token.what]


def replayed(vector: dict[str, Any]) -> tuple[KnockTable, list[str]]:
    """The table at the end of the log and the moves that we refuse, by reason."""
    strict, lenient = games_of(vector)
    table: Table = strict.lay_out(strict.new_sheet(1), pack_of(vector["deal"]))
    refused: list[str] = []

    def act(token: Token, action: Action) -> None:
        nonlocal table
        assert table.actor == token.seat, f"{token}: seat {table.actor} is to act"
        why = strict.refusal(table, action)
        if why is not None:
            refused.append(why.reason)
        else:
            listed = strict.choices(table).actions
            assert (replace(action, melds=None) if isinstance(action, Knock) else action) in listed
        table = (lenient if why else strict).apply(table, token.seat, action)

    log = iter(tokens(vector["log"]))
    for token in log:
        if table.outcome is not None:
            # At the wall their players still pass; with us the deal is void already. Gin ends it with us, also where
            # their knocker laid down less well and was laid off on.
            assert token.what in ("P" if table.outcome.kind == "void" else "lme"), token
        elif token.what == "K":
            act(token, knock(token, log, table))
        elif token.what == "l":
            act(token, LayOff(token.cards[0], place_for(token.cards[0], table)))
        elif token.what == "e":
            act(token, Done())
            assert_rest(log)
        else:
            act(token, plain(token, table))
    assert isinstance(table, KnockTable)
    return table, refused


def knock(declared: Token, log: Iterator[Token], table: Table) -> Knock:
    """A knock as one action: the discard and the melds of the knocker follow its declaration."""
    thrown = next(log)
    assert (thrown.seat, thrown.what) == (declared.seat, "k")
    melds = []
    for token in log:
        if token.what == "e":
            break
        assert (token.seat, token.what) == (declared.seat, "m")
        melds.append(token.cards)
    kind = KnockLast if table.phase == "last_discard" else Knock
    return kind(thrown.cards[0], tuple(melds))


def place_for(one: Card, table: Table) -> int:
    """A log does not say onto which meld a card went: the one on which it fits, a run before a set."""
    strict = Gin(GinOptions(2, 10, auto_layoff=False))
    fitting = [a.meld for a in strict.choices(table).actions if isinstance(a, LayOff) and a.card == one]
    return max(fitting, key=lambda index: table.melds[index].kind == "run" and len(fitting) > 1)


def assert_rest(log: Iterator[Token]) -> None:
    """After his lay-offs the defender lays his own melds down; with us they are arranged for him."""
    assert {token.what for token in log} <= {"m", "e"}


@pytest.mark.parametrize("vector", GAMES, ids=lambda vector: f"{vector['grp']}{vector['id']}")
def test_gin_games_of_openspiel_are_followed(vector: dict[str, Any]) -> None:
    table, refused = replayed(vector)
    flags = set(vector.get("flags", ()))
    assert set(refused) == flags & {"same_card_discard"}
    if vector["end"] in ("repeat", "max_upcard_draws"):
        assert table.outcome is None, "an end that only their rules have"
        return
    assert table.outcome is not None
    if vector["end"] == "wall":
        assert (table.outcome.kind, table.outcome.points) == ("void", (0, 0))
        return
    left = {line.seat: line.points for line in table.outcome.lines if line.what == "deadwood"}
    knocker = table.knocker
    assert knocker == vector["knocker"]
    if vector["best_kd"] == 0:
        assert table.outcome.kind == "gin" and left[knocker] == 0
        if vector["grp"] == "A":
            assert left[1 - knocker] == vector["dd"]
    else:
        assert left[knocker] == vector["kd"]
        assert best_for_defender(table) == vector["best_dd"]
        if vector["grp"] == "A":
            assert table.outcome.kind == vector["end"]
            assert left[1 - knocker] == vector["dd"] == vector["best_dd"]
    if vector["grp"] == "A":
        assert list(table.outcome.points) == vector["pts"]


def best_for_defender(table: KnockTable) -> int:
    """What the defender would have kept if the rules had laid off for him."""
    seat = table.knocker
    laid = [tuple(c for c, by in zip(m.cards, m.by, strict=True) if by == seat) for m in table.melds]
    added = [c for m in table.melds for c, by in zip(m.cards, m.by, strict=True) if by != seat]
    hand = (*table.hands[1 - seat], *added)
    return points_kept(hand, best_layoffs(hand, laid))


def test_gin_games_are_of_the_kinds_that_are_known_here() -> None:
    assert GAMES and {vector["grp"] for vector in GAMES} <= {"A", "B", "C"}
    flags = {flag for vector in GAMES for flag in vector.get("flags", ())}
    assert flags <= {"same_card_discard", "wall_knock"}
