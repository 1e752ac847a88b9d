"""What the page of a table says about its time: the pace, the deadline as one moment, what happens when it passes."""

from dataclasses import dataclass

from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import clock
from games.models import Match, Seat
from games.paces import Pace
from games.preset_texts import Text
from games.tables import Board
from games.wording import moment, seat_name, time_left


@dataclass(frozen=True, slots=True)
class Timing:
    """The time of a match, told to its reader."""

    board: Board

    @property
    def pace(self) -> Pace:
        return clock.pace_of(self.board.match)

    @property
    def label(self) -> Text:
        """The time for a turn."""
        return self.pace.label

    @property
    def deadline(self) -> SafeString | None:
        """Until when the person to move has time, with the zone in which that is told."""
        match = self.board.match
        if match.due_at is None or match.turn is None:
            return None
        seat = self.board.seats[match.turn]
        text = (
            _("You have time until {moment} ({zone}): {left}.")
            if seat.is_me
            else _("{name} has time until {moment} ({zone}): {left}.")
        )
        zone = timezone.get_current_timezone_name() or ""
        return format_html(
            text, name=seat_name(seat), moment=moment(match.due_at), zone=zone, left=time_left(match.due_at)
        )

    @property
    def what_then(self) -> list[str]:
        """What happens when time is up."""
        if self.pace.kind == "none":
            return [_("Nobody is hurried: there is no deadline.")]
        if self.board.match.status == Match.Status.OVER:
            return []
        return [_("When time is up, the clock plays that turn: it draws and discards."), self._given_up()]

    def _given_up(self) -> str:
        persons = sum(seat.driver == Seat.Driver.USER for seat in self.board.seats)
        misses = clock.MISSES
        if len(self.board.seats) == 2 and persons:
            return ngettext(
                "Who misses {n} turn in a row has lost the match.",
                "Who misses {n} turns in a row has lost the match.",
                misses,
            ).format(n=misses)
        return ngettext(
            "Who misses {n} turn in a row loses the seat; a bot goes on with the cards.",
            "Who misses {n} turns in a row loses the seat; a bot goes on with the cards.",
            misses,
        ).format(n=misses)
