"""The only writer of moves: a person's, a bot's, the clock's and the dealer's all go this one way.

A submission is one transaction: lock the match, let the clock act first if somebody is overdue, refuse what is stale,
apply each action by the rules, write the moves, copy what lists need to the match. Writing itself stands in pen.py.
Who may sit is said in lobby.py; nothing here knows a request.
"""

import hmac
import random
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from . import background, clock, halts, tape, visits
from .bots import LEVELS
from .models import Match, Move, Seat, Tenure
from .obeying import obey
from .pen import Pen as Pen
from .pen import Stale as Stale
from .pen import running
from .rules.actions import Action
from .rules.view import see
from .writing import locked, writing


def submit(
    match_id: int,
    seat: int | None,
    actions: Sequence[Action],
    *,
    by: str,
    driver: Any = None,
    seen: int | None = None,
    draft: int | None = None,
) -> tape.Now:
    """Actions of one seat, all or none; how the match stands then.

    ``seat`` None is the seat that the user ``driver`` drives; Seat.DoesNotExist if there is none.
    ``seen`` is the version that its driver had before its eyes; ``draft`` the number of the seat's draft, whose actions
    go before.

    Raises Stale, or the rules' Refused.
    """
    now = timezone.now()
    with writing():
        pen = running(match_id, now)
        seat = pen.driven_by(driver) if seat is None else seat
        if pen.match.paused_at is not None:
            raise Stale("paused")
        late = by == Move.By.USER and clock.is_late(pen.match, now) and halts.overdue(pen)
        if not late:
            if seen is not None and seen != pen.match.version:
                raise Stale("stale")
            if draft is not None:
                pen.act(seat, pen.drafted(seat, draft), by)
            pen.act(seat, actions, by)
            if by == Move.By.USER:
                pen.is_back(seat)
        pen.close()
        if by == Move.By.USER and not late:
            _shown(pen, pen.seats[seat], now)
    if late:
        raise Stale("late")
    return tape.Now(pen.match, pen.seats, pen.deal, pen.tape, pen.draft)


def _shown(pen: Pen, seat: Seat, now: datetime) -> None:
    """The answer to a move shows all up to it: noted with the move, so that it costs no transaction of its own."""
    changed = visits.look(seat, pen.tape.sheet.deal, len(pen.tape.table.events), now)
    if changed:
        seat.save(update_fields=changed)


def resign(match_id: int, seat: int, user: Any = None) -> None:
    """Leave a running match for good, or as a substitute the seat of another. Needs no ``seen``.

    A second time changes nothing. ``user``: who leaves, if that is not clear; who does not drive the seat any more
    leaves nothing. Raises Stale when over.
    """
    with writing():
        pen = running(match_id, timezone.now())
        row = pen.seats[seat]
        if row.driven_by_id is not None and (user is None or row.driven_by_id == user.pk):
            pen.give_up(row, "resigned", Move.By.USER)
            pen.close()


def lose_seat(match_id: int, seat: int, user: Any) -> None:
    """The site takes a seat from who drives it: given up, and driven on for the others as any other that is. Who does
    not drive it any more loses nothing. Raises Stale when over.
    """
    with writing():
        pen = running(match_id, timezone.now())
        row = pen.seats[seat]
        if row.driven_by_id == user.pk:
            pen.give_up(row, "given_up", Move.By.SITE)
            pen.close()


def begin(match: Match, now: datetime) -> None:
    """Start a locked match whose seats are all taken: the first deal is dealt in the same transaction."""
    match.status, match.started_at = Match.Status.RUNNING, now
    pen = Pen(match, now)
    match.totals = [0] * len(match.game().sides())
    for seat in pen.seats:
        Tenure.objects.create(seat=seat, driver=seat.driver, user_id=seat.user_id, from_move=1, why="sat down")
        seat.bank, seat.zone = match.bank, seat.user.time_zone if seat.user else ""
    Seat.objects.bulk_update(pen.seats, ["bank", "zone"])
    pen.deal_out()
    pen.close()


def drive(match_id: int) -> None:
    """Do all that the site has to do in a match now: deal, shuffle, move bots, follow orders, act for the clock."""
    while _step(match_id):
        pass


def _step(match_id: int) -> bool:
    """One act of the site, an ordinary submission of its own; False when there is none to do."""
    match = Match.objects.filter(pk=match_id, status=Match.Status.RUNNING, wake_at__lte=timezone.now()).first()
    if match is None:
        return False
    try:
        if match.turn is not None and match.paused_at is None and _is_bot(match):
            _move_bot(match)
        elif match.paused_at is not None or not obey(match):
            _act_of_the_house(match)
    except Stale:
        # somebody else was quicker, and the row says what is left to do; or it is not yet time, and the next look tells
        return not Match.objects.filter(pk=match_id, version=match.version).exists()
    return True


def _is_bot(match: Match) -> bool:
    return (
        match.turn is not None and Seat.objects.filter(match=match, index=match.turn, driver=Seat.Driver.BOT).exists()
    )


def _move_bot(match: Match) -> None:
    """A bot thinks outside any transaction, sees its view only, and submits its whole turn with ``seen``."""
    assert match.turn is not None
    seat = Seat.objects.get(match=match, index=match.turn)
    read = tape.read(match, tape.current_deal(match))
    table, actions = read.table, list[Action]()
    rng = random.Random(_bot_seed(match))
    while table.actor == seat.index and table.turns == read.table.turns:
        view = see(read.game, table, read.sheet, seat.index, match.memory)
        actions.append(LEVELS[seat.bot_level](view, read.game, rng))
        table = read.game.apply(table, seat.index, actions[-1])
    submit(match.pk, seat.index, actions, by=Move.By.BOT, seen=match.version)


def _bot_seed(match: Match) -> bytes:
    return hmac.digest(settings.SECRET_KEY.encode(), f"bot {match.pk} {match.moves}".encode(), "sha256")


def _act_of_the_house(match: Match) -> None:
    """The dealer deals or shuffles, the site does what is forced, or the clock plays for a seat that is overdue."""
    now = timezone.now()
    with writing():
        pen = running(match.pk, now)
        if pen.match.version != match.version:
            raise Stale("stale")
        if pen.match.paused_at is not None:
            if now < pen.match.paused_at + halts.LONGEST_PAUSE:
                raise Stale("stale")
            halts.go_on(pen, None)
        elif pen.tape.table.outcome is not None:
            pen.deal_out()
        elif pen.tape.table.phase == "shuffle":
            pen.note(None, {"type": "shuffled", "n": pen.tape.table.orders + 1}, Move.By.DEALER)
        elif only := pen.forced():
            pen.act(pen.tape.table.actor, [only], Move.By.SITE)
        elif clock.is_late(pen.match, now):
            halts.overdue(pen)
        elif (judged := clock.judged_at(pen.match)) and pen.match.wake_at and pen.match.wake_at < judged:
            Match.objects.filter(pk=match.pk).update(wake_at=judged)  # an order was taken back in its own turn
            return
        else:
            raise Stale("stale")
        pen.close()


def ready(match_id: int, seat: int, deal_number: int) -> None:
    """A driver has looked at the result of a deal. In live play the next deal begins when all have."""
    with writing():
        match = locked(match_id)
        Seat.objects.filter(match=match, index=seat, ready_deal__lt=deal_number).update(ready_deal=deal_number)
        waiting = match.seats.filter(driver=Seat.Driver.USER, ready_deal__lt=match.deal_number).exists()
        between = match.status == Match.Status.RUNNING and match.turn is None and match.wake_at is not None
        if between and match.paused_at is None and not waiting:
            Match.objects.filter(pk=match.pk).update(wake_at=timezone.now())
            transaction.on_commit(background.wake, robust=True)
