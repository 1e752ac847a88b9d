"""Signs for moderators: what the numbers say, in words, and what a moderator thinks of it. Nobody is told of it."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from accounts import audit, roles
from accounts.models import AuditEntry
from games.models import Sign
from games.moderation.signs import deciding, words
from games.writing import writing

from . import acts
from .acting import Acted

State = Sign.State


@admin.register(Sign)
class SignAdmin(Acted):
    """The latest first. A moderator finds none about himself or a friend, by no address."""

    change_form_template = "admin/sign.html"
    list_display = ("id", "kind", "user", "other", "what", "state", "first_seen", "last_seen")
    list_display_links = ("id", "kind")
    list_filter = ("state", "kind")
    narrowed_by: ClassVar = ("user", "other")
    list_select_related = ("user", "other")
    search_fields = ("=id", "user__username", "other__username")
    search_help_text = gettext_lazy("Names of users")
    ordering = ("-last_seen", "-pk")
    date_hierarchy = "last_seen"
    show_full_result_count = False
    fields = ("kind", "user", "other", "state", "reason", "first_seen", "last_seen")

    def get_queryset(self, request: HttpRequest) -> Any:
        return deciding.visible_to(request.user).select_related("user", "other")

    @admin.display(description=gettext_lazy("cases"), ordering="observed")
    def what(self, sign: Sign) -> str:
        return words.short(sign)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        sign = self.get_object(request, object_id)
        more: dict[str, Any] = {}
        if sign is not None and self.has_view_permission(request, sign):
            more = {"told": words.told(sign), "players": _players(sign), "matches": _matches(sign)}
            if sign.kind == Sign.Kind.SHARING and roles.may(request.user, "see_private"):
                _seen(request.user, sign)
        page: HttpResponse = never_cache(super().change_view)(
            request, object_id, form_url, {**(extra_context or {}), **more}
        )
        return page


def _seen(by: Any, sign: Sign) -> None:
    """Where people are signed in is private: who looks stands in the audit log."""
    with writing():
        audit.enter(by, "saw_sign", reason="", target=sign, details={"kind": sign.kind})


def _players(sign: Sign) -> list[tuple[str, str]]:
    return [(user.shown_name, reverse("admin:accounts_user_change", args=[user.pk])) for user in sign.users]


def _matches(sign: Sign) -> list[tuple[int, str]]:
    return [(number, reverse("admin:games_match_change", args=[number])) for number in sign.numbers["matches"]]


def _gives(name: str, state: str) -> Callable[[Any, Any, Mapping[str, Any]], AuditEntry]:
    def run(by: Any, sign: Any, data: Mapping[str, Any]) -> AuditEntry:
        return deciding.decide(name, by, sign, state, data["reason"])

    return run


def _act(name: str, state: State, label: acts.Text, does: Callable[[Any], acts.Text]) -> acts.Act:
    return acts.Act(
        name=name,
        label=label,
        permission="moderate",
        does=does,
        run=_gives(name, state),
        undo=deciding.take_back,
        fit=deciding.fit,
        why_not=lambda by, sign: deciding.why_not(sign, state),
    )


acts.register(
    Sign,
    _act(
        "note_sign",
        State.LOOKED_AT,
        gettext_lazy("Note that you looked"),
        lambda sign: _("Others see that somebody has looked at it, and what you made of it. It stays open."),
    ),
    _act(
        "dismiss_sign",
        State.DISMISSED,
        gettext_lazy("Dismiss"),
        lambda sign: (
            _("It is taken for innocent. It comes back by itself only when its %(n)d cases have grown by a half.")
            % {"n": sign.observed}
        ),
    ),
    _act(
        "settle_sign",
        State.ACTED_ON,
        gettext_lazy("Note that something was done"),
        lambda sign: _(
            "It is settled because you have done something about it: say what. This itself does nothing to anybody."
        ),
    ),
    _act(
        "reopen_sign",
        State.NEW,
        gettext_lazy("Open again"),
        lambda sign: _("It stands among the new ones again."),
    ),
)
