"""The forms of what a moderator decides about a match. None shows a card: a deal is its number and what it counts."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from games.models import Deal, Match, Seat
from games.rules.table import VOIDED
from games.tables import name_of

from .acts import ReasonForm


def seats_of(match: Match) -> list[Seat]:
    return list(match.seats.select_related("user", "driven_by").order_by("index"))


def _deal(deal: Deal, names: list[str]) -> str:
    """A deal without its cards."""
    if deal.ended_at is None:
        return _("Deal {n}, being played").format(n=deal.number)
    if deal.outcome is None:
        return _("Deal {n}, broken off").format(n=deal.number)
    if deal.outcome["kind"] == VOIDED:
        return _("Deal {n}, void").format(n=deal.number)
    told = ", ".join(f"{name} {points}" for name, points in zip(names, deal.outcome["points"], strict=True))
    return _("Deal {n}: {points}").format(n=deal.number, points=told)


class DealForm(ReasonForm):
    """Which deal, of those that the act is for: running ones and those that count. The page has read them all."""

    deal = forms.TypedChoiceField(label=gettext_lazy("Deal"), coerce=int)
    field_order = ("deal", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = [name_of(seat) for seat in seats_of(self.row)]
        deals = filter(self.fits, self.row.deals.all())
        field = self.fields["deal"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(deal.number, _deal(deal, names)) for deal in deals]

    @classmethod
    def fits(cls, deal: Deal) -> bool:
        """Whether the act can be done to this deal."""
        return deal.ended_at is None or (deal.outcome is not None and deal.outcome["kind"] != VOIDED)

    @classmethod
    def none(cls, by: Any, match: Match) -> str:
        """Why the act cannot be done to this match: it has no such deal. Empty if it has."""
        if any(map(cls.fits, match.deals.all())):
            return ""
        return _("This match has no deal to which this can be done.")


class VoidedForm(DealForm):
    """Which deal, of those that are void."""

    @classmethod
    def fits(cls, deal: Deal) -> bool:
        return deal.outcome is not None and deal.outcome["kind"] == VOIDED


class CorrectedForm(DealForm):
    """Which deal, of those that were corrected."""

    @classmethod
    def fits(cls, deal: Deal) -> bool:
        return deal.outcome is not None and "corrected" in deal.outcome["marks"]


class PointsForm(DealForm):
    """Which deal, of those that are over and count, and what it counts for each seat."""

    @classmethod
    def fits(cls, deal: Deal) -> bool:
        return deal.ended_at is not None and super().fits(deal)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for seat in seats_of(self.row):
            label = _("Points of {name}").format(name=name_of(seat))
            self.fields[f"seat{seat.index}"] = forms.IntegerField(label=label, min_value=0, max_value=9_999)
        self.order_fields(["deal", *(name for name in self.fields if name.startswith("seat")), "reason"])


class WinnersForm(ReasonForm):
    """Who has won."""

    winners = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Who has won"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Several share the win."),
    )
    field_order = ("winners", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = [name_of(seat) for seat in seats_of(self.row)]
        field = self.fields["winners"]
        assert isinstance(field, forms.ChoiceField)
        sides = self.row.game().sides()
        field.choices = [(side, ", ".join(names[seat] for seat in seats)) for side, seats in enumerate(sides)]


class SeatForm(ReasonForm):
    """Which seat."""

    seat = forms.TypedChoiceField(label=gettext_lazy("Seat"), coerce=int)
    field_order: tuple[str, ...] = ("seat", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["seat"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(seat.index, _seat(seat, self.row)) for seat in seats_of(self.row)]


def _seat(seat: Seat, match: Match) -> str:
    names = {"name": name_of(seat), "driver": seat.driven_by.shown_name if seat.driven_by else ""}
    if seat.user_id is None or seat.driven_by_id == seat.user_id:
        text = _("{name}, to move") if match.turn == seat.index else "{name}"
    elif seat.driven_by_id is None:
        text = _("{name}, played by a bot")
    else:
        text = _("{name}, played by {driver}")
    return text.format(**names)


class TimeForm(SeatForm):
    """Which seat, and how much time."""

    field_order = ("seat", "hours", "reason")
    hours = forms.TypedChoiceField(
        label=gettext_lazy("Time"),
        coerce=int,
        choices=[
            *((n, ngettext_lazy("{n} hour", "{n} hours", n).format(n=n)) for n in (1, 6, 12)),
            *((24 * n, ngettext_lazy("{n} day", "{n} days", n).format(n=n)) for n in (1, 2, 7, 30)),
        ],
    )
