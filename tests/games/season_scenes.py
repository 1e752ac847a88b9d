"""Scenes of a simulated season: what a check needs to have something to judge, and chance alone brings too seldom.

Each is a match of its own, opened at the beginning, in which nobody does anything by chance but choose cards. Faults
happen there as elsewhere, so whoever acts tries again.
"""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from games import agreements, lobby, play, presence, substitutes, talk, vacations
from games.models import Delivery, Match, Move, MutedMatch, Seat, Vacation
from games.notices.kinds import DIGEST, when
from games.notices.spread import settings_of

from .playing import CUT

if TYPE_CHECKING:
    from .season import Season
    from .season_people import Person

CAST = 8
"""So many persons play in scenes, the first ones."""


def plan(season: "Season") -> None:
    """All scenes."""
    cast = season.people[:CAST]
    for person in cast:
        person.gone = False
    _a_seat_is_lost_and_found(season, host=cast[0], absent=cast[2], helper=cast[5])
    _a_vacation_crosses_a_deadline(season, host=cast[4], away=cast[7])
    _a_table_goes_live_and_falls_back(season, host=cast[1], dropped=cast[3])


def happened(season: "Season") -> dict[str, int]:
    """How often there was something to judge, by the name of what it is."""
    acts = Move.objects.values_list("action__type", flat=True)
    names = ("given_up", "taken_over", "taken_back", "vacation_began", "vacation_ended", "went_live", "live_ended")
    found = {name: acts.filter(action__type=name).count() for name in names}
    sent = Delivery.objects.filter(state="sent").select_related("notice__user__notice_settings")
    digests = [d for d in sent if when(d.notice.kind, d.channel, settings_of(d.notice.user).matrix) == DIGEST]
    gone = {path for path, _headers, _body in season.push.got} & season.push.gone
    return found | {
        "played by the clock": Move.objects.filter(by=Move.By.CLOCK, action__type="discard").count(),
        "reminders sent": sum(d.notice.kind == "reminder" for d in sent),
        "digests sent": len(digests),
        "devices gone": len(gone),
        "letters tried again": sum(d.channel == "email" and d.tries > 1 for d in sent),
        "moves where a player is muted": sum(_moves_since(*row) for row in _mutes(season)),
        "deadlines that a vacation moved": season.done["moved"],
    }


def _mutes(season: "Season") -> list[tuple[int, object]]:
    muted = set(MutedMatch.objects.values_list("user", "match"))
    return [(pk, at) for one in season.people for pk, at in one.muted.items() if (one.user.pk, pk) in muted]


def _moves_since(match_id: int, at: object) -> int:
    return Move.objects.filter(match=match_id, at__gt=at).count()


def _opens(season: "Season", host: "Person", guest: "Person | None", preset: str, pace: str, bots: int = 0) -> int:
    """The match of a scene. The guest answers within the hour."""
    seats = [f"@{guest.name}"] if guest else []
    seats += ["easy"] * bots
    match = lobby.open_match(host.user, preset, seats=seats, pace=pace, chosen={"target": 200}, cut=CUT)
    season.scenes.add(match.pk)
    for hours in (0.2, 0.3) if guest else ():
        season.after(hours, partial(guest.visits, match.pk))
    return match.pk


def _each(season: "Season", hours: tuple[float, float, float], act: Callable[[], object]) -> None:
    """From, until, and how many hours between."""
    first, last, between = hours
    while first < last:
        season.after(first, act)
        first += between


def _a_seat_is_lost_and_found(season: "Season", host: "Person", absent: "Person", helper: "Person") -> None:
    """One is away, without his phone, and loses his seat; one of the bench takes it over, and gives it back to him.

    A bot is the third: of two, one who gives up ends the match.
    """
    match_id = _opens(season, host, absent, "basic-rummy", "12h", bots=1)
    practice = _opens(season, helper, None, "basic-rummy", "none", bots=1)

    def practises() -> None:
        if not substitutes.reliable(substitutes.last_turns(helper.user)):
            helper.visits(practice)

    def gives_back() -> None:
        seat = Seat.objects.filter(match=match_id, driven_by=helper.user, wants_back=True).first()
        if seat is not None:
            helper.tries("gives back", lambda: play.resign(match_id, seat.index))

    _each(season, (1, 9, 1), practises)
    season.after(0.5, lambda: absent.stays_away(match_id, hours=35))
    season.after(0.6, absent.loses_the_phone)
    _each(season, (1, 40, 2), lambda: host.visits(match_id))
    _each(season, (20, 36, 1), lambda: helper.visits(match_id))
    _each(season, (36, 48, 1), lambda: absent.visits(match_id))
    _each(season, (37.5, 48, 1), gives_back)


def _a_vacation_crosses_a_deadline(season: "Season", host: "Person", away: "Person") -> None:
    """It is his turn when he goes, and would be over before he is back."""
    match_id = _opens(season, host, away, "gin", "1d")

    def goes() -> None:
        if not Vacation.objects.filter(user=away.user).exists():
            today = vacations.today_of(away.user)
            away.plans_a_vacation(today, today + timedelta(days=1))

    season.after(0.5, lambda: away.stays_away(match_id, hours=44))
    _each(season, (1, 12, 2), lambda: host.visits(match_id))
    _each(season, (13, 16, 1), goes)
    _each(season, (45, 72, 4), lambda: away.visits(match_id))


def _a_table_goes_live_and_falls_back(season: "Season", host: "Person", dropped: "Person") -> None:
    """Both are there and agree; one of them drops out, and later the other one wants to hear no more of the match."""
    match_id = _opens(season, host, dropped, "basic-rummy", "1d")

    def proposes() -> None:
        match = Match.objects.get(pk=match_id)
        if match.live_at or Move.objects.filter(match=match, action__type="went_live").exists():
            return
        for person in (host, dropped):
            presence.came(match_id, person.user.pk)
        if host.tries("goes live", lambda: agreements.propose(match_id, host.user, "live")):
            season.after(0.01, partial(dropped.visits, match_id))
            season.after(0.03, lambda: dropped.stays_away(match_id, hours=2))

    season.after(1, lambda: dropped.tries("talks", lambda: talk.say(match_id, dropped.user, phrase="moment")))
    _each(season, (2, 5, 1), proposes)
    season.after(20, lambda: host.mutes(match_id))
    _each(season, (20.5, 70, 5), lambda: host.visits(match_id))
    _each(season, (21, 70, 5), lambda: dropped.visits(match_id))
