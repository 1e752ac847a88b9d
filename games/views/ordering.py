"""Standing orders: their page, read back before they are saved, and taking one back. For the seat's driver only."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games import order_rows, order_texts, orders, play, tables
from games.models import Match, Seat
from games.order_form import OrderForm
from games.rules.errors import Refused
from games.wording import refusal

from .answers import SeeOther, answer_with, my_seat, of_a_user
from .orders_shown import Orders


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@of_a_user
def page(request: HttpRequest, match_id: int) -> HttpResponse:
    """The form; ``do=check`` reads the order back, ``do=save`` keeps it and leads to the table."""
    match = my_seat(request, match_id).match
    board = tables.board(match, request.user)
    found = Orders(board)
    if not order_rows.offered(match) or match.deal_number == 0:
        raise Http404
    if match.status != Match.Status.RUNNING:
        return SeeOther(reverse("games:match", args=[match_id]))
    if request.method != "POST":
        return _shown(request, found, OrderForm(board))
    form = OrderForm(board, request.POST)
    if not found.open or form.data.get("seen") != str(match.version):
        return _shown(request, found, OrderForm(board), _("The table has changed meanwhile. Look at it again."), 409)
    if not form.is_valid() or form.order is None:
        return _shown(request, found, form, "", 200 if form.is_valid() else 422)
    if request.POST.get("do") != "save":
        return _shown(request, found, form, checked=request.POST.get("do") == "check")
    try:
        orders.give(match_id, request.user, form.order, form.cleaned_data["seen"])
    except Seat.DoesNotExist as error:
        raise Http404 from error
    except (play.Stale, Refused) as why:
        board = tables.board(Match.objects.get(pk=match_id), request.user)
        return _shown(request, Orders(board), OrderForm(board), refusal(why, board), 409)
    return SeeOther(reverse("games:match", args=[match_id]))


def _shown(
    request: HttpRequest,
    found: Orders,
    form: OrderForm,
    problem: str | SafeString = "",
    status: int = 200,
    *,
    checked: bool = False,
) -> HttpResponse:
    told = order_texts.read_back(form.order, found.board) if checked and form.order else []
    shown = {"match": found.board.match, "orders": found, "form": form, "problem": problem, "told": told}
    return render(request, "games/orders.html", shown, status=status)


@never_cache
@require_POST
@of_a_user
def remove(request: HttpRequest, match_id: int) -> HttpResponse:
    """Take the order back that waits. Pressed twice, or when it has just been carried out, nothing happens."""
    seat = my_seat(request, match_id)
    return answer_with(request, match_id, lambda: orders.take_back(match_id, seat))
