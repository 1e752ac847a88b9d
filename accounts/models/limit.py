"""LimitRow: a limit as operators have set it. What each is for stands in rummysite/limits.py."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class LimitRow(models.Model):
    """At most ``number`` in ``seconds`` for a user; ``new``: for a guest or a new account; ``shared``: for all
    who share an address.

    Without ``seconds`` it is a number and no count: days, matches.
    """

    name = models.CharField(_("name"), max_length=20, unique=True)
    number = models.PositiveIntegerField(_("number"))
    new = models.PositiveIntegerField(_("for new accounts"), null=True, blank=True)
    shared = models.PositiveIntegerField(_("for one address"), null=True, blank=True)
    seconds = models.PositiveIntegerField(_("in seconds"), null=True, blank=True)

    class Meta:
        verbose_name = _("limit")
        verbose_name_plural = _("limits")
        ordering: ClassVar = ["name"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(seconds=None, shared=None, new=None)
                | Q(seconds__gt=0, number__gt=0, shared__gte=F("number")),
                name="limit_counts_in_a_time",
            ),
            models.CheckConstraint(
                condition=Q(new=None) | Q(new__gt=0, new__lte=F("number")), name="limit_of_the_new_is_no_wider"
            ),
        ]

    def __str__(self) -> str:
        return self.name
