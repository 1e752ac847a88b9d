"""The part of the form of a new match that asks for its terms: the bank, the weekend, and what vacations do."""

from dataclasses import replace
from typing import Any

from django import forms
from django.utils.text import get_text_list
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from .paces import DAY, PACES, Pace
from .rule_fields import Way
from .terms import BANKS, MOST_AWAY, WEEKENDS, Terms, suits

VACATIONS = (("yes", _("stop the clock")), ("no", _("change nothing")))
KNOWN = {"invalid_choice": _("Choose one of the values shown.")}


class TermsForm(forms.Form):
    """What is not said is as usual. Beside a pace that is not by correspondence none of it counts."""

    bank = forms.TypedChoiceField(
        choices=[(str(n // DAY), str(n // DAY) if n else _("none")) for n in BANKS],
        coerce=int, initial="0", empty_value=None, required=False, error_messages=KNOWN,
    )  # fmt: skip
    weekend = forms.ChoiceField(
        choices=[(name or "none", label) for name, (label, _days) in WEEKENDS.items()],
        initial="none", required=False, error_messages=KNOWN,
    )  # fmt: skip
    vacations = forms.ChoiceField(choices=VACATIONS, initial="yes", required=False, error_messages=KNOWN)

    def terms(self) -> Terms:
        """The bank and the days off. What is not said is as usual."""
        told, usual = self.cleaned_data, Terms()
        weekend = told.get("weekend") or "none"
        return Terms(
            bank=(told.get("bank") or 0) * DAY,
            weekend="" if weekend == "none" else weekend,
            vacations=told["vacations"] == "yes" if told.get("vacations") else usual.vacations,
        )

    def check_bank(self, pace: Pace | None) -> None:
        """Refuse a bank that does not suit the pace."""
        if pace and pace.kind == "correspondence" and not suits(pace, self.terms().bank):
            self.add_error("bank", _unfit_bank(pace))

    def ways(self, name: str) -> list[Way]:
        """The choices of a field, with the one that is chosen."""
        bound = self[name]
        field: Any = bound.field
        known = {str(value): label for value, label in field.choices}
        told = str(bound.value())
        chosen = told if told in known else str(field.initial)
        return [Way(value, label, str(field.initial) == value, value == chosen) for value, label in known.items()]

    def banks(self) -> list[Way]:
        """How much time there is besides, each with the paces that it suits in ``effect``."""
        fitting = {
            str(n // DAY): " ".join(f"for-{name}" for name, pace in PACES.items() if suits(pace, n)) for n in BANKS
        }
        return [replace(way, effect=fitting[way.key]) for way in self.ways("bank")]

    def weekends(self) -> list[Way]:
        """Days off of each week."""
        return self.ways("weekend")

    def vacation_ways(self) -> list[Way]:
        """Whether vacations stop the clock."""
        return self.ways("vacations")

    @property
    def most_away(self) -> int:
        """Days of vacation for which a larger table waits."""
        return MOST_AWAY // DAY


def _unfit_bank(pace: Pace) -> str:
    """Which banks there are beside a pace."""
    fitting = [str(n // DAY) for n in BANKS if n and suits(pace, n)]
    told = get_text_list(fitting, gettext("or"))
    return gettext("Beside this pace there is no bank, or one of %(days)s days.") % {"days": told}
