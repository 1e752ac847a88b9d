"""What the page of a table says about its time: pace, deadline, bank, days off, proposals, and the buttons for them.

The sheet of a table is drawn from rows that are at hand; opened, and on its own page, it is ``told``: that reads more.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import agreements, clock, halts, presence, worktime
from games.models import Match, Seat, Vacation
from games.paces import PACES
from games.tables import Board, SeatSeen
from games.terms import bank_told, days_off_told
from games.wording import moment, seat_name, span_left, time_left


@dataclass(frozen=True)
class Timing:
    """The time of a match, told to its reader. ``full``: with banks, vacations and shares; ``why``: a refusal."""

    board: Board
    full: bool = False
    why: str = ""

    def told(self, why: str = "") -> "Timing":
        """All of it."""
        return replace(self, full=True, why=why)

    @property
    def match(self) -> Match:
        return self.board.match

    @property
    def by_post(self) -> bool:
        """Whether the match was opened to be played by correspondence."""
        return PACES[self.match.pace].kind == "correspondence"

    @property
    def running(self) -> bool:
        return self.match.status == Match.Status.RUNNING

    @cached_property
    def me(self) -> SeatSeen | None:
        """The seat that the reader plays."""
        mine = self.board.seats[self.board.me] if self.board.me is not None else None
        return mine if mine is not None and mine.driver == Seat.Driver.USER and self.running else None

    @property
    def label(self) -> str:
        """The time for a turn, and the bank."""
        told = [str(PACES[self.match.pace].label), bank_told(self.match.bank)]
        return ", ".join(text for text in told if text)

    @property
    def state(self) -> str | SafeString:
        """That it is paused, or that it is played live now."""
        if self.match.paused_at is not None:
            text = _("Paused since {since}: no time passes. It goes on by itself on {until} at the latest.")
            last = timezone.localtime(self.match.paused_at + halts.LONGEST_PAUSE)
            # Translators: a day and its month, as Django's date filter writes them. With a dot: "j. E".
            until = date_format(last, pgettext("date format", "j E"))
            return format_html(text, since=moment(self.match.paused_at), until=until)
        if self.match.live_at is not None:
            return _("Played live now, 60 seconds a turn. Time for the turn and bank are kept.")
        return ""

    @cached_property
    def deadline(self) -> SafeString | None:
        """Until when the person to move has time, with the zone in which that is told."""
        match = self.match
        if match.due_at is None or match.turn is None:
            return None
        seat = self.board.seats[match.turn]
        text = (
            _("You have time until {moment} ({zone}): {left}.")
            if seat.is_me
            else _("{name} has time until {moment} ({zone}): {left}.")
        )
        zone, left = str(timezone.get_current_timezone()), time_left(match.due_at)
        return format_html(text, name=seat_name(seat), moment=moment(match.due_at), zone=zone, left=left)

    @property
    def shares(self) -> str:
        """How much of what is left belongs to the turn, and how much to the bank. Days off are not counted."""
        match = self.match
        if not self.full or not match.bank or match.due_at is None or not clock.by_correspondence(match):
            return ""
        assert match.turn is not None
        now, seat = timezone.now(), self._seats[match.turn]
        left = worktime.working(now, match.due_at, clock.off_of(match, self._seats, seat, now))
        bank = min(seat.bank, left)
        values = {"turn": span_left(timedelta(seconds=left - bank)), "bank": span_left(timedelta(seconds=bank))}
        if left <= bank:
            return _("The time for the turn is used up: {bank} of the bank are left.").format(**values)
        return _("First {turn} of the turn, then {bank} of the bank.").format(**values)

    @property
    def banks(self) -> list[tuple[str, str]]:
        """(name, what is left of the bank) of those who play."""
        if not self.full or not self.match.bank or not self.running:
            return []
        rows = zip(self.board.seats, self._seats, strict=True)
        return [(seat_name(seen), span_left(timedelta(seconds=row.bank))) for seen, row in rows if self._plays(seen)]

    @cached_property
    def _seats(self) -> list[Seat]:
        return list(self.match.seats.order_by("index"))

    @property
    def what_then(self) -> list[str]:
        """What happens when time is up."""
        if PACES[self.match.pace].kind == "none":
            return [_("Nobody is hurried: there is no deadline.")]
        if not self.running:
            return []
        if self.match.live_at is not None:
            return [_("When somebody does not move in time, the table goes back to correspondence as it is.")]
        return [_("When time is up, the clock plays that turn: it draws and discards."), self._given_up()]

    def _given_up(self) -> str:
        misses = clock.MISSES
        if len(self.board.seats) == 2:
            text = ngettext(
                "Who misses {n} turn in a row has lost the match.",
                "Who misses {n} turns in a row has lost the match.",
                misses,
            )
        else:
            text = ngettext(
                "Who misses {n} turn in a row loses the seat; a bot goes on with the cards.",
                "Who misses {n} turns in a row loses the seat; a bot goes on with the cards.",
                misses,
            )
        return text.format(n=misses)

    @cached_property
    def days_off(self) -> list[str]:
        """On which days the clock stands still."""
        if not self.by_post or not self.running:
            return []
        return days_off_told(self.match.weekend, self.match.vacations, len(self.board.seats))

    @cached_property
    def away(self) -> list[str]:
        """Who is on vacation, and until when."""
        if not self.full or not self.match.vacations or not self.running:
            return []
        names = {seat.driven_by_id: seat_name(seat) for seat in self.board.seats if self._plays(seat)}
        rows = Vacation.objects.filter(user__in=[pk for pk in names if pk], state=Vacation.State.RUNNING)
        text = _("{name} is on vacation to the end of {day}.")
        form = pgettext("date format", "l, j E")
        return [text.format(name=names[r.user_id], day=date_format(r.last_day, form)) for r in rows]

    # --- who is here, what is proposed, what may be done

    @cached_property
    def here(self) -> list[str]:
        """Who else is at the table now."""
        others = [seat for seat in self.board.seats if seat.driven_by_id in self._at_table and not seat.is_me]
        return [_("{name} is here now.").format(name=seat_name(seat)) for seat in others]

    @cached_property
    def _at_table(self) -> set[int]:
        users = [seat.driven_by_id for seat in self.board.seats if seat.driven_by_id is not None]
        return presence.here(self.match.pk, users) if self.by_post and self.running and len(users) > 1 else set()

    @cached_property
    def all_here(self) -> bool:
        """Whether all who play are at the table, and I am one of several."""
        users = {seat.driven_by_id for seat in self.board.seats if self._plays(seat)}
        return self.me is not None and len(users) > 1 and users <= self._at_table

    def _plays(self, seat: SeatSeen) -> bool:
        return seat.driver == Seat.Driver.USER

    @cached_property
    def proposal(self) -> dict[str, Any] | None:
        """What waits for answers."""
        return agreements.proposed(self.match, timezone.now()) if self.running else None

    @property
    def question(self) -> str:
        """What is proposed, and by whom."""
        if self.proposal is None:
            return ""
        seat = self.board.seats[self.proposal["seat"]]
        mine, pause = seat.is_me, self.proposal["kind"] == "pause"
        if mine:
            text = _("You propose a pause. All have to say yes.") if pause else _("You propose to go on live.")
        else:
            text = _("{name} proposes a pause.") if pause else _("{name} proposes to go on live, 60 seconds a turn.")
        return text.format(name=seat_name(seat))

    @property
    def unanswered(self) -> bool:
        """Whether my answer is awaited."""
        return self.me is not None and self.proposal is not None and self.me.index not in self.proposal["agreed"]

    @property
    def may_go_live(self) -> bool:
        """All are here and nothing stands against it."""
        return self._could_go_live and not self.board.ask_again.get("live")

    @property
    def _could_go_live(self) -> bool:
        at_rest = self.match.paused_at is None and self.match.live_at is None
        return self.by_post and at_rest and self.proposal is None and self.all_here

    @cached_property
    def buttons(self) -> list[tuple[str, str | SafeString, bool]]:
        """(act, words, whether it can be done) of what I may do about the time now."""
        if self.me is None or not self.by_post:
            return []
        if self.match.paused_at is not None:
            return [("go_on", _("Go on"), True)]
        if self.proposal is not None:
            answers = [("no", _("No"), True), ("yes", _("Yes"), True)] if self.unanswered else []
            mine = self.proposal["seat"] == self.me.index
            return [("withdraw", _("Take it back"), True)] if mine else [*answers]
        if self.match.live_at is not None:
            return [("go_back", _("Back to correspondence"), True)]
        return [*self._gift(), *self._halts()]

    def _gift(self) -> Iterator[tuple[str, str, bool]]:
        turn = self.match.turn
        if turn is None or self.match.due_at is None or turn == self.board.me or self.board.gave_time:
            return
        yield "give", _("Give {name} more time").format(name=seat_name(self.board.seats[turn])), True

    def _halts(self) -> Iterator[tuple[str, str | SafeString, bool]]:
        others = sum(self._plays(seat) for seat in self.board.seats) > 1
        again = self.board.ask_again
        if at := again.get("pause"):
            yield "pause", format_html(_("Propose a pause again from {moment}"), moment=moment(at)), False
        else:
            yield "pause", _("Propose a pause") if others else _("Pause"), True
        if self.may_go_live:
            yield "live", _("Propose to go live"), True
        elif self._could_go_live and (at := again.get("live")):
            yield "live", format_html(_("Propose to go live again from {moment}"), moment=moment(at)), False
