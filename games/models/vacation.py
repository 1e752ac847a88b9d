"""Vacation: days on which a user does not play. Counted by the year; what it does to matches stands in vacations.py."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Vacation(models.Model):
    """A vacation, from the first to the last day of it in the user's zone when it was planned.

    ``starts_at`` and ``ends_at`` are those days as moments, or when it really began or ended. ``state`` says what has
    been told at the tables; the deadlines follow from the moments alone.
    """

    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        RUNNING = "running", _("running")
        OVER = "over", _("over")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="vacations", verbose_name=_("user"))
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))
    starts_at = models.DateTimeField(_("starts"))
    ends_at = models.DateTimeField(_("ends"))
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.PLANNED)

    class Meta:
        verbose_name = _("vacation")
        verbose_name_plural = _("vacations")
        indexes: ClassVar = [
            models.Index(fields=["state", "starts_at"], name="vacation_due", condition=~Q(state="over")),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user"], condition=~Q(state="over"), name="vacation_one_at_a_time"),
            models.CheckConstraint(
                name="vacation_ends_after_it_starts",
                condition=Q(ends_at__gte=F("starts_at"), last_day__gte=F("first_day")),
            ),
        ]

    def __str__(self) -> str:
        return f"vacation {self.pk} of user {self.user_id}"
