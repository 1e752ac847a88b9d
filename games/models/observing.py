"""What has been counted over all ended deals: one row for the site, one a user. Made of Records alone.

The site's row holds sums only: no deal, no hand, no name.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Observation(models.Model):
    """The one row. ``until``: deals that ended before then are counted; ``sums`` what was counted, ``figures`` what
    the page shows of it.
    """

    only = models.PositiveSmallIntegerField(_("the only one"), default=1, unique=True)
    until = models.DateTimeField(_("counted until"))
    deals = models.PositiveIntegerField(_("deals"))
    sums = models.JSONField(_("sums"))
    figures = models.JSONField(_("figures"))

    class Meta:
        verbose_name = _("observation")
        verbose_name_plural = _("observations")
        constraints: ClassVar = [models.CheckConstraint(condition=Q(only=1), name="observation_is_the_only_one")]

    def __str__(self) -> str:
        return f"{self.deals} deals until {self.until:%F}"


class Luck(models.Model):
    """The hands of ten cards that were dealt to a user's seats: how many, how many of them with a meld, and the sums
    of their counts and of the squares of these. Shown to that user alone.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="luck", verbose_name=_("user"))
    hands = models.PositiveIntegerField(_("hands"))
    melds = models.PositiveIntegerField(_("hands with a meld"))
    points = models.PositiveBigIntegerField(_("sum of the counts"))
    squares = models.PositiveBigIntegerField(_("sum of their squares"))

    class Meta:
        verbose_name = _("luck")
        verbose_name_plural = _("luck")
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(melds__lte=models.F("hands")), name="luck_melds_are_among_hands")
        ]

    def __str__(self) -> str:
        return f"luck of {self.user_id}"
