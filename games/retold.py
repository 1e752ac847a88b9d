"""An ended deal told again from its Record: the table at each moment, with all hands or with what one seat knew.

Reads events and never the rules, so that a deal of an old edition is shown as it was played. Nothing of a running deal
comes here: only an ended one has a Record. Who may see it is asked before.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .models import Match, Seat, Tenure
from .rules.cards import Card, by_rank, by_suit
from .rules.codec import decode_event, decode_outcome, decode_sheet
from .rules.game import Game
from .rules.melds import RUN, SET, Melded
from .rules.table import DEALER, Event, Outcome
from .rules.view import TableView
from .tables import Board, SeatSeen, Told, place_of, seats_seen

ALL = -1
"""Instead of a seat: all hands lie open."""
KNOCKS = ("knock", "knock_last")
SAID = {"clock": "clock", "site": "forced"}
"""Who acted for a seat, and the line that says so."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The table after something was told. ``fresh``: the card that the mover has drawn or taken in this turn.

    ``lines`` are what this moment tells, ``seat`` who is to act next (DEALER at the end), ``pile`` from the bottom,
    ``number`` the entry of the tape.
    """

    hands: tuple[tuple[Card, ...], ...]
    stock: int
    pile: tuple[Card, ...]
    melds: tuple[Melded, ...]
    face_down: tuple[Card, ...]
    lines: tuple[Told, ...]
    turn: int
    seat: int = DEALER
    fresh: Card | None = None
    shuffles: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True)
class Retold:
    """A deal and one moment ``at`` (from 1) of so many ``steps``. ``of``: the seat whose knowledge it is, or ALL."""

    number: int
    steps: int
    at: int
    of: int
    moment: Moment
    board: Board
    outcome: Outcome | None

    @property
    def last(self) -> bool:
        return self.at == self.steps

    @property
    def hands(self) -> list[tuple[SeatSeen, tuple[Card, ...]]]:
        """The hands that lie open, each as its seat likes it or by suit."""
        shown = self.board.seats if self.of == ALL else (self.board.seats[self.of],)
        order = by_rank if self.board.sort == "rank" else by_suit
        return [(seat, order(self.moment.hands[seat.index])) for seat in shown]

    @property
    def strip(self) -> list[SeatSeen]:
        """The seats whose hands are hidden, from the left of the one that is shown."""
        return [] if self.of == ALL else [*self.board.seats[self.of + 1 :], *self.board.seats[: self.of]]


def moments(record: dict[str, Any], *, keeps_top: bool = True) -> Iterator[Moment]:
    """Every moment of a deal, from the cards as dealt. ``keeps_top``: turning the discards over leaves one."""
    now = _dealt(record)
    steps = [step for step in record["steps"] if step["action"]["type"] != "deal"]
    yield replace(now, seat=_next_seat(steps, 0), number=record["steps"][0]["n"])
    clocked = -1
    for at, step in enumerate(steps):
        events = [decode_event(told) for told in step.get("events", ())]
        turn = events[0].turn if events and step["by"] == "clock" else -1
        lines = [] if turn == clocked >= 0 else _aside(step)
        clocked = turn
        for event in events:
            now = _after(now, event, record, keeps_top)
        if step["action"]["type"] in KNOCKS:
            thrown = Card(step["action"]["card"])
            now = replace(now, hands=_less(now.hands, step["seat"], thrown), face_down=(*now.face_down, thrown))
        lines += [Told(event.kind, event.seat, event) for event in events]
        if lines:
            now = replace(now, lines=tuple(lines), seat=_next_seat(steps, at + 1), number=step["n"])
            yield now


def _dealt(record: dict[str, Any]) -> Moment:
    hands = tuple(tuple(map(Card, hand)) for hand in record["hands"])
    cards, dealt = record["orders"][0]["cards"], sum(map(len, hands))
    up = Card(cards[dealt])
    event = Event("upcard", record["dealer"], 0, (up,))
    return Moment(hands, len(cards) - dealt - 1, (up,), (), (), (Told("upcard", event.seat, event),), 0)


def _next_seat(steps: Sequence[dict[str, Any]], at: int) -> int:
    acting = (step["seat"] for step in steps[at:] if step["seat"] is not None and step.get("events"))
    return next(acting, DEALER)


def _aside(step: dict[str, Any]) -> list[Told]:
    """What is told besides the events of a step: an act of the site or of a seat towards it, or who acted for it."""
    action, seat = step["action"], -1 if step["seat"] is None else step["seat"]
    if not step.get("events"):
        return [Told(action["type"], seat, to=action.get("to"))]
    said = SAID.get(step["by"], "") if seat >= 0 else ""
    return [Told(said, seat)] if said else []


def _after(now: Moment, event: Event, record: dict[str, Any], keeps_top: bool) -> Moment:
    """The table after one event; those that move no card leave it as it is."""
    if event.turn != now.turn:
        now = replace(now, turn=event.turn, fresh=None)
    hands, seat, cards = now.hands, event.seat, event.cards
    match event.kind:
        case "drew" if event.own is not None:
            return replace(now, hands=_more(hands, seat, event.own), stock=now.stock - 1, fresh=event.own)
        case "took":
            return replace(now, hands=_more(hands, seat, *cards), pile=now.pile[:-1], fresh=cards[0])
        case "melded":
            ranks = {card.rank for card in cards if card.rank}
            meld = Melded(SET if len(ranks) == 1 else RUN, seat, cards, (seat,) * len(cards))
            return replace(now, hands=_less(hands, seat, *cards), melds=(*now.melds, meld))
        case "laid_off" if event.meld is not None:
            grown = _grown(now.melds[event.meld], cards[0], seat)
            melds = (*now.melds[: event.meld], grown, *now.melds[event.meld + 1 :])
            return replace(now, hands=_less(hands, seat, *cards), melds=melds)
        case "discarded":
            return replace(now, hands=_less(hands, seat, *cards), pile=(*now.pile, *cards), fresh=None)
        case "turned_over":
            kept = now.pile[-1:] if keeps_top else ()
            return replace(now, stock=len(now.pile) - len(kept), pile=kept)
        case "shuffled":
            return _shuffled(now, record)
    return now


def _shuffled(now: Moment, record: dict[str, Any]) -> Moment:
    n = now.shuffles + 1
    pool = set(record["orders"][n]["pool"])
    return replace(now, stock=len(pool), pile=tuple(card for card in now.pile if card not in pool), shuffles=n)


def _grown(meld: Melded, card: Card, seat: int) -> Melded:
    """A meld with a card laid off: before its first card where it comes before that, else behind."""
    if meld.kind == RUN and card.rank % 13 + 1 == meld.cards[0].rank:
        return replace(meld, cards=(card, *meld.cards), by=(seat, *meld.by))
    return replace(meld, cards=(*meld.cards, card), by=(*meld.by, seat))


def _more(hands: tuple[tuple[Card, ...], ...], seat: int, *cards: Card) -> tuple[tuple[Card, ...], ...]:
    return tuple((*hand, *cards) if at == seat else hand for at, hand in enumerate(hands))


def _less(hands: tuple[tuple[Card, ...], ...], seat: int, *cards: Card) -> tuple[tuple[Card, ...], ...]:
    return tuple(tuple(c for c in hand if c not in cards) if at == seat else hand for at, hand in enumerate(hands))


@dataclass(frozen=True, slots=True)
class Source:
    """An ended deal with what stands round it: the places, and which entries of the tape its reader himself made."""

    match: Match
    seats: tuple[SeatSeen, ...]
    record: dict[str, Any]
    made: tuple[tuple[int, int | None], ...] = ()

    def moments(self) -> list[Moment]:
        """Every moment."""
        return list(moments(self.record, keeps_top=self.match.options.get("recycle_keep_top", True)))

    @property
    def me(self) -> int | None:
        return next((seat.index for seat in self.seats if seat.is_me), None)

    def mine(self, line: Told, number: int) -> bool:
        """Whether a line is the reader's own doing, and not a bot's or a substitute's at his seat."""
        return line.seat == self.me and any(lo <= number and (hi is None or number <= hi) for lo, hi in self.made)


def retell(source: Source, at: int = 1, of: int = ALL, sort: str = "suit") -> Retold:
    """An ended deal at the moment ``at``; numbers that are no moment are brought to the nearest."""
    told = source.moments()
    return _retold(source, told, min(max(at, 1), len(told)), of if 0 <= of < len(source.seats) else ALL, sort)


def retell_all(source: Source) -> Iterator[Retold]:
    """An ended deal, moment after moment, with all hands."""
    told = source.moments()
    for at in range(1, len(told) + 1):
        yield _retold(source, told, at, ALL, "suit")


def _retold(source: Source, told: list[Moment], at: int, of: int, sort: str) -> Retold:
    moment, record, game = told[at - 1], source.record, source.match.game()
    outcome = decode_outcome(record["outcome"]) if record["outcome"] and at == len(told) else None
    board = Board(
        match=source.match,
        game=game,
        options=game.options,
        me=source.me,
        seats=_seats(source, moment),
        view=_view(game, record, moment, of, outcome),
        sort=sort,
        settled=len(moment.melds),
        log=tuple(
            replace(line, event=_known(line.event, of), mine=source.mine(line, moment.number)) for line in moment.lines
        ),
        drives=source.me is not None,
    )
    return Retold(record["deal"], len(told), at, of, moment, board, outcome)


def _seats(source: Source, moment: Moment) -> tuple[SeatSeen, ...]:
    """The places as they stood at that moment."""
    return tuple(
        replace(
            seat,
            total=source.record["sheet"]["totals"][seat.side],
            cards=len(moment.hands[seat.index]),
            dealer=seat.index == source.record["dealer"],
            moving=seat.index == moment.seat,
        )
        for seat in source.seats
    )


def _known(event: Event | None, of: int) -> Event | None:
    """An event as the seat knew it; with all hands open everything is known."""
    if event is None or of in (ALL, event.seat):
        return event
    return replace(event, own=None)


def _view(game: Game[Any], record: dict[str, Any], moment: Moment, of: int, outcome: Outcome | None) -> TableView:
    hand = moment.hands[of] if of != ALL else ()
    return TableView(
        seat=of if of != ALL else None,
        phase="deal_over" if moment.seat == DEALER else "play",
        actor=moment.seat,
        turn=moment.seat,
        dealer=record["dealer"],
        hand=hand,
        drawn=moment.fresh if moment.fresh in hand else None,
        taken=None,
        points=0,
        counts=tuple(map(len, moment.hands)),
        stock=moment.stock,
        top=moment.pile[-1] if moment.pile else None,
        pile=len(moment.pile),
        melds=moment.melds,
        turns=moment.turn,
        events=tuple(line.event for line in moment.lines if line.event is not None),
        facts=(),
        own=(),
        legal=(),
        exhaustive=True,
        sheet=decode_sheet(record["sheet"], game.sheet_kind),
        outcome=outcome,
        hands=moment.hands if of == ALL else (),
    )


def source_of(match: Match, user: Any, record: dict[str, Any]) -> Source:
    """An ended deal of a match as this user looks at it."""
    rows = list(Seat.objects.filter(match=match).select_related("user", "driven_by").order_by("index"))
    mine = place_of(rows, user)
    made = Tenure.objects.filter(seat=mine, user=user.pk).values_list("from_move", "to_move") if mine else ()
    seats = seats_seen(match, rows, mine.index if mine else None, match.game(), None)
    return Source(match, seats, record, tuple(made))
