"""The form of how I want to be told: a choice for each kind and channel, the hour of the daily mail, reminders."""

from collections.abc import Iterator, Mapping
from datetime import time
from typing import Any

from django import forms
from django.utils.dateformat import time_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from .models import NoticeSettings
from .notices.carriers import CARRIERS
from .notices.kinds import DIGEST, EMAIL, KINDS, NOW, OFF, PAGE, PUSH, when
from .notices.reminders import CHOICES, HALF, USUAL

GROUPS: list[tuple[str | Promise, tuple[str, ...]]] = [
    (gettext_lazy("My turns"), ("your_turn", "reminder", "nudged", "clock_played", "time_given")),
    (gettext_lazy("Invitations"), ("invited", "rematch", "accepted", "declined", "removed", "seat_offered")),
    (gettext_lazy("Matches"), ("deal_over", "match_over", "given_up", "seat_back", "asked", "answered")),
    (gettext_lazy("Moderators"), ("ruled", "hands_seen", "sanctioned", "reported_outcome")),
    (gettext_lazy("People"), ("chat", "friend")),
]
"""The kinds, as the page lists them; each once."""
WAYS: dict[str, list[tuple[str, str | Promise]]] = {
    PAGE: [(NOW, gettext_lazy("On the site")), (OFF, gettext_lazy("Not shown"))],
    EMAIL: [(NOW, gettext_lazy("Mail now")), (DIGEST, gettext_lazy("Daily mail")), (OFF, gettext_lazy("No mail"))],
    PUSH: [(NOW, gettext_lazy("Push now")), (DIGEST, gettext_lazy("Daily push")), (OFF, gettext_lazy("No push"))],
}
"""By channel: each choice names its channel, so that no column needs a heading on a phone."""
CAPTIONS: dict[str, str | Promise] = {
    PAGE: gettext_lazy("{kind}: on the site"),
    EMAIL: gettext_lazy("{kind}: by mail"),
    PUSH: gettext_lazy("{kind}: by push"),
}
DELAYS = (0, 2, 5, 15, 30, 60)


def channels() -> list[str]:
    """The channels that there are here."""
    return [PAGE, *CARRIERS]


class NoticeForm(forms.Form):
    """What of it differs from what is usual is kept."""

    def __init__(self, data: Mapping[str, Any] | None, row: NoticeSettings) -> None:
        super().__init__(data)
        self.row = row
        for kind in KINDS:
            for channel in channels():
                self.fields[f"{kind}.{channel}"] = _way(kind, channel, row)
        self.fields["digest_hour"] = _numbers(
            _("Hour of what comes once a day"), [(n, _hour(n)) for n in range(24)], row.digest_hour
        )
        self.fields["turn_delay"] = _numbers(
            _("A mail about my turn waits"), [(n, _minutes(n)) for n in DELAYS], row.turn_delay
        )
        self.fields["reminders"] = forms.MultipleChoiceField(
            label=_("Remind me of a deadline"),
            choices=[(choice, _reminder(choice)) for choice in CHOICES],
            widget=forms.CheckboxSelectMultiple,
            required=False,
            help_text=_(
                "Half of the time is half of what you have for this turn: the time for a turn, your bank and what "
                "others gave you. Days off do not count. A reminder that would come before your turn is left out."
            ),
            initial=USUAL if row.reminders is None else row.reminders,
        )

    def groups(self) -> Iterator[tuple[str | Promise, list[tuple[str | Promise, list[forms.BoundField]]]]]:
        """Each group with its kinds and their fields."""
        for title, kinds in GROUPS:
            yield title, [(KINDS[kind].label, [self[f"{kind}.{channel}"] for channel in channels()]) for kind in kinds]

    def save(self) -> None:
        """Keep what was chosen. A channel that is not here keeps what it had."""
        told = self.cleaned_data
        here = {f"{kind}.{channel}": (kind, channel) for kind in KINDS for channel in channels()}
        matrix = {name: value for name, value in self.row.matrix.items() if name not in here}
        matrix |= {name: told[name] for name, (kind, channel) in here.items() if told[name] != when(kind, channel, {})}
        self.row.matrix, self.row.reminders = matrix, told["reminders"]
        self.row.digest_hour, self.row.turn_delay = told["digest_hour"], told["turn_delay"]
        self.row.save()


def _way(kind: str, channel: str, row: NoticeSettings) -> forms.ChoiceField:
    caption = str(CAPTIONS[channel]).format(kind=KINDS[kind].label)
    chosen = when(kind, channel, row.matrix)
    field = forms.ChoiceField(label=caption, choices=WAYS[channel], initial=chosen)
    field.widget.attrs["aria-label"] = caption
    return field


def _numbers(label: str, choices: list[tuple[int, str]], chosen: int) -> forms.TypedChoiceField:
    if chosen not in dict(choices):
        choices = sorted([*choices, (chosen, str(chosen))])
    return forms.TypedChoiceField(label=label, choices=choices, coerce=int, initial=chosen)


def _hour(hour: int) -> str:
    return time_format(time(hour), "H:i")


def _minutes(minutes: int) -> str:
    if not minutes:
        return _("not at all")
    return ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)


def _reminder(choice: str) -> str:
    if choice == HALF:
        return _("at half of the time")
    hours = int(choice) // 60
    return ngettext("{n} hour before", "{n} hours before", hours).format(n=hours)
