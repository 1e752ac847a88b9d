"""The page of a player: who he is, what I can do about it, and what he shows of his play.

What is hidden from a reader looks like what does not exist. With htmx only the part below the filters is sent.
"""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import disclosure, habits, people, profile_filters, profiles
from games.models import Disclosure, Match
from games.preset_texts import PRESET_TEXTS, Text, name_of
from games.profile_filters import AGAINST, Filters
from games.profiles import Profile, Recent
from games.rating_texts import FAMILY_TEXTS, KIND_TEXTS
from games.tables import name_of as seat_name

from . import graphs

STRANGER = "stranger"
SEEN: dict[str, Text] = {
    Disclosure.To.ALL: gettext_lazy("Everybody sees this"),
    Disclosure.To.FRIENDS: gettext_lazy("Friends see this"),
    Disclosure.To.ME: gettext_lazy("Only you see this"),
}


def known(name: str) -> Any:
    """The user of a name, or 404."""
    whom = people.player(name)
    if whom is None:
        raise Http404
    return whom


@never_cache
@require_safe
def player(request: HttpRequest, name: str) -> HttpResponse:
    """The profile, as the address narrows it. ``as=stranger`` shows users their own as others see it."""
    whom, me = known(name), request.user
    filters = Filters.read(request.GET.dict())
    preview = me.pk == whom.pk and request.GET.get("as") == STRANGER
    reader: Any = AnonymousUser() if preview else me
    friends = disclosure.friends_of(reader) if reader.pk != whom.pk else disclosure.ANYBODY
    found = profiles.profile(whom, reader, filters, friends)
    mine = reader.pk == whom.pk
    context = {"player": whom, "filters": filters, "found": found, "mine": mine, "preview": preview}
    context |= _told(found, whom, filters, mine)
    if getattr(request, "htmx", False):
        response = render(request, "games/_profile.html", context)
        response["HX-Push-Url"] = _address(whom, filters, preview)
    else:
        context |= _around(whom, reader) | _choices(whom, filters, found)
        response = render(request, "games/player.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _address(whom: Any, filters: Filters, preview: bool) -> str:
    address = reverse("games:player", args=[whom.username]) + filters.query
    if not preview:
        return address
    return f"{address}{'&' if filters.query else '?'}as={STRANGER}"


def _around(whom: Any, reader: Any) -> dict[str, Any]:
    """Name, badge, and what the reader may do about the player."""
    around: dict[str, Any] = {"habit": habits.told(getattr(whom, "habit", None))}
    if reader.is_authenticated and reader.pk != whom.pk:
        around["us"] = people.between_us(reader, whom)
    return around


def _choices(whom: Any, filters: Filters, found: Profile) -> dict[str, Any]:
    """What the filters offer: the same for everybody, but for the names that the reader sees anyway."""
    years, months = profile_filters.periods(whom.date_joined.date(), timezone.now().date())
    if filters.period and filters.period not in years + months:
        (months if "-" in filters.period else years).insert(0, filters.period)
    return {
        "games": profile_filters.games(),
        "years": years,
        "months": [(one, profile_filters.period_told(one)) for one in months],
        "kinds": AGAINST.items(),
    }


def _told(found: Profile, whom: Any, filters: Filters, mine: bool) -> dict[str, Any]:
    """The numbers in words and drawings."""
    told: dict[str, Any] = {
        "strengths": [
            (FAMILY_TEXTS[one.family], KIND_TEXTS[one.kind], one.now, graphs.rating(one)) for one in found.strengths
        ],
        "results": [
            (str(AGAINST[kind]), [(PRESET_TEXTS[preset].name, tally) for preset, tally in told.items()])
            for kind, told in found.results.items()
        ],
        "shared": any(tally.shared for told in found.results.values() for tally in told.values()),
        "with_kind": _("with %(name)s") % {"name": found.other.shown_name} if found.other else AGAINST[found.against],
        "recent": [_match(one, whom) for one in found.recent],
        "seen": {name: SEEN[getattr(disclosure.of(whom), name)] for name in disclosure.SECTIONS} if mine else {},
    }
    return told | (_deals(found) if found.deals else {})


def _match(one: Recent, whom: Any) -> dict[str, Any]:
    """A match that ended, as a row."""
    said = {"won": _("won"), "shared": _("shared"), "lost": _("lost"), "resigned": _("left"), "given_up": _("left")}
    return {
        "match": one.match,
        "name": name_of(one.match),
        "how": said[one.played.how] if one.played.how else _("counts for nobody"),
        "won": one.played.how == "won",
        "against": ", ".join(seat_name(seat) for seat in one.seats if seat.user_id != whom.pk),
        "score": _score(one.match, one.played.number),
        "gain": f"{one.gain:+d}".replace("-", "−") if one.gain is not None else "",
    }


def _score(match: Match, seat: int) -> str:
    """Own points, then those of the others, highest first."""
    sides = match.game().sides()
    own = next(side for side, seats in enumerate(sides) if seat in seats)
    others = sorted((total for side, total in enumerate(match.totals) if side != own), reverse=True)
    return " : ".join(map(str, [match.totals[own], *others])) if own < len(match.totals) else ""


def _deals(found: Profile) -> dict[str, Any]:
    """How deals come out, and how soon answers come."""
    deals = found.deals
    assert deals is not None
    total, told = deals.total, dict[str, Any]()
    if "deals" in found.open and total.deals:
        told["deals"] = {
            "n": total.deals,
            "since": total.month,
            "most": deals.most,
            "own": graphs.n(total.points_for / total.deals, 1),
            "others": graphs.n(total.points_against / total.deals, 1),
            "points": graphs.points(deals),
            "caught": total.caught,
            "left": graphs.n(total.caught_points / total.caught, 1) if total.caught else "",
            "hands": graphs.caught(deals),
            "ended": sum(total.ended_by_turn.values()),
            "half_by": graphs.half_by(total),
            "turns": graphs.turns(total),
            "won": total.deals_won,
            "ways": graphs.ways_to_win(total),
            "big_gins": total.big_gins,
            "concealed": total.concealed,
        }
    answers = sum(count for count, _seconds in total.answers.values())
    if "answers" in found.open and answers:
        seconds = sum(seconds for _count, seconds in total.answers.values())
        now = timezone.localtime()
        told["answers"] = {
            "n": answers,
            "mean": graphs.took(seconds / answers),
            "hours": graphs.hours(total, _shift(now)),
            "zone": timezone.get_current_timezone_name(),
        }
    return told


def _shift(now: datetime) -> int:
    """Whole hours from UTC to the reader's clock."""
    offset = now.utcoffset()
    return round(offset.total_seconds() / 3600) if offset else 0
