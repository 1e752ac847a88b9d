"""Matches that were played elsewhere and read in from a file. They are no Match: nobody sits there, nothing counts."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class ImportedMatch(models.Model):
    """A match as a file tells it (docs/match-file.md), found to be true to the rules. ``digest``: of what it tells."""

    preset = models.CharField(_("preset"), max_length=32)
    edition = models.PositiveSmallIntegerField(_("edition"))
    players = models.CharField(_("players"), max_length=500)
    told = models.JSONField(_("the match"))
    digest = models.CharField(_("digest"), max_length=64, unique=True)
    imported_at = models.DateTimeField(_("imported"))

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name = _("imported match")
        verbose_name_plural = _("imported matches")

    def __str__(self) -> str:
        return f"imported match {self.pk}"
