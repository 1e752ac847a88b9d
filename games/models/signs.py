"""Sign: what the numbers say about one player or two, for moderators to look at. It does nothing by itself.

Numbers only: no card, no address, nothing of a running deal. How it comes about stands in games/moderation/signs.
"""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Sign(models.Model):
    """One row for a kind and the one or two whom it is about, brought up to date by each count that finds it again.

    ``other`` is empty for a sign about one; of two, ``user`` is the one with the smaller number. ``observed`` is the
    number that it rests on most, ``numbers`` all of them. ``settled_at_observed``: what ``observed`` was when a
    moderator dismissed it or acted on it. It comes back when that has grown by a half.
    """

    class Kind(models.TextChoices):
        HELPING = "helping", _("discards that help one neighbour")
        SHARING = "sharing", _("shared devices")
        GIVEN = "wins_given", _("wins given")
        IN_TURNS = "wins_in_turns", _("wins in turns")
        SANDBAGGING = "sandbagging", _("sandbagging")
        TIMING = "timing", _("answers like a program’s")
        ABANDONING = "abandoning", _("serial abandoning")

    class State(models.TextChoices):
        NEW = "new", _("new")
        LOOKED_AT = "looked_at", _("looked at")
        DISMISSED = "dismissed", _("dismissed")
        ACTED_ON = "acted_on", _("acted on")

    kind = models.CharField(_("kind"), max_length=14, choices=Kind)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("player"))
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("other player"),
    )
    observed = models.PositiveIntegerField(_("cases"))
    numbers: Any = models.JSONField(_("numbers"))
    first_seen = models.DateTimeField(_("first found"))
    last_seen = models.DateTimeField(_("last found"))
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.NEW)
    reason = models.TextField(_("reason"), blank=True)
    settled_at_observed = models.PositiveIntegerField(_("cases when it was settled"), null=True, blank=True)

    class Meta:
        verbose_name = _("sign")
        verbose_name_plural = _("signs")
        indexes: ClassVar = [
            models.Index(fields=["-last_seen", "-id"], name="sign_lately"),
            models.Index(fields=["state"], name="sign_state"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["kind", "user"], condition=Q(other=None), name="sign_once_for_one"),
            models.UniqueConstraint(fields=["kind", "user", "other"], name="sign_once_for_two"),
            models.CheckConstraint(condition=Q(other=None) | Q(user__lt=F("other")), name="sign_of_two_in_order"),
            models.CheckConstraint(
                name="sign_settled_says_why",
                condition=Q(state__in=["new", "looked_at"], settled_at_observed=None)
                | (Q(state__in=["dismissed", "acted_on"], settled_at_observed__isnull=False) & ~Q(reason="")),
            ),
            models.CheckConstraint(
                name="sign_is_found_before_it_is_found_again", condition=Q(last_seen__gte=F("first_seen"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} #{self.pk}"

    @property
    def users(self) -> list[Any]:
        """The one or two whom it is about."""
        return [one for one in (self.user, self.other) if one is not None]
