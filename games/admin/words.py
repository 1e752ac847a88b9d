"""The word list and the limits: rows that operators edit."""

from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import words
from accounts.models import LimitRow, WordEntry
from games.preset_texts import Text
from rummysite import limits

from .edited import Edited, EditForm

MOST = 1_000_000
LABELS: dict[str, Text] = {
    "guest": gettext_lazy("Guests that are made"),
    "come_back": gettext_lazy("Links to come back that are used"),
    "open": gettext_lazy("Matches opened"),
    "sit": gettext_lazy("Seats taken"),
    "invite": gettext_lazy("Invitations and challenges"),
    "people": gettext_lazy("Friends, muting and blocking"),
    "appeal": gettext_lazy("Answers to moderators"),
    "report": gettext_lazy("Reports"),
    "talk": gettext_lazy("What is said at tables"),
    "talk_hour": gettext_lazy("What is said at tables, over a longer time"),
    "feed": gettext_lazy("Private calendars and feeds that are read"),
    "token": gettext_lazy("Wrong keys of feeds and programs"),
    "device": gettext_lazy("Devices and tokens"),
    "export": gettext_lazy("Matches taken along as files"),
    "own_data": gettext_lazy("Own data taken along"),
    "api": gettext_lazy("What programs ask"),
    "act": gettext_lazy("What is sent from a table"),
    "new_days": gettext_lazy("Days for which an account is new"),
    "new_matches": gettext_lazy("Matches to play to the end before one writes freely"),
}
TIMES = [(60, gettext_lazy("a minute")), (600, gettext_lazy("10 minutes")), (3600, gettext_lazy("an hour"))]
TIMES += [(86_400, gettext_lazy("a day"))]


class WordForm(EditForm):
    """An entry that can be found, and counts somewhere."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].choices = [("", _("all languages")), *settings.LANGUAGES]  # type: ignore[attr-defined]

    def clean_word(self) -> str:
        word = " ".join(str(self.cleaned_data["word"]).split())
        if not words.plain(word) or not words.bare(word):
            raise forms.ValidationError(_("Write a word of letters."))
        if len(words.plain(word).replace(" ", "")) < 2:
            raise forms.ValidationError(_("One letter alone would be found everywhere. Write a longer word."))
        return word

    def clean(self) -> dict[str, Any]:
        told = super().clean() or {}
        if not any(told.get(where) for where in (words.NAMES, words.MESSAGES, words.TITLES)):
            self.add_error(None, _("Say where it counts: in names, in messages or in titles."))
        if told.get("how") == "word" and (word := told.get("word")):
            same = WordEntry.objects.filter(how="word", language=told.get("language", ""), happens=told.get("happens"))
            key = words.plain(word)
            if any(words.plain(row.word) == key for row in same.exclude(pk=self.instance.pk)):
                self.add_error("word", _("This word stands in the list already, perhaps in other letters."))
        return told


@admin.register(WordEntry)
class WordAdmin(Edited):
    """Words that are not wanted."""

    form = WordForm
    adds = True
    acts: ClassVar = ("add_word", "change_word")
    list_display = ("word", "language", "how", "names", "messages", "titles", "happens", "counts")
    list_filter = ("language", "how", "happens", "counts", "names", "messages", "titles")
    search_fields = ("word",)
    ordering = ("word", "pk")
    columns = ("word", "language", "how", "names", "messages", "titles", "happens", "counts")

    def forget(self) -> None:
        words.ENTRIES.forget()


class LimitForm(EditForm):
    """Numbers that fit to each other."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.seconds:
            for name in ("new", "shared", "seconds"):
                self.fields.pop(name, None)
        elif "seconds" in self.fields:
            self.fields["shared"].required = True
            self.fields["seconds"] = forms.TypedChoiceField(label=_("In what time"), coerce=int, choices=TIMES)

    def clean(self) -> dict[str, Any]:
        told = super().clean() or {}
        number, new, shared = told.get("number"), told.get("new"), told.get("shared")
        if number is not None and number > (MOST if self.instance.seconds else 365):
            self.add_error("number", _("This number is too large."))
        if not self.instance.seconds or number is None:
            return told
        if number < 1:
            self.add_error("number", _("At least 1: nobody could do it any more."))
        if new is not None and not 1 <= new <= number:
            self.add_error("new", _("For new accounts at least 1, and no more than for all."))
        if shared is not None and not number <= shared <= MOST:
            self.add_error("shared", _("For one address at least as many as for one user: several may share it."))
        return told


@admin.register(LimitRow)
class LimitAdmin(Edited):
    """How often what may be done. Which there are the site knows; so none is added."""

    form = LimitForm
    acts: ClassVar = ("", "change_limit")
    list_display = ("what", "number", "new", "shared", "time")
    list_display_links = ("what",)
    ordering = ("pk",)
    columns = ("number", "new", "shared", "seconds")

    @admin.display(description=gettext_lazy("limit"))
    def what(self, row: LimitRow) -> str:
        return str(LABELS.get(row.name, row.name))

    @admin.display(description=gettext_lazy("in what time"))
    def time(self, row: LimitRow) -> str:
        return str(dict(TIMES).get(row.seconds, row.seconds)) if row.seconds else "—"

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """The page is headed by what the limit is for."""
        row = kwargs.get("obj")
        return super().render_change_form(
            request, context | ({"subtitle": self.what(row)} if row else {}), *args, **kwargs
        )

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        counts = obj is not None and obj.seconds
        return super().get_fields(request, obj) if counts else ["number", "reason"]

    def told(self, obj: LimitRow) -> dict[str, Any]:
        return {"limit": obj.name, **super().told(obj)}

    def forget(self) -> None:
        limits.ROWS.forget()
