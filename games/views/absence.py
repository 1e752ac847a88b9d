"""Seats whose users are away: nudging, a seat offered to me, what was played for me, taking a seat back, the bench."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import absence, lists, tables
from games.away import DealPlayed, away
from games.bench_form import BenchForm
from games.models import Match, Seat, SeatOffer
from games.preset_texts import name_of
from games.telling import told_of
from games.wording import moment

from .answers import of_a_user, visible
from .refusing import act_on


@require_POST
@of_a_user
def nudge(request: HttpRequest, match_id: int) -> HttpResponse:
    """Tell the one to move that he is awaited."""

    def act() -> None:
        try:
            absence.nudge(match_id, request.user)
        except Seat.DoesNotExist:
            raise Match.DoesNotExist from None

    return act_on(request, match_id, act)


@never_cache
@require_safe
@login_required
def while_away(request: HttpRequest, match_id: int) -> HttpResponse:
    """What others have played for me since my last own move, and the way back to my seat."""
    match = visible(request, match_id)
    board = tables.board(match, request.user)
    me = board.seats[board.me] if board.me is not None else None
    if me is None or me.user_id != request.user.pk or not match.deal_number:
        raise Http404
    deals = [(deal, _sentences(deal)) for deal in away(board, request.user)]
    shown = {"match": match, "title": name_of(match), "board": board, "me": me, "deals": deals}
    return render(request, "games/away.html", shown)


def _sentences(deal: DealPlayed) -> list[Any]:
    names = {"clock": _("The clock"), "bot": _("The bot"), "site": _("The site")}
    return [told_of(one.event, one.name or names.get(one.by, "")) for one in deal.played]


@require_POST
@of_a_user
def take_back(request: HttpRequest, match_id: int) -> HttpResponse:
    """I am back: my seat again, or the question to the substitute."""

    def act() -> None:
        try:
            at_once = absence.take_back(match_id, request.user)
        except Seat.DoesNotExist:
            raise Match.DoesNotExist from None
        if at_once:
            messages.success(request, _("The seat is yours again."))
        else:
            messages.info(request, _("The substitute has been asked. With the next deal the seat is yours anyway."))

    return act_on(request, match_id, act)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def offer(request: HttpRequest, offer_id: int) -> HttpResponse:
    """A seat that I may take over: what everybody may know of the match (GET), yes or no (POST)."""
    row = get_object_or_404(SeatOffer.objects.select_related("seat__match"), pk=offer_id, user=request.user.pk)
    match = row.seat.match
    if request.method != "POST":
        waits = absence.is_free(row.seat) and match.status == Match.Status.RUNNING
        lapsed = waits and row.answer in ("", SeatOffer.Answer.LAPSED) and row.until <= timezone.now()
        free = waits and not row.answer and not lapsed
        seats = lists.row(match, request.user)
        totals = zip(seats.places, match.totals, strict=False)
        shown = {"offer": row, "match": match, "row": seats, "totals": totals, "free": free, "lapsed": lapsed}
        return render(request, "games/seat_offer.html", shown | {"until": moment(row.until)})
    if request.POST.get("answer") != "yes":

        def refuse() -> HttpResponse:
            absence.decline(row.pk, request.user)
            messages.success(request, _("You have said no. Nobody minds."))
            return redirect("games:tables")

        return act_on(request, match.pk, refuse)
    return act_on(request, match.pk, lambda: _accept(row, request.user))


def _accept(row: SeatOffer, user: Any) -> None:
    absence.accept(row.pk, user)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def bench(request: HttpRequest) -> HttpResponse:
    """Which seats I like to take over, and what has been offered to me."""
    user: Any = request.user
    form = BenchForm(user, request.POST if request.method == "POST" else None)
    if request.method == "POST" and not user.is_guest and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("games:bench")
    return render(request, "games/bench_places.html", {"form": form, "offers": absence.open_offers(user)})
