"""What matches add up to: ratings and their changes, a summary for each month, and the row that is locked meanwhile.

All of it follows from results and Records, and can be made anew: ``manage.py recompute``.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Kind(models.TextChoices):
    """The paces that are rated apart. Without a clock nothing is rated."""

    CORRESPONDENCE = "correspondence", _("correspondence")
    LIVE = "live", _("live")


class Ledger(models.Model):
    """Locked while anything that a user's matches add up to is written; several of them in the order of the users.

    ``filled``: the summaries hold all of the user's past. False for those who played before there were summaries,
    until ``manage.py recompute summaries --missing``. ``listed``: the user wants to stand in leaderboards.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.PROTECT, related_name="ledger", verbose_name=_("user"))
    filled = models.BooleanField(_("summaries are complete"), default=True)
    listed = models.BooleanField(_("show me in leaderboards"), default=False)

    class Meta:
        verbose_name = _("ledger")
        verbose_name_plural = _("ledgers")

    def __str__(self) -> str:
        return f"ledger of {self.user_id}"


class Rating(models.Model):
    """How strong somebody seems to be in a family of games at a kind of pace: openskill's mu and sigma.

    ``matches`` is on how many it rests, ``since`` when the first of them ended, ``updated`` when the last one did,
    ``fifth_at`` when the fifth last did; None with fewer. ``cautious`` orders leaderboards.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="ratings", verbose_name=_("user"))
    family = models.CharField(_("family of games"), max_length=16)
    kind = models.CharField(_("kind of pace"), max_length=14, choices=Kind)
    mu = models.FloatField()
    sigma = models.FloatField()
    cautious = models.GeneratedField(
        expression=F("mu") - 2.0 * F("sigma"), output_field=models.FloatField(), db_persist=True
    )
    matches = models.PositiveIntegerField(_("matches"))
    since = models.DateTimeField(_("first match"))
    updated = models.DateTimeField(_("last match"))
    fifth_at = models.DateTimeField(_("fifth last match"), null=True, blank=True)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        indexes: ClassVar = [models.Index(fields=["family", "kind", "-cautious"], name="rating_order")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "family", "kind"], name="rating_once"),
            models.CheckConstraint(name="rating_rests_on_matches", condition=Q(matches__gt=0, sigma__gt=0)),
        ]

    def __str__(self) -> str:
        return f"rating {self.family} {self.kind} of {self.user_id}"


class RatingChange(models.Model):
    """What a rated match did to the rating of one of its users. ``place`` is 1 for the winner, shared places equal."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="rating_changes", verbose_name=_("user")
    )
    match = models.ForeignKey("games.Match", models.PROTECT, related_name="rating_changes", verbose_name=_("match"))
    family = models.CharField(_("family of games"), max_length=16)
    kind = models.CharField(_("kind of pace"), max_length=14, choices=Kind)
    place = models.PositiveSmallIntegerField(_("place"))
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu_after = models.FloatField()
    sigma_after = models.FloatField()
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("change of a rating")
        verbose_name_plural = _("changes of ratings")
        indexes: ClassVar = [models.Index(fields=["user", "family", "kind", "at"], name="rating_change_of_a_user")]
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "user"], name="rating_change_once")]

    def __str__(self) -> str:
        return f"change by match {self.match_id} for {self.user_id}"


class Summary(models.Model):
    """What a user's deals and matches of one preset, against one kind of opponent, came to in one month (UTC).

    ``month`` is its first day. A match is ``won``, ``shared`` or ``lost``; of the lost, so many were ``left`` by the
    user; ``uncounted`` ones count for nobody. A deal counts when it came to a result and nobody else drove the seat
    in it; points, knocks and the rest are of these deals.

    ``knocks`` are knocks with cards left, ``knocks_won`` those of them that won; ``gins`` include ``big_gins``;
    ``undercuts`` are deals won by undercutting, ``undercut`` those lost by it. ``caught`` deals were won by somebody
    else, with ``caught_points`` left in hand. ``ended_by_turn`` counts the deals that the user ended, by going out,
    knocking or gin, by the number of the own turn: ``{"7": 2}``. ``answers`` are turns by correspondence: hour of
    the day (UTC) to [how many, seconds that they took]: ``{"18": [12, 43000]}``.
    """

    class Opponents(models.TextChoices):
        PEOPLE = "people", _("people")
        BOTS = "bots", _("with bots")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="summaries", verbose_name=_("user"))
    preset = models.CharField(_("preset"), max_length=32)
    opponents = models.CharField(_("opponents"), max_length=6, choices=Opponents)
    month = models.DateField(_("month"))

    won = models.PositiveIntegerField(_("matches won"), default=0)
    shared = models.PositiveIntegerField(_("matches with a shared win"), default=0)
    lost = models.PositiveIntegerField(_("matches lost"), default=0)
    left = models.PositiveIntegerField(_("of these left"), default=0)
    uncounted = models.PositiveIntegerField(_("matches not counted"), default=0)
    deals = models.PositiveIntegerField(_("deals"), default=0)
    deals_won = models.PositiveIntegerField(_("deals won"), default=0)
    deals_void = models.PositiveIntegerField(_("deals that nobody won"), default=0)
    points_for = models.PositiveBigIntegerField(_("own points"), default=0)
    points_against = models.PositiveBigIntegerField(_("points of the others"), default=0)
    outs = models.PositiveIntegerField(_("went out"), default=0)
    concealed = models.PositiveIntegerField(_("of these in one turn"), default=0)
    knocks = models.PositiveIntegerField(_("knocks"), default=0)
    knocks_won = models.PositiveIntegerField(_("deals won by a knock"), default=0)
    gins = models.PositiveIntegerField(_("gins"), default=0)
    big_gins = models.PositiveIntegerField(_("big gins"), default=0)
    undercuts = models.PositiveIntegerField(_("deals won by undercutting"), default=0)
    undercut = models.PositiveIntegerField(_("deals lost by an undercut"), default=0)
    caught = models.PositiveIntegerField(_("deals won by another"), default=0)
    caught_points = models.PositiveBigIntegerField(_("points in hand then"), default=0)
    ended_by_turn = models.JSONField(_("deals ended, by turn"), default=dict)
    answers = models.JSONField(_("answers by hour"), default=dict)

    class Meta:
        verbose_name = _("summary")
        verbose_name_plural = _("summaries")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "preset", "opponents", "month"], name="summary_once"),
        ]

    def __str__(self) -> str:
        return f"summary {self.preset} {self.month} of {self.user_id}"
