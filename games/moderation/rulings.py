"""What a moderator decides about the deals of a match and about its result. Each act can be taken back by another.

Corrections are moves by a moderator. They count from the next deal's Sheet on; a running deal keeps the Sheet that it
began with. Totals, winners, ratings and summaries are derived from the deals and the rulings, never adjusted. A match
that was played to its end goes on only if a ruling takes that end away. Seats and time stand in seating.py.
"""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import AuditEntry
from games import halts, verdicts
from games.models import Match
from games.seats import Refusal

from .hearing import Hearing, hearing, reopen

DECISIONS = (Match.Ending.ABORTED, Match.Ending.DECIDED)
"""Endings that a moderator has given, and can take back."""


def void_deal(match_id: int, number: int, *, by: Any, reason: str, undoes: AuditEntry | None = None) -> AuditEntry:
    """Declare a deal void: the one that runs, whose cards are shown then, or one that is over. It keeps its number, and
    the next deal takes the next. Raises Refusal.
    """
    with hearing("void_deal", match_id, by, reason, undoes=undoes) as one:
        runs = not one.over and one.pen.deal.number == number and one.pen.deal.ended_at is None
        if not runs:
            played = (one.ended(number).record or {})["outcome"]
            if played is None or _verdict(one, number).void or played["kind"] == "voided":
                raise Refusal(_("This deal counts for nobody already."))
        if runs and one.pen.match.paused_at is not None:
            halts.end_pause(one.pen, None)  # its end belongs on the tape of the deal in which it began
        one.note("voided", deal=number)
        one.result()
    return one.done


def count_again(match_id: int, number: int, *, by: Any, reason: str, undoes: AuditEntry | None = None) -> AuditEntry:
    """A deal that was declared void counts again. One that was still running cannot go on. Raises Refusal."""
    with hearing("count_again", match_id, by, reason, undoes=undoes) as one:
        played = (one.ended(number).record or {})["outcome"]
        if not _verdict(one, number).void:
            raise Refusal(_("No moderator has declared this deal void."))
        if played is None or played["kind"] == "voided":
            raise Refusal(_("This deal was not played to its end, and its cards have been shown: it cannot go on."))
        one.note("counted", deal=number)
        one.result()
    return one.done


def correct(
    match_id: int, number: int, points: Sequence[int], *, by: Any, reason: str, undoes: AuditEntry | None = None
) -> AuditEntry:
    """Set the points of a deal that is over, one number for each seat. Raises Refusal."""
    with hearing("correct_points", match_id, by, reason, undoes=undoes) as one:
        _may_be_corrected(one, number)
        counts = (one.ended(number).outcome or {})["points"]
        if list(points) == counts:
            raise Refusal(_("These are the points that the deal has already."))
        was = _verdict(one, number).points
        _last_word(undoes, was)
        one.note("corrected", deal=number, points=list(points))
        one.kept = {"was": list(was) if was is not None else None}
        one.result()
    return one.done


def take_back_correction(
    match_id: int, number: int, *, by: Any, reason: str, undoes: AuditEntry | None = None
) -> AuditEntry:
    """A deal has the points again with which it was played. Raises Refusal."""
    with hearing("take_back_correction", match_id, by, reason, undoes=undoes) as one:
        one.ended(number)
        was = _verdict(one, number).points
        if was is None:
            raise Refusal(_("No moderator has corrected this deal."))
        _last_word(undoes, was)
        one.note("uncorrected", deal=number)
        one.kept = {"was": list(was)}
        one.result()
    return one.done


def abort(match_id: int, *, by: Any, reason: str, undoes: AuditEntry | None = None) -> AuditEntry:
    """Break off a match, also one that is over: it counts for nobody. Raises Refusal."""
    with hearing("abort_match", match_id, by, reason, undoes=undoes) as one:
        _may_be_decided(one)
        one.note("aborted", was=one.pen.match.ending)
        _end(one, Match.Ending.ABORTED, [])
    return one.done


def adjudicate(
    match_id: int, winners: Sequence[int], *, by: Any, reason: str, undoes: AuditEntry | None = None
) -> AuditEntry:
    """Decide who has won a match: these sides, which share it if they are several. Raises Refusal."""
    with hearing("adjudicate", match_id, by, reason, undoes=undoes) as one:
        _may_be_decided(one)
        sides = one.pen.tape.game.sides()
        named = sorted(set(winners))
        if not named or not set(named) <= set(range(len(sides))):
            raise Refusal(_("Name who has won."))
        gone = {seat.index for seat in one.pen.seats if seat.gone}
        if any(set(sides[side]) <= gone for side in named):
            raise Refusal(_("Who has left the match cannot win it. Give the seat back first, or break the match off."))
        one.note("adjudicated", winners=named, was=one.pen.match.ending)
        _end(one, Match.Ending.DECIDED, named)
    return one.done


def reopen_match(match_id: int, *, by: Any, reason: str, undoes: AuditEntry | None = None) -> AuditEntry:
    """Let a match go on that was left or lost on time, or take back a moderator's decision: it is then what it was.

    One that was played to its end stays over: only a ruling about a deal takes that end away. Raises Refusal.
    """
    with hearing("reopen_match", match_id, by, reason, undoes=undoes) as one:
        ending = one.pen.match.ending
        if not one.over:
            raise Refusal(_("This match has not ended."))
        if ending == Match.Ending.PLAYED:
            raise Refusal(
                _("This match was played to its end. It goes on only if a deal is declared void or corrected.")
            )
        if ending in DECISIONS and (was := _was(one)):
            one.note("withdrawn")
            one.pen.match.ending, one.pen.match.winners = was, []
        else:
            reopen(one)
        one.result()
    return one.done


def _verdict(one: Hearing, number: int) -> verdicts.Verdict:
    return verdicts.of_deals(one.acts()).get(number, verdicts.AS_PLAYED)


def _last_word(undoes: AuditEntry | None, points: Sequence[int] | None) -> None:
    """Raise Refusal where another correction has followed the one that is to be taken back."""
    if undoes is not None and undoes.details.get("points") != (None if points is None else list(points)):
        raise Refusal(_("This deal was corrected again since. Take that back first."))


def _may_be_corrected(one: Hearing, number: int) -> None:
    """Raise Refusal for a deal that has no points."""
    if (one.ended(number).record or {})["outcome"] is None:
        raise Refusal(_("This deal was broken off and has no points."))
    if (one.ended(number).outcome or {})["kind"] == "voided":
        raise Refusal(_("This deal is void and has no points. Let it count again first."))


def _may_be_decided(one: Hearing) -> None:
    if one.pen.match.ending in DECISIONS:
        raise Refusal(_("A moderator has decided about this match already. Take that back first."))


def _end(one: Hearing, ending: str, winners: list[int]) -> None:
    """The match is over, whatever was played. One that was over already keeps the moment of its end."""
    if one.over:
        one.pen.match.ending, one.pen.match.winners = ending, winners
    else:
        one.pen.close_deal()
        one.pen.finish(ending, winners)
    one.result()


def _was(one: Hearing) -> str:
    """The ending that a match had before a moderator decided; empty if it was running."""
    decided = [act for act in one.acts() if act["type"] in ("aborted", "adjudicated")]
    return str(decided[-1]["was"])
