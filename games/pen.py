"""The pen: a match being written to, inside one transaction. Only play.py and what stands beside it hold one.

Notes moves on the tape, ends deals and matches, gives up seats, and copies to the row what lists need. What follows a
move stands at the end of ``Pen.close``. Nothing here begins or ends a transaction.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from . import background, clock, driving, fairness, ledgers, nudge, order_rows, tape, verdicts
from .models import Deal, Draft, Match, Move, Seat, Tenure
from .notices.events import Happened, deal_ended, follow
from .records import record
from .rules import codec
from .rules.actions import Action
from .rules.sheet import Sheet
from .rules.table import DEALER
from .rules.view import see
from .writing import locked

CHANGED_BY_MOVES = (
    "status", "ending", "version", "moves", "turn", "due_at", "wake_at", "deal_number", "totals", "winners",
    "first_dealer", "started_at", "ended_at", "turn_at", "counted_at", "paused_at", "live_at", "frozen", "frozen_turn",
    "proposal", "ruled",
)  # fmt: skip


class Stale(Exception):
    """A submission that came after the table had changed. ``why``: ``stale``, ``late`` (the clock has played) or
    ``over`` (the match has ended)."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Pen:
    """A match being written to, inside one transaction. Made of a locked row; ``close`` writes all of it."""

    def __init__(self, match: Match, now: datetime) -> None:
        self.match, self.now = match, now
        self.seats = match.seated()
        self.rows: list[Move] = []
        self.acted, self.played, self.left = set[int](), set[int](), set[int]()
        self.order_ended = ""
        self.draft: Draft | None = None
        self.ended: Deal | None = None
        self.books: ledgers.Books | None = None
        self.deal: Deal
        self.tape: tape.Tape
        if match.deal_number:
            self.open(tape.current_deal(match))

    def driven_by(self, user: Any) -> int:
        """The seat that a user drives. Raises Seat.DoesNotExist."""
        for seat in self.seats:
            if seat.driven_by_id == user.pk:
                return seat.index
        raise Seat.DoesNotExist

    def open(self, deal: Deal) -> None:
        """Go on with this deal."""
        self.deal, self.tape = deal, tape.read(self.match, deal)
        self.before = (deal.number, self.tape.table.turns, self.tape.table.actor)

    def note(self, seat: int | None, action: dict[str, Any], by: str) -> None:
        """Put one entry on the tape. Raises Refused, and then nothing of this submission is kept.

        What a seat plays ends its standing order, unless the order plays it, and what was told of one that had ended.
        """
        played = seat is not None and by != Move.By.ORDER and action["type"] not in tape.SITE_ACTS
        if seat is not None and played and (order := order_rows.order_of(self.seats[seat])) and order.why != "own":
            order.end("own", len(self.tape.table.events))
        self.match.moves += 1
        move = Move(
            match=self.match, deal=self.deal, number=self.match.moves, seat=seat, action=action, by=by, at=self.now
        )
        self.tape = tape.follow(self.deal, self.tape, move)
        self.rows.append(move)
        if seat is not None and by == Move.By.USER:
            self.acted.add(seat)

    def act(self, seat: int, actions: Sequence[Action], by: str) -> None:
        """Actions of the rules, in order, all or none."""
        for action in actions:
            self.note(seat, codec.encode(action), by)

    def drafted(self, seat: int, number: int) -> list[Action]:
        """The seat's unfinished turn, locked. Raises Stale if another page has changed it meanwhile."""
        rows = list(Draft.objects.select_for_update().filter(seat=self.seats[seat]))
        self.draft = draft = rows[0] if rows else None
        if (draft.number if draft else 0) != number:
            raise Stale("stale")
        if draft is None or (draft.deal, draft.turn) != (self.deal.number, self.tape.table.turns):
            return []
        return [codec.decode(told) for told in draft.actions]

    def deal_out(self) -> None:
        """The dealer deals: the first deal of the match or the one after the deal that has just ended."""
        match, game = self.match, self.match.game()
        for seat in self.seats:
            if driving.comes_back(seat):  # what a substitute plays is his until the deal ends, and no longer
                driving.to_user(self, seat, Move.By.SITE, "deal")
        if match.deal_number:
            sheet = self.booked()
        else:
            cuts = [seat.cut for seat in self.seats]
            first = fairness.order(fairness.link(bytes(match.chain), 1), cuts, 0, 0, len(cuts))[0]
            match.first_dealer = first if match.first_dealer is None else match.first_dealer
            sheet = game.new_sheet(match.first_dealer)
        match.deal_number += 1
        deal = Deal.objects.create(
            match=match,
            number=match.deal_number,
            dealer=sheet.dealer,
            secret=fairness.link(bytes(match.chain), match.deal_number),
            sheet=codec.encode_sheet(sheet),
            started_at=self.now,
        )
        self.write_rows()
        self.open(deal)
        self.note(None, {"type": "deal", "n": deal.number}, Move.By.DEALER)

    def idle(self) -> None:
        """The clock plays out the turn of the seat that is overdue; a seat that missed too many is given up."""
        seat = self.seats[self.tape.table.actor]
        Draft.objects.filter(seat=seat).update(actions=[])
        self.play_out(seat.index, Move.By.CLOCK)
        self.played.add(seat.index)
        seat.missed += 1
        seat.missed_since = seat.missed_since or self.match.due_at
        seat.save(update_fields=["missed", "missed_since"])
        if clock.has_given_up(self.match, seat, self.now):
            self.give_up(seat, "given_up", Move.By.CLOCK)

    def is_back(self, seat: int) -> None:
        """A turn played by its driver ends the count of missed ones."""
        row = self.seats[seat]
        if row.missed:
            row.missed, row.missed_since = 0, None
            row.save(update_fields=["missed", "missed_since"])

    def play_out(self, seat: int, by: str) -> None:
        """What ``Game.idle`` says, until the turn has ended."""
        turns = self.tape.table.turns
        while (now := self.tape.table).turns == turns and now.actor == seat and now.outcome is None:
            view = see(self.tape.game, self.tape.table, self.tape.sheet, seat, self.match.memory)
            self.act(seat, [self.tape.game.idle(view)], by)

    def give_up(self, seat: Seat, what: str, by: str) -> None:
        """A seat is left by who drives it: the match ends if it was for two or none of its users is left, else it is
        driven on."""
        if self.tape.table.outcome is not None:
            self.close_deal()
        if self.match.status != Match.Status.RUNNING:
            return
        if seat.given_up_at is not None:
            if seat.driven_by_id is not None:
                driving.relieve(self, seat, by)
            return
        self.note(seat.index, {"type": what}, by)
        seat.given_up_at, seat.gone = self.now, what
        self.left.add(seat.index)
        users = [s for s in self.seats if s.user_id and s.driven_by_id == s.user_id and s.index != seat.index]
        if len(self.seats) > 2 and users:
            driving.to_bot(self, seat, what)
            return
        seat.save(update_fields=["given_up_at", "gone"])
        self.close_deal()
        if self.deal.number == 1 and self.deal.outcome is None:
            self.finish(Match.Ending.ABANDONED, [])
        else:
            self.finish(Match.Ending.CLOCK if by == Move.By.CLOCK else Match.Ending.RESIGNED, self.best_of_the_others())

    def best_of_the_others(self) -> list[int]:
        """The sides that win when seats were given up: the highest of those who stayed."""
        sheet = self.tape.sheet
        left = {sheet.side_of(seat.index) for seat in self.seats if seat.given_up_at is not None}
        stayed = [side for side in range(len(sheet.sides)) if side not in left] or list(range(len(sheet.sides)))
        best = max(self.match.totals[side] for side in stayed)
        return [side for side in stayed if self.match.totals[side] == best]

    def close_deal(self) -> None:
        """The deal has ended, by the rules or because it was abandoned: tell it completely, reveal its secret."""
        if self.deal.ended_at is not None:
            return
        self.write_rows()
        outcome = self.tape.table.outcome
        self.deal.ended_at = self.now
        self.deal.outcome = codec.encode_outcome(outcome) if outcome else None
        self.deal.record = record(self.match, self.deal, self.tape)
        self.deal.save(update_fields=["ended_at", "outcome", "record"])
        self.ended = self.deal
        deal_ended(self.match, self.deal, self.now)
        if outcome is None:
            return
        sheet = self.booked()
        self.match.totals = list(sheet.standing)
        if sheet.over:
            self.finish(Match.Ending.PLAYED, self.winners_by(sheet))

    def booked(self) -> Sheet:
        """The Sheet after all deals that have ended; where a moderator has ruled, made anew from all of them."""
        if not self.match.ruled:
            return self.tape.game.book(self.tape.sheet, codec.decode_outcome(self.deal.outcome or {}))
        first, ended = self.match.first_dealer or 0, self.match.deals.filter(outcome__isnull=False)
        told = ended.order_by("number").values_list("dealer", "outcome")
        deals = [(dealer, codec.decode_outcome(outcome or {})) for dealer, outcome in told]
        return verdicts.sheet_after(self.tape.game, first, deals)

    def winners_by(self, sheet: Sheet) -> list[int]:
        """The sides that win a match played to its end; who has left does not."""
        gone = {sheet.side_of(seat.index) for seat in self.seats if seat.given_up_at is not None}
        return [side for side in sheet.winners if side not in gone] or self.best_of_the_others()

    def finish(self, ending: str, winners: list[int]) -> None:
        """The one way in which a match ends."""
        self.match.status, self.match.ending, self.match.winners = Match.Status.OVER, ending, winners
        self.match.ended_at = self.now
        Tenure.objects.filter(seat__match=self.match, to_move=None).update(to_move=self.match.moves)

    def forced(self) -> Action | None:
        """What the site does for the person to act, because it is all that is legal and decides nothing."""
        table = self.tape.table
        if table.actor == DEALER or self.seats[table.actor].driver != Seat.Driver.USER:
            return None
        return self.tape.game.forced(see(self.tape.game, table, self.tape.sheet, table.actor))

    def write_rows(self) -> None:
        """Write the moves noted so far."""
        Move.objects.bulk_create(self.rows)
        self.rows = []

    def ordered(self) -> bool:
        """Whether the seat to move has left an order."""
        actor = self.tape.table.actor
        return actor >= 0 and order_rows.waiting(self.seats[actor], self.deal.number) is not None

    def close(self) -> None:
        """Write the moves, the ends that they bring, and what follows each move."""
        table = self.tape.table
        self.write_rows()
        if table.outcome is not None:
            self.close_deal()
        new_turn = (self.deal.number, table.turns, table.actor) != self.before
        if new_turn or self.match.status != Match.Status.RUNNING:
            clock.settle(self.match, self.seats, self.now)
        rests = self.match.paused_at is not None
        busy = False
        if self.match.status == Match.Status.RUNNING:
            clock.set_alarm(self.match, table, self.seats, self.now, new_turn=new_turn)
            busy = not rests and (self.ordered() or (new_turn and self.forced() is not None))
            if busy:
                self.match.wake_at = self.now
        else:
            clock.stop(self.match)
        self.match.version += 1
        if self.books is None:
            ledgers.enter(self.match, self.seats, self.ended)
            self.match.save(update_fields=CHANGED_BY_MOVES)
            self.tell(None if busy or rests else (self.deal.number, table.turns))
        else:  # a moderator has ruled, and tells it himself
            self.match.save(update_fields=CHANGED_BY_MOVES)
            ledgers.change(self.match, self.seats, self.books)
        kept, deal, match = self.tape, self.deal, self.match
        told = {user for s in self.seats for user in (s.user_id, s.driven_by_id) if user}
        transaction.on_commit(lambda: tape.keep(deal, kept), robust=True)
        transaction.on_commit(lambda: nudge.changed(match.pk, match.version, told), robust=True)
        if match.wake_at is not None and match.wake_at <= self.now:  # else the loop finds it when it is due
            transaction.on_commit(background.wake, robust=True)

    def tell(self, turn: tuple[int, int] | None) -> None:
        """Write the notices. ``turn``: the one in progress, unless the site makes its next move."""
        over = self.deal.outcome is not None and self.deal.ended_at == self.now
        who = (self.acted, self.played, self.left)
        follow(Happened(self.match, self.seats, self.now, *who, deal_over=over, turn=turn, order=self.order_ended))


def running(match_id: int, now: datetime) -> Pen:
    """A pen for a running match, its row locked. Raises Stale when the match has ended."""
    match = locked(match_id)
    if match.status != Match.Status.RUNNING:
        raise Stale("over")
    return Pen(match, now)
