"""Standing orders in words, for their driver alone: read back before they are saved, at the hand, at their end."""

from collections.abc import Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from .order_rows import OrderSeen
from .rules import orders
from .rules.cards import Card
from .rules.orders import Order
from .tables import Board
from .wording import chips, seat_name

ENDS = {
    orders.WAIT: gettext_lazy("Wait for me to discard"),
    orders.NAMED: gettext_lazy("Discard a card of my choice, whatever I draw"),
    orders.NAMED_OR_WAIT: gettext_lazy("Discard a card of my choice, but wait for me if the new card makes a meld"),
    orders.DRAWN_OR_NAMED: gettext_lazy("Discard what I draw, but if it makes a meld, a card of my choice"),
    orders.DRAWN_OR_WAIT: gettext_lazy("Discard what I draw, but wait for me if it makes a meld"),
}
"""The choices of a form."""

SHORT = {
    (False, orders.WAIT): gettext_lazy("An order waits: draw from the stock, then wait."),
    (False, orders.NAMED): gettext_lazy("An order waits: draw from the stock, then discard {cards}."),
    (False, orders.NAMED_OR_WAIT): gettext_lazy("An order waits: draw; without a new meld discard {cards}."),
    (False, orders.DRAWN_OR_NAMED): gettext_lazy("An order waits: draw; discard it, or {cards} if it makes a meld."),
    (False, orders.DRAWN_OR_WAIT): gettext_lazy("An order waits: draw; discard it unless it makes a meld."),
    (True, orders.WAIT): gettext_lazy("An order waits: take what makes a meld or draw, then wait."),
    (True, orders.NAMED): gettext_lazy("An order waits: take what makes a meld or draw, then discard {cards}."),
    (True, orders.NAMED_OR_WAIT): gettext_lazy(
        "An order waits: take what makes a meld or draw; without a new meld discard {cards}."
    ),
    (True, orders.DRAWN_OR_NAMED): gettext_lazy(
        "An order waits: take what makes a meld or draw; discard the drawn card, or {cards} for a meld."
    ),
    (True, orders.DRAWN_OR_WAIT): gettext_lazy(
        "An order waits: take what makes a meld or draw; discard the drawn card unless it makes a meld."
    ),
}
"""One line at the hand, by (takes a discard, end)."""

ENDINGS = {
    "asked": gettext_lazy("Your order has drawn, and the turn waits for your discard."),
    "meld": gettext_lazy("Your order stopped: the new card makes a meld. The turn waits for you."),
    "knock": gettext_lazy("Your order stopped: you could knock. The turn waits for you."),
    "out": gettext_lazy("Your order stopped: you could go out. The turn waits for you."),
    "no_card": gettext_lazy("Your order stopped: the cards that it may discard are gone. The turn waits for you."),
    "upcard": gettext_lazy("Your order stopped: the upcard is offered to you."),
    "refused": gettext_lazy("Your order was dropped: the rules do not allow it now."),
    "live": gettext_lazy("Your order was dropped: the match is played live now."),
    "seats": gettext_lazy("Your order was dropped: who plays, or how, has changed."),
    "took": gettext_lazy("Your order was dropped: {name} took a card from the discards."),
    "melded": gettext_lazy("Your order was dropped: {name} melded."),
    "laid_off": gettext_lazy("Your order was dropped: {name} laid off a card."),
    "knocked": gettext_lazy("Your order was dropped: {name} knocked."),
    "turned_over": gettext_lazy("Your order was dropped: the discards have become the stock."),
    "shuffled": gettext_lazy("Your order was dropped: the discards have become the stock."),
    "done": gettext_lazy("Your order has played your turn."),
}
"""How an order ended, by its reason."""

OTHERWISE = gettext_lazy("Your order was dropped: something unexpected happened.")


def ending(board: Board, order: OrderSeen) -> SafeString:
    """How my order ended."""
    name = seat_name(board.seats[order.who]) if order.who is not None else ""
    return format_html(str(ENDINGS.get(order.why, OTHERWISE)), name=name)


def short(order: Order) -> SafeString:
    """One line."""
    return format_html(str(SHORT[bool(order.take_with), order.end]), cards=chips(order.cards[:1]) or "-")


def read_back(order: Order, board: Board) -> list[SafeString]:
    """The whole order, sentence by sentence, as it will be carried out."""
    told = [_lasting(order)]
    if order.passes:
        told.append(_said(_("If the upcard is offered to you, you pass.")))
    told.append(_drawing(order, board))
    if order.lay_off:
        told.append(_said(_("Then you lay off each card that fits, if it makes no meld in your hand.")))
    return [*told, *_ending(order), _caution(board)]


def _said(text: str, cards: Sequence[Card] = ()) -> SafeString:
    return format_html(text, cards=chips(cards))


def _lasting(order: Order) -> SafeString:
    text = ngettext(
        "This is for your next turn.", "This is for your next {n} turns, as long as nothing surprising happens.",
        order.turns,
    )  # fmt: skip
    return format_html(text, n=order.turns)


def _drawing(order: Order, board: Board) -> SafeString:
    if not order.take_with or board.view is None:
        return _said(_("You draw from the stock."))
    found = orders.taken(order, board.game, board.view.hand)
    return _said(
        _("If one of these lies on the discards, you take it: {cards}. Otherwise you draw from the stock."), found
    )


def _ending(order: Order) -> list[SafeString]:
    texts = {
        orders.WAIT: _("Then the turn waits for your discard."),
        orders.NAMED: _("Then you discard {cards}, whatever you drew."),
        orders.NAMED_OR_WAIT: _("If the new card makes a meld, the turn waits for you; if not, you discard {cards}."),
        orders.DRAWN_OR_NAMED: _("You discard the card drawn; if it makes a meld you keep it and discard {cards}."),
        orders.DRAWN_OR_WAIT: _("You discard the card drawn; if it makes a meld, the turn waits for you."),
    }
    first = _said(texts[order.end], order.cards[:1])
    if order.end == orders.DRAWN_OR_NAMED and not order.cards:
        first = _said(texts[orders.DRAWN_OR_WAIT])
    later = order.cards[1 : order.turns]
    return [first, _said(_("In later turns the next to go are, in this order: {cards}."), later)] if later else [first]


def _caution(board: Board) -> SafeString:
    if "limit" in dict(board.view.facts if board.view else ()):
        return _said(_("When you could knock, the turn waits for you in any case."))
    return _said(_("When you could go out, the turn waits for you in any case."))
