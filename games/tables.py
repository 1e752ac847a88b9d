"""A match as one user or watcher may see it: all that pages, sockets, API and mail ever get.

Reads a Table (with the own draft laid on it), asks the rules for a TableView, and lists beside it what the rows add:
names, deadline, draft, news. No Table leaves this module.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Case, F, Q, QuerySet, When
from django.utils import timezone

from . import agreements, clock, drafts, order_rows, tape, visits
from .lines import Told as Told
from .lines import lines as story
from .models import Deal, Draft, Match, Move, Seat
from .order_rows import OrderSeen
from .results import Result as Result
from .results import result_of as result_of
from .results import results as results
from .results import results_of as results_of
from .rules.actions import Action
from .rules.cards import Card
from .rules.codec import decode
from .rules.game import Game
from .rules.options import Options
from .rules.table import Line as Line
from .rules.view import TableView, see
from .tape import Now as Now


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """A place as everybody sees it. ``side`` scores for it; ``cut`` is empty until the match has started.

    ``gone``: how its user has left it; ``substitute``: the name of who plays it for the user, if a person does.
    """

    index: int
    side: int
    name: str
    user_id: int | None
    driven_by_id: int | None
    driver: str
    is_me: bool
    is_bot: bool
    given_up: bool
    gone: str
    substitute: str
    wants_back: bool
    looked_at: datetime | None
    closed_account: bool
    total: int
    cards: int
    dealer: bool
    moving: bool
    cut_hash: str
    cut: str
    cut_by: str
    username: str = ""
    """For the page of the player; empty for bots and for accounts that are closed."""


@dataclass(frozen=True, slots=True)
class Board:
    """A match seen by ``me`` (its seat number, or None), who ``drives`` the seat or only watches what others play
    there for him. ``view`` is None before the first deal.

    ``hand`` is mine in my order, ``settled`` the number of melds that all can see; those after it are of my draft.
    ``seen`` goes back with each form, ``hand_stamp`` says whether the hand has to be drawn again.
    ``result`` is the deal just ended, while I have not put it aside; ``returning``: I have been here before, and
    ``missed`` are the deals that have ended since then, oldest first; ``order`` is what I want done meanwhile;
    ``gave_time``: I have, in this turn.
    """

    match: Match
    game: Game[Any]
    options: Options
    me: int | None
    seats: tuple[SeatSeen, ...]
    view: TableView | None = None
    hand: tuple[Card, ...] = ()
    sort: str = "suit"
    settled: int = 0
    laid: frozenset[Card] = frozenset()
    steps: tuple[Action, ...] = ()
    log: tuple[Told, ...] = ()
    seen: str = "0.0"
    hand_stamp: str = ""
    order_stamp: int = 0
    result: Result | None = None
    returning: bool = False
    missed: tuple[Result, ...] = ()
    waiting_since: datetime | None = None
    order: OrderSeen | None = None
    gave_time: bool = False
    ask_again: Mapping[str, datetime | None] = field(default_factory=dict)
    drives: bool = False
    nudged: bool = False

    @property
    def my_turn(self) -> bool:
        running = self.match.status == Match.Status.RUNNING and self.match.paused_at is None
        return self.drives and self.view is not None and self.view.my_turn and running


def may_look(match: Match, user: Any, token: str = "") -> bool:
    """Whether a user may open the page of a match: a public one, or one where he sits or holds the invitation.

    An invitation ends when the match starts.
    """
    if not match.private:
        return True
    if user.is_authenticated and match.seats.filter(Q(user=user.pk) | Q(driven_by=user.pk)).exists():
        return True
    return match.status == Match.Status.OPEN and secrets.compare_digest(token.encode(), match.token.encode())


def waiting_for(user: Any) -> "QuerySet[Match]":
    """Running matches in which it is this user's turn: the nearest deadline first, at the end those put off.

    None that is paused.
    """
    mine = Q(seats__driven_by=user.pk, seats__index=F("turn"))
    put_off = Case(When(seats__later_until__gt=timezone.now(), then=1), default=0)
    waiting = Match.objects.filter(mine, status=Match.Status.RUNNING, paused_at=None)
    return waiting.order_by(put_off, F("due_at").asc(nulls_last=True), "pk")


def queue(user: Any) -> list[int]:
    """The numbers of the matches that ``waiting_for`` finds, in its order, for every answer to a move: one plain query,
    put in order here, takes a database and Django's own work least time."""
    mine = Seat.objects.filter(driven_by=user.pk, index=F("match__turn"))
    running = mine.filter(match__status=Match.Status.RUNNING, match__paused_at=None)
    now, never = timezone.now(), datetime.max.replace(tzinfo=UTC)
    found = running.values_list("match_id", "match__due_at", "later_until")
    order = sorted((later is not None and later > now, due or never, pk) for pk, due, later in found)
    return [pk for _later, _due, pk in order]


def boards(matches: Sequence[Match], user: Any) -> list[Board]:
    """Running matches as a list shows them, without the result of an earlier deal: three queries whatever their number.

    Their seats and the seats' users should be prefetched.
    """
    if not matches:
        return []
    drafts_of = {row.seat_id: row for row in Draft.objects.filter(seat__match__in=matches, seat__driven_by=user.pk)}
    shown = []
    for match, (deal, read) in zip(matches, tape.read_many(matches), strict=True):
        seats = list(match.seats.all())
        draft = next((drafts_of[seat.pk] for seat in seats if seat.pk in drafts_of), None)
        shown.append(board(match, user, now=Now(match, seats, deal, read, draft), brief=True))
    return shown


def board(match: Match, user: Any, *, visit: bool = False, now: Now | None = None, brief: bool = False) -> Board:
    """The match as ``user`` may see it now. With ``visit`` the news up to now count as seen from the next visit on.

    ``now`` spares the queries of a match that has just been read or committed; ``brief`` leaves out ``result``.
    """
    rows = list(now.seats) if now else match.seated()
    mine = place_of(rows, user)
    me = mine.index if mine is not None else None
    if not match.deal_number:
        game = match.game()
        seats, drives = seats_seen(match, rows, me, game, None), mine is not None and mine.driven_by_id == user.pk
        return Board(match, game, game.options, me, seats, seen=f"{match.version}.0", drives=drives)
    deal = now.deal if now else tape.current_deal(match)
    read = now.tape if now else tape.read(match, deal)
    drives = mine is not None and mine.driven_by_id == user.pk
    if now is not None:
        draft = now.draft
    else:
        draft = next(iter(Draft.objects.filter(seat=mine)), None) if mine is not None and drives else None
    game, table = read.game, drafts.drafted(read, draft)
    sees = drives or table.outcome is not None or lost_here(read, mine)
    view = see(game, table, read.sheet, me if sees else None, match.memory)
    if visit and mine is not None and drives:
        _visit(mine, read)
    missed = () if brief else _missed(match, deal, mine if drives else None)
    own = _own_draft(read, draft) if table is not read.table else ()
    settled = len(read.table.melds)
    melds = dict(view.own).get("melds", ())
    ordered = order_rows.order_seen(match, mine, read, view) if mine is not None and drives and not brief else None
    usual = "meld" if melds else user.hand_sort if mine is not None else "suit"
    return Board(
        match=match,
        game=game,
        options=game.options,
        me=me,
        seats=seats_seen(match, rows, me, game, view),
        view=view,
        hand=drafts.arranged(view.hand, draft, usual, view.drawn or view.taken, melds),
        sort=(draft.sort if draft else "") or usual,
        settled=settled,
        laid=_laid(read, table),
        steps=own,
        log=story(read, view, mine, drives=drives),
        seen=f"{match.version}.{draft.number if draft else 0}",
        hand_stamp=_stamp(match, read, draft, len(own), me),
        order_stamp=draft.stamp if draft else 0,
        result=None if brief else _result(match, deal, mine if drives else None, missed),
        returning=mine is not None and drives and mine.recap_deal > 0,
        missed=missed,
        waiting_since=clock.waiting_since(match),
        gave_time=any((a.what, a.seat, a.turn) == ("time_given", me, read.table.turns) for a in read.asides),
        ask_again=_ask_again(read, me),
        order=ordered,
        drives=drives,
        nudged=any(one.what == "nudged" and one.turn == table.turns for one in read.asides),
    )


def _ask_again(read: tape.Tape, me: int | None) -> dict[str, datetime | None]:
    """By what could be proposed: from when on the reader may do it again, who was told no."""
    if me is None:
        return {}
    now = timezone.now()
    return {kind: agreements.may_ask_from(read.asides, me, kind, now) for kind in agreements.PATIENCE}


def place_of(rows: Sequence[Seat], user: Any) -> Seat | None:
    """The seat that a user drives, else the one that is his and that others play for him."""
    if not user.is_authenticated:
        return None
    places = [seat for seat in rows if user.pk in (seat.driven_by_id, seat.user_id)]
    return max(places, key=lambda seat: seat.driven_by_id == user.pk, default=None)


TAKEN = ("given_up", "replaced")
"""How a user loses a seat without having left it."""


def lost_here(read: tape.Tape, mine: Seat | None) -> bool:
    """Whether the user lost his seat in this deal: its hand is his to see until the deal ends."""
    return mine is not None and any(one.what in TAKEN and one.seat == mine.index for one in read.asides)


def _own_draft(read: tape.Tape, draft: Draft | None) -> tuple[Action, ...]:
    return tuple(map(decode, draft.actions)) if draft is not None and drafts.is_of(draft, read) else ()


def _laid(read: tape.Tape, table: Any) -> frozenset[Card]:
    """Cards that only my draft has put on the table."""
    before = {c for meld in read.table.melds for c in meld.cards}
    return frozenset(c for meld in table.melds for c in meld.cards if c not in before)


def _stamp(match: Match, read: tape.Tape, draft: Draft | None, steps: int, me: int | None) -> str:
    """Changes exactly when my hand, its order or its buttons change, never by what others do."""
    mine = draft.seat_id if draft else 0
    drawn = read.table.turn == me and (read.table.drawn or read.table.taken)
    own_turn = f"{read.table.turns}.{1 if drawn else 0}" if drawn or steps else "-"
    order = f"{draft.stamp}.{draft.number}" if draft else "0.0"
    return f"{match.deal_number}.{mine}.{own_turn}.{order}.{match.status}"


def seats_seen(
    match: Match, rows: list[Seat], me: int | None, game: Game[Any], view: TableView | None
) -> tuple[SeatSeen, ...]:
    """The places of a match as everybody sees them now."""
    started = match.status not in (Match.Status.OPEN, Match.Status.CANCELLED)
    sides = game.sides()
    side_of = {seat: side for side, seats in enumerate(sides) for seat in seats}
    from .fairness import cut_hash

    return tuple(
        SeatSeen(
            index=row.index,
            side=side_of[row.index],
            name=name_of(row),
            user_id=row.user_id,
            driven_by_id=row.driven_by_id,
            driver=row.driver,
            is_me=row.index == me,
            is_bot=row.driver == Seat.Driver.BOT and row.user_id is None,
            given_up=row.given_up_at is not None,
            gone=row.gone,
            substitute=_substitute(row),
            wants_back=row.wants_back,
            looked_at=row.looked_at,
            closed_account=row.user is not None and not row.user.is_active,
            total=match.totals[side_of[row.index]] if match.totals else 0,
            cards=view.counts[row.index] if view else 0,
            dealer=view is not None and view.dealer == row.index,
            moving=match.turn == row.index,
            cut_hash=cut_hash(row.cut) if row.cut else "",
            cut=row.cut if started else "",
            cut_by=row.cut_by,
            username=username_of(row),
        )
        for row in rows
    )


def username_of(seat: Seat) -> str:
    """Whose page tells more of who sits there; empty where nobody has one."""
    return seat.user.username if seat.user is not None and seat.user.is_active else ""


def _substitute(seat: Seat) -> str:
    away = seat.driven_by is not None and seat.driven_by_id != seat.user_id
    return str(seat.driven_by.shown_name) if away and seat.driven_by is not None else ""


def name_of(seat: Seat) -> str:
    """The name under which a seat is shown; empty for a free one."""
    return str(seat.user.shown_name) if seat.user is not None else seat.bot_name


def _visit(mine: Seat, read: tape.Tape) -> None:
    """News up to now are seen. After a move that stands on the row already, written with the move."""
    changed = visits.look(mine, read.sheet.deal, len(read.table.events), timezone.now())
    if changed:
        Seat.objects.filter(pk=mine.pk).update(**{name: getattr(mine, name) for name in changed})


def news_from(mine: Seat, deal: int, events: int) -> tuple[int, int]:
    """(deal, events) where the news of a seat begin, when so much has happened: also before this visit is noted."""
    if (mine.looked_deal, mine.looked_events) != (deal, events):
        return mine.looked_deal, mine.looked_events
    return mine.recap_deal, mine.recap_events


def caught_up(seat: Seat) -> None:
    """The reader has put the news aside: nothing up to now is new to him any more."""
    Seat.objects.filter(pk=seat.pk).update(recap_deal=F("looked_deal"), recap_events=F("looked_events"))


MISSED_SHOWN = 3
"""So many deals that ended while I was away are told of; the score sheet has all."""


def _missed(match: Match, deal: Deal, mine: Seat | None) -> tuple[Result, ...]:
    """The deals before this one that have ended since the news of my last visit began."""
    if mine is None or not 0 < mine.recap_deal < deal.number:
        return ()
    since = max(mine.recap_deal, deal.number - MISSED_SHOWN)
    first = 1 if match.ruled else since
    rows = match.deals.filter(number__gte=first, number__lt=deal.number, ended_at__isnull=False).order_by("number")
    return tuple(result for result in results_of(match, rows) if result.number >= since)


def _result(match: Match, deal: Deal, mine: Seat | None, missed: tuple[Result, ...]) -> Result | None:
    """The last ended deal as long as this viewer has not put it aside."""
    if deal.ended_at is not None:
        ended = deal
    elif mine is not None and deal.number > 1 and mine.ready_deal < deal.number - 1:
        if missed:
            return missed[-1]
        ended = Deal.objects.get(match=match, number=deal.number - 1)
    else:
        return None
    return results(match)[ended.number - 1] if match.ruled else result_of(match.game(), ended)


def needs_waking(match: Match) -> bool:
    """Whether the site itself should have acted over two seconds ago: then who looks wakes it."""
    return match.wake_at is not None and match.wake_at < timezone.now() - timedelta(seconds=2)


def last_move_at(match: Match) -> datetime | None:
    """When the last entry of the tape was made."""
    return Move.objects.filter(match=match).order_by("-number").values_list("at", flat=True).first()
