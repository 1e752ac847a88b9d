"""A person's private note about a match. It is part of nothing that others get, and never changes the match."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .match import Match


class Note(models.Model):
    """What one user has written down about a match, for nobody else. ``deal`` and ``turn``: when it was last changed.

    It outlives the match, and goes with its writer's account.
    """

    MOST = 2000

    match = models.ForeignKey(Match, models.PROTECT, related_name="notes", verbose_name=_("match"))
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="notes", verbose_name=_("user"))
    text = models.CharField(_("text"), max_length=MOST)
    deal = models.PositiveSmallIntegerField(_("deal"))
    turn = models.PositiveIntegerField(_("turn"))
    changed_at = models.DateTimeField(_("changed"))

    class Meta:
        verbose_name = _("note")
        verbose_name_plural = _("notes")
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "user"], name="note_one_of_a_user")]

    def __str__(self) -> str:
        return f"note on match {self.match_id}"
