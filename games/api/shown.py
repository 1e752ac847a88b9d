"""What the interface tells of matches and people: values made of rows' public columns and of Boards, nothing else."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from games.models import Match, Seat
from games.rules.codec import encode, encode_event, encode_outcome
from games.tables import Board, name_of, place_of, username_of


@dataclass(frozen=True, slots=True)
class Place:
    """A seat of a match. ``kind``: open, invited, user or bot: who drives it."""

    seat: int
    name: str
    username: str
    kind: str
    given_up: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A match in a list. ``turn`` is the seat to move, ``winners`` are sides: in games without partners, seats."""

    id: int
    preset: str
    edition: int
    title: str
    pace: str
    private: bool
    status: str
    ending: str
    opened_at: str
    started_at: str | None
    ended_at: str | None
    due_at: str | None
    deal: int
    turn: int | None
    my_seat: int | None
    totals: list[int]
    winners: list[int]
    seats: list[Place]
    page: str


@dataclass(frozen=True, slots=True)
class Lines:
    """Some matches, the newest first, and the address of those after them."""

    matches: list[Line]
    next: str | None


@dataclass(frozen=True, slots=True)
class Laid:
    """A meld on the table; ``by``: who brought each of its cards."""

    kind: str
    owner: int
    cards: list[str]
    by: list[int]


@dataclass(frozen=True, slots=True)
class TableSeen:
    """The table as the caller may see it, exactly what the page of the match shows him.

    ``hand`` is his own, ``counts`` how many cards each seat holds, ``hands`` all of them once the deal is over.
    """

    phase: str
    turn: int
    dealer: int
    turns: int
    my_turn: bool
    hand: list[str]
    drawn: str | None
    taken: str | None
    points: int
    counts: list[int]
    stock: int
    top: str | None
    pile: int
    melds: list[Laid]
    legal: list[dict[str, Any]]
    legal_is_all: bool
    events: list[dict[str, Any]]
    outcome: dict[str, Any] | None
    hands: list[list[str]]


@dataclass(frozen=True, slots=True)
class MatchSeen:
    """A match with its table. ``deals``: the numbers of those that are over, whose Records can be asked for."""

    match: Line
    options: dict[str, Any]
    memory: str
    commitment: str
    deals: list[int]
    table: TableSeen | None


@dataclass(frozen=True, slots=True)
class Person:
    """A player as everybody may see him."""

    username: str
    name: str
    guest: bool
    since: str
    page: str


@dataclass(frozen=True, slots=True)
class Me:
    """The caller himself."""

    person: Person
    scope: str
    language: str
    time_zone: str


def line(match: Match, user: Any) -> Line:
    """A match whose seats and their users are at hand."""
    seats = list(match.seats.all())
    mine = place_of(seats, user)
    return Line(
        id=match.pk,
        preset=match.preset,
        edition=match.edition,
        title=match.title,
        pace=match.pace,
        private=match.private,
        status=str(match.status),
        ending=str(match.ending),
        opened_at=match.created_at.isoformat(),
        started_at=_time(match.started_at),
        ended_at=_time(match.ended_at),
        due_at=_time(match.due_at),
        deal=match.deal_number,
        turn=match.turn,
        my_seat=mine.index if mine else None,
        totals=match.totals,
        winners=match.winners,
        seats=[_place(seat) for seat in sorted(seats, key=lambda seat: seat.index)],
        page=reverse("games:match", args=[match.pk]),
    )


def _time(at: Any) -> str | None:
    return at.isoformat() if at is not None else None


def _place(seat: Seat) -> Place:
    return Place(seat.index, name_of(seat), username_of(seat), str(seat.driver), seat.given_up_at is not None)


def table(board: Board) -> TableSeen | None:
    """The table of a Board; None before the first deal."""
    view = board.view
    if view is None:
        return None
    return TableSeen(
        phase=view.phase,
        turn=view.turn,
        dealer=view.dealer,
        turns=view.turns,
        my_turn=board.my_turn,
        hand=list(map(str, board.hand)),
        drawn=str(view.drawn) if view.drawn else None,
        taken=str(view.taken) if view.taken else None,
        points=view.points,
        counts=list(view.counts),
        stock=view.stock,
        top=str(view.top) if view.top else None,
        pile=view.pile,
        melds=[Laid(meld.kind, meld.owner, list(map(str, meld.cards)), list(meld.by)) for meld in view.melds],
        legal=[encode(action) for action in view.legal] if board.my_turn else [],
        legal_is_all=view.exhaustive,
        events=[encode_event(event) for event in view.events],
        outcome=encode_outcome(view.outcome) if view.outcome else None,
        hands=[list(map(str, hand)) for hand in view.hands],
    )


def person(user: Any) -> Person:
    """A user whose account is open."""
    return Person(
        username=user.username,
        name=str(user.shown_name),
        guest=user.is_guest,
        since=user.date_joined.date().isoformat(),
        page=reverse("games:player", args=[user.username]),
    )
