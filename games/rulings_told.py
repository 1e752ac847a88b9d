"""What moderators did at a match, in words: for the story of a deal, the score sheet and the end of a match.

Who the moderator is stays with the site: here it is always "a moderator".
"""

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .tables import Board, Result, SeatSeen, Told
from .tape import RULINGS as RULINGS
from .wording import seat_name

RULED: dict[str, str | Promise] = {
    "voided": gettext_lazy("A moderator has declared deal {deal} void: it counts for nobody."),
    "counted": gettext_lazy("A moderator has decided that deal {deal} counts after all."),
    "corrected": gettext_lazy("A moderator has corrected the points of deal {deal}: {points}."),
    "uncorrected": gettext_lazy(
        "A moderator has taken the correction of deal {deal} back: it counts as it was played."
    ),
    "aborted": gettext_lazy("A moderator has broken off the match: it counts for nobody."),
    "adjudicated": gettext_lazy("A moderator has decided the match for {winners}."),
    "withdrawn": gettext_lazy("A moderator has taken the decision about the match back: it has ended as before."),
    "reopened": gettext_lazy("A moderator has reopened the match: it goes on with the next deal."),
    "granted": gettext_lazy("A moderator has given {name} more time."),
}
"""What a moderator did that is no seat's doing."""


def ruling_told(line: Told, board: Board) -> str:
    """One act of a moderator as a sentence."""
    if line.what == "granted" and line.to is not None:
        if line.to == board.me:
            return _("A moderator has given you more time.")
        return str(RULED["granted"]).format(name=seat_name(board.seats[line.to]))
    points = [_points(seat, line.numbers[seat.index]) for seat in board.seats if seat.index < len(line.numbers)]
    winners = [seat_name(seat) for seat in board.seats if seat.side in line.numbers]
    return str(RULED[line.what]).format(
        deal=line.deal, points=", ".join(points), winners=get_text_list(winners, _("and"))
    )


def _points(seat: SeatSeen, points: int) -> str:
    if seat.is_me:
        return _("you {points}").format(points=points)
    return _("{name} {points}").format(name=seat_name(seat), points=points)


def verdict_told(board: Board, result: Result) -> str:
    """What moderators say of an ended deal now; empty if it counts as it was played."""
    if result.counted is None or result.counted == result.outcome:
        return ""
    if result.counted.voided:
        return _("A moderator has declared this deal void: it counts for nobody.")
    points = ", ".join(_points(seat, result.counted.points[seat.index]) for seat in board.seats)
    return _("A moderator has corrected the points: {points}.").format(points=points)
