"""What the driver does for a seat that left a standing order: the same writing of moves, a step at a time.

A draw is one submission and the rest of the turn another, as a person makes them, so that nobody can tell them apart.
"""

from contextlib import suppress

from django.utils import timezone

from . import clock, order_rows
from .models import Draft, Match, Move, Seat, StandingOrder
from .pen import Pen, Stale, running
from .rules import codec
from .rules.actions import Action, Discard, LayOff
from .rules.errors import Refused
from .rules.orders import Halt, follow
from .rules.view import see
from .writing import writing


def obey(match: Match) -> bool:
    """One step of the order of the seat to move; False if it has left none. Raises Stale when somebody was quicker."""
    if match.turn is None or not _left(match):
        return False
    try:
        with writing():
            _step(_pen(match))
    except Refused:
        with suppress(Stale), writing():
            pen = _pen(match)
            _end(pen, "refused")
    return True


def _left(match: Match) -> bool:
    waiting = StandingOrder.objects.filter(why="", deal=match.deal_number, seat__driver=Seat.Driver.USER)
    return waiting.filter(seat__match=match, seat__index=match.turn or 0).exists()


def _pen(match: Match) -> Pen:
    """The match as it was seen when the step was decided on, and the order still there. Raises Stale."""
    pen = running(match.pk, timezone.now())
    if pen.match.version != match.version or _row(pen) is None:
        raise Stale("stale")
    return pen


def _row(pen: Pen) -> StandingOrder | None:
    actor = pen.tape.table.actor
    return order_rows.waiting(pen.seats[actor], pen.deal.number) if actor >= 0 else None


def _step(pen: Pen) -> None:
    row, seat = _row(pen), pen.tape.table.actor
    assert row is not None, "asked before"
    surprise = order_rows.broken(pen.match, pen.seats[seat], row, pen.tape)
    if surprise:
        _end(pen, *surprise)
        return
    actions, halt = _wanted(pen, row)
    if halt is None:
        pen.act(seat, actions, Move.By.ORDER)
        pen.is_back(seat)
        _played(pen, row, actions[-1])
        if pen.tape.table.actor == seat:
            _look_ahead(pen, row)
        pen.close()
    else:
        _stop(pen, actions, halt)


def _look_ahead(pen: Pen, row: StandingOrder) -> None:
    """Where the turn will wait for its driver after a draw, the page that tells of the draw says so at once."""
    actions, halt = _wanted(pen, row)
    if halt is not None:
        _stop(pen, actions, halt)


def _stop(pen: Pen, actions: list[Action], halt: Halt) -> None:
    _keep(pen, actions)
    _end(pen, halt.why)


def _played(pen: Pen, row: StandingOrder, last: Action) -> None:
    """What is left of an order that has ended a turn with a discard."""
    if not isinstance(last, Discard):
        return
    left = codec.decode_order(row.order).after(last.card)
    if left:
        row.goes_on(codec.encode_order(left))
    else:
        row.end("done", len(pen.tape.table.events))


def _wanted(pen: Pen, row: StandingOrder) -> tuple[list[Action], Halt | None]:
    """What the order does now: a draw or a pass, or all up to a discard; or why it ends here."""
    order, game, table = codec.decode_order(row.order), pen.tape.game, pen.tape.table
    seat, actions = table.actor, list[Action]()
    while True:
        action = follow(see(game, table, pen.tape.sheet, seat), game, order)
        if isinstance(action, Halt):
            return actions, action
        actions.append(action)
        if not isinstance(action, LayOff):
            return actions, None
        table = game.apply(table, seat, action)


def _keep(pen: Pen, actions: list[Action]) -> None:
    """What an order that waits has laid off lies in the seat's draft, where its driver may take it back."""
    if not actions:
        return
    draft = Draft.objects.select_for_update().get_or_create(seat=pen.seats[pen.tape.table.actor])[0]
    draft.deal, draft.turn = pen.deal.number, pen.tape.table.turns
    draft.actions, draft.number = list(map(codec.encode, actions)), draft.number + 1
    draft.save()


def _end(pen: Pen, why: str, who: int | None = None) -> None:
    """The order has ended and the turn waits for its driver. Nobody else is told, and the version stays as it is."""
    row = _row(pen)
    assert row is not None, "asked before"
    row.end(why, len(pen.tape.table.events), who)
    pen.order_ended = why
    forced = pen.forced()
    pen.match.wake_at = pen.now if forced else clock.judged_at(pen.match)
    pen.match.save(update_fields=["wake_at"])
    if not forced:
        pen.tell((pen.deal.number, pen.tape.table.turns))
