"""A seat's unfinished turn, kept on the server: what may be taken back until the turn is submitted.

A draw reveals a card and goes to play.py at once; melds and lay-offs wait here, seen by the seat's driver only; what
ends the turn submits all of it. The order of the hand stands here too: it is private and locks nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from . import play, tape
from .models import Draft, Match, Move, Seat, StandingOrder
from .rules import codec
from .rules.actions import Action
from .rules.cards import Card, by_rank, by_suit, card
from .rules.errors import Malformed, Refused
from .rules.table import Table
from .writing import writing

SORTS = ("rank", "suit", "meld")


@dataclass(frozen=True, slots=True)
class Seen:
    """What a page had before its eyes: the version of the match and the number of the draft, written ``41.3``."""

    version: int
    draft: int

    @classmethod
    def read(cls, text: str) -> "Seen":
        """Raises Malformed."""
        version, dot, draft = text.partition(".")
        if not (dot and version.isdecimal() and draft.isdecimal() and len(text) < 24):
            raise Malformed("the page has to say what it has seen")
        return cls(int(version), int(draft))

    def __str__(self) -> str:
        return f"{self.version}.{self.draft}"


def act(match_id: int, seat: Seat, action: Action, seen: Seen) -> tape.Now | None:
    """One action of a person: played, and then how the match stands, or kept in the draft.

    Raises play.Stale or the rules' Refused.
    """
    if action.can_wait and _kept(match_id, seat, action, seen):
        return None
    return play.submit(match_id, seat.index, [action], by=Move.By.USER, seen=seen.version, draft=seen.draft)


def _kept(match_id: int, seat: Seat, action: Action, seen: Seen) -> bool:
    """Append to the draft; False if it is not for the draft, or if with it the turn is over: then it is played."""
    match = Match.objects.get(pk=match_id)
    if match.status != Match.Status.RUNNING:
        raise play.Stale("over")
    read = tape.read(match, tape.current_deal(match))
    if read.table.actor != seat.index or match.version != seen.version:
        return False
    with writing():
        draft = lock(seat)
        if draft.number != seen.draft:
            raise play.Stale("stale")
        table = drafted(read, draft)
        after = read.game.apply(table, seat.index, action)
        if (after.turns, after.actor) != (table.turns, table.actor):
            return False
        told = codec.encode(action)
        draft.actions = [*draft.actions, told] if is_of(draft, read) else [told]
        draft.deal, draft.turn = match.deal_number, read.table.turns
        draft.number += 1
        draft.save()
        StandingOrder.objects.filter(seat=seat, why="").update(why="own")
    return True


def undo(match_id: int, seat: Seat, seen: Seen) -> None:
    """Take back the last meld or lay-off that has not been submitted. Raises play.Stale; Malformed if there is none."""
    match = Match.objects.get(pk=match_id)
    if match.status != Match.Status.RUNNING:
        raise play.Stale("over")
    read = tape.read(match, tape.current_deal(match))
    with writing():
        draft = lock(seat)
        if draft.number != seen.draft or match.version != seen.version:
            raise play.Stale("stale")
        if not is_of(draft, read) or not draft.actions:
            raise Malformed("there is nothing to take back")
        draft.actions = draft.actions[:-1]
        draft.number += 1
        draft.save()


def lock(seat: Seat) -> Draft:
    """The seat's draft row, locked; made when it is first needed."""
    Draft.objects.get_or_create(seat=seat)
    return Draft.objects.select_for_update().get(seat=seat)


def is_of(draft: Draft, read: tape.Tape) -> bool:
    """Whether a draft belongs to the turn in progress; any other is old and counts for nothing."""
    return (draft.deal, draft.turn) == (read.sheet.deal, read.table.turns)


def drafted(read: tape.Tape, draft: Draft | None) -> Table:
    """The table as the seat's driver sees it: with the melds and lay-offs of the draft. An unlawful rest is dropped."""
    table = read.table
    if draft is None or not is_of(draft, read):
        return table
    for told in draft.actions:
        try:
            table = read.game.apply(table, table.turn, codec.decode(told))
        except Refused:
            break
    return table


def arranged(
    hand: Sequence[Card], draft: Draft | None, default: str, drawn: Card | None, melds: Sequence[Sequence[Card]] = ()
) -> tuple[Card, ...]:
    """The hand in its driver's order. A card just drawn stands at the end until the turn is over, or he has laid it.

    ``melds`` are those of the hand, where its game works them out: with the sort ``meld`` they come first.
    """
    if draft and draft.sort == "own" and str(drawn) in draft.order:
        drawn = None
    rest = [c for c in hand if c != drawn]
    sort = (draft.sort if draft else "") or default
    if sort == "meld":
        melded = [c for meld in melds for c in meld if c in rest]
        laid = (*melded, *by_rank([c for c in rest if c not in melded]))
    elif sort == "rank":
        laid = by_rank(rest)
    else:
        laid = by_suit(rest)
        if sort == "own" and draft:
            place = {text: i for i, text in enumerate(draft.order)}
            laid = tuple(sorted(laid, key=lambda c: place.get(str(c), len(place))))
    return (*laid, drawn) if drawn is not None and drawn in hand else laid


def set_sort(seat: Seat, sort: str) -> None:
    """Sort the hand by rank, by suit or by melds. Raises Malformed for anything else."""
    if sort not in SORTS:
        raise Malformed("a hand is sorted by rank, by suit or by melds")
    with writing():
        draft = lock(seat)
        draft.sort, draft.order, draft.stamp = sort, [], draft.stamp + 1
        draft.save()


def set_order(seat: Seat, hand: Sequence[Card], words: Sequence[str]) -> None:
    """Keep an own order: ``words`` are the cards of the hand, each once. Raises Malformed."""
    try:
        laid = [card(word) for word in words]
    except ValueError as error:
        raise Malformed(str(error)) from error
    if sorted(laid) != sorted(hand):
        raise Malformed("an order names each card of the hand once")
    with writing():
        draft = lock(seat)
        draft.sort, draft.order, draft.stamp = "own", [str(c) for c in laid], draft.stamp + 1
        draft.save()


def move_card(seat: Seat, hand: Sequence[Card], one: str, step: int) -> None:
    """Move a card one place to the left (-1) or right (1) in the order shown, ``hand``. Raises Malformed."""
    words = [str(c) for c in hand]
    if one not in words or step not in (-1, 1):
        raise Malformed("that card is not in the hand")
    place = words.index(one)
    words.insert(max(0, place + step), words.pop(place))
    set_order(seat, hand, words)
