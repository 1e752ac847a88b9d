"""Matches read in from files."""

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy

from games.models import ImportedMatch

from .base import ReadOnly


@admin.register(ImportedMatch)
class ImportedMatchAdmin(ReadOnly):
    """Matches read in from files. They are no matches of this site, and nothing counts them."""

    list_display = ("id", "preset", "players", "imported_at")
    list_filter = ("preset",)
    search_fields = ("=id", "players")
    ordering = ("-pk",)
    fields = ("preset", "edition", "players", "digest", "imported_at", "its_page")
    readonly_fields = ("its_page",)

    @admin.display(description=gettext_lazy("page"))
    def its_page(self, match: ImportedMatch) -> str:
        return format_html('<a href="{}">{}</a>', reverse("games:imported", args=[match.pk]), match)
