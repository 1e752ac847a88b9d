"""Who has an account, and what can be done to people."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import linking, renaming, sanctions, shared
from accounts.models import AuditEntry, Sanction
from accounts.refusal import Refusal
from games.moderation import fit

from . import acts, user_page
from .acting import Acted
from .places import ShowsPlaces

User = get_user_model()
Kind = Sanction.Kind


@admin.register(User)
class UserAdmin(ShowsPlaces, Acted):
    """Who has an account. Neither password nor sessions; the e-mail address on the page, for seniors."""

    change_form_template = "admin/user.html"
    list_display = ("username", "display_name", "state", "date_joined", "last_login", "barred_until")
    list_filter = ("is_active", "is_guest", "is_staff", ("barred_until", admin.EmptyFieldListFilter), "language")
    search_fields = ("username", "display_name")
    search_help_text = gettext_lazy("Names of users")
    ordering = ("-date_joined", "-pk")
    date_hierarchy = "date_joined"
    show_full_result_count = False
    fields = (
        *("username", "display_name", "is_active", "is_guest", "is_staff", "is_superuser", "date_joined"),
        *("last_login", "closed_at", "barred_until", "language", "time_zone"),
    )

    @admin.display(description=gettext_lazy("state"))
    def state(self, user: Any) -> str:
        return user_page.state(user)

    def whose(self, row: Any) -> list[int]:
        """The user himself, and who was at one of his addresses."""
        return [row.pk, *shared.at_the_addresses_of(row.pk)]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        user = self.get_object(request, object_id)
        if user is None or not self.has_view_permission(request, user):
            return super().change_view(request, object_id, form_url, extra_context)
        told = user_page.context(user, request.user)
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **told})


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


class LinkForm(acts.ReasonForm):
    """Which other account."""

    name = forms.CharField(label=gettext_lazy("User name of the other account"), max_length=20)
    field_order = ("name", "reason")


def _imposes(kind: Kind) -> Callable[[Any, Any, Mapping[str, Any]], AuditEntry]:
    def run(by: Any, user: Any, data: Mapping[str, Any]) -> AuditEntry:
        told = {"ground": data["ground"], "reason": data["reason"], "until": data.get("until")}
        return sanctions.impose(by, user, kind, **told)

    return run


def _renames(by: Any, user: Any, data: Mapping[str, Any]) -> AuditEntry:
    return renaming.rename(by, user, data["name"], ground=data["ground"], reason=data["reason"])


def _links(by: Any, user: Any, data: Mapping[str, Any]) -> AuditEntry:
    other = linking.called(data["name"])
    if other is not None and (refused := fit.why_not_on(by, other)):
        raise Refusal(refused)
    return linking.link(by, user, data["name"], reason=data["reason"])


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
    acts.Act(
        name="link_accounts",
        label=gettext_lazy("Link accounts"),
        permission="link_accounts",
        does=lambda user: (
            _(
                "%(name)s and another account are held for those of one person. Nothing is barred by it; the pages of "
                "both show it, and both are told."
            )
            % {"name": user.shown_name}
        ),
        run=_links,
        undo=linking.unlink,
        form=LinkForm,
        fit=fit.why_not_on,
    ),
)
