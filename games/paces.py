"""The paces at which a match may be played. A literal list; nothing else."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

HOUR = 3600
DAY = 24 * HOUR


@dataclass(frozen=True, slots=True)
class Pace:
    """``kind``: correspondence, live or none. ``allowance``: seconds a turn. ``grace``: seconds after the deadline
    in which a submission still counts. ``pause``: seconds for which the result of a deal stands before the next.
    """

    kind: str
    label: str | Promise
    allowance: int = 0
    grace: int = 0
    pause: int = 0


def _correspondence(label: str | Promise, seconds: int) -> Pace:
    return Pace("correspondence", label, seconds, grace=60)


def _live(label: str | Promise, seconds: int) -> Pace:
    return Pace("live", label, seconds, grace=2, pause=20)


PACES: dict[str, Pace] = {
    "12h": _correspondence(_("12 hours a turn"), 12 * HOUR),
    "1d": _correspondence(_("1 day a turn"), DAY),
    "2d": _correspondence(_("2 days a turn"), 2 * DAY),
    "3d": _correspondence(_("3 days a turn"), 3 * DAY),
    "5d": _correspondence(_("5 days a turn"), 5 * DAY),
    "7d": _correspondence(_("7 days a turn"), 7 * DAY),
    "14d": _correspondence(_("14 days a turn"), 14 * DAY),
    "30s": _live(_("live, 30 seconds a turn"), 30),
    "60s": _live(_("live, 60 seconds a turn"), 60),
    "90s": _live(_("live, 90 seconds a turn"), 90),
    "none": Pace("none", _("no clock")),
}
