"""The persons of a simulated season: what they do, and when. They act by the ways that the pages use.

A person answers what a letter or a push has brought, some hours later, and looks in by himself now and then. Whoever
plays live sits at the table and needs no notice. The easy bot chooses the cards, from the TableView alone.
"""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from django.db.models import F, Q
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import absence, agreements, drafts, lobby, orders, play, presence, tables, talk, vacations
from games.bots.easy import choose
from games.models import BenchPlace, Match, MutedMatch, NoticeSettings, Seat, SeatOffer
from games.rules.actions import DrawStock, TakeDiscard
from games.rules.errors import Refused
from games.rules.knocking import TakeUpcard
from games.rules.orders import DRAWN_OR_WAIT, Order
from games.terms import Terms

from .playing import CUT

if TYPE_CHECKING:
    from .season import Season

ZONES = ("UTC", "Europe/Belgrade", "America/New_York", "Asia/Kolkata", "Pacific/Auckland")
LANGUAGES = ("en", "sr", "hr", "mk", "ru")
GAMES = (
    ("basic-rummy", 2), ("gin", 2), ("basic-rummy", 3), ("oklahoma-gin", 2), ("basic-rummy", 4), ("hollywood-gin", 2),
    ("android-rummy", 2), ("solitaired-rummy", 3),
)  # fmt: skip
PACES = ("12h", "1d", "1d", "60s", "12h", "1d", "2d")
TERMS = (Terms(), Terms(bank=86400), Terms(weekend="sat_sun"), Terms(bank=86400, weekend="fri_sat", vacations=False))
REFUSED = (Refused, lobby.Refusal, play.Stale, Seat.DoesNotExist, Match.DoesNotExist, SeatOffer.DoesNotExist)
DRAWS = (DrawStock, TakeDiscard, TakeUpcard)
PLACE = re.compile(r"/matches/(\d+)/")


class Person:
    """``channels``: how notices reach him. ``speed``: hours until he answers one. ``gone``: he leaves one day."""

    def __init__(self, season: "Season", number: int) -> None:
        self.season, self.rng = season, Random(f"{season.seed} {number}")
        self.name = f"p{number}"
        self.user = User.objects.create(
            username=self.name, time_zone=ZONES[number % len(ZONES)], language=LANGUAGES[number % len(LANGUAGES)]
        )
        self.channels = ("mail", "mail", "push", "mail push")[number % 4]
        self.expected: set[tuple[int, int]] = set()
        self.speed = self.rng.uniform(3, 14)
        self.gone = self.rng.random() < 0.12
        self.stays = timedelta(days=season.size.days * self.rng.uniform(0.2, 0.6))
        self.began = timezone.now()
        self.browser: Any = None
        self.lost_phone: datetime | None = None
        self.muted: dict[int, datetime] = {}
        self.away: dict[int, datetime] = {}
        if number % 4 in (1, 3):
            chosen = {"chat.email": "digest", "match_over.email": "digest", "deal_over.email": "digest"}
            hour, reminders = number % 24, [["60"], ["1440", "240"], []][number % 3]
            NoticeSettings.objects.create(user=self.user, matrix=chosen, digest_hour=hour, reminders=reminders)
        if "mail" in self.channels:
            address = f"{self.name}@example.org"
            EmailAddress.objects.create(user=self.user, email=address, verified=True, primary=True)
        if "push" in self.channels:
            self._switch_push_on()
        if number % 2:
            for preset in ("basic-rummy", "solitaired-rummy"):
                BenchPlace.objects.create(user=self.user, preset=preset, kind="correspondence")
        season.after(self.rng.uniform(5, 40), self._looks_in)

    def _switch_push_on(self) -> None:
        client = Client()
        client.force_login(self.user)
        self.browser = self.season.push.browser(self.name)
        assert client.post(reverse("games:push_on"), self.browser.form()).status_code == 303

    def loses_the_phone(self) -> None:
        """His browser is no more; the push service says so to whoever sends there. He looks in by himself."""
        if self.lost_phone:
            return
        self.lost_phone = timezone.now()
        self.season.push.gone.add(f"/push/{self.name}")
        self.season.placed["phone lost"] += 1

    @property
    def here(self) -> bool:
        """Whether he still plays."""
        return not self.gone or timezone.now() - self.began < self.stays

    def stays_away(self, match_id: int, hours: float) -> None:
        """Whatever calls him to this table, he does not come before."""
        self.away[match_id] = timezone.now() + timedelta(hours=hours)

    # --- what brings him to a table

    def reads(self, letter: str) -> None:
        """A letter has come: each table that it leads to is visited, some hours later."""
        for match_id in sorted({int(number) for number in PLACE.findall(letter)}):
            self._comes_to(match_id)

    def is_pushed(self, body: bytes) -> None:
        """A push has come, which only his browser can read."""
        for match_id in PLACE.findall(self.browser.opened(body)["url"]):
            self._comes_to(int(match_id))

    def _comes_to(self, match_id: int, hours: float | None = None) -> None:
        wait = self.rng.expovariate(1 / self.speed) if hours is None else hours
        self.season.after(wait, partial(self.visits, match_id))

    def sits_at(self, match_id: int, version: int) -> None:
        """He has the page of a live match open and sees each change."""
        if self.here and (match_id, version) not in self.expected:
            self.expected.add((match_id, version))
            absent = self.rng.random() < 0.01
            self.season.after(0.1 if absent else self.rng.uniform(3, 20) / 3600, partial(self.visits, match_id))

    def _looks_in(self) -> None:
        """A visit of his own: everything that waits for him."""
        if not self.here:
            return
        mine = Seat.objects.filter(Q(user=self.user) | Q(driven_by=self.user), match__status__in=["open", "running"])
        for match_id in sorted(set(mine.values_list("match", flat=True))):
            self.visits(match_id)
        self.season.after(self.rng.uniform(30, 90), self._looks_in)

    # --- what he does there

    def visits(self, match_id: int) -> None:
        """At one table: answers, plays, and now and then something else."""
        if not self.here or self.away.get(match_id, self.began) > timezone.now():
            return
        self.season.touched.add(match_id)
        match = Match.objects.get(pk=match_id)
        seat = self._place(match)
        if match.status == Match.Status.OPEN and seat and seat.driver == Seat.Driver.INVITED:
            self.tries("answers", lambda: lobby.answer(match_id, self.user, yes=self._says_yes(match_id, 0.9), cut=CUT))
        if match.status != Match.Status.RUNNING:
            return
        if seat is None:
            self._answers_offers(match_id)
        elif seat.user_id == self.user.pk and seat.gone == Seat.Gone.GIVEN_UP:
            self.tries("takes back", lambda: absence.take_back(match_id, self.user))
        if match.live_at:
            presence.came(match_id, self.user.pk)
        if agreements.proposed(match, timezone.now()):
            self.tries("agrees", lambda: agreements.answer(match_id, self.user, yes=self._says_yes(match_id, 0.8)))
        self._plays(match_id)
        if match_id not in self.season.scenes:
            self._does_something_else(match_id)

    def _says_yes(self, match_id: int, chance: float) -> bool:
        return self.rng.random() < chance or match_id in self.season.scenes

    def _place(self, match: Match) -> Seat | None:
        """The seat that he drives, or else the one that is his."""
        seats = [seat for seat in match.seats.all() if self.user.pk in (seat.driven_by_id, seat.user_id)]
        return max(seats, key=lambda seat: seat.driven_by_id == self.user.pk, default=None)

    def _answers_offers(self, match_id: int) -> None:
        for offer in SeatOffer.objects.filter(user=self.user, seat__match=match_id, answer=""):
            way = absence.accept if self._says_yes(match_id, 0.8) else absence.decline
            self.tries("takes a seat over", partial(way, offer.pk, self.user), match_id)

    def _plays(self, match_id: int) -> None:
        mine = Seat.objects.filter(match=match_id, driven_by=self.user, match__turn=F("index"))
        for _step in range(40):
            seat = mine.filter(match__status="running", match__paused_at=None).select_related("match").first()
            if seat is None:
                return
            board = tables.board(seat.match, self.user, brief=True)
            if board.view is None or not board.view.legal:
                return
            action = choose(board.view, board.game, self.rng)
            seen = drafts.Seen.read(board.seen)
            one = partial(drafts.act, match_id, seat, action, seen)
            if not self.tries(f"{type(action).__name__}", one, match_id):
                return
            if self.rng.random() < 0.03:
                self._presses_twice(match_id, one)
            if isinstance(action, DRAWS) and self.rng.random() < 0.05:
                self._comes_to(match_id)  # goes away in the middle of the turn
                return

    def _presses_twice(self, match_id: int, one: Callable[[], Any]) -> None:
        try:
            one()
        except REFUSED:
            return
        raise AssertionError(f"{self.name} pressed twice at {match_id}, and both counted")

    def _does_something_else(self, match_id: int) -> None:
        way, user = self.rng.random(), self.user
        if way < 0.02:
            self.tries("pauses", lambda: agreements.propose(match_id, user, "pause"))
            self.season.after(self.rng.uniform(10, 50), partial(self._goes_on, match_id))
        elif way < 0.04:
            self.tries("gives time", lambda: agreements.give_time(match_id, user))
        elif way < 0.07:
            self.tries("nudges", lambda: absence.nudge(match_id, user))
        elif way < 0.17:
            self._leaves_an_order(match_id)
        elif way < 0.22:
            self.tries("talks", lambda: talk.say(match_id, user, phrase="moment"))
        elif way < 0.23:
            self._goes_live(match_id)
        elif way < 0.235:
            self._resigns(match_id)
        elif way < 0.237:
            self.mutes(match_id)
        elif way < 0.24:
            self._goes_on_vacation()

    def _goes_on(self, match_id: int) -> None:
        if self.here and Match.objects.filter(pk=match_id, paused_at__isnull=False).exists():
            self.tries("goes on", lambda: agreements.go_on(match_id, self.user))
            self._comes_to(match_id)

    def _leaves_an_order(self, match_id: int) -> None:
        match = Match.objects.get(pk=match_id)
        order = Order(end=DRAWN_OR_WAIT, turns=self.rng.randint(1, 3))
        self.tries("orders", lambda: orders.give(match_id, self.user, order, match.version), match_id)

    def _goes_live(self, match_id: int) -> None:
        """The others come to the table too, and agree; they play on there until one drops out or goes back."""
        match = Match.objects.get(pk=match_id)
        others = [p for p in self.season.people if p.here and match.seats.filter(driven_by=p.user).exists()]
        for person in others:
            presence.came(match_id, person.user.pk)
        if self.tries("goes live", lambda: agreements.propose(match_id, self.user, "live")):
            for person in others:
                self.season.after(0.01, partial(person.visits, match_id))
        self.season.after(self.rng.uniform(0.1, 0.4), partial(self._goes_back, match_id))

    def _goes_back(self, match_id: int) -> None:
        if Match.objects.filter(pk=match_id, live_at__isnull=False).exists():
            self.tries("goes back", lambda: agreements.go_back(match_id, self.user))

    def _resigns(self, match_id: int) -> None:
        seat = Seat.objects.filter(match=match_id, driven_by=self.user, user=self.user).first()
        if seat is not None:
            self.tries("resigns", lambda: play.resign(match_id, seat.index), match_id)

    def mutes(self, match_id: int) -> None:
        MutedMatch.objects.get_or_create(user=self.user, match_id=match_id)
        self.muted.setdefault(match_id, timezone.now())
        self.season.done["mutes"] += 1

    def _goes_on_vacation(self) -> None:
        first = vacations.today_of(self.user) + timedelta(days=self.rng.randint(0, 1))
        last = first + timedelta(days=self.rng.randint(0, 2))
        if self.plans_a_vacation(first, last):
            self.season.after(self.rng.uniform(20, 60), lambda: vacations.end(self.user))

    def plans_a_vacation(self, first: date, last: date) -> bool:
        """Deadlines of his that it moves are counted."""
        mine = Match.objects.filter(status=Match.Status.RUNNING, due_at__isnull=False, turn=F("seats__index"))
        due = mine.filter(seats__driven_by=self.user).values_list("pk", "due_at")
        before = dict(due)
        if not self.tries("plans a vacation", lambda: vacations.plan(self.user, first, last)):
            return False
        self.season.done["moved"] += sum(at > before[pk] for pk, at in due.all() if pk in before)
        return True

    def tries(self, what: str, act: Callable[[], Any], match_id: int = 0) -> bool:
        """One act of his; False if it was refused, or if the process died: then he tries again a little later."""
        name = f"{self.name} in {match_id}: {what}"
        try:
            if self.season.act(name, act):
                return True
        except REFUSED as why:
            self.season.say(f"{name}, refused: {why}")
            self.season.done["refused"] += 1
            return False
        if match_id:
            self._comes_to(match_id, 0.05)
        return False


def plan(season: "Season") -> None:
    """Who opens which match, when, and who joins it."""
    rng = season.rng
    last = season.size.days * 24 * 0.4
    for number in range(season.size.matches):
        preset, seats = season.size.games[number % len(season.size.games)]
        pace = PACES[number % len(PACES)]
        people = rng.sample(season.people, min(seats, len(season.people)))
        season.after(rng.uniform(0, last), partial(_opens, season, preset, pace, people, number))


def _opens(season: "Season", preset: str, pace: str, people: list[Person], number: int) -> None:
    """Bots take the last seat of every fifth larger match; every third keeps its seats for those whom it asks."""
    opener, *others = people
    bots = 1 if len(others) > 1 and number % 5 == 2 else 0
    asked = others[: len(others) - bots]
    kept = number % 3 == 0 and pace != "60s"
    seats = [f"@{p.name}" if kept else "open" for p in asked] + ["easy"] * bots
    chosen: dict[str, object] = {"target": season.rng.choice(season.size.targets)}
    hand = season.rng.choice(season.size.hands)
    if hand and preset.endswith("rummy"):
        chosen["hand_size"] = hand
    terms = TERMS[number % len(TERMS)] if pace == "1d" else Terms()
    match = lobby.open_match(opener.user, preset, seats=seats, pace=pace, chosen=chosen, cut=CUT, terms=terms)
    season.say(f"{opener.name} opens {match.pk}: {preset}, {pace}, {seats}")
    for person in () if kept else asked:
        season.after(season.rng.uniform(0.1, 8), partial(_joins, season, person, match.pk))


def _joins(season: "Season", person: Person, match_id: int) -> None:
    """Tries until the process does not die by it."""
    season.touched.add(match_id)
    try:
        joined = season.act(f"{person.name} in {match_id}: joins", lambda: lobby.join(match_id, person.user, CUT))
    except REFUSED:
        return
    if not joined:
        season.after(0.1, partial(_joins, season, person, match_id))
