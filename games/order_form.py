"""The form of a standing order: what the table offers for it now, and an Order made of what was chosen."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from .forms import CardsField
from .order_texts import ENDS
from .rules.cards import Card
from .rules.orders import DRAWN_OR_WAIT, MOST_TURNS, NAMING, WAIT, Order, fits, may_pass, taken
from .tables import Board


class OrderForm(forms.Form):
    """``order`` is there once the form is valid. The cards to be thrown go dearest first."""

    passes = forms.BooleanField(required=False)
    draw = forms.ChoiceField(choices=[("stock", "stock"), ("take", "take")], required=False)
    take = CardsField(required=False)
    lay_off = forms.BooleanField(required=False)
    end = forms.ChoiceField(choices=list(ENDS.items()), required=False)
    throw = CardsField(required=False)
    turns = forms.TypedChoiceField(choices=[(n, n) for n in range(1, MOST_TURNS + 1)], coerce=int, required=False)
    seen = forms.IntegerField(min_value=0, max_value=2**31 - 1)

    def __init__(self, board: Board, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial=self._start(board))
        self.board = board
        self.order: Order | None = None

    @staticmethod
    def _start(board: Board) -> dict[str, Any]:
        """The order that waits, to be changed, or a plain one."""
        order = board.order.order if board.order and not board.order.why else Order()
        return {
            "passes": order.passes,
            "draw": "take" if order.take_with else "stock",
            "take": order.take_with,
            "lay_off": order.lay_off,
            "end": order.end,
            "throw": order.cards,
            "turns": order.turns,
            "seen": board.match.version,
        }

    @property
    def hand(self) -> tuple[Card, ...]:
        return self.board.hand

    @property
    def may_pass(self) -> bool:
        return self.board.view is not None and may_pass(self.board.view, self.board.game)

    @property
    def may_add(self) -> bool:
        return self.board.view is not None and self.board.game.may_add(self.board.view)

    def now(self, name: str) -> Any:
        """What stands in a field, chosen or to begin with."""
        if not self.is_bound:
            return self.initial[name]
        return self.cleaned_data.get(name) if hasattr(self, "cleaned_data") else None

    @property
    def took(self) -> tuple[Card, ...]:
        return tuple(self.now("take") or ())

    @property
    def thrown(self) -> tuple[Card, ...]:
        return tuple(self.now("throw") or ())

    @property
    def draws(self) -> str:
        return str(self.now("draw") or "stock")

    @property
    def ends(self) -> list[tuple[str, Any, bool]]:
        """(value, words, chosen) of how the turn may end."""
        chosen = self.now("end") or WAIT
        return [(value, words, value == chosen) for value, words in ENDS.items()]

    @property
    def lasting(self) -> list[tuple[int, bool]]:
        chosen = self.now("turns") or 1
        return [(n, n == chosen) for n in range(1, MOST_TURNS + 1)]

    @property
    def passing(self) -> bool:
        return bool(self.now("passes"))

    @property
    def adding(self) -> bool:
        return bool(self.now("lay_off"))

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or self.cleaned_data
        hand = set(self.hand)
        if self.errors or not {*found["take"], *found["throw"]} <= hand:
            raise forms.ValidationError(_("These are not the cards of your hand any more. Look at it again."))
        order = self._order(found)
        if order.end in NAMING - {DRAWN_OR_WAIT} and not order.cards:
            self.add_error("throw", _("Choose the card that may be discarded."))
        elif found["draw"] == "take" and not taken(order, self.board.game, hand):
            self.add_error("take", _("No card makes a set or a run with two or more of these. Choose others."))
        elif self.board.view is None or not fits(order, self.board.view, self.board.game):
            raise forms.ValidationError(_("This order does not fit the table any more. Look at it again."))
        else:
            self.order = order
        return found

    def _order(self, found: Mapping[str, Any]) -> Order:
        end = found["end"] or WAIT
        points = self.board.game.points
        dearest = sorted(found["throw"], key=lambda c: (-points(c), c.key)) if end in NAMING else []
        keep = [c for c in found["take"] if c not in dearest] if found["draw"] == "take" else []
        turns = 1 if end == WAIT else found["turns"] or 1
        return Order(found["passes"], tuple(keep), found["lay_off"], end, tuple(dearest), turns)
