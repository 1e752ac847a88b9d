"""The standing order of a seat as a row. What an order means stands in rules/orders.py, who writes it in orders.py."""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from .match import Seat


class StandingOrder(models.Model):
    """What the driver of a seat wants done in its coming turns, or how the last such order ended. Private to him.

    It was given in deal ``deal`` after ``since`` events and ``asides`` other interruptions; ``order`` is how the rules
    write it, what is left of it. ``why`` is empty while it waits, else how it ended after ``until`` events, and
    ``who`` the seat that surprised it.
    """

    seat = models.OneToOneField(Seat, models.CASCADE, related_name="standing_order", verbose_name=_("seat"))
    deal = models.PositiveSmallIntegerField(_("deal"))
    since = models.PositiveIntegerField(_("events before it"))
    asides = models.PositiveIntegerField(_("interruptions before it"))
    order = models.JSONField(_("order"))
    why = models.CharField(_("ending"), max_length=12, blank=True)
    who = models.PositiveSmallIntegerField(_("seat that surprised it"), null=True, blank=True)
    until = models.PositiveIntegerField(_("events at its end"), default=0)
    given_at = models.DateTimeField(_("given"))

    class Meta:
        verbose_name = _("standing order")
        verbose_name_plural = _("standing orders")

    def __str__(self) -> str:
        return f"standing order of {self.seat_id}"

    def end(self, why: str, until: int, who: int | None = None) -> None:
        """It waits no longer."""
        self.why, self.until, self.who = why, until, who
        self.save(update_fields=["why", "until", "who"])

    def goes_on(self, left: dict[str, Any]) -> None:
        """It has played a turn, and this is what is left of it."""
        self.order = left
        self.save(update_fields=["order"])
