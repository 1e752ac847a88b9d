"""Acts at a table, each a POST of its own: draw, meld, lay off, discard, take back, arrange the hand, resign."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games import clock, drafts, play, tables
from games.forms import THROWS, ActForm, ArrangeForm
from games.models import Match, Move, Seat
from games.preset_texts import name_of
from games.rules.actions import Action
from games.rules.errors import Malformed, Refused
from games.writing import writing

from .answers import SeeOther, answer_with, my_seat, of_a_user, shown
from .sentences import Asked


@never_cache
@require_POST
@of_a_user
def act(request: HttpRequest, match_id: int) -> HttpResponse:
    """Draw, meld, lay off or discard. Who wants to be asked before a turn is sent is asked, and nothing is done yet."""
    if "back" in request.POST:
        return shown(request, match_id)
    asked = _asked(request, match_id)
    if asked is not None:
        return shown(request, match_id, asked)

    def do() -> tables.Now | None:
        try:
            return acted()
        except (play.Stale, Refused):
            my_seat(request, match_id)  # a stranger is told nothing of the table, not even why he is refused
            raise

    def acted() -> tables.Now | None:
        form = ActForm(request.POST).read()
        seen = form.seen_by
        if form.cleaned_data["do"] != "lay_off" and not form.action().can_wait:
            return _play(match_id, request.user, form.action(), seen)
        seat = my_seat(request, match_id)
        if form.cleaned_data["do"] != "lay_off":
            return drafts.act(match_id, seat, form.action(), seen)
        board = tables.board(seat.match, request.user)
        if str(seen) != board.seen and not clock.is_late(seat.match, timezone.now()):
            raise play.Stale("over" if seat.match.status != Match.Status.RUNNING else "stale")
        return _perform(match_id, seat, form.lay_offs(board), seen)

    return answer_with(request, match_id, do)


def _asked(request: HttpRequest, match_id: int) -> Asked | None:
    """What this user wants to confirm first, a discard or a knock; None if there is nothing to ask or it is refused."""
    user: Any = request.user
    if not (user.confirm_live or user.confirm_correspondence):
        return None
    form = ActForm(request.POST)
    if not form.is_valid() or form.cleaned_data["do"] not in THROWS:
        return None
    with suppress(Refused):
        action: Any = form.action()
        match = my_seat(request, match_id).match
        wants = user.confirm_live if clock.pace_of(match).kind == "live" else user.confirm_correspondence
        if not wants or request.POST.get("sure") == str(action.card):
            return None
        board = tables.board(match, user)
        legal = board.view.legal if board.view is not None and form.cleaned_data["seen"] == board.seen else ()
        if type(action)(action.card) in legal:
            return Asked(action.name, action.card, form.way(action.card))
    return None


def _play(match_id: int, user: Any, action: Action, seen: drafts.Seen) -> tables.Now:
    """What goes to the table at once; 404 for who drives no seat there."""
    try:
        return play.submit(match_id, None, [action], by=Move.By.USER, driver=user, seen=seen.version, draft=seen.draft)
    except (Match.DoesNotExist, Seat.DoesNotExist) as error:
        raise Http404 from error


def _perform(match_id: int, seat: Seat, actions: Sequence[Action], seen: drafts.Seen) -> tables.Now | None:
    """Some actions, all or none. What the clock has played when one of them comes too late stands."""
    if len(actions) == 1:
        return drafts.act(match_id, seat, actions[0], seen)
    late: play.Stale | None = None
    now = None
    with writing():
        for action in actions:
            try:
                now = drafts.act(match_id, seat, action, seen)
            except play.Stale as why:
                if why.why != "late":
                    raise
                late = why
                break
            seen = drafts.Seen(seen.version, seen.draft + 1)
    if late is not None:
        raise late
    return now


@never_cache
@require_POST
@of_a_user
def undo(request: HttpRequest, match_id: int) -> HttpResponse:
    """Take back the last meld or lay-off that has not been sent."""
    seat = my_seat(request, match_id)
    return answer_with(
        request, match_id, lambda: drafts.undo(match_id, seat, drafts.Seen.read(request.POST.get("seen", "")))
    )


@never_cache
@require_POST
@of_a_user
def arrange(request: HttpRequest, match_id: int) -> HttpResponse:
    """Sort the hand or lay it in an own order; also when it is not my turn."""
    seat = my_seat(request, match_id)

    def do() -> None:
        form = ArrangeForm(request.POST).read()
        if form.cleaned_data["sort"]:
            return drafts.set_sort(seat, form.cleaned_data["sort"])
        hand = tables.board(seat.match, request.user).hand
        if form.cleaned_data["step"]:
            return drafts.move_card(seat, hand, form.moved, form.cleaned_data["step"])
        drafts.set_order(seat, hand, [str(one) for one in form.cleaned_data["order"]])

    return answer_with(request, match_id, do)


@never_cache
@require_POST
@of_a_user
def ready(request: HttpRequest, match_id: int) -> HttpResponse:
    """The result of a deal has been looked at."""
    seat = get_object_or_404(Seat.objects.select_related("match"), match=match_id, driven_by=request.user.pk)
    number = request.POST.get("deal", "")

    def do() -> None:
        if not number.isdecimal() or len(number) > 4 or int(number) > seat.match.deal_number:
            raise Malformed("a deal is named by its number")
        play.ready(match_id, seat.index, int(number))

    return answer_with(request, match_id, do)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@of_a_user
def resign(request: HttpRequest, match_id: int) -> HttpResponse:
    """Asks first (GET), then leaves the match for good (POST)."""
    seat = my_seat(request, match_id)
    match = seat.match
    if request.method == "POST":
        with suppress(play.Stale):  # it ended a moment ago: the page says how
            play.resign(match_id, seat.index, request.user)
        return SeeOther(reverse("games:match", args=[match_id]))
    if match.status != Match.Status.RUNNING:
        return SeeOther(reverse("games:match", args=[match_id]))
    more = match.seats.count() > 2
    for_another = seat.user_id != request.user.pk
    what = (
        _("You play this seat for somebody else. If that player is back, the seat goes back; else a bot goes on.")
        if for_another
        else _("A bot goes on with your cards, and the others play on. You cannot come back.")
        if more
        else _("The match ends, and the other player wins. You cannot take this back.")
    )
    return render(
        request, "games/resign.html", {"match": match, "title": name_of(match), "what": what, "leaves": for_another}
    )
