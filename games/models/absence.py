"""Rows about seats whose users are away: who likes to take one over, and who was asked to."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .match import Seat


class BenchPlace(models.Model):
    """A user who likes to take over seats, one row for each preset and kind of pace that he would play."""

    class Kind(models.TextChoices):
        CORRESPONDENCE = "correspondence", _("by correspondence")
        LIVE = "live", _("live")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="bench_places", verbose_name=_("user")
    )
    preset = models.CharField(_("preset"), max_length=32)
    kind = models.CharField(_("kind of pace"), max_length=16, choices=Kind)

    class Meta:
        verbose_name = _("place on the bench")
        verbose_name_plural = _("places on the bench")
        indexes: ClassVar = [models.Index(fields=["preset", "kind"], name="bench_place_for")]
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "preset", "kind"], name="bench_place_once")]

    def __str__(self) -> str:
        return f"{self.preset}, {self.kind}"


class SeatOffer(models.Model):
    """A seat that a bot drives for its user, offered to somebody of the bench until a moment.

    ``answer`` is empty while it can be accepted: the first who does takes the seat, and the others are too late.
    """

    class Answer(models.TextChoices):
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        TOO_LATE = "too_late", _("too late")
        LAPSED = "lapsed", _("not answered")

    seat = models.ForeignKey(Seat, models.PROTECT, related_name="offers", verbose_name=_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="seat_offers", verbose_name=_("user")
    )
    at = models.DateTimeField(_("offered"))
    until = models.DateTimeField(_("until"))
    answer = models.CharField(_("answer"), max_length=8, choices=Answer, blank=True)

    class Meta:
        verbose_name = _("offer of a seat")
        verbose_name_plural = _("offers of seats")
        indexes: ClassVar = [models.Index(fields=["until"], name="seat_offer_waits", condition=Q(answer=""))]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["seat", "user"], condition=Q(answer=""), name="seat_offer_open_once"),
            models.CheckConstraint(condition=Q(until__gt=models.F("at")), name="seat_offer_ends_after_it_begins"),
        ]

    def __str__(self) -> str:
        return f"offer of {self.seat_id}"
