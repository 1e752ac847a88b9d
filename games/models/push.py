"""Devices that are told by web push. The address and keys are secret columns: who has them can write to the device."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class PushSubscription(models.Model):
    """One browser of a user. ``mark`` stands in the session of that browser as well: no session, no messages.

    ``device`` is what the browser said of itself, ``last_notice`` tells which one arrived last, so that a new try for
    another device does not repeat it here, and ``last_error`` why the last one did not arrive.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_subscriptions", verbose_name=_("user")
    )
    endpoint = models.CharField(_("address"), max_length=1000, unique=True)
    p256dh = models.CharField(_("public key"), max_length=100)
    auth = models.CharField(_("shared secret"), max_length=40)
    mark = models.CharField(_("session's mark"), max_length=32)
    device = models.CharField(_("device"), max_length=200, blank=True)
    last_notice = models.BigIntegerField(_("last notice"), null=True, blank=True)
    last_error = models.CharField(_("last error"), max_length=80, blank=True)
    made_at = models.DateTimeField(_("made"))

    class Meta:
        ordering: ClassVar = ["-made_at", "-pk"]
        verbose_name = _("push subscription")
        verbose_name_plural = _("push subscriptions")

    def __str__(self) -> str:
        return f"push subscription {self.pk}"
