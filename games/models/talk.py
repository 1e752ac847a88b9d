"""What is said at a table, and how far each has read. Messages are never deleted."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .match import Match

LONGEST = 500
"""Characters of a free text."""


class Message(models.Model):
    """Something that one at the table said: a phrase (the key of one, read by each in his own language) or a text.

    One that a moderator has hidden is kept; who reads the talk sees that it was hidden, and not what it says.
    """

    match = models.ForeignKey(Match, models.PROTECT, related_name="messages", verbose_name=_("match"))
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="messages", verbose_name=_("user"))
    phrase = models.CharField(_("phrase"), max_length=16, blank=True)
    text = models.CharField(_("text"), max_length=LONGEST, blank=True)
    at = models.DateTimeField(_("time"))
    hidden_at = models.DateTimeField(_("hidden by a moderator"), null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["pk"]
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        constraints: ClassVar = [
            models.CheckConstraint(
                name="message_is_a_phrase_or_a_text",
                condition=(Q(phrase="") & ~Q(text="")) | (~Q(phrase="") & Q(text="")),
            ),
        ]

    def __str__(self) -> str:
        return f"message {self.pk} at match {self.match_id}"


class Listener(models.Model):
    """How somebody follows the talk of one match: the number of the last message heard, and whether it is muted."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="listeners", verbose_name=_("match"))
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="listens", verbose_name=_("user"))
    heard = models.PositiveBigIntegerField(_("heard up to"), default=0)
    muted = models.BooleanField(_("muted"), default=False)

    class Meta:
        verbose_name = _("listener")
        verbose_name_plural = _("listeners")
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "user"], name="listener_once")]

    def __str__(self) -> str:
        return f"listener {self.pk} at match {self.match_id}"
