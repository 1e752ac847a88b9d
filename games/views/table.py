"""The pages of a match: the table, its parts, and every act at it. Reading is GET, each change a POST of its own.

With htmx an answer is always 200 with the fresh parts. Plain forms get a redirect, or the page with 409, 422 or 400.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.db.models import OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import clock, drafts, play, sweep, tables
from games.forms import ActForm, ArrangeForm
from games.models import Draft, Match, Move, Seat
from games.preset_texts import name_of
from games.rules.actions import Action
from games.rules.errors import Illegal, Malformed, Refused
from games.wording import Choose, refusal
from games.writing import writing

from .endings import match_shown
from .results import deal_shown, sheet_rows
from .room import room_context
from .showing import Note, Page, page_of

STATUSES = ((play.Stale, 409), (Illegal, 422), (Refused, 400))
"""Answers to plain forms that were refused."""


class SeeOther(HttpResponseRedirect):
    """After a POST: read the page anew."""

    status_code = 303


def of_a_user(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """An act of somebody signed in; who is not comes back to the table after signing in, not to the act."""

    @wraps(view)
    def checked(request: HttpRequest, match_id: int) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, match_id)
        sign_in = redirect_to_login(reverse("games:match", args=[match_id]))
        return HttpResponse(headers={"HX-Redirect": sign_in.url}) if _htmx(request) else sign_in

    return checked


def _visible(request: HttpRequest, match_id: int) -> Match:
    match = get_object_or_404(Match, pk=match_id)
    if not tables.may_look(match, request.user, request.GET.get("token", "")):
        raise Http404
    return match


def _my_seat(request: HttpRequest, match_id: int) -> Seat:
    """The seat that this user drives, or 404."""
    return get_object_or_404(Seat, match=match_id, user=request.user.pk, driver=Seat.Driver.USER)


def _context(page: Page, *, parts: bool = False, hand: bool = True) -> dict[str, Any]:
    board = page.board
    context: dict[str, Any] = {"page": page, "board": board, "match": board.match, "parts": parts, "with_hand": hand}
    if page.state == "deal" and board.result is not None:
        context["deal"] = deal_shown(board, board.result)
    if page.state == "over":
        results = tables.results(board.match)
        context["end"] = match_shown(board, results)
        if board.result is not None:
            context["deal"] = deal_shown(board, board.result)
    return context


@require_safe
@never_cache
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """The page of a match: a waiting room before the first deal, then the table."""
    match = _visible(request, match_id)
    if match.status in (Match.Status.OPEN, Match.Status.CANCELLED):
        board = tables.board(match, request.user)
        return render(request, "games/room.html", room_context(request, board))
    if tables.needs_waking(match):
        sweep.wake_late(match.pk)
    board = tables.board(match, request.user, visit=True)
    page = page_of(board, request.user, whole_log=request.GET.get("log") == "all")
    return render(request, "games/match.html", _context(page))


@require_safe
@never_cache
def parts(request: HttpRequest, match_id: int) -> HttpResponse:
    """The regions of a table that have changed since ``?have=`` (a version); 204 if none has."""
    mine = Draft.objects.filter(seat__match=OuterRef("pk"), seat__user=request.user.pk or 0)
    rows = Match.objects.annotate(
        my_draft=Subquery(mine.values("number")[:1]), my_stamp=Subquery(mine.values("stamp")[:1])
    )
    match = get_object_or_404(rows, pk=match_id)
    if not tables.may_look(match, request.user, request.GET.get("token", "")):
        raise Http404
    have = request.GET.get("have", "")
    mine_now = f"{match.version}.{getattr(match, 'my_draft', None) or 0}.{getattr(match, 'my_stamp', None) or 0}"
    if have in (str(match.version), mine_now):
        if tables.needs_waking(match):
            sweep.wake_late(match.pk)
        return HttpResponse(status=204)
    if match.status in (Match.Status.OPEN, Match.Status.CANCELLED):
        return _refresh()
    page = page_of(tables.board(match, request.user), request.user)
    hand = request.GET.get("hand", "") != page.stamp
    return render(request, "games/match.html#parts", _context(page, parts=True, hand=hand))


def _refresh() -> HttpResponse:
    """Tell htmx to load the whole page: another one stands at this address now."""
    return HttpResponse(headers={"HX-Refresh": "true"})


def _answer(request: HttpRequest, match_id: int, act: Callable[[], Any]) -> HttpResponse:
    """Do something at the table and show what it looks like now, with the reason if it was refused."""
    why: play.Stale | Refused | None = None
    now = None
    try:
        now = act()
    except (play.Stale, Refused) as refused:
        why = refused
    if why is None and not _htmx(request):
        return SeeOther(reverse("games:match", args=[match_id]))
    match = now.match if now else Match.objects.get(pk=match_id)
    board = tables.board(match, request.user, now=now)
    page = page_of(board, request.user, _note(request, why, board))
    if _htmx(request):
        return render(request, "games/match.html#parts", _context(page, parts=True))
    status = next(code for kind, code in STATUSES if isinstance(why, kind))
    return render(request, "games/match.html", _context(page), status=status)


def _htmx(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _note(request: HttpRequest, why: play.Stale | Refused | None, board: tables.Board) -> Note:
    """The sentence of a refusal. What was selected stays so, and the cards concerned are lifted."""
    kept = frozenset(request.POST.getlist("card"))
    if why is None:
        return Note(kept=kept)
    cards = why.cards if isinstance(why, Illegal | Choose) else ()
    chosen = request.POST.get("meld", "")
    target = int(chosen) if chosen.isdecimal() and len(chosen) < 4 else None
    return Note(refusal(why, board), frozenset(cards), kept, target)


@never_cache
@require_POST
@of_a_user
def act(request: HttpRequest, match_id: int) -> HttpResponse:
    """Draw, meld, lay off or discard."""

    def do() -> tables.Now | None:
        try:
            return acted()
        except (play.Stale, Refused):
            _my_seat(request, match_id)  # a stranger is told nothing of the table, not even why he is refused
            raise

    def acted() -> tables.Now | None:
        form = ActForm(request.POST).read()
        seen = form.seen_by
        if form.cleaned_data["do"] != "lay_off" and not form.action().can_wait:
            return _play(match_id, request.user, form.action(), seen)
        seat = _my_seat(request, match_id)
        if form.cleaned_data["do"] != "lay_off":
            return drafts.act(match_id, seat, form.action(), seen)
        board = tables.board(seat.match, request.user)
        if str(seen) != board.seen and not clock.is_late(seat.match, timezone.now()):
            raise play.Stale("over" if seat.match.status != Match.Status.RUNNING else "stale")
        return _perform(match_id, seat, form.lay_offs(board), seen)

    return _answer(request, match_id, do)


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
    seat = _my_seat(request, match_id)
    return _answer(
        request, match_id, lambda: drafts.undo(match_id, seat, drafts.Seen.read(request.POST.get("seen", "")))
    )


@never_cache
@require_POST
@of_a_user
def arrange(request: HttpRequest, match_id: int) -> HttpResponse:
    """Sort the hand or lay it in an own order; also when it is not my turn."""
    seat = _my_seat(request, match_id)

    def do() -> None:
        form = ArrangeForm(request.POST).read()
        if form.cleaned_data["sort"]:
            return drafts.set_sort(seat, form.cleaned_data["sort"])
        hand = tables.board(seat.match, request.user).hand
        if form.cleaned_data["step"]:
            return drafts.move_card(seat, hand, form.moved, form.cleaned_data["step"])
        drafts.set_order(seat, hand, [str(one) for one in form.cleaned_data["order"]])

    return _answer(request, match_id, do)


@never_cache
@require_POST
@of_a_user
def ready(request: HttpRequest, match_id: int) -> HttpResponse:
    """The result of a deal has been looked at."""
    seat = get_object_or_404(Seat.objects.select_related("match"), match=match_id, user=request.user.pk)
    number = request.POST.get("deal", "")

    def do() -> None:
        if not number.isdecimal() or len(number) > 4 or int(number) > seat.match.deal_number:
            raise Malformed("a deal is named by its number")
        play.ready(match_id, seat.index, int(number))

    return _answer(request, match_id, do)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@of_a_user
def resign(request: HttpRequest, match_id: int) -> HttpResponse:
    """Asks first (GET), then leaves the match for good (POST)."""
    seat = _my_seat(request, match_id)
    match = seat.match
    if request.method == "POST":
        with suppress(play.Stale):  # it ended a moment ago: the page says how
            play.resign(match_id, seat.index)
        return SeeOther(reverse("games:match", args=[match_id]))
    if match.status != Match.Status.RUNNING:
        return SeeOther(reverse("games:match", args=[match_id]))
    more = match.seats.count() > 2
    what = (
        _("A bot goes on with your cards, and the others play on. You cannot come back.")
        if more
        else _("The match ends, and the other player wins. You cannot take this back.")
    )
    return render(request, "games/resign.html", {"match": match, "title": name_of(match), "what": what})


@require_safe
@never_cache
def sheet(request: HttpRequest, match_id: int) -> HttpResponse:
    """The whole score sheet: every ended deal with its arithmetic."""
    match = _visible(request, match_id)
    if not match.deal_number:
        raise Http404
    board = tables.board(match, request.user)
    page = page_of(board, request.user)
    rows = sheet_rows(board, tables.results(match))
    return render(request, "games/sheet.html", {"page": page, "board": board, "match": match, "rows": rows})
