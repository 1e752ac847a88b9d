"""The page of two people. The address of an act about a player looks the same: a POST to it is the act."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import pairs, people
from games.preset_texts import PRESET_TEXTS, name_of

from .people import act


@require_http_methods(["GET", "HEAD", "POST"])
def pair_or_act(request: HttpRequest, name: str, act_or_name: str) -> HttpResponse:
    """Two people, or something done about one."""
    is_act = request.method == "POST" or (act_or_name in people.ACTS and people.player(act_or_name) is None)
    return act(request, name, act_or_name) if is_act else pair(request, name, act_or_name)


@never_cache
@require_safe
def pair(request: HttpRequest, name: str, other: str) -> HttpResponse:
    """What two people have played with each other, in the order of the address."""
    both = [people.player(name), people.player(other)]
    if None in both or both[0].pk == both[1].pk or not pairs.may_see(request.user, *both):
        raise Http404
    found = pairs.pair(*both)
    mine = request.user.pk in (both[0].pk, both[1].pk)
    names = [who.shown_name for who in both]
    context = {
        "both": both,
        "found": found,
        "presets": [(PRESET_TEXTS[preset].name, score) for preset, score in found.presets.items()],
        "recent": [_told(mine, each, names) for each in found.recent],
        "streak": _streak(found, names),
        "most": pairs.MOST,
    }
    return render(request, "games/pair.html", context)


def _told(mine: bool, met: pairs.Met, names: list[str]) -> dict[str, Any]:
    """A match of theirs as a row; without name and link where only they may look at it."""
    said = {
        "one": _("%(name)s won") % {"name": names[0]},
        "other": _("%(name)s won") % {"name": names[1]},
        "shared": _("both share the win"),
        "neither": _("somebody else won"),
        "uncounted": _("counts for nobody"),
    }
    looks = mine or not met.match.private
    name = name_of(met.match) if looks else PRESET_TEXTS[met.match.preset].name
    return {"met": met, "name": name, "result": said[met.who], "link": looks}


def _streak(found: pairs.Pair, names: list[str]) -> str:
    if not found.streak:
        return ""
    who = names[0 if found.leader == "one" else 1]
    told = ngettext(
        "%(name)s has won the last match.", "%(name)s has won the last %(n)d matches in a row.", found.streak
    )
    return told % {"name": who, "n": found.streak}
