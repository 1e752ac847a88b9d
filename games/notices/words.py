"""Notices in words, in the language and time zone that are active. The same sentence stands on the site, in the subject
of a mail, on a phone and in a feed. No sentence names a card: a notice knows none.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from accounts import sanctions
from accounts.models import Sanction
from games.models import Match, Notice, Seat
from games.preset_texts import name_of

User = get_user_model()


@dataclass(frozen=True, slots=True)
class Told:
    """What a sentence is made of. ``name``: who caused the event; ``match``: what the match is called; ``others``: who
    sits there besides the reader; ``until``: the deadline of the reader's turn, if it is his turn.
    """

    about: dict[str, Any]
    name: str = ""
    match: str = ""
    others: str = ""
    until: datetime | None = None
    me: bool = False

    def say(self, text: str) -> str:
        """A sentence with its names."""
        until = day_and_time(self.until) if self.until else ""
        deal = self.about.get("deal", "")
        return text.format(name=self.name, match=self.match, others=self.others, until=until, deal=deal)


def day_and_time(at: datetime) -> str:
    """A moment that is still clear when it is read a day later: "Tuesday 14:05", "3 March, 14:05"."""
    local = timezone.localtime(at)
    clock = date_format(local, "TIME_FORMAT")
    if abs((local.date() - timezone.localdate()).days) < 7:
        return _("{weekday} {time}").format(weekday=date_format(local, "l"), time=clock)
    day = date_format(local, pgettext("date format", "j E"))
    return _("{date}, {time}").format(date=day, time=clock)


def sentences(notices: Iterable[Notice]) -> list[str]:
    """One sentence for each notice, in order. Two queries for all names, however many there are."""
    rows = list(notices)
    seats = _seats(rows)
    people = User.objects.in_bulk({row.about["by"] for row in rows if "by" in row.about})
    return [_sentence(row, _told(row, seats[row.match_id], people)) for row in rows]


def _seats(rows: Sequence[Notice]) -> dict[int | None, list[Seat]]:
    found: dict[int | None, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(match__in={r.match_id for r in rows if r.match_id}).select_related("user"):
        found[seat.match_id].append(seat)
    return found


def _told(row: Notice, seats: Sequence[Seat], people: dict[int, Any]) -> Told:
    by, match = people.get(row.about.get("by", 0)), row.match
    others = [_called(seat) for seat in seats if seat.user_id != row.user_id]
    return Told(
        row.about,
        name=by.shown_name if by else _("Somebody"),
        match=name_of(match) if match else "",
        others=", ".join(name for name in others if name),
        until=_deadline(match, seats, row.user_id) if match else None,
        me=by is not None and by.pk == row.user_id,
    )


def _called(seat: Seat) -> str:
    if seat.driver in (Seat.Driver.USER, Seat.Driver.BOT) and seat.user is None:
        return seat.bot_name
    return seat.user.shown_name if seat.user is not None else ""


def _deadline(match: Match, seats: Sequence[Seat], user_id: int) -> datetime | None:
    mine = any(seat.index == match.turn and seat.driven_by_id == user_id for seat in seats)
    return match.due_at if mine else None


def _sentence(row: Notice, told: Told) -> str:
    """One line whatever a match is called: it may become the subject of a mail."""
    line = " ".join(told.say(SENTENCES[row.kind](told)).split())
    return " ".join("".join(sign for sign in line if sign.isprintable()).split())


def _your_turn(told: Told) -> str:
    order = told.about.get("order")
    if order == "asked":
        return _("Your order in {match} against {others} has drawn and waits for your discard")
    if order:
        return _("Your order in {match} against {others} has ended, and it is your turn")
    if told.until:
        return _("Your turn in {match} against {others}, until {until}")
    return _("Your turn in {match} against {others}")


def _reminder(told: Told) -> str:
    if told.until:
        return _("Your time in {match} against {others} ends {until}")
    return _("Your time in {match} against {others} was running out")


def _asked(told: Told) -> str:
    what = {
        "pause": _("{name} proposes a pause in {match}"),
        "live": _("{name} proposes to play {match} live, now"),
    }
    return what.get(str(told.about.get("what")), _("{name} proposes something in {match}"))


def _answered(told: Told) -> str:
    if told.about.get("yes"):
        return _("{name} agrees to your proposal in {match}")
    return _("{name} says no to your proposal in {match}")


def _given_up(told: Told) -> str:
    if told.me:
        return _("You have lost your seat in {match}: too many turns were missed")
    return _("{name} has left {match}; the seat is given up")


RULED: dict[str, str | Promise] = {
    "voided": gettext_lazy("A moderator has declared deal {deal} of {match} against {others} void"),
    "counted": gettext_lazy("A moderator has decided that deal {deal} of {match} against {others} counts after all"),
    "corrected": gettext_lazy("A moderator has corrected the points of deal {deal} of {match} against {others}"),
    "uncorrected": gettext_lazy("A moderator has taken back the correction of deal {deal} of {match} against {others}"),
    "aborted": gettext_lazy("A moderator has broken off {match} against {others}: it counts for nobody"),
    "adjudicated": gettext_lazy("A moderator has decided {match} against {others}"),
    "withdrawn": gettext_lazy("A moderator has taken back the decision about {match} against {others}"),
    "reopened": gettext_lazy("A moderator has reopened {match} against {others}: it goes on"),
    "granted": gettext_lazy("A moderator has given more time in {match} against {others}"),
    "replaced": gettext_lazy("A moderator lets a bot play a seat in {match} against {others}"),
    "put_back": gettext_lazy("A moderator has given a seat in {match} against {others} back to its player"),
}
GOES_ON: dict[str, str | Promise] = {
    "voided": gettext_lazy(
        "A moderator has declared deal {deal} of {match} against {others} void, so the match goes on"
    ),
    "corrected": gettext_lazy(
        "A moderator has corrected the points of deal {deal} of {match} against {others}, so the match goes on"
    ),
    "uncorrected": gettext_lazy(
        "A moderator has taken back the correction of deal {deal} of {match} against {others}, so the match goes on"
    ),
}
"""What a ruling says where it takes the end of a match away."""


def _ruled(told: Told) -> str:
    what = str(told.about.get("what"))
    if told.about.get("goes_on") and what in GOES_ON:
        return str(GOES_ON[what])
    return str(RULED.get(what, _("A moderator has decided something in {match} against {others}")))


def _seat_back(told: Told) -> str:
    way = str(told.about.get("way"))
    if told.about.get("asks"):
        return _("{name} is back and asks you for the seat in {match}")
    if told.me:
        mine = {
            "substitute": _("Your substitute in {match} has given your seat back to you"),
            "deal": _("A new deal of {match} begins, and your seat is yours again"),
        }
        return mine.get(way, _("You have your seat in {match} again"))
    if told.about.get("was") == "yours":
        return _("A new deal of {match} begins, and {name} has the seat again that you played. Thank you")
    others = {
        "bot": _("{name} is back in {match} and plays again instead of the bot"),
        "substitute": _("{name} is back in {match}: the substitute has given the seat back"),
        "deal": _("{name} is back in {match} and plays again from this deal on"),
    }
    return others.get(way, _("{name} plays again in {match}"))


def _sanctioned(told: Told) -> str:
    about = told.about
    if about["what"] == "renamed":
        return _("A moderator has given you another name: you are called {new} now").replace("{new}", about["name"])
    if about["what"] == "linked":
        return _("A moderator holds your account and that of {name} for those of one person")
    if about["what"] == "unlinked":
        return _("A moderator no longer holds your account and that of {name} for those of one person")
    if about["what"] == "upheld":
        return _("A moderator has read your answer: the decision stays as it is")
    until = datetime.fromisoformat(about["until"]) if "until" in about else None
    decided = sanctions.sentence(Sanction(kind=about["kind"], until=until))
    if about["what"] == "lifted":
        return _("Lifted by a moderator: {decided}").replace("{decided}", decided)
    if about["what"] == "shortened":
        return _("Shortened by a moderator: {decided}").replace("{decided}", decided)
    why = Sanction(ground=about["ground"]).get_ground_display()
    return _("{decided} {why} Read it all and answer here.").replace("{decided}", decided).replace("{why}", why)


def _reported_outcome(told: Told) -> str:
    """Nothing of the other: neither the name nor what was done."""
    said = {
        "acted": _("Your report has been read: a moderator has acted on it"),
        "nothing": _("Your report has been read: a moderator found nothing to act on"),
        "misuse": _("Your report has been read: a moderator asks you not to use reports for this"),
    }
    return said.get(str(told.about.get("outcome")), _("A moderator looks at your report once more"))


SENTENCES: dict[str, Callable[[Told], str]] = {
    "your_turn": _your_turn,
    "reminder": _reminder,
    "invited": lambda told: _("{name} invites you to {match}"),
    "rematch": lambda told: _("{name} asks for a rematch in {match}"),
    "asked": _asked,
    "answered": _answered,
    "accepted": lambda told: _("{name} has joined your match of {match}"),
    "declined": lambda told: _("{name} does not play {match} with you this time"),
    "removed": lambda told: _("{name} has given your seat in {match} to others"),
    "deal_over": lambda told: _("Deal {deal} of {match} against {others} has ended"),
    "match_over": lambda told: _("{match} against {others} is over"),
    "clock_played": lambda told: _("Your time was over: the clock has played for you in {match} against {others}"),
    "given_up": _given_up,
    "ruled": _ruled,
    "hands_seen": lambda told: _(
        "A moderator looked at all hands of deal {deal} of {match} against {others} while it was played"
    ),
    "seat_offered": lambda told: _("A seat is free for you in {match} with {others}"),
    "seat_back": _seat_back,
    "nudged": lambda told: _("{name} waits for your turn in {match}"),
    "time_given": lambda told: _("{name} has given you more time in {match}"),
    "chat": lambda told: _("{name} has written to you in {match}") if told.match else _("{name} has written to you"),
    "sanctioned": _sanctioned,
    "reported_outcome": _reported_outcome,
    "friend": lambda told: (
        _("{name} is your friend here now")
        if told.about.get("accepted")
        else _("{name} would like to be your friend here")
    ),
}
"""By kind. Each text takes its names from ``Told.say``."""
