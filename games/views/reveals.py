"""A deal that ended with open hands: melds, lay-offs, deadwood, and each term of the score, to be added up by hand."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.preset_texts import Text
from games.rules.cards import Card
from games.tables import Board, Line, Result, SeatSeen
from games.wording import seat_name

HEADLINES: dict[str, tuple[Text, Text]] = {
    "gin": (gettext_lazy("You have gin"), gettext_lazy("{name} has gin")),
    "big_gin": (gettext_lazy("You have big gin"), gettext_lazy("{name} has big gin")),
    "knock": (gettext_lazy("You knocked and win the deal"), gettext_lazy("{name} knocked and wins the deal")),
    "undercut": (gettext_lazy("You undercut the knock"), gettext_lazy("{name} undercuts the knock")),
    "tie": (
        gettext_lazy("Equal deadwood: the deal goes to you"),
        gettext_lazy("Equal deadwood: the deal goes to {name}"),
    ),
}
"""How a deal ended, told to the one who scores and to the others."""

TERMS: dict[str, Text] = {
    "difference": gettext_lazy("Deadwood: {more} − {less}"),
    "gin_bonus": gettext_lazy("Gin bonus"),
    "big_gin_bonus": gettext_lazy("Big gin bonus"),
    "undercut_bonus": gettext_lazy("Undercut bonus"),
    "doubled": gettext_lazy("The upcard was a spade: all of it once more"),
    "points": gettext_lazy("Points of the deals"),
    "game_bonus": gettext_lazy("Game bonus"),
    "boxes": gettext_lazy("Boxes"),
    "shutout": gettext_lazy("Shutout"),
}
"""What a line of the arithmetic is for."""


@dataclass(frozen=True, slots=True)
class OpenMeld:
    """A meld of an open hand: its cards, and of each whether the other seat laid it off there."""

    cards: tuple[tuple[Card, bool], ...]


@dataclass(frozen=True, slots=True)
class OpenHand:
    """The hand of a seat as it lies open. ``arithmetic`` adds up the deadwood."""

    seat: SeatSeen
    name: str
    melds: tuple[OpenMeld, ...]
    dead: tuple[Card, ...]
    arithmetic: str
    left: int
    face_down: tuple[Card, ...]
    laid_off: tuple[Card, ...]
    scored: int
    before: int
    after: int
    boxes: int | None


@dataclass(frozen=True, slots=True)
class Reveal:
    """Both hands, the one that was laid open first; ``terms`` add up to ``total``, which ``whom`` scores."""

    hands: tuple[OpenHand, ...]
    terms: tuple[tuple[str, int], ...]
    total: int
    whom: str
    words: str


def arithmetic(points: Sequence[int]) -> str:
    """The points of some cards and their sum: "10 + 10 + 5 = 25"; a single card is its own sum."""
    if len(points) < 2:
        return ""
    return f"{' + '.join(map(str, points))} = {sum(points)}"


def is_open(result: Result) -> bool:
    """Whether the hands of a deal lie open in melds."""
    return result.outcome is not None and any(line.what == "deadwood" for line in result.outcome.lines)


def headline(board: Board, result: Result) -> str:
    """How the deal ended, in one sentence."""
    outcome = result.outcome
    assert outcome is not None
    if outcome.scorer is None:
        return _("The deal is void: nobody knocked")
    mine, theirs = HEADLINES[outcome.kind]
    seat = board.seats[outcome.scorer]
    return str(mine if seat.is_me else theirs).format(name=seat_name(seat))


def reveal(board: Board, result: Result) -> Reveal:
    """An ended deal with open hands, spelt out."""
    outcome = result.outcome
    assert outcome is not None
    first = next((line.seat for line in outcome.lines if line.what == "deadwood" and line.seat is not None), 0)
    order = sorted(board.seats, key=lambda seat: seat.index != first)
    hands = tuple(_open_hand(board, result, seat, shows=seat.index == first) for seat in order)
    scored = [line for line in outcome.lines if line.what in TERMS]
    scorer = board.seats[outcome.scorer] if outcome.scorer is not None else None
    less, more = sorted(hand.left for hand in hands)
    return Reveal(
        hands=hands,
        terms=tuple((str(TERMS[line.what]).format(more=more, less=less), line.points) for line in scored),
        total=sum(line.points for line in scored),
        whom=_whom(scorer),
        words=_words(scored, more, less),
    )


def _words(scored: Sequence[Line], more: int, less: int) -> str:
    """The sum in one line: "2 × (21 − 9 + 25) = 74"."""
    terms = f"{more} − {less}" if less else f"{more}"
    bonus = [line.points for line in scored if line.what.endswith("_bonus")]
    inner = " + ".join([terms, *map(str, bonus)])
    total = sum(line.points for line in scored)
    if any(line.what == "doubled" for line in scored):
        return f"2 × ({inner}) = {total}"
    return f"{inner} = {total}" if less or bonus else ""


def _whom(scorer: SeatSeen | None) -> str:
    if scorer is None:
        return _("Nobody scores; the same player deals again.")
    return _("points for you") if scorer.is_me else _("points for {name}").format(name=seat_name(scorer))


def _open_hand(board: Board, result: Result, seat: SeatSeen, *, shows: bool) -> OpenHand:
    assert result.outcome is not None
    lines = [line for line in result.outcome.lines if line.seat == seat.index]
    dead = _cards(lines, "deadwood")
    boxes = getattr(result.sheet_after, "boxes", None)
    return OpenHand(
        seat=seat,
        name=seat_name(seat),
        melds=tuple(_melds(lines, result.laid if shows else ())),
        dead=dead,
        arithmetic=arithmetic(sorted((board.game.points(card) for card in dead), reverse=True)),
        left=sum(board.game.points(card) for card in dead),
        face_down=_cards(lines, "face_down"),
        laid_off=_cards(lines, "laid_off"),
        scored=result.outcome.points[seat.index],
        before=result.before[seat.side],
        after=result.after[seat.side],
        boxes=boxes[seat.side] if boxes is not None else None,
    )


def _cards(lines: Sequence[Line], what: str) -> tuple[Card, ...]:
    return next((line.cards for line in lines if line.what == what), ())


def _melds(lines: Sequence[Line], laid: Sequence[tuple[Card, int]]) -> list[OpenMeld]:
    """The melds of a hand, each with what was laid off on it, in the order of their ranks."""
    melds = [line.cards for line in lines if line.what == "melded"]
    grown: list[OpenMeld] = []
    for index, cards in enumerate(melds):
        added = [card for card, meld in laid if meld == index]
        whole = sorted([*((card, False) for card in cards), *((card, True) for card in added)], key=lambda c: c[0].rank)
        grown.append(OpenMeld(tuple(whole)))
    return grown


def final_sums(board: Board, result: Result) -> list[list[tuple[SeatSeen, list[tuple[str, int]], int]]]:
    """The sums that end a match, a group for each column: (seat, terms, their sum) for each side."""
    groups = []
    for lines in board.game.final_lines(result.sheet_after):
        group = []
        for seat in board.seats:  # a side is a seat wherever there are such sums
            terms = [(str(TERMS[line.what]), line.points) for line in lines if line.seat == seat.side]
            group.append((seat, terms, sum(points for _what, points in terms)))
        if lines:
            groups.append(group)
    return groups
