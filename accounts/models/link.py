"""AccountLink: two accounts that a senior moderator holds for those of one person. Undone, never deleted."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class AccountLink(models.Model):
    """``one`` is the account with the smaller number. A link that was taken back has ``undone_at``."""

    one = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("account"))
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("other account")
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("by"))
    reason = models.TextField(_("reason"), max_length=1000)
    at = models.DateTimeField(_("at"))
    undone_at = models.DateTimeField(_("taken back"), null=True, blank=True)

    class Meta:
        verbose_name = _("link of accounts")
        verbose_name_plural = _("links of accounts")
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="account_link_smaller_first"),
            models.CheckConstraint(condition=~Q(reason=""), name="account_link_has_a_reason"),
            models.UniqueConstraint(fields=["one", "other"], condition=Q(undone_at=None), name="account_link_once"),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} and {self.other_id}"
