"""How the tests of the rules play: packs in an order, tables drawn by hand, random and whole deals. No test in here."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from games.bots import LEVELS
from games.rules.actions import Action
from games.rules.cards import Card, cards, pack
from games.rules.catalog import PRESETS, find
from games.rules.errors import Refused
from games.rules.game import Game
from games.rules.knocking import KnockTable
from games.rules.melds import Melded, new_meld
from games.rules.options import Choice, Range
from games.rules.sheet import Sheet
from games.rules.table import DEALER, Table
from games.rules.variants.rummy import Rummy, RummyTable
from games.rules.view import see

Chooser = Callable[[Game[Any], Table, random.Random], Action]
EVERY_TABLE = tuple((preset.name, seats) for preset in PRESETS for seats in sorted(preset.hand_sizes))
"""All presets with all numbers of seats that they offer."""

RUMMY_TABLES = tuple((name, seats) for name, seats in EVERY_TABLE if find(name).game is Rummy)
"""Those of basic rummy."""


def game(preset: str = "basic-rummy", seats: int | None = None, **chosen: Any) -> Game[Any]:
    """A game of a preset with some options chosen."""
    found = find(preset)
    return found.play(found.options(seats, chosen))


def sampled(preset: str, seats: int, rng: random.Random, share: float = 0.5) -> dict[str, Any]:
    """Options of a preset, each chosen with a chance of ``share`` among the values that it offers."""
    found, chosen = find(preset), {}
    for offer in found.offers:
        if rng.random() >= share:
            continue
        if isinstance(offer, Choice):
            chosen[offer.name] = rng.choice(offer.values)
        elif isinstance(offer, Range):
            ends = {
                "hand_size": (3, 50 // seats),
                "target": (10, 400),
                "deals": (1, 5),
                "turn_cap": (10, 30),
                "stock_recycle_max": (0, 3),
            }
            chosen[offer.name] = rng.randint(*ends.get(offer.name, (offer.low, offer.high)))
    if chosen.get("match_end") == "deals":
        chosen.setdefault("deals", rng.randint(1, 5))
    return chosen


def random_order(size: int, rng: random.Random) -> list[int]:
    """A permutation of so many places."""
    order = list(range(size))
    rng.shuffle(order)
    return order


def dealt(game: Game[Any], rng: random.Random, sheet: Sheet | None = None) -> Table:
    """A table dealt from a pack in a random order."""
    return game.deal(sheet or game.new_sheet(0), random_order(len(game.pack()), rng))


def anything(game: Game[Any], table: Table, rng: random.Random) -> Action:
    """Any legal action; of many melds none is more likely than a discard."""
    actions = game.choices(table).actions
    kind = rng.choice(sorted({type(action).name for action in actions}))
    return rng.choice([action for action in actions if action.name == kind])


def lively(game: Game[Any], table: Table, rng: random.Random) -> Action:
    """Now any action, now a sensible one, so that deals get somewhere and melds lie on the table."""
    return anything(game, table, rng) if rng.random() < 0.4 else by_bot(LEVELS["easy"])(game, table, rng)


def stepped(game: Game[Any], table: Table, rng: random.Random, choose: Chooser = lively) -> tuple[Action | None, Table]:
    """One step on: an action of the seat to act, or (None, ...) the dealer's shuffle."""
    if table.actor == DEALER:
        order = random_order(len(game.pool(table)), rng)
        return None, game.reshuffle(table, table.orders + 1, order)
    action = choose(game, table, rng)
    return action, game.apply(table, table.actor, action)


def tables(
    game: Game[Any], rng: random.Random, choose: Chooser = lively, sheet: Sheet | None = None
) -> Iterator[Table]:
    """Every table of a deal, from the lay-out to the end."""
    table = dealt(game, rng, sheet)
    yield table
    while table.outcome is None:
        table = stepped(game, table, rng, choose)[1]
        yield table


def by_bot(bot: Callable[..., Action]) -> Chooser:
    """Choose as a bot does, from what its seat sees."""

    def choose(game: Game[Any], table: Table, rng: random.Random) -> Action:
        return bot(see(game, table, game.new_sheet(table.dealer), table.actor), game, rng)

    return choose


def whole_match(game: Game[Any], rng: random.Random, choose: Chooser) -> tuple[Sheet, list[Table]]:
    """The Sheet at the end of a match and the last table of each deal."""
    sheet, ends = game.new_sheet(rng.randrange(game.options.players)), []
    while not sheet.over:
        *_, last = tables(game, rng, choose, sheet)
        assert last.outcome is not None
        ends.append(last)
        sheet = game.book(sheet, last.outcome)
    return sheet, ends


def cards_of(table: Table) -> list[Card]:
    """All cards of the table, sorted, whichever zone they are in."""
    return sorted(card for zone in table.zones().values() for card in zone)


def why(game: Game[Any], table: Table, action: Action, seat: int | None = None) -> str | None:
    """The reason with which an action is refused, None if it is accepted."""
    try:
        game.apply(table, table.turn if seat is None else seat, action)
    except Refused as refused:
        return refused.reason
    return None


def rummy_table(
    game: Game[Any],
    *hands: str,
    pile: str = "",
    stock: str | None = None,
    melds: Sequence[tuple[int, str]] = (),
    phase: str = "play",
    turn: int = 0,
    taken: str | None = None,
    drawn: str | None = None,
    **more: Any,
) -> RummyTable:
    """A table of basic rummy drawn by hand; ``stock`` None takes all cards named nowhere else.

    ``melds`` are (owner, cards). Who owns a meld has put it down in turn 0, unless ``first_play`` says otherwise.
    """
    held = [cards(hand) for hand in hands]
    laid: list[Melded] = []
    for owner, text in melds:
        meld = new_meld(cards(text), owner, game.shape)
        assert meld is not None, text
        laid.append(meld)
    named = {card for hand in held for card in hand} | {c for meld in laid for c in meld.cards} | set(cards(pile))
    owners = frozenset(meld.owner for meld in laid)
    more.setdefault("first_play", tuple(0 if seat in owners else -1 for seat in range(len(held))))
    more.setdefault("owners", owners)
    more.setdefault("turns", 10)
    more.setdefault("dealer", len(held) - 1)
    return RummyTable(
        hands=tuple(held),
        stock=cards(stock) if stock is not None else tuple(card for card in pack() if card not in named),
        discards=cards(pile),
        turn=turn,
        phase=phase,
        melds=tuple(laid),
        taken=cards(taken)[0] if taken else None,
        drawn=cards(drawn)[0] if drawn else None,
        **more,
    )


def gin_table(
    game: Game[Any],
    *hands: str,
    pile: str = "",
    stock: str | None = None,
    phase: str = "play",
    turn: int = 0,
    upcard: str = "KH",
    taken: str | None = None,
    drawn: str | None = None,
    **more: Any,
) -> KnockTable:
    """A table of the gin family drawn by hand; seat 1 has dealt. ``stock`` None takes all cards named nowhere else."""
    held = [cards(hand) for hand in hands]
    named = {card for hand in held for card in hand} | set(cards(pile))
    (up,) = cards(upcard)
    more.setdefault("turns", 10)
    more.setdefault("dealer", 1)
    return KnockTable(
        hands=tuple(held),
        stock=cards(stock) if stock is not None else tuple(card for card in pack() if card not in named),
        discards=cards(pile),
        turn=turn,
        phase=phase,
        upcard=up,
        limit=game.knock_limit(up),  # type: ignore[attr-defined]  # every game of the family has one
        taken=cards(taken)[0] if taken else None,
        drawn=cards(drawn)[0] if drawn else None,
        **more,
    )
