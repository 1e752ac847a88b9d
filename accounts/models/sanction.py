"""Sanction: what a moderator has imposed on a user. Appeal: the user's one answer to it. Neither is ever deleted.

What a sanction does, and who may impose and lift it, stand in sanctions.py.
"""

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Sanction(models.Model):
    """In force from ``at`` until ``until`` (empty: until it is lifted). A warning is never in force: it was said."""

    class Kind(models.TextChoices):
        WARNING = "warning", _("a warning")
        MUTE = "mute", _("no chat")
        UNRATED = "unrated", _("no rated play")
        NO_OPENING = "no_opening", _("no opening of matches")
        SUSPENDED = "suspended", _("suspended")
        BANNED = "banned", _("banned")

    class Ground(models.TextChoices):
        ABUSE = "abuse", _("Insults, threats or spam.")
        STALLING = "stalling", _("Playing slowly on purpose, so that others give up.")
        ABANDONING = "abandoning", _("Leaving matches again and again.")
        CHEATING = "cheating", _("Unfair play, such as telling cards or losing on purpose.")
        NAME = "name", _("A name that offends, or passes for somebody else.")
        ACCOUNTS = "accounts", _("Several accounts of one person.")
        OTHER = "other", _("Something else against the rules of this place.")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="sanctions", verbose_name=_("user"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    ground = models.CharField(_("ground"), max_length=10, choices=Ground)
    reason = models.TextField(_("reason"), max_length=1000)
    """The moderator's own words; the user reads them."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("by"))
    at = models.DateTimeField(_("since"))
    until = models.DateTimeField(_("until"), null=True, blank=True)
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("lifted by")
    )
    lifted_why = models.TextField(_("why it was lifted"), max_length=1000, blank=True)

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        ordering: ClassVar = ["-pk"]
        indexes: ClassVar = [
            models.Index(fields=["user", "kind"], condition=Q(lifted_at=None), name="sanction_not_lifted"),
            models.Index(fields=["at"], name="sanction_at"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(reason=""), name="sanction_has_a_reason"),
            models.CheckConstraint(condition=Q(until=None) | Q(until__gt=F("at")), name="sanction_ends_after_it_began"),
            models.CheckConstraint(
                condition=~Q(kind__in=["warning", "banned"]) | Q(until=None), name="sanction_without_end"
            ),
            models.CheckConstraint(
                condition=~Q(kind="suspended") | Q(until__isnull=False), name="sanction_suspended_until"
            ),
            models.CheckConstraint(
                condition=Q(lifted_at=None, lifted_by=None, lifted_why="")
                | (Q(lifted_at__isnull=False, lifted_by__isnull=False) & ~Q(lifted_why="")),
                name="sanction_lifted_by_whom_and_why",
            ),
            models.UniqueConstraint(
                fields=["user", "kind"],
                condition=Q(lifted_at=None, until=None) & ~Q(kind="warning"),
                name="sanction_without_end_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.user.username})"

    def in_force(self, now: datetime) -> bool:
        """Whether it binds its user now."""
        ended = self.until is not None and self.until <= now
        return self.kind != self.Kind.WARNING and self.lifted_at is None and not ended


class Appeal(models.Model):
    """What the user answers to a sanction, once, and what is answered to that."""

    class Outcome(models.TextChoices):
        UPHELD = "upheld", _("upheld")
        SHORTENED = "shortened", _("shortened")
        LIFTED = "lifted", _("lifted")

    sanction = models.OneToOneField(Sanction, models.PROTECT, related_name="appeal", verbose_name=_("sanction"))
    text = models.TextField(_("text"), max_length=2000)
    at = models.DateTimeField(_("at"))
    answer = models.TextField(_("answer"), max_length=1000, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("answered by")
    )
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome, blank=True)

    class Meta:
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")
        ordering: ClassVar = ["-pk"]
        indexes: ClassVar = [models.Index(fields=["at"], condition=Q(answered_at=None), name="appeal_waiting")]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(text=""), name="appeal_has_words"),
            models.CheckConstraint(
                condition=Q(answer="", answered_by=None, answered_at=None, outcome="")
                | (Q(answered_by__isnull=False, answered_at__isnull=False) & ~Q(answer="") & ~Q(outcome="")),
                name="appeal_answered_whole",
            ),
        ]

    def __str__(self) -> str:
        return str(self.sanction)
