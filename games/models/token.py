"""Tokens by which a user's own programs read the site. Only the hash of a token is stored."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ApiToken(models.Model):
    """One program of a user. ``key``: the SHA-256 of its token; ``used_at``: the last day on which it asked."""

    class Scope(models.TextChoices):
        PUBLIC = "public", _("public results")
        OWN = "own", _("public results and my matches")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens", verbose_name=_("user")
    )
    name = models.CharField(_("name"), max_length=40)
    scope = models.CharField(_("may read"), max_length=8, choices=Scope, default=Scope.PUBLIC)
    key = models.CharField(_("hash of the token"), max_length=64, unique=True)
    made_at = models.DateTimeField(_("made"))
    used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name = _("token for programs")
        verbose_name_plural = _("tokens for programs")

    def __str__(self) -> str:
        return f"token {self.pk}"
