"""The waiting room and the ways into it: joining, links, invitations, leaving, removing, starting, the rematch.

What may be done stands in lobby.py and inviting.py; here a refusal becomes a page with its sentence (409), what one may
not see is not found (404). No GET ever seats anybody.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guests import ensure_user
from games import inviting, lists, standing, together
from games import lobby as acts
from games import tables as seen
from games.models import Absence, Match, Seat
from rummysite import limits
from rummysite.logs import quiet

from .refusing import act_on, refused


def room_context(request: HttpRequest, board: seen.Board) -> dict[str, Any]:
    """What games/room.html shows of a match that has not begun, or was cancelled."""
    match, me = board.match, board.me
    prefetch_related_objects([match], lists.seats())
    row = lists.row(match, request.user)
    is_open = match.status == Match.Status.OPEN
    seated = me is not None and board.seats[me].driver == Seat.Driver.USER
    invited = me is not None and board.seats[me].driver == Seat.Driver.INVITED
    opens = is_open and seated and match.opener_id == request.user.pk
    resting = standing.rests(match)
    absences = list(match.absences.select_related("user").order_by("at"))
    removed = any(a.user_id == request.user.pk and a.why == Absence.Why.REMOVED for a in absences)
    unknown = match.rated and getattr(request.user, "is_guest", False)
    may_join = is_open and me is None and row.free > 0 and not removed and not resting
    return {
        "board": board,
        "match": match,
        "row": row,
        "seated": seated,
        "invited": is_open and invited,
        "removed": is_open and removed,
        "rests": is_open and resting,
        "may_join": may_join and not unknown,
        "keep_first": may_join and unknown,
        "may_leave": is_open and seated,
        "may_start": opens and not _asked(board) and not resting and not match.rated,
        "opens": opens and match.rematch_of_id is None,
        "others": [seat for seat in board.seats if not seat.is_me and seat.driver in ("user", "invited")],
        "absences": absences if opens else [],
        "is_open": is_open,
        "waiting_for_answers": [seat.name for seat in board.seats if seat.driver == Seat.Driver.INVITED],
        "link": _link(request, match) if is_open and seated and row.free else "",
    }


def sent_away(request: HttpRequest, match_id: int) -> HttpResponse | None:
    """To the own tables, where the news stands, for one who was removed from this match and has not read it."""
    mine = Absence.objects.filter(match=match_id, user=request.user.pk or 0, why=Absence.Why.REMOVED, told=False)
    return redirect("games:tables") if mine.exists() else None


def _asked(board: seen.Board) -> bool:
    return any(seat.driver == Seat.Driver.INVITED for seat in board.seats)


def _link(request: HttpRequest, match: Match) -> str:
    return request.build_absolute_uri(reverse("games:invitation", args=[match.token]))


@quiet
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The match behind a link. GET and HEAD show it, POST takes a seat. The link ends when the match starts.

    Who is not signed in sits down as a guest.
    """
    match = get_object_or_404(Match, token=token)
    if request.method == "POST" and match.status == Match.Status.OPEN:
        return _take_seat(request, match, token)
    if request.user.is_authenticated and match.seats.filter(user_id=request.user.pk).exists():
        return redirect("games:match", match.pk)
    if match.status != Match.Status.OPEN:
        status = 409 if request.method == "POST" else 200
        return render(request, "games/link_ended.html", {"match": match}, status=status)
    context = room_context(request, seen.board(match, request.user)) | {"token": token}
    return render(request, "games/invitation.html", context)


def post_of_a_user(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Only POST, only signed in. Who has to sign in first comes back to the match, since an act cannot be repeated."""

    @require_POST
    @wraps(view)
    def guarded(request: HttpRequest, match_id: int, **more: int) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(reverse("games:match", args=[match_id]))
        return view(request, match_id, **more)

    return guarded


@require_POST
def join(request: HttpRequest, match_id: int) -> HttpResponse:
    """Take a free seat of a public match, as a guest if need be."""
    match = get_object_or_404(Match, pk=match_id)
    if not seen.may_look(match, request.user):
        raise Http404
    return _take_seat(request, match, "")


def _take_seat(request: HttpRequest, match: Match, token: str) -> HttpResponse:
    """No guest is made for a seat that cannot be had."""

    if match.rated and not request.user.is_authenticated:
        return redirect_to_login(request.path if token else reverse("games:match", args=[match.pk]))

    def act() -> None:
        user = ensure_user(request) if acts.has_free_seat(match) else request.user
        if not user.is_authenticated:
            raise acts.Refusal(_("No seat is free any more. Look for another match in the lobby."))
        limits.spend("sit", request, user)
        acts.join(match.pk, user, _cut(request), token)

    return act_on(request, match.pk, act)


@post_of_a_user
def leave(request: HttpRequest, match_id: int) -> HttpResponse:
    """Give back a seat before the match starts."""

    def act() -> HttpResponse:
        acts.leave(match_id, request.user)
        messages.success(request, _("You have given back your seat."))
        return redirect("games:tables")

    return act_on(request, match_id, act)


@post_of_a_user
def start(request: HttpRequest, match_id: int) -> HttpResponse:
    """Start with bots in the free seats."""
    limits.spend("sit", request, request.user)
    return act_on(request, match_id, lambda: acts.start(match_id, request.user))


@post_of_a_user
def rematch(request: HttpRequest, match_id: int) -> HttpResponse:
    """Ask the same people for another match, or for several at once."""
    limits.spend("open", request, request.user)
    count = request.POST.get("at_once", "1")
    if count not in ("1", "2", "3"):
        return refused(request, match_id, _("Choose one to three matches."), status=400)
    return act_on(
        request, match_id, lambda: redirect("games:match", together.rematch(match_id, request.user, int(count)).pk)
    )


@post_of_a_user
def answer(request: HttpRequest, match_id: int) -> HttpResponse:
    """Say yes or no to a seat that was kept for me; a no may have a reason."""
    told, why = request.POST.get("answer"), request.POST.get("why", "")
    if told not in ("yes", "no"):
        return refused(request, match_id, _("Say yes or no."), status=400)
    if why and why not in dict(inviting.REASONS):
        return refused(request, match_id, _("Choose one of the reasons shown."), status=400)

    def act() -> HttpResponse | None:
        match = _answered(request, match_id, yes=told == "yes", why=why)
        if told == "yes":
            return redirect("games:tables") if "all" in request.POST else None
        messages.success(request, _declined(match))
        return redirect("games:tables")

    return act_on(request, match_id, act)


def _answered(request: HttpRequest, match_id: int, *, yes: bool, why: str) -> Match:
    """One match, or with ``all`` each that was opened together with it."""
    if "all" not in request.POST:
        return inviting.answer(match_id, request.user, yes=yes, cut=_cut(request), why=why)
    cuts, typed = request.POST.getlist("cut"), request.POST.get("cut_typed", "")
    return together.answer(match_id, request.user, yes=yes, cuts=cuts, typed=typed, why=why)


def _declined(match: Match) -> str:
    if match.rematch_of_id is not None:
        return _("You have declined. There is no rematch.")
    return _("You have declined.")


@post_of_a_user
def invite(request: HttpRequest, match_id: int) -> HttpResponse:
    """Keep a free seat for somebody, by name."""

    def act() -> None:
        limits.spend("invite", request, request.user)
        inviting.invite(match_id, request.user, request.POST.get("name", ""))
        messages.success(request, _("The invitation is sent."))

    return act_on(request, match_id, act)


@post_of_a_user
def take_back(request: HttpRequest, match_id: int, seat: int) -> HttpResponse:
    """Take an unanswered invitation back."""
    return act_on(request, match_id, lambda: inviting.take_back(match_id, request.user, seat))


@post_of_a_user
def remove(request: HttpRequest, match_id: int, seat: int) -> HttpResponse:
    """Send somebody away before the start."""
    return act_on(request, match_id, lambda: acts.remove(match_id, request.user, seat))


@post_of_a_user
def new_link(request: HttpRequest, match_id: int) -> HttpResponse:
    """Make a new link; the old one is dead."""

    def act() -> None:
        inviting.new_link(match_id, request.user)
        messages.success(request, _("There is a new link. The old one leads nowhere now."))

    return act_on(request, match_id, act)


@post_of_a_user
def withdraw(request: HttpRequest, match_id: int) -> HttpResponse:
    """End an offer that stays open."""

    def act() -> HttpResponse:
        standing.withdraw(match_id, request.user)
        messages.success(request, _("The offer is withdrawn. What has started goes on."))
        return redirect("games:tables")

    return act_on(request, match_id, act)


@post_of_a_user
def noted(request: HttpRequest, match_id: int) -> HttpResponse:
    """I have read that I was removed."""
    Absence.objects.filter(match=match_id, user=request.user.pk).update(told=True)
    return redirect("games:tables")


def _cut(request: HttpRequest) -> tuple[str, str]:
    return acts.cut_from(request.POST.get("cut", ""), request.POST.get("cut_typed", ""))
