"""Report: what somebody tells the moderators about a player, a message or a match. Never deleted.

How reports are made and closed stands in moderation/reports.py. A report blocks nothing and changes no match.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from .match import Match
from .talk import Message


class Report(models.Model):
    """``reporter`` is empty where the site itself reports (word lists). ``match`` and ``message``: what it is about.

    ``context`` keeps it as it was then, without a card (moderation/context.py). What the same reporter adds while it is
    open is put to ``words``, and ``times`` counts.
    """

    class Kind(models.TextChoices):
        ABUSE = "abuse", _("Insults or threats")
        STALLING = "stalling", _("Stopped playing")
        ABANDONING = "abandoning", _("Leaves matches")
        CHEATING = "cheating", _("Plays unfairly")
        NAME = "name", _("A name that offends")
        OTHER = "other", _("Something else")

    class State(models.TextChoices):
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    class Outcome(models.TextChoices):
        ACTED = "acted", _("acted on")
        NOTHING = "nothing", _("nothing to act on")
        MISUSE = "misuse", _("wrong use of reports")

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="reports_made",
        verbose_name=_("reporter"),
    )
    about_user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="reports_about", verbose_name=_("about")
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    words = models.TextField(_("words of the reporter"), blank=True)
    match = models.ForeignKey(
        Match, models.PROTECT, null=True, blank=True, related_name="reports", verbose_name=_("match")
    )
    message = models.ForeignKey(
        Message, models.PROTECT, null=True, blank=True, related_name="reports", verbose_name=_("message")
    )
    context = models.JSONField(_("as it was"), default=dict)
    times = models.PositiveSmallIntegerField(_("times"), default=1)
    at = models.DateTimeField(_("reported"))
    added_at = models.DateTimeField(_("last added to"))
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.OPEN)
    outcome = models.CharField(_("outcome"), max_length=8, choices=Outcome, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("closed by")
    )
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    answer = models.TextField(_("answer to the reporter"), blank=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering: ClassVar = ["-pk"]
        indexes: ClassVar = [
            models.Index(fields=["at"], condition=Q(state="open"), name="report_open"),
            models.Index(fields=["closed_at"], name="report_closed"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                "about_user",
                "kind",
                Coalesce("reporter", 0),
                Coalesce("match", 0),
                Coalesce("message", 0),
                condition=Q(state="open"),
                name="report_open_once",
            ),
            models.CheckConstraint(
                condition=Q(reporter=None) | ~Q(reporter=F("about_user")), name="report_about_another"
            ),
            models.CheckConstraint(
                condition=Q(state="open", outcome="", closed_by=None, closed_at=None, answer="")
                | (Q(state="closed", closed_by__isnull=False, closed_at__isnull=False) & ~Q(outcome="")),
                name="report_closed_whole",
            ),
            models.CheckConstraint(
                condition=Q(message=None) | Q(match__isnull=False), name="report_of_a_message_has_its_match"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.about_user.username})"
