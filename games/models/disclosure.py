"""What a user shows of his profile, and to whom. Without a row the defaults hold."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Disclosure(models.Model):
    """A column for each section of the profile; what is read by it stands in games/disclosure.py."""

    class To(models.TextChoices):
        ALL = "all", _("everybody")
        FRIENDS = "friends", _("my friends")
        ME = "me", _("only me")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="disclosure", verbose_name=_("user")
    )
    ratings = models.CharField(_("ratings"), max_length=8, choices=To, default=To.ALL)
    results = models.CharField(_("results and streaks"), max_length=8, choices=To, default=To.ALL)
    matches = models.CharField(_("last matches"), max_length=8, choices=To, default=To.ALL)
    opponents = models.CharField(_("opponents"), max_length=8, choices=To, default=To.FRIENDS)
    deals = models.CharField(_("how deals come out"), max_length=8, choices=To, default=To.FRIENDS)
    answers = models.CharField(_("time to answer"), max_length=8, choices=To, default=To.FRIENDS)

    class Meta:
        verbose_name = _("disclosure")
        verbose_name_plural = _("disclosures")
        constraints: ClassVar = [
            models.CheckConstraint(
                name=f"disclosure_{name}_is_to_somebody",
                condition=models.Q(**{f"{name}__in": ["all", "friends", "me"]}),
            )
            for name in ("ratings", "results", "matches", "opponents", "deals", "answers")
        ]

    def __str__(self) -> str:
        return f"disclosure of {self.user_id}"
