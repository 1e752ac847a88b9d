"""A match as rows: Match, Seat, Absence, Tenure. What is dealt and played at it stands in deal.py.

Nothing here is ever deleted. The columns that are secret while a deal runs are listed in secrecy.py.
"""

from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.paces import PACES
from games.rules.catalog import Preset, find
from games.rules.game import Game
from games.terms import WEEKENDS


class Match(models.Model):
    """One sitting of one game, from the first deal to the result. Keeps the value of every option.

    ``version`` grows with everything that a page of the match could show; ``moves`` counts the tape.
    ``rated``: all who sit have agreed that it changes their ratings.
    ``standing``: the offer stays open, and so many of its ``series`` may run at once; 0 for all others.
    ``together`` is the first of the matches that were opened with the same people in one go, ``nth`` which of them
    this is; 0 for all others.
    ``due_at`` is the deadline of the person to move, ``wake_at`` when the driver or the clock has something to do.

    ``bank``, ``weekend`` and ``vacations`` are its terms (terms.py). ``turn_at``: the person to move has been awaited
    since then; ``counted_at``: up to then the time of the turn has been counted. ``paused_at``: it rests by consent;
    ``live_at``: by consent it is played live. Meanwhile ``frozen`` keeps the seconds left of the turn ``frozen_turn``.
    ``ruled``: a moderator has changed what a deal or the match counts, so that totals are made anew from all deals.
    ``proposal``: what is proposed to all at the table: kind, seat, seats that agreed, until when.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        RUNNING = "running", _("running")
        OVER = "over", _("over")
        CANCELLED = "cancelled", _("cancelled")

    class Ending(models.TextChoices):
        PLAYED = "played", _("played to the end")
        RESIGNED = "resigned", _("resigned")
        CLOCK = "clock", _("out of time")
        ABANDONED = "abandoned", _("abandoned in the first deal")
        ABORTED = "aborted", _("broken off by a moderator")
        DECIDED = "decided", _("decided by a moderator")

    preset = models.CharField(_("preset"), max_length=32)
    edition = models.PositiveSmallIntegerField(_("edition"), default=1)
    options = models.JSONField(_("options"))
    memory = models.CharField(_("memory"), max_length=8, default="all")
    title = models.CharField(_("title"), max_length=40, blank=True)
    private = models.BooleanField(_("private"), default=False)
    token = models.CharField(_("invitation"), max_length=32, unique=True)
    opener = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="opened_matches", verbose_name=_("opener")
    )
    pace = models.CharField(_("pace"), max_length=8, choices=[(name, pace.label) for name, pace in PACES.items()])
    rated = models.BooleanField(_("rated"), default=False)
    bank = models.PositiveIntegerField(_("bank in seconds"), default=0)
    weekend = models.CharField(
        _("weekend"), max_length=8, blank=True, choices=[(name, label) for name, (label, _days) in WEEKENDS.items()]
    )
    vacations = models.BooleanField(_("vacations stop the clock"), default=False)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.OPEN)
    ending = models.CharField(_("ending"), max_length=10, choices=Ending, blank=True)
    version = models.PositiveIntegerField(_("version"), default=1)
    moves = models.PositiveIntegerField(_("moves"), default=0)
    turn = models.SmallIntegerField(_("seat to move"), null=True, blank=True)
    due_at = models.DateTimeField(_("deadline"), null=True, blank=True)
    wake_at = models.DateTimeField(_("next act of the site"), null=True, blank=True)
    turn_at = models.DateTimeField(_("awaited since"), null=True, blank=True)
    counted_at = models.DateTimeField(_("time counted up to"), null=True, blank=True)
    paused_at = models.DateTimeField(_("paused"), null=True, blank=True)
    live_at = models.DateTimeField(_("went live"), null=True, blank=True)
    frozen = models.PositiveIntegerField(_("seconds kept"), null=True, blank=True)
    frozen_turn = models.CharField(_("turn of the seconds kept"), max_length=24, blank=True)
    proposal = models.JSONField(_("proposal"), null=True, blank=True)
    deal_number = models.PositiveSmallIntegerField(_("deal"), default=0)
    totals = models.JSONField(_("totals"), default=list)
    winners = models.JSONField(_("winners"), default=list)
    ruled = models.BooleanField(_("ruled"), default=False)
    chain = models.BinaryField(_("secret chain"))
    commitment = models.CharField(_("commitment"), max_length=64)
    first_dealer = models.PositiveSmallIntegerField(_("first dealer"), null=True, blank=True)
    rematch_of = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="rematches", verbose_name=_("rematch of")
    )
    standing = models.PositiveSmallIntegerField(_("offer stays: running at once"), default=0)
    series = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="of_series", verbose_name=_("first of its series")
    )
    together = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="opened_with",
        verbose_name=_("opened together with"),
    )
    nth = models.PositiveSmallIntegerField(_("which of those opened together"), default=0)
    created_at = models.DateTimeField(_("opened"))
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        indexes: ClassVar = [
            models.Index(fields=["wake_at"], name="match_wake", condition=Q(wake_at__isnull=False)),
            models.Index(fields=["status", "-created_at"], name="match_status_opened"),
            models.Index(fields=["ended_at", "id"], name="match_rated_in_order", condition=Q(rated=True)),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="match_clock_only_while_running",
                condition=Q(status="running") | (Q(due_at__isnull=True) & Q(wake_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="match_paused_has_no_deadline",
                condition=Q(paused_at__isnull=True) | Q(status="running", due_at__isnull=True, live_at__isnull=True),
            ),
            models.CheckConstraint(
                name="match_ended_has_a_time",
                condition=Q(status__in=["open", "running"]) | Q(ended_at__isnull=False),
            ),
            models.CheckConstraint(name="match_rated_has_a_clock", condition=Q(rated=False) | ~Q(pace="none")),
            models.UniqueConstraint(
                fields=["rematch_of"],
                condition=Q(status__in=["open", "running", "over"]),
                name="match_one_rematch",
            ),
            models.UniqueConstraint(
                fields=["series"], condition=Q(status="open", standing__gt=0), name="match_one_open_of_an_offer"
            ),
            models.UniqueConstraint(
                fields=["together", "nth"], condition=Q(nth__gt=0), name="match_one_of_a_number_together"
            ),
            models.CheckConstraint(
                name="match_together_is_numbered",
                condition=Q(nth=0, together__isnull=True) | Q(nth__gt=0, together__isnull=False),
            ),
            models.CheckConstraint(
                name="match_offer_has_a_series",
                condition=Q(standing=0) | Q(standing__lte=5, series__isnull=False, private=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.preset} #{self.pk}"

    @cached_property
    def vacations_read(self) -> dict[int, list[tuple[datetime, datetime]]]:
        """By driver: what clock.py has read of vacations for this row in hand."""
        return {}

    def preset_entry(self) -> Preset:
        """The catalog's entry of this match."""
        return find(self.preset, self.edition)

    def game(self) -> Game[Any]:
        """The rules, bound to the options of this match."""
        return self.preset_entry().restore(self.options)

    def seated(self) -> "list[Seat]":
        """The seats in order, with their users and drivers. Nearly always these are one person, who is read once."""
        rows = list(self.seats.select_related("user", "standing_order").order_by("index"))
        others = {row.driven_by_id for row in rows} - {row.user_id for row in rows} - {None}
        people = {row.user_id: row.user for row in rows if row.user is not None}
        people |= get_user_model().objects.in_bulk(others) if others else {}
        for row in rows:
            row.driven_by = people.get(row.driven_by_id)
        return rows


class Seat(models.Model):
    """A place at a match. ``user``: whose result it is; ``driver``: who plays it now.

    ``driven_by`` is the person who plays it, the user or a substitute; nobody while a bot does. ``gone``: how its user
    left it, and ``given_up_at`` when. ``wants_back``: the user has asked a substitute for the seat.

    ``cut`` is the seat's share of the chance (32 hex digits), shown to others when all sit. ``missed`` counts turns
    in a row that the clock played. ``bank``: seconds left of it; ``away``: seconds of vacation for which the match has
    waited; ``zone``: the user's time zone at the start; ``graced_deal``: the last deal in which live play has waited
    for the seat. ``looked_*`` say how much of the match this seat has been shown, and to the hour when; ``recap_*``
    where the news of the last visit began; ``ready_deal`` is the last deal whose result was put aside. Until
    ``later_until`` the table stands behind the others in its user's queue.
    """

    class Driver(models.TextChoices):
        OPEN = "open", _("open")
        INVITED = "invited", _("invited")
        USER = "user", _("person")
        BOT = "bot", _("bot")

    class Gone(models.TextChoices):
        RESIGNED = "resigned", _("resigned")
        GIVEN_UP = "given_up", _("missed too many turns")
        REPLACED = "replaced", _("replaced by a moderator")

    match = models.ForeignKey(Match, models.PROTECT, related_name="seats", verbose_name=_("match"))
    index = models.PositiveSmallIntegerField(_("number"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="seats", verbose_name=_("user")
    )
    driver = models.CharField(_("driver"), max_length=8, choices=Driver, default=Driver.OPEN)
    driven_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="driven_seats",
        verbose_name=_("driven by"),
    )
    bot_level = models.CharField(_("bot level"), max_length=8, blank=True)
    bot_name = models.CharField(_("bot name"), max_length=20, blank=True)
    cut = models.CharField(_("cut"), max_length=32, blank=True)
    cut_by = models.CharField(_("cut made by"), max_length=8, blank=True)
    missed = models.PositiveSmallIntegerField(_("turns missed"), default=0)
    missed_since = models.DateTimeField(_("missing since"), null=True, blank=True)
    bank = models.PositiveIntegerField(_("bank left in seconds"), default=0)
    away = models.PositiveIntegerField(_("vacation used in seconds"), default=0)
    zone = models.CharField(_("time zone at the start"), max_length=64, blank=True)
    graced_deal = models.PositiveSmallIntegerField(_("waited for in deal"), default=0)
    given_up_at = models.DateTimeField(_("given up"), null=True, blank=True)
    gone = models.CharField(_("left by"), max_length=8, choices=Gone, blank=True)
    wants_back = models.BooleanField(_("user wants it back"), default=False)
    looked_deal = models.PositiveSmallIntegerField(_("deal last looked at"), default=0)
    looked_events = models.PositiveIntegerField(_("events looked at"), default=0)
    recap_deal = models.PositiveSmallIntegerField(_("news since deal"), default=0)
    recap_events = models.PositiveIntegerField(_("news since event"), default=0)
    ready_deal = models.PositiveSmallIntegerField(_("result put aside"), default=0)
    later_until = models.DateTimeField(_("later, until"), null=True, blank=True)
    looked_at = models.DateTimeField(_("last look"), null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["index"]
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "index"], name="seat_number_once"),
            models.UniqueConstraint(fields=["match", "user"], name="seat_user_once"),
            models.CheckConstraint(
                name="seat_person_has_a_user",
                condition=~Q(driver__in=["user", "invited"]) | Q(user__isnull=False),
            ),
            models.UniqueConstraint(fields=["match", "driven_by"], name="seat_driver_once"),
            models.CheckConstraint(
                name="seat_driven_by_a_person_or_nobody",
                condition=Q(driver="user", driven_by__isnull=False) | (~Q(driver="user") & Q(driven_by__isnull=True)),
            ),
            models.CheckConstraint(
                name="seat_given_up_says_how",
                condition=Q(gone="", given_up_at__isnull=True) | (~Q(gone="") & Q(given_up_at__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.index} of match {self.match_id}"


class Absence(models.Model):
    """Somebody who will not sit at a match: declined a seat that was kept, and why, or was removed by the opener.

    Who was removed is told until ``told``, and cannot come back to this match.
    """

    class Why(models.TextChoices):
        NO_TIME = "no_time", _("No time now.")
        OTHER_PACE = "other_pace", _("Another pace, please.")
        OTHER_RULES = "other_rules", _("Other rules, please.")
        TOO_MANY = "too_many", _("I have too many matches.")
        NO_REASON = "no_reason", _("No, thank you.")
        REMOVED = "removed", _("Removed by the opener.")

    match = models.ForeignKey(Match, models.PROTECT, related_name="absences", verbose_name=_("match"))
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="absences", verbose_name=_("user"))
    why = models.CharField(_("reason"), max_length=12, choices=Why)
    told = models.BooleanField(_("told"), default=False)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("absence")
        verbose_name_plural = _("absences")
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "user"], name="absence_once")]

    def __str__(self) -> str:
        return f"absence from match {self.match_id}"


class Tenure(models.Model):
    """Who drove a seat from which move on, and why."""

    seat = models.ForeignKey(Seat, models.PROTECT, related_name="tenures", verbose_name=_("seat"))
    driver = models.CharField(_("driver"), max_length=8, choices=Seat.Driver)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("user")
    )
    from_move = models.PositiveIntegerField(_("from move"))
    to_move = models.PositiveIntegerField(_("to move"), null=True, blank=True)
    why = models.CharField(_("reason"), max_length=16)

    class Meta:
        verbose_name = _("tenure")
        verbose_name_plural = _("tenures")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["seat"], condition=Q(to_move__isnull=True), name="tenure_one_running"),
            models.CheckConstraint(
                name="tenure_ends_after_it_begins",
                condition=Q(to_move__isnull=True) | Q(to_move__gte=F("from_move")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.driver} of {self.seat}"
