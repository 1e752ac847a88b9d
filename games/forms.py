"""What the forms of a table send, read into actions of the rules.

A lay-off of several cards is a row of single ones in an order that works. Where a card fits in two places only the
player may choose: then nothing is done and he is asked (wording.Choose).
"""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from .drafts import SORTS, Seen
from .rules import melds
from .rules.actions import Action, Discard, LayOff, Meld
from .rules.cards import Card, card
from .rules.codec import decode
from .rules.errors import Illegal, Malformed
from .rules.melds import Melded
from .tables import Board
from .wording import Choose, Unfit

PLAIN = ("draw_stock", "draw_discard", "take_upcard", "pass", "big_gin", "big_gin_last", "done")
"""Acts that say all by their name."""
KNOCKS = ("knock", "knock_last")
THROWS = ("discard", *KNOCKS)
"""Acts that throw a card and end a turn."""
DOES = (*PLAIN, *KNOCKS, "meld", "lay_off", "discard")


class CardsField(forms.Field):
    """Any number of cards, each named once: the checkboxes of the hand."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> tuple[Card, ...]:
        try:
            cards = tuple(card(word) for word in value or ())
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error
        if len(cards) > 60 or len(set(cards)) < len(cards):
            raise forms.ValidationError("each card once")
        return cards


class ActForm(forms.Form):
    """One act of a turn."""

    do = forms.ChoiceField(choices=[(name, name) for name in DOES])
    card = CardsField(required=False)
    meld = forms.IntegerField(required=False, min_value=0, max_value=99)
    knock = forms.CharField(required=False, max_length=8)
    seen = forms.CharField(max_length=24)

    def read(self) -> "ActForm":
        """Raises Malformed if this is nothing that our pages send."""
        if not self.is_valid():
            raise Malformed(self.errors.as_text())
        return self

    @property
    def seen_by(self) -> Seen:
        return Seen.read(self.cleaned_data["seen"])

    def lay_offs(self, board: Board) -> Sequence[Action]:
        """The lay-offs meant, in an order that works. Raises Malformed, Illegal, Unfit or Choose."""
        if not self.cleaned_data["card"]:
            raise Unfit(_("Select the cards that you want to lay off."))
        return lay_offs(board, self.cleaned_data["card"], self.cleaned_data["meld"])

    def action(self) -> Action:
        """What is to be done, if it is no lay-off. Raises Unfit."""
        do, cards = self.cleaned_data["do"], self.cleaned_data["card"]
        if do in PLAIN:
            return decode({"type": do})
        if do in KNOCKS:
            return self._knock(do)
        if do == "meld":
            if not cards:
                raise Unfit(_("Select the cards that you want to meld."))
            return Meld(cards)
        if len(cards) != 1:
            raise Unfit(_("Select exactly one card to discard."))
        return Discard(cards[0])

    def _knock(self, do: str) -> Action:
        """The card to throw comes from its own choice, or else is the one selected; each may have its arrangement."""
        selected = self.cleaned_data["card"]
        card = self.cleaned_data["knock"] or (str(selected[0]) if len(selected) == 1 else "")
        if not card:
            raise Unfit(_("Choose the card to throw face down."))
        way = self.way(card)
        melds = [meld.split() for meld in way.split("|")] if way else None
        return decode({"type": do, "card": card} | ({"melds": melds} if melds else {}))

    def way(self, card: str) -> str:
        """How the melds are to lie if this card is thrown, as text; empty leaves it to the rules. Raises Malformed."""
        way = str(self.data.get(f"melds-{card}", ""))
        if len(way) > 99:
            raise Malformed("no hand has so many melds")
        return way


class ArrangeForm(forms.Form):
    """The order of the hand: sorted, as laid by dragging, or one card moved by one place."""

    sort = forms.ChoiceField(required=False, choices=[(name, name) for name in SORTS])
    order = CardsField(required=False)
    card = CardsField(required=False)
    move = forms.CharField(required=False, max_length=6)
    step = forms.TypedChoiceField(required=False, coerce=int, choices=[("-1", "-1"), ("1", "1")], empty_value=None)

    def read(self) -> "ArrangeForm":
        """Raises Malformed if this is nothing that our pages send."""
        if not self.is_valid():
            raise Malformed(self.errors.as_text())
        return self

    @property
    def moved(self) -> str:
        """The one card that is to be moved. Raises Unfit."""
        if self.cleaned_data["move"]:
            return str(self.cleaned_data["move"])
        if len(self.cleaned_data["card"]) != 1:
            raise Unfit(_("Select exactly one card to move it."))
        return str(self.cleaned_data["card"][0])


def lay_offs(board: Board, cards: Sequence[Card], target: int | None) -> Sequence[Action]:
    """Single lay-offs of all these cards, on ``target`` or on the only meld that takes each. Raises Choose, Illegal."""
    on_table = board.view.melds if board.view else ()
    if target is not None:
        if target >= len(on_table):
            raise Malformed("no such meld")
        order = _order(board, on_table[target], cards)
        return [LayOff(one, target) for one in order or cards]
    places = [i for i, meld in enumerate(on_table) if _order(board, meld, cards)]
    if len(places) > 1:
        raise Choose(*cards, melds=places)
    if places:
        return [LayOff(one, places[0]) for one in _order(board, on_table[places[0]], cards)]
    return _spread(board, list(on_table), cards)


def _order(board: Board, meld: Melded, cards: Sequence[Card]) -> list[Card]:
    """The cards in an order in which the meld takes them one by one; empty if there is none."""
    rest, order = list(cards), list[Card]()
    while rest:
        for one in rest:
            grown = melds.grown(meld, one, 0, board.game.shape)
            if grown is not None:
                meld = grown
                order.append(one)
                rest.remove(one)
                break
        else:
            return []
    return order


def _spread(board: Board, on_table: list[Melded], cards: Sequence[Card]) -> Sequence[Action]:
    """Cards that go to several melds, as long as each has only one place when its turn comes."""
    rest, actions = list(cards), list[Action]()
    while rest:
        fitting = {one: _fitting(board, on_table, one) for one in rest}
        sure = next((one for one in rest if len(fitting[one]) == 1), None)
        if sure is None:
            torn = next((one for one in rest if fitting[one]), None)
            if torn is not None:
                raise Choose(torn, melds=fitting[torn])
            raise Illegal("invalid_layoff", rest[0], meld=0 if len(on_table) == 1 else None)
        place = fitting[sure][0]
        grown = melds.grown(on_table[place], sure, 0, board.game.shape)
        assert grown is not None, "it fits"
        on_table[place] = grown
        actions.append(LayOff(sure, place))
        rest.remove(sure)
    return actions


def _fitting(board: Board, on_table: Sequence[Melded], one: Card) -> list[int]:
    return [i for i, meld in enumerate(on_table) if melds.grown(meld, one, 0, board.game.shape) is not None]
