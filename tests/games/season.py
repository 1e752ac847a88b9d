"""A simulated season: many users and matches, weeks in fast time, and faults at moments that a seed has chosen.

A heap of events (what persons do, and when) and the site's own work, done at each due moment, sometimes late, twice or
by two at once. Persons stand in season_people.py, faults in season_faults.py, what must hold in season_checks.py.
"""

import heapq
import itertools
import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from django.db import connection
from django.utils import timezone

from games import sweep
from games.models import Delivery, Match, Move, Notice
from games.notices import work

from . import season_checks, season_faults, season_people, season_scenes
from .season_faults import Crash, dying

START = datetime(2026, 10, 22, 9, 0, tzinfo=UTC)
"""A Thursday; within the next days clocks change in Europe and in America."""
HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Size:
    """``games``: presets with seats, in turn. ``targets``: points of a match, so that some end. ``hands``: cards dealt
    in rummy, None for as many as usual. ``idle``: the site looks so often in any case; reminders come with such looks.
    ``late``: it looks at what is due at most so late, unless it has died meanwhile.
    """

    users: int
    matches: int
    days: int
    games: tuple[tuple[str, int], ...] = season_people.GAMES
    targets: tuple[int, ...] = (10, 20, 40)
    hands: tuple[int | None, ...] = (None,)
    idle: timedelta = timedelta(hours=3)
    late: timedelta = timedelta(minutes=15)


class Season:
    """``run`` it once. ``clock`` is what time_machine.travel gives; ``post`` and ``push`` the servers of the tests."""

    def __init__(self, size: Size, seed: int, clock: Any, post: Any, push: Any) -> None:
        self.size, self.seed, self.clock, self.post, self.push = size, seed, clock, post, push
        self.rng = Random(seed)
        self.log: deque[str] = deque(maxlen=40)
        self.placed: Counter[str] = Counter()
        self.done: Counter[str] = Counter()
        self.heap: list[tuple[datetime, int, Callable[[], None]]] = []
        self.numbers = itertools.count()
        self.look_at: datetime | None = None
        self.due: datetime | None = None
        self.people: list[season_people.Person] = []
        self.named: dict[str, season_people.Person] = {}
        self.of: dict[int | None, season_people.Person] = {}
        self.read = (0, 0)
        self.touched: set[int] = set()
        self.day = 0
        self.scenes: set[int] = set()
        self.watch = season_checks.Watch(self)

    def run(self) -> None:
        """Play it; an AssertionError says the seed and what happened last."""
        site = logging.getLogger("games")
        site.addHandler(self.watch.errors)
        try:
            self._prepare()
            self._play(START + timedelta(days=self.size.days))
            self._drain()
            season_checks.at_the_end(self)
        except Exception as error:
            told = "\n".join(self.log)
            raise AssertionError(f"seed {self.seed}, {self.size}: {error}\n{dict(self.placed)}\n{told}") from error
        finally:
            site.removeHandler(self.watch.errors)

    def figures(self) -> str:
        """What it came to, for whom it interests."""
        crashes = self.placed["crash"] + self.placed["after an answer"]
        return (
            f"{self.done['Discard']} turns of persons, {Move.objects.count()} moves, {Notice.objects.count()} notices, "
            f"{len(self.post.letters)} letters, {len(self.push.taken)} pushes, {crashes} crashes, "
            f"{self.placed['letter twice']} letters and {self.placed['push twice']} pushes twice; "
            f"done {dict(self.done)}, placed {dict(self.placed)}"
        )

    def say(self, text: str) -> None:
        """One more line for whom it fails."""
        self.log.append(f"{timezone.now():%d.%m. %H:%M:%S} {text}")

    def at(self, moment: datetime, act: Callable[[], None]) -> None:
        """Something that happens at a moment, or now if that is over."""
        heapq.heappush(self.heap, (max(moment, timezone.now()), next(self.numbers), act))

    def after(self, hours: float, act: Callable[[], None]) -> None:
        """Something that happens so many hours from now."""
        self.at(timezone.now() + timedelta(hours=hours), act)

    def act(self, name: str, work: Callable[[], Any]) -> bool:
        """Do something in the process of the site; False if that process died by it."""
        with ExitStack() as faults:
            way = self.rng.random()
            if way < 0.02:
                faults.enter_context(dying(self.rng.randint(1, 30)))
            elif way < 0.03:
                faults.enter_context(season_faults.before_the_nudge())
            try:
                work()
            except Crash:
                self.placed["crash"] += 1
                self.say(f"the process dies: {name}")
                faults.close()
                season_faults.forget()
                return False
        self.done[name.split(" ")[-1]] += 1
        self.say(name)
        return True

    def _prepare(self) -> None:
        weather = season_faults.Weather(self.rng, self.post, self.push, self.size.days, self.placed)
        self.people = [season_people.Person(self, number) for number in range(self.size.users)]
        self.named = {person.name: person for person in self.people}
        self.of = {person.user.pk: person for person in self.people}
        season_people.plan(self)
        season_scenes.plan(self)
        for begin, mood, lasts in weather.begins():
            self.at(START + begin, lambda mood=mood, lasts=lasts: self._mail_is(mood, lasts))  # type: ignore[misc]
            self.at(START + begin / 2, weather.spoil_push)
        for person in [one for one in self.people if one.browser][::3]:
            self.after(self.rng.uniform(6, self.size.days * 12), person.loses_the_phone)

    def _mail_is(self, mood: str, lasts: timedelta) -> None:
        self.post.mood = mood
        self.placed[f"mail {mood or 'well'}"] += 1
        self.say(f"the mail server is {mood or 'well'}")
        if mood:
            self.at(timezone.now() + lasts, lambda: self._mail_is("", lasts))

    def _play(self, end: datetime) -> None:
        while True:
            self._plan_look()
            assert self.look_at is not None
            first = self.heap[0][0] if self.heap else end
            if min(first, self.look_at) > end:
                return
            if self.look_at <= first:
                self.clock.move_to(max(self.look_at, timezone.now()))
                self.look_at = None
                self._look()
                self._read()
                self.watch.look()
            else:
                moment, _number, act = heapq.heappop(self.heap)
                self.clock.move_to(max(moment, timezone.now()))
                act()
                self.watch.look(self.touched)
            self.touched.clear()
            self._tell_the_day()

    def _tell_the_day(self) -> None:
        """A line each day, for whom waits for a long season."""
        day = (timezone.now() - START).days
        if day > self.day:
            self.day = day
            stand = Counter(Match.objects.values_list("status", flat=True))
            print(f"day {day}: {dict(stand)}, {self.done['Discard']} turns, {time.process_time():.0f} s", flush=True)

    # --- the site's own work

    def _plan_look(self) -> None:
        """When the site looks next: a little after the next thing is due, and now and then in any case."""
        now = timezone.now()
        due = min([*_due_moments(), now + self.size.idle])
        if self.look_at is None or self.due is None or due < self.due:
            moment = max(due, now) + timedelta(seconds=self._lateness())
            self.due, self.look_at = due, moment if self.look_at is None else min(moment, self.look_at)

    def _lateness(self) -> float:
        """Seconds; little where somebody plays live, for then each second counts."""
        if Match.objects.filter(season_checks.LIVE, status="running").exists():
            return self.rng.uniform(1, 5)
        return self.rng.uniform(1 / 3, 1) * self.size.late.total_seconds()

    def _look(self) -> None:
        self.watch.before_the_site_looks()
        if self.placed["giving up"] < 1 + self.size.matches // 100 and season_checks.gives_up_next():
            self._die_everywhere()
            self.watch.after_the_site_looked()
            return
        way = self.rng.random()
        if way < 0.1:
            self._by_two_at_once()
        elif way < 0.2:
            _work()
            _work()
        elif way < 0.26:
            if self._dies(dying(self.rng.randint(1, 60)), "crash"):
                return
        elif way < 0.36:
            if self._dies(dying(1, season_faults.after_an_answer), "after an answer"):
                return
        else:
            _work()
        self.watch.after_the_site_looked()

    def _dies(self, fault: Any, what: str, job: Callable[[], object] | None = None) -> bool:
        """The site works until it dies, if it comes so far; another process goes on when something is due again."""
        with fault:
            try:
                (job or _work)()
                return False
            except Crash:
                self.placed[what] += 1
                self.say(f"the site dies: {what}")
        season_faults.forget()
        return True

    def _die_everywhere(self) -> None:
        """While a seat is given up the site dies at the first statement, then at the second, and so on; and so it does
        when this is told.
        """
        self.placed["giving up"] += 1
        for job in (sweep.sweep, work.once):
            deaths = next((n for n in range(400) if not self._dies(dying(n + 1), "crash", job)), None)
            assert deaths is not None, "the site never got to the end of its work"
            self.say(f"a seat was given up after {deaths} deaths")

    def _by_two_at_once(self) -> None:
        failed: list[BaseException] = []

        def one() -> None:
            try:
                _work()
            except BaseException as error:
                failed.append(error)
            finally:
                connection.close()

        both = [threading.Thread(target=one) for _ in range(2)]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        assert not failed, failed

    def _read(self) -> None:
        """Letters and pushes that came meanwhile are read by their readers, sooner or later."""
        letters, pushes = self.post.letters[self.read[0] :], self.push.taken[self.read[1] :]
        self.read = (self.read[0] + len(letters), self.read[1] + len(pushes))
        for letter in letters:
            self.named[letter["To"].partition("@")[0]].reads(letter.get_body(("plain",)).get_content())
        for path, _headers, body in pushes:
            self.named[path.rpartition("/")[2]].is_pushed(body)

    def _drain(self) -> None:
        """The mail server is well, nobody plays any more: what is on its way arrives, or has its end."""
        self.post.mood, self.push.answers = "", []
        self.say("the season is over")
        for _hour in range(24 * 6):
            self.clock.move_to(timezone.now() + HOUR)
            work.once()
            if not (Delivery.objects.filter(state="pending") or Notice.objects.filter(spread_at=None)):
                return


def _work() -> None:
    """What the server does again and again in the background."""
    sweep.sweep()
    work.once()


DUE = """
SELECT min(wake_at) FROM games_match WHERE status = 'running'
UNION ALL SELECT min(CASE WHEN leased_until > due_at THEN leased_until ELSE due_at END)
    FROM games_delivery WHERE state = 'pending'
UNION ALL SELECT min(at) FROM games_notice WHERE spread_at IS NULL
UNION ALL SELECT min(starts_at) FROM games_vacation WHERE state = 'planned'
UNION ALL SELECT min(ends_at) FROM games_vacation WHERE state = 'running'
"""


def _due_moments() -> list[datetime]:
    """The nearest moment of each kind at which the site has something to do. One plain query: it is asked often."""
    with connection.cursor() as cursor:
        cursor.execute(DUE)
        found = [at for (at,) in cursor.fetchall() if at is not None]
    moments = [datetime.fromisoformat(at) if isinstance(at, str) else at for at in found]
    return [at if at.tzinfo else at.replace(tzinfo=UTC) for at in moments]
