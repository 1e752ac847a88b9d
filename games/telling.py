"""What happened at the table, told to one reader: a sentence for each event, "You ..." where it is his own.

A card stands in a sentence only if the reader may know it: the view has left out all others.
"""

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from .faces import chip
from .rules.table import Event
from .rulings_told import RULED, ruling_told
from .tables import Board, Told
from .wording import chips, seat_name

MINE = {
    "upcard": gettext_lazy("You dealt and turned up {cards}."),
    "drew": gettext_lazy("You drew from the stock."),
    "took": gettext_lazy("You took {cards} from the discards."),
    "melded": gettext_lazy("You melded {cards}."),
    "discarded": gettext_lazy("You discarded {cards}."),
    "out": gettext_lazy("You went out."),
    "passed": gettext_lazy("You passed."),
    "knocked": gettext_lazy("You knocked and show {cards} as deadwood."),
    "done": gettext_lazy("You lay off nothing more."),
    "knock": gettext_lazy("Your knock wins the deal."),
    "gin": gettext_lazy("You have gin."),
    "big_gin": gettext_lazy("You have big gin."),
    "undercut": gettext_lazy("You undercut the knock."),
    "tie": gettext_lazy("You have as little as the knock: the bonus is yours."),
    "clock": gettext_lazy("Your time was up; the clock played for you."),
    "order": gettext_lazy("Your order played for you."),
    "forced": gettext_lazy("Nothing else was possible, so the site moved for you."),
    "resigned": gettext_lazy("You resigned."),
    "given_up": gettext_lazy("You missed too many turns and lost your seat."),
    "asked_pause": gettext_lazy("You proposed a pause."),
    "asked_live": gettext_lazy("You proposed to go on live."),
    "declined": gettext_lazy("You said no to the proposal."),
    "withdrew": gettext_lazy("You took your proposal back."),
    "paused": gettext_lazy("All agreed to your pause: no time passes."),
    "went_on": gettext_lazy("You ended the pause."),
    "went_live": gettext_lazy("All agreed to go on live."),
    "went_back": gettext_lazy("You went back to correspondence."),
    "live_ended": gettext_lazy("You did not move in time, so the match goes on by correspondence."),
    "time_given": gettext_lazy("You gave {owner} more time."),
    "vacation_began": gettext_lazy("Your vacation has begun."),
    "vacation_ended": gettext_lazy("Your vacation has ended."),
    "taken_over": gettext_lazy("You have taken over this seat."),
    "taken_back": gettext_lazy("You are back and play your seat again."),
    "left": gettext_lazy("You have left the seat of another."),
    "nudged": gettext_lazy("You nudged the player to move."),
    "replaced": gettext_lazy("A moderator lets a bot play your seat."),
    "put_back": gettext_lazy("A moderator has given you your seat again."),
}
"""What I did."""

THEIRS = {
    "upcard": gettext_lazy("{name} dealt and turned up {cards}."),
    "drew": gettext_lazy("{name} drew from the stock."),
    "took": gettext_lazy("{name} took {cards} from the discards."),
    "melded": gettext_lazy("{name} melded {cards}."),
    "discarded": gettext_lazy("{name} discarded {cards}."),
    "out": gettext_lazy("{name} went out."),
    "passed": gettext_lazy("{name} passed."),
    "knocked": gettext_lazy("{name} knocked and shows {cards} as deadwood."),
    "done": gettext_lazy("{name} lays off nothing more."),
    "knock": gettext_lazy("The knock of {name} wins the deal."),
    "gin": gettext_lazy("{name} has gin."),
    "big_gin": gettext_lazy("{name} has big gin."),
    "undercut": gettext_lazy("{name} undercut the knock."),
    "tie": gettext_lazy("{name} has as little as the knock and gets the bonus."),
    "clock": gettext_lazy("The time of {name} was up; the clock played."),
    "forced": gettext_lazy("Nothing else was possible, so the site moved for {name}."),
    "resigned": gettext_lazy("{name} resigned."),
    "given_up": gettext_lazy("{name} missed too many turns and lost the seat."),
    "asked_pause": gettext_lazy("{name} proposes a pause."),
    "asked_live": gettext_lazy("{name} proposes to go on live."),
    "declined": gettext_lazy("{name} said no to the proposal."),
    "withdrew": gettext_lazy("{name} took the proposal back."),
    "paused": gettext_lazy("All agreed to the pause of {name}: no time passes."),
    "went_on": gettext_lazy("{name} ended the pause."),
    "went_live": gettext_lazy("All agreed to go on live."),
    "went_back": gettext_lazy("{name} went back to correspondence."),
    "live_ended": gettext_lazy("{name} did not move in time, so the match goes on by correspondence."),
    "time_given": gettext_lazy("{name} gave {owner} more time."),
    "vacation_began": gettext_lazy("{name} is on vacation."),
    "vacation_ended": gettext_lazy("{name} is back from vacation."),
    "taken_over": gettext_lazy("A substitute has taken over the seat of {name}."),
    "taken_back": gettext_lazy("{name} is back and plays again."),
    "left": gettext_lazy("The substitute of {name} has left the seat."),
    "nudged": gettext_lazy("{name} nudged the player to move."),
    "replaced": gettext_lazy("A moderator lets a bot play for {name}."),
    "put_back": gettext_lazy("A moderator has given {name} the seat again."),
}
"""What another seat did."""

TO_ME = {
    "time_given": gettext_lazy("{name} gave you more time."),
}
"""What another seat did to me."""

NOBODY = {
    "turned_over": gettext_lazy("The discards were turned over and are the stock again."),
    "shuffled": gettext_lazy("The discards were shuffled and are the stock again."),
    "blocked": gettext_lazy("The deal is blocked: nobody went out."),
    "void": gettext_lazy("The deal is void: nobody scores."),
    "pause_ended": gettext_lazy("The pause has lasted as long as a pause may. The match goes on."),
}
"""What no seat did."""

LAID_OFF = {
    ("mine", "mine", "run"): gettext_lazy("You laid off {cards} on your own run."),
    ("mine", "mine", "set"): gettext_lazy("You laid off {cards} on your own set."),
    ("mine", "theirs", "run"): gettext_lazy("You laid off {cards} on the run of {owner}."),
    ("mine", "theirs", "set"): gettext_lazy("You laid off {cards} on the set of {owner}."),
    ("theirs", "mine", "run"): gettext_lazy("{name} laid off {cards} on your run."),
    ("theirs", "mine", "set"): gettext_lazy("{name} laid off {cards} on your set."),
    ("theirs", "own", "run"): gettext_lazy("{name} laid off {cards} on the same player's run."),
    ("theirs", "own", "set"): gettext_lazy("{name} laid off {cards} on the same player's set."),
    ("theirs", "theirs", "run"): gettext_lazy("{name} laid off {cards} on the run of {owner}."),
    ("theirs", "theirs", "set"): gettext_lazy("{name} laid off {cards} on the set of {owner}."),
}
"""Who laid off, on whose meld, of which kind."""


QUIET = ("turned_over", "shuffled", "forced")
"""What says less than the act before or after it."""


def told(line: Told, board: Board) -> SafeString:
    """One line of what happened, as a sentence."""
    event, mine = line.event, line.mine
    if line.what in NOBODY:
        return format_html("{}", NOBODY[line.what])
    if line.what in RULED:
        return format_html("{}", ruling_told(line, board))
    name = seat_name(board.seats[line.seat])
    if event is None:
        if line.to is not None and line.to == board.me:
            return format_html(str(TO_ME[line.what]), name=name)
        owner = seat_name(board.seats[line.to]) if line.to is not None else ""
        return format_html(str((MINE if mine else THEIRS)[line.what]), name=name, owner=owner)
    if event.kind == "drew" and mine and event.own is not None:
        return format_html(_("You drew {card}."), card=chip(event.own))
    if event.kind == "drew" and event.own is not None:  # an ended deal with all hands open
        return format_html(_("{name} drew {card}."), name=name, card=chip(event.own))
    if event.kind == "laid_off":
        return _laid_off(line, event, board, name)
    return format_html(str((MINE if mine else THEIRS)[event.kind]), name=name, cards=chips(event.cards))


def told_of(event: Event, name: str) -> SafeString:
    """An event as the doing of somebody who is no seat: the clock, a bot or a substitute that played for a user."""
    if event.kind == "drew" and event.own is not None:
        return format_html(_("{name} drew {card}."), name=name, card=chip(event.own))
    if event.kind == "laid_off":
        return format_html(_("{name} laid off {cards}."), name=name, cards=chips(event.cards))
    return format_html(str(THEIRS[event.kind]), name=name, cards=chips(event.cards))


def _laid_off(line: Told, event: Event, board: Board, name: str) -> SafeString:
    melds = board.view.melds if board.view else ()
    if event.meld is None or event.meld >= len(melds):
        return format_html(_("{name} laid off {cards}."), name=name, cards=chips(event.cards))
    meld = melds[event.meld]
    mine = line.mine
    if meld.owner == board.me and board.drives:
        whose = "mine"
    elif meld.owner == event.seat and not mine:
        whose = "own"
    else:
        whose = "theirs"
    text = LAID_OFF["mine" if mine else "theirs", whose, meld.kind]
    owner = seat_name(board.seats[meld.owner])
    return format_html(str(text), name=name, owner=owner, cards=chips(event.cards))


def recap(board: Board) -> str:
    """How much is new since the reader's last visit, or nothing."""
    new = sum(line.new and not line.draft for line in board.log)
    if not new:
        return ""
    return ngettext("{n} line is new since your last visit.", "{n} lines are new since your last visit.", new).format(
        n=new
    )


def last_of_others(board: Board) -> Told | None:
    """The last thing that somebody else did; that the discards became the stock says less."""
    for line in reversed(board.log):
        if not line.mine and line.what not in QUIET:
            return line
    return None


def own_turn(board: Board) -> list[Told]:
    """What I have done in the turn in progress."""
    if board.view is None or not board.my_turn:
        return []
    turn = board.view.turns
    return [line for line in board.log if line.event is not None and line.mine and line.event.turn == turn]
