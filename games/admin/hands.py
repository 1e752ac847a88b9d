"""The page on which a senior looks at the hands of a running deal: the form with the reason, and what it shows, once.

The cards stand in the answer to the form and nowhere else: there is no address at which they could be read again.
"""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables

from accounts import roles
from accounts.refusal import Refusal
from games.models import HandsSeen
from games.moderation import hands

from . import acts
from .acting import Acted, asked
from .base import ReadOnly


class SeesHands(Acted):
    """The page of a match from which hands can be seen."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(never_cache(self.hands_view))
        return [path("<int:pk>/hands/", view, name="games_match_hands"), *super().get_urls()]

    @sensitive_variables("shown", "answer")
    def hands_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask why, note it, and show the hands of this moment. 403 without the permission, 409 where nobody may look or
        this one may not."""
        if not (roles.may(request.user, "see_hands") and roles.may(request.user, "moderate")):
            raise PermissionDenied
        match = self.get_object(request, str(pk))
        if match is None:
            raise Http404
        title, back = _("See the hands"), reverse("admin:games_match_change", args=[pk])
        if why_not := hands.why_not(request.user, match):
            return asked(self, request, match, title=title, why_not=why_not, back=back, status=409)
        form = acts.ReasonForm(request.POST if request.method == "POST" else None, by=request.user, row=match)
        if request.method == "POST" and form.is_valid():
            try:
                shown = hands.look(pk, by=request.user, reason=form.cleaned_data["reason"])
            except Refusal as refusal:
                form.add_error(None, str(refusal))
            else:
                context = {**self.admin_site.each_context(request), "opts": self.opts, "shown": shown, "back": back}
                return TemplateResponse(request, "admin/hands.html", context | {"title": title, "row": match})
        does = _(
            "You see all hands of the deal that is being played, as they are at this moment, once. The look is kept "
            "with your name and reason, and after the deal its players are told that a moderator looked. Do it "
            "only when nothing else can settle a suspicion."
        )
        return asked(
            self, request, match, title=title, does=does, form=form, back=back, status=400 if form.errors else 200
        )


@admin.register(HandsSeen)
class HandsSeenAdmin(ReadOnly):
    """Who has looked at hands, when and why. No card."""

    opened_by = ("see_audit",)
    list_display = ("at", "by", "match_id", "deal_number", "move", "why", "told_at")
    list_filter = (("told_at", admin.EmptyFieldListFilter),)
    narrowed_by = ("match", "by")
    list_select_related = ("by", "deal")
    search_fields = ("=match__id", "by__username")
    search_help_text = gettext_lazy("Number of a match, name of who looked")
    ordering = ("-pk",)
    date_hierarchy = "at"
    show_full_result_count = False

    @admin.display(description=gettext_lazy("deal"))
    def deal_number(self, seen: HandsSeen) -> Any:
        return seen.deal.number
