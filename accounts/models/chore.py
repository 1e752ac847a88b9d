"""Chore: what the site does by itself once a day."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Chore(models.Model):
    """Something that the site does by itself from time to time. Who sets ``due_at`` on from the old value does it."""

    name = models.CharField(_("name"), max_length=20, unique=True)
    due_at = models.DateTimeField(_("due"))

    class Meta:
        verbose_name = _("chore")
        verbose_name_plural = _("chores")

    def __str__(self) -> str:
        return self.name
