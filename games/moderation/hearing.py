"""A ruling in the making: the match locked, its numbers looked at, and afterwards its result made anew from all deals.

One transaction: who rules is fit to, the act stands on the tape and in the audit log, the match, its Records, ratings
and summaries follow, and those who sit there are told. Nothing here shows a card to anybody.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit, sanctions
from accounts.models import AuditEntry
from games import driving, ledgers, verdicts
from games.models import Deal, Match, Move, Notice, Seat, Tenure
from games.notices import tell
from games.pen import Pen
from games.records import record
from games.rules import codec
from games.rules.errors import Malformed
from games.rules.sheet import Sheet
from games.seats import Refusal
from games.writing import locked, writing

from . import fit

BY_PLAY = (Match.Ending.RESIGNED, Match.Ending.CLOCK)
"""Endings in which the points of those who stayed decide."""


@dataclass
class Hearing:
    """A locked match about which a moderator decides. ``about``: what those who sit there are told; ``kept``: what the
    audit log keeps besides. ``done`` is its entry when all is over.
    """

    pen: Pen
    about: dict[str, Any] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)
    entry: AuditEntry | None = None

    @property
    def done(self) -> AuditEntry:
        assert self.entry is not None
        return self.entry

    def note(self, what: str, *, seat: int | None = None, **more: Any) -> None:
        """Put the act on the tape; what it names is also told and kept in the audit log."""
        self.about = self.about or {"what": what} | ({"seat": seat} if seat is not None else {}) | more
        self.pen.note(seat, {"type": what} | more, Move.By.MODERATOR)

    @property
    def over(self) -> bool:
        return self.pen.match.status == Match.Status.OVER

    def acts(self) -> list[Mapping[str, Any]]:
        """All that moderators have done at this match, in the order of the tape."""
        self.pen.write_rows()
        done = Move.objects.filter(match=self.pen.match, by=Move.By.MODERATOR).order_by("number")
        return list(done.values_list("action", flat=True))

    def ended(self, number: int) -> Deal:
        """A deal that is over. Raises Refusal."""
        deal = self.pen.match.deals.filter(number=number, ended_at__isnull=False).first()
        if deal is None:
            raise Refusal(_("There is no such deal, or it is not over."))
        return deal

    def result(self) -> None:
        """Deals, totals and the result as they follow from what was played and from all rulings."""
        pen, match = self.pen, self.pen.match
        match.ruled = True
        if pen.tape.table.outcome is not None:
            pen.close_deal()
        self._retell()
        sheet = self._counted()
        match.totals = list(sheet.standing)
        if match.status == Match.Status.RUNNING and pen.deal.ended_at is not None and sheet.over:
            pen.finish(Match.Ending.PLAYED, pen.winners_by(sheet))
        elif match.ending == Match.Ending.PLAYED and not sheet.over:
            reopen(self)
        elif match.ending == Match.Ending.PLAYED:
            match.winners = pen.winners_by(sheet)
        elif match.ending in BY_PLAY:
            match.winners = pen.best_of_the_others()

    def _retell(self) -> None:
        """The Record of the last deal, if it is over, with what has been put on its tape since."""
        pen = self.pen
        pen.write_rows()
        if pen.deal.ended_at is not None:
            pen.deal.record = record(pen.match, pen.deal, pen.tape)
            played = pen.deal.record["outcome"]
            pen.deal.outcome = pen.deal.outcome or played
            pen.deal.save(update_fields=["record", "outcome"])

    def _counted(self) -> Sheet:
        """Write which outcome counts for each deal that a moderator has named; the Sheet after all of them."""
        pen, found = self.pen, verdicts.of_deals(self.acts())
        for deal in pen.match.deals.filter(number__in=found, ended_at__isnull=False):
            played = (deal.record or {})["outcome"]
            if played is None:
                continue
            try:
                counts = verdicts.counts_as(pen.tape.game, codec.decode_outcome(played), found[deal.number])
            except Malformed as wrong:
                raise Refusal(_("No deal of this game can give these points.")) from wrong
            deal.outcome = codec.encode_outcome(counts)
            deal.save(update_fields=["outcome"])
            if deal.pk == pen.deal.pk:
                pen.deal.outcome = deal.outcome
        if not pen.match.deals.filter(outcome__isnull=False).exists():
            return pen.tape.sheet
        return pen.booked()


@contextmanager
def hearing(act: str, match_id: int, by: Any, reason: str, *, undoes: AuditEntry | None = None) -> Iterator[Hearing]:
    """Decide about a match that has begun. ``act``: its name in the audit log. Raises Refusal, and then nothing is
    changed; Match.DoesNotExist.
    """
    if not reason.strip():
        raise Refusal(_("Write down why."))
    with writing():
        match = locked(match_id)
        if why := fit.why_not(by, match):
            raise Refusal(why)
        if match.status not in (Match.Status.RUNNING, Match.Status.OVER):
            raise Refusal(_("This match has not begun."))
        pen = Pen(match, timezone.now())
        pen.books = ledgers.books(match, pen.seats)
        one = Hearing(pen)
        yield one
        pen.close()
        details = {name: value for name, value in (one.about | one.kept).items() if name != "what"}
        one.entry = audit.enter(by, act, reason=reason, target=match, details=details, undoes=undoes)
        users = [user for seat in pen.seats for user in (seat.user_id, seat.driven_by_id)]
        tell("ruled", users, match, one.about, key=str(match.moves))


def reopen(one: Hearing) -> None:
    """The match goes on with the next deal. A deal that was broken off is void: its cards have been shown.

    Whoever plays his own seat gets it back, also if he had left it; bots and substitutes go on where they were, and a
    bot goes on for who is shut out.
    """
    pen, match = one.pen, one.pen.match
    one.note("reopened")
    one.about["goes_on"] = True
    match.status, match.ending, match.winners, match.ended_at = Match.Status.RUNNING, "", [], None
    for seat in pen.seats:
        last = Tenure.objects.filter(seat=seat).order_by("-from_move", "-pk").first()
        if last is not None:
            last.to_move = None
            last.save(update_fields=["to_move"])
        if seat.driver == Seat.Driver.USER:
            _sits_again(one, seat)
    one._retell()
    Notice.objects.filter(match=match, kind="match_over", read_at=None).update(read_at=pen.now)


def _sits_again(one: Hearing, seat: Seat) -> None:
    pen = one.pen
    if seat.driven_by is None or not seat.driven_by.is_active or _is_kept_out(seat.driven_by, len(pen.seats)):
        one.note("replaced", seat=seat.index)
        left_to_bot(pen, seat)
    elif seat.gone and seat.driven_by_id == seat.user_id:
        one.note("put_back", seat=seat.index)
        seat.given_up_at, seat.gone, seat.missed, seat.missed_since = None, "", 0, None
        seat.save(update_fields=["given_up_at", "gone", "missed", "missed_since"])


def _is_kept_out(user: Any, seats: int) -> bool:
    """Whether a sanction would have taken the seat: a ban each one, a suspension those of larger matches."""
    return bool(user.is_barred and (seats > 2 or user.barred_until >= sanctions.FOREVER))


def left_to_bot(pen: Pen, seat: Seat) -> None:
    """A bot goes on for a seat that its user had until now; a substitute's user has left it before."""
    if not seat.gone:
        seat.given_up_at, seat.gone = pen.now, Seat.Gone.REPLACED
    driving.to_bot(pen, seat, "replaced")
