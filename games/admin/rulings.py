"""What a moderator decides about a match: the acts on its page, and how each is taken back."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import AuditEntry
from games.models import Match
from games.moderation import fit, rulings, seating

from .acts import Act, register
from .ruling_forms import CorrectedForm, DealForm, PointsForm, SeatForm, TimeForm, VoidedForm, WinnersForm, seats_of


def _begun(by: Any, match: Match) -> str:
    return "" if match.status in (Match.Status.RUNNING, Match.Status.OVER) else _("This match has not begun.")


def _running(by: Any, match: Match) -> str:
    return "" if match.status == Match.Status.RUNNING else _("This match does not run.")


def _over(by: Any, match: Match) -> str:
    return "" if match.status == Match.Status.OVER else _("This match has not ended.")


def _match(entry: AuditEntry) -> int:
    assert entry.target_id is not None
    return entry.target_id


def _correct(by: Any, match: Match, data: Mapping[str, Any]) -> AuditEntry:
    points = [data[f"seat{seat.index}"] for seat in seats_of(match)]
    return rulings.correct(match.pk, data["deal"], points, by=by, reason=data["reason"])


def _uncorrect(by: Any, entry: AuditEntry, reason: str) -> AuditEntry:
    """The deal counts as before the act: as an earlier correction said, or as it was played."""
    number, was = entry.details["deal"], entry.details["was"]
    if was is None:
        return rulings.take_back_correction(_match(entry), number, by=by, reason=reason, undoes=entry)
    return rulings.correct(_match(entry), number, was, by=by, reason=reason, undoes=entry)


Text = str | Promise


def _says(text: Text) -> Any:
    return lambda row: text


VOID = Act(
    name="void_deal",
    label=gettext_lazy("Declare a deal void"),
    permission="void_deal",
    does=_says(
        gettext_lazy(
            "The deal counts for nobody and keeps its number. If it is being played it ends, its cards are shown to "
            "all, and the same player deals the next. If it had decided the match, the match goes on."
        )
    ),
    form=DealForm,
    fit=fit.why_not,
    why_not=DealForm.none,
    run=lambda by, row, data: rulings.void_deal(row.pk, data["deal"], by=by, reason=data["reason"]),
    undo=lambda by, entry, reason: rulings.count_again(
        _match(entry), entry.details["deal"], by=by, reason=reason, undoes=entry
    ),
)
COUNT = Act(
    name="count_again",
    label=gettext_lazy("Let a void deal count again"),
    permission="void_deal",
    does=_says(gettext_lazy("A deal that was declared void after its end counts again, with the points it had.")),
    form=VoidedForm,
    fit=fit.why_not,
    why_not=VoidedForm.none,
    run=lambda by, row, data: rulings.count_again(row.pk, data["deal"], by=by, reason=data["reason"]),
    undo=lambda by, entry, reason: rulings.void_deal(
        _match(entry), entry.details["deal"], by=by, reason=reason, undoes=entry
    ),
)
CORRECT = Act(
    name="correct_points",
    label=gettext_lazy("Correct the points of a deal"),
    permission="adjudicate",
    does=_says(
        gettext_lazy(
            "The deal counts these points instead of those that were played, and the score sheet says so. A deal that "
            "is being played now keeps its sheet. If the points that go had decided the match, it goes on."
        )
    ),
    form=PointsForm,
    fit=fit.why_not,
    why_not=PointsForm.none,
    run=_correct,
    undo=_uncorrect,
)
UNCORRECT = Act(
    name="take_back_correction",
    label=gettext_lazy("Take back a correction"),
    permission="adjudicate",
    does=_says(gettext_lazy("The deal counts the points again that were played.")),
    form=CorrectedForm,
    fit=fit.why_not,
    why_not=CorrectedForm.none,
    run=lambda by, row, data: rulings.take_back_correction(row.pk, data["deal"], by=by, reason=data["reason"]),
    undo=lambda by, entry, reason: rulings.correct(
        _match(entry), entry.details["deal"], entry.details["was"], by=by, reason=reason, undoes=entry
    ),
)


def _reopen(by: Any, entry: AuditEntry, reason: str) -> AuditEntry:
    return rulings.reopen_match(_match(entry), by=by, reason=reason, undoes=entry)


ABORT = Act(
    name="abort_match",
    label=gettext_lazy("Break off the match"),
    permission="abort_match",
    does=_says(
        gettext_lazy(
            "The match ends at once and counts for nobody. The cards of a deal that is played are shown to all."
        )
    ),
    fit=fit.why_not,
    why_not=_begun,
    run=lambda by, row, data: rulings.abort(row.pk, by=by, reason=data["reason"]),
    undo=_reopen,
)
ADJUDICATE = Act(
    name="adjudicate",
    label=gettext_lazy("Decide who has won"),
    permission="adjudicate",
    does=_says(
        gettext_lazy(
            "The match ends at once, and those whom you name have won it, whatever the points say. It is rated."
        )
    ),
    form=WinnersForm,
    fit=fit.why_not,
    why_not=_begun,
    run=lambda by, row, data: rulings.adjudicate(row.pk, data["winners"], by=by, reason=data["reason"]),
    undo=_reopen,
)
REOPEN = Act(
    name="reopen_match",
    label=gettext_lazy("Reopen the match"),
    permission="reopen_match",
    does=_says(
        gettext_lazy(
            "A match that somebody left or lost on time goes on with the next deal, and who left sits there again. A "
            "decision of a moderator is taken back."
        )
    ),
    fit=fit.why_not,
    why_not=_over,
    run=lambda by, row, data: rulings.reopen_match(row.pk, by=by, reason=data["reason"]),
)
TIME = Act(
    name="give_time",
    label=gettext_lazy("Give time to a seat"),
    permission="give_time",
    does=_says(gettext_lazy("The turn of the seat gets more time; a seat that is not to move gets it into its bank.")),
    form=TimeForm,
    fit=fit.why_not,
    why_not=_running,
    run=lambda by, row, data: seating.give_time(
        row.pk, data["seat"], timedelta(hours=data["hours"]), by=by, reason=data["reason"]
    ),
)
BOT = Act(
    name="bot_drives",
    label=gettext_lazy("Let a bot play a seat"),
    permission="bot_drives",
    does=_says(
        gettext_lazy("A bot plays on for the seat, so that the others can go on. For its player the match is lost.")
    ),
    form=SeatForm,
    fit=fit.why_not,
    why_not=_running,
    run=lambda by, row, data: seating.let_bot_drive(row.pk, data["seat"], by=by, reason=data["reason"]),
    undo=lambda by, entry, reason: seating.give_back(
        _match(entry), entry.details["seat"], by=by, reason=reason, undoes=entry
    ),
)
BACK = Act(
    name="give_back",
    label=gettext_lazy("Give a seat back to its player"),
    permission="bot_drives",
    does=_says(gettext_lazy("The player whose seat it is plays again, whoever plays there now.")),
    form=SeatForm,
    fit=fit.why_not,
    why_not=_running,
    run=lambda by, row, data: seating.give_back(row.pk, data["seat"], by=by, reason=data["reason"]),
    undo=lambda by, entry, reason: seating.let_bot_drive(
        _match(entry), entry.details["seat"], by=by, reason=reason, undoes=entry
    ),
)
register(Match, VOID, COUNT, CORRECT, UNCORRECT, ABORT, ADJUDICATE, REOPEN, TIME, BOT, BACK)
