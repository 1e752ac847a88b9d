"""What people are to each other: friends, and those whom one keeps at a distance. And what is known of each: habits."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least
from django.utils.translation import gettext_lazy as _


class Friendship(models.Model):
    """One has asked the other; they are friends since ``accepted_at``. One row for two people, whoever asked."""

    asking = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="friends_asked", verbose_name=_("asking")
    )
    asked = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="friends_asking", verbose_name=_("asked")
    )
    at = models.DateTimeField(_("asked at"))
    accepted_at = models.DateTimeField(_("friends since"), null=True, blank=True)

    class Meta:
        verbose_name = _("friendship")
        verbose_name_plural = _("friendships")
        constraints: ClassVar = [
            models.UniqueConstraint(Least("asking", "asked"), Greatest("asking", "asked"), name="friendship_once"),
            models.CheckConstraint(name="friendship_of_two", condition=~Q(asking=F("asked"))),
        ]

    def __str__(self) -> str:
        return f"friendship {self.pk}"


class Distance(models.Model):
    """Somebody (``user``) keeps another (``whom``) at a distance. Only the user knows of it."""

    class Kind(models.TextChoices):
        MUTED = "muted", _("muted")
        BLOCKED = "blocked", _("blocked")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="distances", verbose_name=_("user"))
    whom = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("whom"))
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("distance")
        verbose_name_plural = _("distances")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "whom", "kind"], name="distance_once"),
            models.CheckConstraint(name="distance_to_another", condition=~Q(user=F("whom"))),
        ]

    def __str__(self) -> str:
        return f"distance {self.pk}"


class Door(models.Model):
    """Who may ask this user for a match; without a row everybody may."""

    class Opens(models.TextChoices):
        ALL = "all", _("everybody")
        FRIENDS = "friends", _("my friends")
        NOBODY = "nobody", _("nobody")

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="door", verbose_name=_("user"))
    opens = models.CharField(_("who may ask me for a match"), max_length=8, choices=Opens, default=Opens.ALL)

    class Meta:
        verbose_name = _("door")
        verbose_name_plural = _("doors")

    def __str__(self) -> str:
        return f"door of {self.user_id}"


class Habit(models.Model):
    """How soon and when somebody answers by correspondence, as of the last daily count. No row: too few turns."""

    class Part(models.TextChoices):
        MORNING = "morning", _("mornings")
        AFTERNOON = "afternoon", _("afternoons")
        EVENING = "evening", _("evenings")
        NIGHT = "night", _("nights")

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="habit", verbose_name=_("user"))
    seconds = models.PositiveIntegerField(_("median time to answer"))
    part = models.CharField(_("part of the day"), max_length=10, choices=Part, blank=True)

    class Meta:
        verbose_name = _("habit")
        verbose_name_plural = _("habits")

    def __str__(self) -> str:
        return f"habit of {self.user_id}"
