"""Who of the staff has looked at hands while a deal was played. Only added to; its players are told after the deal."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .deal import Deal
from .match import Match


class HandsSeen(models.Model):
    """One look of ``by`` at all hands of a running deal, as they were after ``move`` moves of the match, and ``why``.

    ``told_at``: since then its players can know of it; empty while the deal runs. No card stands here.
    """

    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("by"))
    match = models.ForeignKey(Match, models.PROTECT, related_name="hands_seen", verbose_name=_("match"))
    deal = models.ForeignKey(Deal, models.PROTECT, related_name="hands_seen", verbose_name=_("deal"))
    move = models.PositiveIntegerField(_("after so many moves"))
    why = models.TextField(_("reason"), max_length=1000)
    at = models.DateTimeField(_("at"))
    told_at = models.DateTimeField(_("players told"), null=True, blank=True)

    class Meta:
        verbose_name = _("look at hands")
        verbose_name_plural = _("looks at hands")
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(why=""), name="hands_seen_for_a_reason"),
            models.CheckConstraint(
                condition=Q(told_at=None) | Q(told_at__gte=models.F("at")), name="hands_seen_told_afterwards"
            ),
        ]

    def __str__(self) -> str:
        return f"look {self.pk} at the hands of match {self.match_id}"
