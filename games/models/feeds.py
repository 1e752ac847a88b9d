"""Private addresses of a user's calendar and feed. Only the hash of what makes them private is stored."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Feed(models.Model):
    """A calendar of deadlines, or a feed of notices, that its user reads elsewhere without signing in."""

    class Kind(models.TextChoices):
        CALENDAR = "calendar", _("calendar")
        NOTICES = "notices", _("feed of notices")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="feeds", verbose_name=_("user"))
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    key = models.CharField(_("hash of the token"), max_length=64, unique=True)
    made_at = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = _("private feed")
        verbose_name_plural = _("private feeds")
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "kind"], name="feed_one_of_a_kind")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
