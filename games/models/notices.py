"""Notices as rows: what a user is told (Notice), how it is brought (Delivery), and how he wants that.

No row holds a card. Rows of a user go when he closes his account.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .match import Match


class Notice(models.Model):
    """One event told to one user. ``key`` tells events of a kind apart and begins with the number of the match.

    ``about`` holds small facts for the words, never a card. ``listed``: shown on the site. ``spread_at``: since when
    its deliveries are rows of their own; ``read_at`` is shared by all devices.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices", verbose_name=_("user"))
    kind = models.CharField(_("kind"), max_length=16)
    match = models.ForeignKey(
        Match, models.PROTECT, null=True, blank=True, related_name="notices", verbose_name=_("match")
    )
    about = models.JSONField(_("facts"), default=dict)
    key = models.CharField(_("key"), max_length=64, blank=True)
    listed = models.BooleanField(_("shown on the site"), default=True)
    at = models.DateTimeField(_("time"))
    read_at = models.DateTimeField(_("read"), null=True, blank=True)
    spread_at = models.DateTimeField(_("given to its channels"), null=True, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        indexes: ClassVar = [
            models.Index(fields=["user", "-at"], name="notice_of_user"),
            models.Index(fields=["at"], name="notice_to_spread", condition=Q(spread_at__isnull=True)),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "kind", "key"], name="notice_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} #{self.pk}"


class Delivery(models.Model):
    """A notice on its way by one channel. Who sets ``leased_until`` on from the old value sends it.

    ``message_id``: of the mail, or the topic of the push; deliveries that go in one mail share it, and each new try
    keeps it. ``error`` is a short word of ours, never an address.
    """

    class Channel(models.TextChoices):
        EMAIL = "email", _("e-mail")
        PUSH = "push", _("push")

    class State(models.TextChoices):
        PENDING = "pending", _("waits")
        SENT = "sent", _("sent")
        FAILED = "failed", _("failed")
        DROPPED = "dropped", _("no longer needed")

    notice = models.ForeignKey(Notice, models.CASCADE, related_name="deliveries", verbose_name=_("notice"))
    channel = models.CharField(_("channel"), max_length=8, choices=Channel)
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.PENDING)
    due_at = models.DateTimeField(_("due"))
    leased_until = models.DateTimeField(_("being sent until"), null=True, blank=True)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)
    message_id = models.CharField(_("message"), max_length=64, blank=True)
    error = models.CharField(_("error"), max_length=32, blank=True)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="delivery_due", condition=Q(state="pending")),
            models.Index(fields=["message_id"], name="delivery_message"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["notice", "channel"], name="delivery_once_by_each_channel"),
            models.CheckConstraint(
                name="delivery_sent_has_a_time",
                condition=Q(state="sent", sent_at__isnull=False) | (~Q(state="sent") & Q(sent_at__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.channel} {self.pk}"


class NoticeSettings(models.Model):
    """How a user wants to be told. Who has no row has everything as usual.

    ``matrix``: ``kind.channel`` -> now, digest or off, where it is not as usual. ``digest_hour`` is an hour of his
    zone. ``reminders``: minutes before a deadline, or "half". ``mail_failing_since``: no mail has reached him since.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="notice_settings", verbose_name=_("user")
    )
    matrix = models.JSONField(_("when by which channel"), default=dict)
    digest_hour = models.PositiveSmallIntegerField(_("hour of the daily mail"), default=18)
    turn_delay = models.PositiveSmallIntegerField(_("minutes before a mail about my turn"), default=5)
    reminders = models.JSONField(_("reminders"), null=True, blank=True)
    mail_failing_since = models.DateTimeField(_("mail fails since"), null=True, blank=True)
    mail_refused = models.BooleanField(_("address refused"), default=False)

    class Meta:
        verbose_name = _("notice settings")
        verbose_name_plural = _("notice settings")
        constraints: ClassVar = [
            models.CheckConstraint(name="notice_digest_hour", condition=Q(digest_hour__lt=24)),
            models.CheckConstraint(
                name="notice_mail_refused_since",
                condition=Q(mail_refused=False) | Q(mail_failing_since__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"notice settings of {self.user_id}"


class MutedMatch(models.Model):
    """A match of which a user wants to be told nothing."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="muted_matches", verbose_name=_("user")
    )
    match = models.ForeignKey(Match, models.PROTECT, related_name="muted_by", verbose_name=_("match"))

    class Meta:
        verbose_name = _("muted match")
        verbose_name_plural = _("muted matches")
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "match"], name="muted_match_once")]

    def __str__(self) -> str:
        return f"match {self.match_id} muted by {self.user_id}"
