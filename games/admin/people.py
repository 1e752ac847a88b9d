"""Who has an account, and what can be done to people."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import renaming, sanctions
from accounts.models import AuditEntry, Sanction
from games.moderation import fit

from . import acts
from .acting import Acted

User = get_user_model()
Kind = Sanction.Kind


@admin.register(User)
class UserAdmin(Acted):
    """Who has an account. Neither password nor sessions."""

    list_display = ("username", "display_name", "email", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser", "language")
    search_fields = ("username", "display_name", "email")
    ordering = ("-date_joined", "-pk")
    date_hierarchy = "date_joined"
    fields = (
        *("username", "display_name", "email", "is_active", "is_staff", "is_superuser", "date_joined", "last_login"),
        *("closed_at", "barred_until", "language", "time_zone"),
    )


class UntilForm(acts.GroundForm):
    """A sanction that may have an end."""

    until = forms.DateTimeField(
        label=gettext_lazy("Until"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=gettext_lazy("In your time zone. Empty: until it is lifted."),
    )
    field_order: Iterable[str] | None = ("ground", "until", "reason")

    def clean_until(self) -> Any:
        until = self.cleaned_data["until"]
        if until is not None and until <= timezone.now():
            raise forms.ValidationError(_("The end has to lie in the future."))
        return until


class SuspendForm(UntilForm):
    """A suspension always has an end."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["until"].required = True
        self.fields["until"].help_text = _("In your time zone. More than 7 days takes a senior moderator.")


class RenameForm(acts.GroundForm):
    """The new name."""

    name = forms.CharField(label=gettext_lazy("New user name"), max_length=20)
    field_order: Iterable[str] | None = ("name", "ground", "reason")


def _imposes(kind: Kind) -> Callable[[Any, Any, Mapping[str, Any]], AuditEntry]:
    def run(by: Any, user: Any, data: Mapping[str, Any]) -> AuditEntry:
        told = {"ground": data["ground"], "reason": data["reason"], "until": data.get("until")}
        return sanctions.impose(by, user, kind, **told)

    return run


def _renames(by: Any, user: Any, data: Mapping[str, Any]) -> AuditEntry:
    return renaming.rename(by, user, data["name"], ground=data["ground"], reason=data["reason"])


def _sanction(kind: Kind, label: acts.Text, does: Callable[[Any], acts.Text], form: Any = acts.GroundForm) -> acts.Act:
    return acts.Act(
        name=sanctions.ACT[kind],
        label=label,
        permission=sanctions.PERMISSION[kind],
        does=does,
        run=_imposes(kind),
        undo=sanctions.take_back,
        form=form,
        fit=fit.why_not_on,
    )


acts.register(
    User,
    _sanction(
        Kind.WARNING,
        gettext_lazy("Warn"),
        lambda user: _("%(name)s reads your words as a warning. Nothing else happens.") % {"name": user.shown_name},
    ),
    _sanction(
        Kind.MUTE,
        gettext_lazy("Mute chat"),
        lambda user: (
            _("%(name)s can say nothing at tables any more, neither phrases nor text.") % {"name": user.shown_name}
        ),
        UntilForm,
    ),
    _sanction(
        Kind.UNRATED,
        gettext_lazy("Bar from rated play"),
        lambda user: (
            _("%(name)s sits down at no rated match any more, and leaves those that have not begun. What runs goes on.")
            % {"name": user.shown_name}
        ),
        UntilForm,
    ),
    _sanction(
        Kind.NO_OPENING,
        gettext_lazy("Bar from opening matches"),
        lambda user: (
            _(
                "%(name)s opens no match with others any more. Offers end; matches that wait for players are "
                "cancelled, unless others sit there."
            )
            % {"name": user.shown_name}
        ),
        UntilForm,
    ),
    _sanction(
        Kind.SUSPENDED,
        gettext_lazy("Suspend"),
        lambda user: (
            _(
                "%(name)s can do nothing here until then but read why, and answer. At running matches of three and "
                "more a bot goes on, and the seat can be taken back later; matches for two go on by their clock. "
                "What has not begun is given back."
            )
            % {"name": user.shown_name}
        ),
        SuspendForm,
    ),
    _sanction(
        Kind.BANNED,
        gettext_lazy("Ban"),
        lambda user: (
            _(
                "%(name)s can do nothing here any more but read why, and answer. All running seats are given up: "
                "matches for two are won by the other, at larger ones a bot goes on. What has not begun is given back. "
                "If the ban is lifted, the matches that have ended stay as they ended."
            )
            % {"name": user.shown_name}
        ),
    ),
    acts.Act(
        name="rename",
        label=gettext_lazy("Rename"),
        permission="rename",
        does=lambda user: (
            _("%(name)s gets another user name, and the display name goes. The old name still signs in.")
            % {"name": user.shown_name}
        ),
        run=_renames,
        undo=renaming.undo,
        form=RenameForm,
        fit=fit.why_not_on,
    ),
)
