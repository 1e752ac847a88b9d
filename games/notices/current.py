"""Whether a notice is still worth bringing when its time has come: the world has gone on since the event.

Presence plays no part: an open tab holds nothing back. A notice of a turn goes out for as long as it is that turn,
whether the page was opened or not; all other notices only while they are unread.
"""

from collections.abc import Callable

from games.models import Match, MutedMatch, Notice, NoticeSettings, Seat

from .kinds import OFF, always, when

UNTIL_DONE = frozenset({"your_turn", "reminder", "nudged"})
"""Kinds that ask for a turn: having read them does not answer them."""


def is_current(notice: Notice, channel: str) -> bool:
    """Whether the user still wants to hear of it by this channel, and whether it is still so. Reads it all anew."""
    if not notice.user.is_active or (notice.read_at is not None and notice.kind not in UNTIL_DONE):
        return False
    if always(notice.kind, channel, notice.about):
        return True
    if notice.user.is_barred:
        return False
    row = NoticeSettings.objects.filter(user=notice.user_id).first()
    if when(notice.kind, channel, row.matrix if row else None) == OFF:
        return False
    if notice.match_id is None:
        return True
    if MutedMatch.objects.filter(user=notice.user_id, match=notice.match_id).exists():
        return False
    return STILL.get(notice.kind, _always)(notice, Match.objects.get(pk=notice.match_id))


def _always(notice: Notice, match: Match) -> bool:
    return True


def _is_my_turn(notice: Notice, match: Match) -> bool:
    if match.status != Match.Status.RUNNING or match.turn is None or match.paused_at is not None:
        return False
    mine = Seat.objects.filter(match=match, index=match.turn, driven_by=notice.user_id)
    return mine.exists()


def _is_this_turn(notice: Notice, match: Match) -> bool:
    newer = Notice.objects.filter(user=notice.user_id, match=match, kind="your_turn", pk__gt=notice.pk)
    return _is_my_turn(notice, match) and not newer.exists()


def _is_this_deadline(notice: Notice, match: Match) -> bool:
    due = match.due_at.isoformat() if match.due_at else ""
    return due == notice.about.get("due") and _is_my_turn(notice, match)


def _is_asked(notice: Notice, match: Match) -> bool:
    waits = Seat.objects.filter(match=match, user=notice.user_id, driver=Seat.Driver.INVITED)
    return match.status == Match.Status.OPEN and waits.exists()


def _is_proposed(notice: Notice, match: Match) -> bool:
    return match.proposal is not None and match.proposal["kind"] == notice.about.get("what")


STILL: dict[str, Callable[[Notice, Match], bool]] = {
    "your_turn": _is_this_turn,
    "nudged": _is_my_turn,
    "reminder": _is_this_deadline,
    "invited": _is_asked,
    "rematch": _is_asked,
    "asked": _is_proposed,
}
"""By kind; all others stay true."""
