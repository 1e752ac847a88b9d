"""What is dealt and played at a match, as rows: Deal, Move, and the private Draft of a seat.

Nothing here is ever deleted but what a Draft holds. The columns that are secret while a deal runs are listed in
secrecy.py.
"""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .match import Match, Seat


class Deal(models.Model):
    """One deal: dealer, secret, the Sheet at its start, its Record at its end.

    ``outcome`` is what counts; where a moderator has ruled, the one that was played stands in the Record.
    """

    match = models.ForeignKey(Match, models.PROTECT, related_name="deals", verbose_name=_("match"))
    number = models.PositiveSmallIntegerField(_("number"))
    dealer = models.PositiveSmallIntegerField(_("dealer"))
    secret = models.BinaryField(_("secret"))
    sheet = models.JSONField(_("sheet at its start"))
    outcome = models.JSONField(_("outcome"), null=True, blank=True)
    record = models.JSONField(_("record"), null=True, blank=True)
    started_at = models.DateTimeField(_("started"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["number"]
        verbose_name = _("deal")
        verbose_name_plural = _("deals")
        indexes: ClassVar = [
            models.Index(fields=["ended_at"], name="deal_ended", condition=Q(ended_at__isnull=False)),
            models.Index(fields=["match", "ended_at"], name="deal_of_match_ended", condition=Q(outcome__isnull=False)),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "number"], name="deal_number_once"),
            models.CheckConstraint(
                name="deal_record_when_ended",
                condition=Q(ended_at__isnull=True, record__isnull=True)
                | Q(ended_at__isnull=False, record__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"deal {self.number} of match {self.match_id}"


class Move(models.Model):
    """Entry ``number`` of a match's tape. ``seat`` is None for acts of the dealer, and of moderators that concern no
    seat; ``action`` carries no secret.
    """

    class By(models.TextChoices):
        USER = "user", _("person")
        BOT = "bot", _("bot")
        CLOCK = "clock", _("clock")
        ORDER = "order", _("standing order")
        SITE = "site", _("site")
        DEALER = "dealer", _("dealer")
        MODERATOR = "moderator", _("moderator")

    match = models.ForeignKey(Match, models.PROTECT, related_name="tape", verbose_name=_("match"))
    deal = models.ForeignKey(Deal, models.PROTECT, null=True, related_name="moves", verbose_name=_("deal"))
    number = models.PositiveIntegerField(_("number"))
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    action = models.JSONField(_("action"))
    by = models.CharField(_("by"), max_length=10, choices=By)
    at = models.DateTimeField(_("time"))

    class Meta:
        ordering: ClassVar = ["number"]
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "number"], name="move_number_once")]

    def __str__(self) -> str:
        return f"move {self.number} of match {self.match_id}"


class Draft(models.Model):
    """What only a seat's driver has: the unfinished turn (actions after the draw) and the order of the hand.

    The turn's actions belong to (``deal``, ``turn``); ``number`` grows with each change of them. ``order`` lists the
    cards as the driver laid them (``sort`` own) or is empty, ``stamp`` grows with each change of the order. Without
    ``sort`` the hand lies as its driver usually likes it.
    """

    seat = models.OneToOneField(Seat, models.CASCADE, related_name="draft", verbose_name=_("seat"))
    deal = models.PositiveSmallIntegerField(_("deal"), default=0)
    turn = models.PositiveIntegerField(_("turn"), default=0)
    actions = models.JSONField(_("actions"), default=list)
    number = models.PositiveIntegerField(_("number"), default=0)
    sort = models.CharField(_("sort"), max_length=4, blank=True)
    order = models.JSONField(_("order of the hand"), default=list)
    stamp = models.PositiveIntegerField(_("stamp"), default=0)

    class Meta:
        verbose_name = _("draft")
        verbose_name_plural = _("drafts")

    def __str__(self) -> str:
        return f"draft of {self.seat_id}"
