"""Several matches with the same people, opened in one go: asked for as one, answered all at once or one by one.

Each is a match of its own, with its own cut; ``Match.together`` points at the first, ``Match.nth`` counts them.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext as _

from . import inviting, lobby
from .models import Match, Seat
from .seats import Refusal, counted, cut_from
from .writing import writing

MOST = 3
Cut = tuple[str, str]


def cuts_from(made: Sequence[str], typed: str, count: int) -> list[Cut]:
    """A cut for each match: what the browser made for it, or what was typed and its number. Raises Refusal."""
    texts = [typed] + [f"{typed} {n}" if typed.strip() else "" for n in range(2, count + 1)]
    return [cut_from(made[n] if n < len(made) else "", text) for n, text in enumerate(texts)]


def only_named(seats: Sequence[str]) -> bool:
    """Whether all other seats are for persons who are asked by name."""
    return all(who.startswith("@") for who in seats)


def open_all(cuts: Sequence[Cut], open_one: Callable[..., Match]) -> Match:
    """Open a match for each cut, all or none; the first of them. ``open_one`` takes cut, together and nth.

    Raises Refusal, or BadOption of the rules.
    """
    with writing():
        first = open_one(cut=cuts[0])
        if len(cuts) > 1:
            first.together, first.nth = first, 1
            first.save(update_fields=["together", "nth"])
            for nth, cut in enumerate(cuts[1:], 2):
                open_one(cut=cut, together=first, nth=nth)
    return first


def rematch(match_id: int, user: Any, count: int) -> Match:
    """The same people again, in so many matches at once. Raises Refusal; pressed twice, no more are opened."""
    with writing():
        counted(user)
        first = lobby.rematch(match_id, user)
        if count == 1 or first.nth or first.opener_id != user.pk:
            return first
        others = list(first.seats.exclude(user=user))
        if first.status != Match.Status.OPEN or any(seat.user_id is None for seat in others):
            raise Refusal(_("Several matches at once are for persons only."))
        first.together, first.nth = first, 1
        first.save(update_fields=["together", "nth"])
        for nth in range(2, count + 1):
            lobby.again(first, user, nth)
    return first


def asked(match: Match, user: Any) -> list[int]:
    """The matches opened together with this one, in which this user has not answered yet, by number."""
    waiting = Seat.objects.filter(user=user, driver=Seat.Driver.INVITED, match__status=Match.Status.OPEN)
    of_them = waiting.filter(match__together=match.together_id) if match.together_id else waiting.filter(match=match)
    return list(of_them.order_by("match_id").values_list("match_id", flat=True))


def answer(match_id: int, user: Any, *, yes: bool, cuts: Sequence[str], typed: str = "", why: str = "") -> Match:
    """One answer for all of them, or none if one is refused; the first. Raises Refusal, and Match.DoesNotExist."""
    with writing():
        counted(user)
        match = Match.objects.get(pk=match_id, seats__user=user)
        waiting = asked(match, user)
        if not waiting:
            raise Refusal(_("You have answered already."))
        each = cuts_from(cuts, typed, len(waiting))
        done = [
            inviting.answer(pk, user, yes=yes, cut=cut, why=why) for pk, cut in zip(waiting, each, strict=True)
        ]  # by number: several matches are locked in the order of their ids
    return done[0]
