"""The observatory: what all ended deals of the site look like together, and the luck of who reads it.

All figures stand in one row that is counted once a day (observing.py); here they become sentences and bars.
"""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import chance
from games.chance import Interval
from games.models import Luck, Observation

WIDE = 100
"""A drawing is as wide as its page: places across it are in percent."""
SPAN = 40
"""The largest drawn part of a place's chi-square is so far over its mean."""


@dataclass(frozen=True, slots=True)
class Gauge:
    """A value with its interval beside what chance expects: the numbers as text, and their places in the drawing."""

    value: str
    low: str
    high: str
    expected: str
    at: str
    from_: str
    to: str
    mark: str


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the pack: its number, chi-square, and the bar that shows it."""

    number: int
    chi: str
    x: str
    y: str
    height: str
    far: bool


@never_cache
@require_safe
def observatory(request: HttpRequest) -> HttpResponse:
    """All deals together; for who is signed in also the own ones."""
    row = Observation.objects.defer("sums").filter(only=1, deals__gt=0).first()
    mine = Luck.objects.filter(user=request.user.pk or 0).first() if row else None
    context: dict[str, Any] = {"row": row}
    if row:
        context |= _of_the_site(row.figures) | {"mine": _of_hands(_sums(mine)) if mine else None}
    return render(request, "games/observatory.html", context)


def _n(value: float, digits: int) -> str:
    """A number in the reader's way of writing; Django would cut it off instead of rounding."""
    return number_format(round(value, digits), digits)


def _sums(luck: Luck) -> list[int]:
    return [luck.hands, luck.melds, luck.points, luck.squares]


def _of_the_site(told: dict[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = {"packs": told["packs"], "hands": _of_hands(told["hands"])}
    shown |= {"fewest_packs": chance.FEWEST_PACKS, "fewest_hands": chance.FEWEST_HANDS}
    if "by_place" in told:
        shown |= {
            "places": [_place(i, chi) for i, chi in enumerate(told["by_place"])],
            "chi": _n(told["chi"], 1),
            "off": _n(abs(told["off"]), 2),
            "verdict": _verdict(told["off"]),
            "free": (chance.CARDS - 1) ** 2,
        }
    players = sum(told["bands"])
    if players:
        shown |= {"players": players, "bands": _bands(told["bands"], players)}
    return shown


def _of_hands(sums: list[int]) -> dict[str, Any] | None:
    """Melds and counts of some hands of ten; None of no hand."""
    hands, melds, points, squares = sums
    with_meld, count = chance.share(melds, hands), chance.mean(points, squares, hands)
    if with_meld is None:
        return None
    return {
        "n": hands,
        "melds": melds,
        "meld": _gauge(with_meld, chance.MELD_SHARE, scale=100, digits=1, limits=(0.0, 1.0)),
        "count": _gauge(count, chance.MEAN_COUNT, scale=1, digits=1, limits=(0.0, 100.0)) if count else None,
    }


def _gauge(found: Interval, expected: float, *, scale: int, digits: int, limits: tuple[float, float]) -> Gauge:
    """The drawing reaches a little beyond the interval and what is expected, on both sides."""
    left, right = min(found.low, expected), max(found.high, expected)
    pad = (right - left) / 4 or 0.01
    left, right = max(limits[0], left - pad), min(limits[1], right + pad)
    places = [f"{(one - left) / (right - left) * WIDE:.1f}" for one in (found.value, found.low, found.high, expected)]
    value, low, high = (_n(one * scale, digits) for one in (found.value, found.low, found.high))
    return Gauge(value, low, high, _n(expected * scale, 2 if scale == 100 else 1), *places)


def _place(index: int, chi: float) -> Place:
    """A bar from the mean of 51 up or down."""
    mean = chance.CARDS - 1
    off = max(-SPAN, min(SPAN, chi - mean))
    return Place(
        number=index + 1,
        chi=_n(chi, 1),
        x=f"{index * WIDE / chance.CARDS + 0.2:.2f}",
        y=f"{60 - max(off, 0) * 1.5:.1f}",
        height=f"{max(abs(off) * 1.5, 1):.1f}",
        far=abs(chi - mean) > chance.Z95 * (2 * mean) ** 0.5,
    )


def _verdict(off: float) -> str:
    """What the test says, without saying more than it can."""
    if abs(off) <= chance.Z95:
        return _("That is what honest shuffles give in 19 of 20 such counts.")
    if abs(off) <= 3:
        return _(
            "Honest shuffles are so far off in about one of 20 such counts. "
            "It is worth another look when there are more deals."
        )
    return _("Honest shuffles are hardly ever so far off. Something may be wrong with the shuffle or with the count.")


def _bands(counts: list[int], players: int) -> list[tuple[str, int, str, str, str]]:
    """(which players, how many, in percent, expected in percent, width of the bar)."""
    names = (
        _("much less lucky than chance (below −2)"),
        _("less lucky (−2 to −1)"),
        _("as chance gives (−1 to 1)"),
        _("luckier (1 to 2)"),
        _("much luckier than chance (above 2)"),
    )
    return [
        (name, n, _n(100 * n / players, 1), _n(100 * share, 1), f"{100 * n / players:.1f}")
        for name, n, share in zip(names, counts, chance.BAND_SHARES, strict=True)
    ]
