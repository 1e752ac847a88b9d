"""AuditEntry: what somebody with a role has done or looked at. Only added to, which triggers of the database hold.

A migration that lets SQLite make this table anew loses its triggers there: it has to add them again
(append_only.py), and tests look for them.
"""

from typing import Any, ClassVar, NoReturn

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.roles import PERMISSIONS


class AuditEntry(models.Model):
    """One act. ``by`` is empty for who sits at the keyboard of the server. ``user``: whom it is about.

    ``target_kind``, ``target_id``: the row that it was done to, as ``sanction`` 7. ``undoes``: the entry that it takes
    back. ``details`` is small and never has a card, a secret or an address.
    """

    at = models.DateTimeField(_("at"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    act = models.CharField(_("act"), max_length=40)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("user")
    )
    target_kind = models.CharField(_("kind of row"), max_length=40, blank=True)
    target_id = models.BigIntegerField(_("number of the row"), null=True, blank=True)
    reason = models.TextField(_("reason"), blank=True)
    details = models.JSONField(_("details"), default=dict, blank=True)
    undoes = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="undone", verbose_name=_("takes back")
    )

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit log")
        ordering: ClassVar = ["-pk"]
        default_permissions = ()
        permissions: ClassVar = [(name, label) for name, (label, _roles) in PERMISSIONS.items()]
        indexes: ClassVar = [
            models.Index(fields=["target_kind", "target_id"], name="audit_target"),
            models.Index(fields=["at"], name="audit_at"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(target_kind="", target_id=None)
                | (~models.Q(target_kind="") & models.Q(target_id__isnull=False)),
                name="audit_target_whole",
            )
        ]

    def __str__(self) -> str:
        return f"{self.pk}: {self.act}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("An entry of the audit log is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("An entry of the audit log is never deleted.")
