"""The form of the bench: which games, and at which kinds of pace, a user likes to take over."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from .models import BenchPlace
from .preset_texts import PRESET_TEXTS
from .rules.catalog import PRESETS
from .writing import writing

CHOICES = [(p.name, PRESET_TEXTS[p.name].name) for p in PRESETS if max(p.hand_sizes) > 2]
"""Games for three and more: in others nobody goes on for who has left."""


class BenchForm(forms.Form):
    """Nothing chosen: no seat is offered."""

    presets = forms.MultipleChoiceField(
        label=_("Games"), choices=CHOICES, required=False, widget=forms.CheckboxSelectMultiple
    )
    kinds = forms.MultipleChoiceField(
        label=_("Pace"), choices=BenchPlace.Kind.choices, required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, user: Any, data: Any = None) -> None:
        self.user = user
        places = list(BenchPlace.objects.filter(user=user))
        super().__init__(
            data, initial={"presets": sorted({p.preset for p in places}), "kinds": sorted({p.kind for p in places})}
        )

    def clean(self) -> dict[str, Any]:
        """Raises ValidationError for games without a pace, and the other way round."""
        told = super().clean() or {}
        if bool(told.get("presets")) != bool(told.get("kinds")):
            raise forms.ValidationError(_("Choose at least one game and one pace, or nothing at all."))
        return told

    def save(self) -> None:
        """The places of this user are exactly these."""
        told = self.cleaned_data
        with writing():
            BenchPlace.objects.filter(user=self.user).delete()
            BenchPlace.objects.bulk_create(
                [BenchPlace(user=self.user, preset=p, kind=k) for p in told["presets"] for k in told["kinds"]],
                ignore_conflicts=True,
            )
