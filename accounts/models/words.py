"""WordEntry: a word that is not wanted, as operators have written it down. How it is found stands in words.py."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class WordEntry(models.Model):
    """``word``: one word, or several in a row. It counts for who has the site in ``language``; empty: for all."""

    class How(models.TextChoices):
        WORD = "word", _("as a word of the text")
        WHOLE = "whole", _("as the whole text")

    class Happens(models.TextChoices):
        REFUSE = "refuse", _("it is refused")
        REPORT = "report", _("it is let through, and reported to the moderators")

    word = models.CharField(_("word"), max_length=40)
    language = models.CharField(_("language"), max_length=10, blank=True, choices=settings.LANGUAGES)
    how = models.CharField(_("how it is found"), max_length=5, choices=How, default=How.WORD)
    names = models.BooleanField(_("in names"), default=True)
    messages = models.BooleanField(_("in messages"), default=True)
    titles = models.BooleanField(_("in titles of matches"), default=True)
    happens = models.CharField(_("what happens"), max_length=6, choices=Happens, default=Happens.REFUSE)
    counts = models.BooleanField(_("counts"), default=True, help_text=_("An entry is never deleted, but can rest."))

    class Meta:
        verbose_name = _("word list entry")
        verbose_name_plural = _("word list")
        ordering: ClassVar = ["word", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["word", "language", "how", "happens"], name="word_once"),
            models.CheckConstraint(condition=~Q(word=""), name="word_is_not_empty"),
            models.CheckConstraint(
                condition=Q(names=True) | Q(messages=True) | Q(titles=True), name="word_counts_somewhere"
            ),
        ]

    def __str__(self) -> str:
        return self.word
