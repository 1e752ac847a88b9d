"""What the site says about a match, in the reader's language: names, refusals, rules, times.

What happened at the table is told in telling.py. Whole sentences only; names and cards come in as placeholders and are
escaped, cards as chips.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from .faces import chip
from .play import Stale
from .rules.actions import LayOff
from .rules.cards import Card
from .rules.errors import Illegal, Refused

if TYPE_CHECKING:
    from .tables import Board, SeatSeen


class Choose(Refused):
    """A card to lay off fits in more than one place: only the player may choose. Nothing has changed."""

    def __init__(self, *cards: Card, melds: Iterable[int]) -> None:
        super().__init__("choose a meld")
        self.cards, self.melds = cards, tuple(melds)


class Unfit(Refused):
    """A form that names too many or too few cards for what it asks; ``sentence`` says what is missing."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def chips(cards: Iterable[Card]) -> SafeString:
    """Several cards inside a sentence."""
    return format_html_join(" ", "{}", ((chip(one),) for one in cards))


def seat_name(seat: "SeatSeen") -> str:
    """How a seat is called: its person or bot."""
    if seat.closed_account:
        return _("deleted player")
    return seat.name or _("free seat")


def initial(seat: "SeatSeen") -> str:
    """The letter on the disc of a seat."""
    return seat_name(seat).removeprefix("Bot ")[:1].upper()


def goal(board: "Board", number: int) -> str:
    """Which deal is played, and until when the match goes on."""
    options = board.options
    if options.match_end == "deals" and options.deals is not None:
        return _("Deal {number} of {deals}").format(number=number, deals=options.deals)
    return _("Deal {number} · first to {target}").format(number=number, target=options.target)


SIMPLE_REFUSALS = {
    "not_your_turn": gettext_lazy("It is not your turn."),
    "no_own_meld": gettext_lazy("In this match you may lay off only after you have put down a meld of your own."),
    "meld_limit": gettext_lazy("In this match you may put down only one meld a turn."),
    "must_keep_discard": gettext_lazy("In this match you go out with a discard: keep one card to throw."),
    "empty_stock": gettext_lazy("The stock is empty."),
    "empty_discard": gettext_lazy("There is no discard to take."),
    "must_draw_stock": gettext_lazy("Both of you have passed the upcard, so the first card comes from the stock."),
    "option_off": gettext_lazy("This match is played without that house rule."),
    "malformed": gettext_lazy("The site could not read this. The table is as it was."),
}
"""Refusals that need neither card nor meld."""

STALE = {
    "stale": gettext_lazy("The table has changed meanwhile. This is how it stands now; nothing was played."),
    "late": gettext_lazy("Your time was up: the clock has played this turn for you."),
    "over": gettext_lazy("This match is over."),
    "paused": gettext_lazy("The match is paused. Whoever wants to can go on, under “More”."),
}
"""Why a submission came too late, by ``Stale.why``."""


def refusal(why: Refused | Stale, board: "Board") -> str | SafeString:
    """A sentence that names the rule for whatever was refused, and the card or meld where it helps."""
    if isinstance(why, Stale):
        return str(STALE.get(why.why, STALE["stale"]))
    if isinstance(why, Unfit):
        return why.sentence
    if isinstance(why, Choose):
        return _choose(why)
    if isinstance(why, Illegal) and why.reason in CARD_REFUSALS:
        return CARD_REFUSALS[why.reason](why, board)
    return str(SIMPLE_REFUSALS.get(why.reason, SIMPLE_REFUSALS["malformed"]))


def _choose(why: Choose) -> SafeString:
    text = ngettext(
        "{cards} fits in more than one place. Choose the meld on the table.",
        "{cards} fit in more than one place. Choose the meld on the table.",
        len(why.cards),
    )
    return format_html(text, cards=chips(why.cards))


PHASES = {
    "draw": gettext_lazy("First draw a card: from the stock, or the top discard."),
    "upcard_offer": gettext_lazy("First take the upcard or pass."),
    "layoff": gettext_lazy("Lay off on the melds of the knock, or say that you are done."),
    "last_discard": gettext_lazy("You may only knock with the last discard, or pass."),
}
"""What the seat to act may do, by phase of the rules."""


def _wrong_phase(why: Illegal, board: "Board") -> str:
    if board.view is None or board.view.outcome is not None:
        return _("This deal is over.")
    if board.view.phase in PHASES:
        return str(PHASES[board.view.phase])
    if LayOff in board.game.grammar["play"]:
        return _("You have drawn already. Meld or lay off if you like, then discard one card.")
    return _("You have drawn already. Discard one card, or knock if your deadwood allows it.")


def _not_held(why: Illegal, board: "Board") -> str | SafeString:
    return format_html(_("You do not hold {card}."), card=chips(why.cards))


def _invalid_meld(why: Illegal, board: "Board") -> str | SafeString:
    if len(why.cards) < 3:
        return _("A meld needs at least three cards.")
    if board.game.shape.set_max == 3:
        rule = _("{cards} is no meld. A set is three cards of one rank; a run is three or more of one suit in order.")
    else:
        rule = _(
            "{cards} is no meld. A set is three or four cards of one rank; a run is three or more of one suit in order."
        )
    return format_html(rule, cards=chips(why.cards))


def _invalid_layoff(why: Illegal, board: "Board") -> str | SafeString:
    melds = board.view.melds if board.view else ()
    if not melds:
        return _("There is no meld on the table to lay off on.")
    if why.meld is None or why.meld >= len(melds):
        return format_html(_("{card} fits on no meld on the table."), card=chips(why.cards))
    meld = melds[why.meld]
    if meld.kind == "run":
        text = _("{card} does not fit on {meld}: a run grows at its ends, in its own suit.")
    elif len(meld.cards) >= (board.game.shape.set_max or 99):
        text = _("{card} does not fit on {meld}: that set is complete.")
    else:
        text = _("{card} does not fit on {meld}: a set takes only cards of its own rank.")
    return format_html(text, card=chips(why.cards), meld=chips(meld.cards))


def _same_discard(why: Illegal, board: "Board") -> SafeString:
    return format_html(
        _("You took {card} from the discards in this turn, so you may not throw it back."), card=chips(why.cards)
    )


def _stranded(why: Illegal, board: "Board") -> SafeString:
    text = _(
        "Then only {card} would be left. You have just taken it and may not discard it, so your turn could not end."
    )
    return format_html(text, card=chips(why.cards))


def _too_much_left(why: Illegal, board: "Board") -> str | SafeString:
    """Too much deadwood for a knock; big gin leaves none and names no card."""
    if not why.cards:
        return _("Big gin needs all eleven cards in melds.")
    limit = dict(board.view.facts).get("limit", 0) if board.view else 0
    text = ngettext(
        "Without {card} too much is left: you may knock with {limit} point of deadwood at most.",
        "Without {card} too much is left: you may knock with {limit} points of deadwood at most.",
        limit,
    )
    return format_html(text, card=chips(why.cards), limit=limit)


def _useless_discard(why: Illegal, board: "Board") -> str | SafeString:
    if not why.cards:
        return _("The last discard may be taken for big gin only if all eleven cards are then in melds.")
    text = _("The last discard may be taken only to knock with it, and without {card} too much would be left.")
    return format_html(text, card=chips(why.cards))


CARD_REFUSALS = {
    "wrong_phase": _wrong_phase,
    "card_not_in_hand": _not_held,
    "invalid_meld": _invalid_meld,
    "invalid_layoff": _invalid_layoff,
    "same_card_discard": _same_discard,
    "stranded": _stranded,
    "deadwood_too_high": _too_much_left,
    "pile_card_unusable": _useless_discard,
}
"""Refusals that name cards, melds or the phase."""


def stock_note(facts: Mapping[str, int]) -> str:
    """How often the stock has been used up and made anew."""
    used = facts.get("recycles", 0)
    if not used:
        return ""
    return ngettext("renewed {n} time", "renewed {n} times", used).format(n=used)


def moment(at: datetime) -> SafeString:
    """A moment in the reader's time zone, as short as it is clear: "14:20", "tomorrow 09:00", "Friday 09:00"."""
    local, today = timezone.localtime(at), timezone.localdate()
    clock = date_format(local, "TIME_FORMAT")
    days = (local.date() - today).days
    if days == 0:
        text = clock
    elif days == 1:
        text = _("tomorrow {time}").format(time=clock)
    elif days == -1:
        text = _("yesterday {time}").format(time=clock)
    elif 1 < days < 7:
        text = _("{weekday} {time}").format(weekday=date_format(local, "l"), time=clock)
    else:
        text = _("{date}, {time}").format(date=date_format(local, pgettext("date format", "j E")), time=clock)
    return format_html('<time datetime="{}">{}</time>', at.isoformat(timespec="seconds"), text)


def time_left(until: datetime) -> str:
    """What is left of a turn, in its two largest units."""
    return span_left(max(until - timezone.now(), timedelta()))


def span_left(left: timedelta) -> str:
    """A length of time, in its two largest units."""
    hours, minutes = left.seconds // 3600, left.seconds // 60 % 60
    if left.days and not hours:
        return pgettext("time left", "{days} d").format(days=left.days)
    if left.days:
        return pgettext("time left", "{days} d {hours} h").format(days=left.days, hours=hours)
    if hours:
        return pgettext("time left", "{hours} h {minutes} min").format(hours=hours, minutes=minutes)
    if minutes >= 2:
        return pgettext("time left", "{minutes} min").format(minutes=minutes)
    return pgettext("time left", "{seconds} s").format(seconds=left.seconds)


def last_look(seat: "SeatSeen") -> str:
    """When the person of a seat last looked at the table: in days, since the hour is nobody's business."""
    name = seat.substitute or seat_name(seat)
    if seat.looked_at is None:
        return _("{name} has not looked at this table yet.").format(name=name)
    days = (timezone.localdate() - timezone.localtime(seat.looked_at).date()).days
    if days <= 0:
        return _("{name} has looked at this table today.").format(name=name)
    if days == 1:
        return _("{name} has not been at this table since yesterday.").format(name=name)
    text = ngettext(
        "{name} has not been at this table for {n} day.", "{name} has not been at this table for {n} days.", days
    )
    return text.format(name=name, n=days)
