"""What must hold in a simulated season: on the way, after each event, and at its end."""

import logging
import re
from collections import Counter, defaultdict
from collections.abc import Collection
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import Q
from django.utils import timezone, translation

from games import lists, tape
from games.faces import card_name
from games.models import Deal, Delivery, Match, Move, MutedMatch, Notice, NoticeSettings, Seat, StandingOrder
from games.notices.current import is_current
from games.notices.kinds import KINDS, OFF, when
from games.paces import PACES
from games.rules import codec
from games.rules.cards import card
from games.rules.table import DEALER

from . import season_notices

if TYPE_CHECKING:
    from .season import Season

LIVE = Q(pace__in=[name for name, pace in PACES.items() if pace.kind == "live"]) | Q(live_at__isnull=False)


def gives_up_next() -> bool:
    """Whether in what is due now a seat misses its second turn."""
    due = Seat.objects.filter(match__status="running", match__wake_at__lte=timezone.now(), missed__gte=1)
    return any(seat.match.turn == seat.index and seat.match.due_at for seat in due.select_related("match"))


class Errors(logging.Handler):
    """What the site writes to its log as an error: it goes on, but nothing of it should happen."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Kept in words."""
        self.told.append(logging.Formatter("%(message)s").format(record))


class Watch:
    """Looks at all that has changed since the last look."""

    def __init__(self, season: "Season") -> None:
        self.season = season
        self.known: dict[int, tuple[Any, ...]] = {}
        self.errors = Errors()

    def look(self, at: Collection[int] | None = None) -> None:
        """After each event, at the matches concerned or at all: none waits for nobody, and who is awaited was told."""
        assert not self.errors.told, self.errors.told
        columns = ("pk", "version", "wake_at", "turn", "due_at", "paused_at", "pace", "live_at")
        running = Match.objects.filter(status=Match.Status.RUNNING)
        concerned = running if at is None else running.filter(pk__in=at)
        for row in concerned.values_list(*columns) if at is None or at else ():
            if self.known.get(row[0]) != row[1:]:
                self.known[row[0]] = row[1:]
                self._waits_for_somebody(*row)

    def _waits_for_somebody(
        self, pk: int, version: int, wake: Any, turn: Any, due: Any, paused: Any, pace: str, live: Any
    ) -> None:
        clockless = PACES[pace].kind == "none" and turn is not None
        assert wake is not None or clockless, f"match {pk} waits for nobody"
        if turn is None or paused or (wake is not None and wake <= timezone.now()):
            return
        seat = Seat.objects.get(match=pk, index=turn)
        assert seat.driver == Seat.Driver.USER, f"match {pk} waits for a bot"
        if clockless:
            return
        assert due is not None, f"match {pk} waits for {seat.driven_by} without a deadline"
        self._has_been_told(pk, seat)
        if PACES[pace].kind == "live" or live:
            self._person(seat).sits_at(pk, version)

    def _has_been_told(self, pk: int, seat: Seat) -> None:
        """Unless he is the last person, or knows it because he has just moved or sat down himself."""
        if pk in self._person(seat).muted:
            return
        match = Match.objects.get(pk=pk)
        read = tape.read(match, tape.current_deal(match))
        told = Notice.objects.filter(user=seat.driven_by_id, match=match)
        key = f"{pk}:{match.deal_number}.{read.table.turns}"
        if told.filter(Q(kind="your_turn", key__startswith=key) | Q(kind="seat_back")).exists():
            return
        others = match.seats.filter(driver=Seat.Driver.USER).exclude(pk=seat.pk)
        own = Move.objects.filter(match=match, number=match.moves, seat=seat.index, by=Move.By.USER).exists()
        knows = own or StandingOrder.objects.filter(seat=seat, why="").exists() or not others.exists()
        assert knows, f"{seat.driven_by} was not told of turn {key}"

    def _person(self, seat: Seat) -> Any:
        return self.season.of[seat.driven_by_id]

    def before_the_site_looks(self) -> None:
        """Nothing has waited for the site for longer than it may be late, counting a crash before."""
        limit = timezone.now() - 3 * self.season.size.late
        waited = Match.objects.filter(status=Match.Status.RUNNING, wake_at__lt=limit).values_list("pk", "wake_at")
        assert not waited, f"nobody did what was due: {list(waited)}"

    def after_the_site_looked(self) -> None:
        """What was due is done, and it is known when something is due again."""
        assert not self.errors.told, self.errors.told
        left = Match.objects.filter(status=Match.Status.RUNNING, wake_at__lte=timezone.now()).values_list(
            "pk", "wake_at"
        )
        assert not left, f"the site has looked, and did not do what was due: {list(left)}"
        self.season.done["reminders chosen"] += season_notices.chosen_reminders_came(self.season)


def at_the_end(season: "Season") -> None:
    """Everything that a season must come to."""
    for match in Match.objects.filter(status__in=["running", "over"]).order_by("pk"):
        _tape_tells_all(match)
        _each_turn_once(match)
        _drivers_are_those_of_the_tape(match)
    _listed_once(season)
    _nothing_on_its_way()
    _each_wanted_delivery_was_made(season)
    _doubles_are_those_placed(season)
    season_notices.all_hold(season)
    _no_card_in_what_was_sent(season)


# --- matches


def _tape_tells_all(match: Match) -> None:
    """The moves alone, folded anew, say how each deal and the match stand."""
    cuts, sheet = tape.cuts_of(match), None
    game = match.game()
    for deal in match.deals.order_by("number"):
        if sheet is not None:
            begun = codec.decode_sheet(deal.sheet, game.sheet_kind)
            assert sheet == begun, f"{match}: another sheet at the start of deal {deal.number}"
        now = tape.begin(match, deal, cuts)
        for move in Move.objects.filter(deal=deal).order_by("number"):
            now = tape.follow(deal, now, move)
        outcome = now.table.outcome
        assert (codec.encode_outcome(outcome) if outcome else None) == deal.outcome, f"{match}: another outcome"
        sheet = game.book(now.sheet, outcome) if outcome else now.sheet
    numbers = list(match.tape.values_list("number", flat=True))
    assert numbers == list(range(1, match.moves + 1)), f"{match}: a move is missing or there twice"
    assert sheet is not None
    assert list(sheet.standing) == match.totals, f"{match}: other totals"
    if match.status == Match.Status.RUNNING:
        actor = now.table.actor
        assert (None if actor == DEALER else actor) == match.turn, f"{match}: another one is to move"


def _each_turn_once(match: Match) -> None:
    """Each turn was played by one: a person (himself, by an order, or where only one thing is legal), the clock, or a
    bot; one of the last two may go on where a person has begun. The clock acts once a turn, and tells whom it was for.
    """
    clocked, acts = Counter[int](), list[datetime]()
    for key, moves in _turns(match).items():
        makers = [kind for kind, _moves in groupby({"site": "user", "order": "user"}.get(m.by, m.by) for m in moves)]
        assert makers in (["user"], ["clock"], ["bot"], ["user", "clock"], ["user", "bot"]), f"{match} {key}: {makers}"
        at = {move.at for move in moves if move.by == Move.By.CLOCK}
        assert len(at) < 2, f"{match} {key}: the clock acted twice"
        acts += at
        clocked.update({moves[-1].seat: len(at)})
    assert len(acts) == len(set(acts)), f"{match}: the clock played two turns at the same moment"
    muted = MutedMatch.objects.filter(match=match).exists()
    told = clocked.total() if muted else Notice.objects.filter(match=match, kind="clock_played").count()
    assert told == clocked.total(), f"{match}: the clock played {clocked.total()} turns and told of {told}"


DRIVEN = {"resigned": "bot", "given_up": "bot", "left": "bot", "taken_over": "user", "taken_back": "user"}


def _drivers_are_those_of_the_tape(match: Match) -> None:
    """Who drives which seat follows from the acts on the tape: given up, taken over, taken back."""
    begun = match.seats.order_by("index").values_list("index", "user")
    drivers = {index: ("user", user) if user else ("bot", None) for index, user in begun}
    users = dict(drivers)
    for move in match.tape.filter(action__type__in=DRIVEN).order_by("number"):
        assert move.seat is not None
        if len(drivers) == 2 and move.action["type"] in ("resigned", "given_up"):
            continue  # that ends the match
        who = {"taken_over": move.action.get("user"), "taken_back": users[move.seat][1]}.get(move.action["type"])
        drivers[move.seat] = (DRIVEN[move.action["type"]], who)
    now = {seat.index: (seat.driver, seat.driven_by_id) for seat in match.seats.all()}
    assert drivers == now, f"{match}: drivers are {now}, by its tape {drivers}"


def _turns(match: Match) -> dict[tuple[int, int, int], list[Move]]:
    found: dict[tuple[int, int, int], list[Move]] = defaultdict(list)
    cuts = tape.cuts_of(match)
    for deal in Deal.objects.filter(match=match).order_by("number"):
        now = tape.begin(match, deal, cuts)
        for move in Move.objects.filter(deal=deal).order_by("number"):
            if move.seat is not None and move.action["type"] not in tape.SITE_ACTS:
                assert move.seat == now.table.actor, f"{match}: move {move.number} out of turn"
                found[deal.number, now.table.turns, now.table.actor].append(move)
            now = tape.follow(deal, now, move)
    return found


def _listed_once(season: "Season") -> None:
    """A match stands in one list of each of its users, and one that is over among the ended."""
    for person in season.people:
        mine = lists.mine(person.user)
        running = [row.match.pk for row in (*mine.await_me, *mine.waiting)]
        ended = [row.match.pk for row in mine.ended]
        assert len({*running, *ended}) == len(running) + len(ended), f"{person.name}: a match is listed twice"
        over = Match.objects.filter(seats__user=person.user, status=Match.Status.OVER)
        last = list(over.order_by("-ended_at", "-pk").values_list("pk", flat=True)[: lists.ENDED_SHOWN])
        assert set(last) >= {pk for pk in ended if Match.objects.get(pk=pk).status == Match.Status.OVER}
        assert not set(running) & set(over.values_list("pk", flat=True)), f"{person.name}: an ended match runs"


# --- notices


def _nothing_on_its_way() -> None:
    assert not Notice.objects.filter(spread_at=None).exists(), "a notice was never given to its channels"
    waits = Delivery.objects.filter(state="pending")
    assert not waits.exists(), f"a delivery waits for ever: {waits.values().first()}"
    for one in Delivery.objects.exclude(state="sent").select_related("notice__user", "notice__match"):
        if one.state == "failed":
            assert one.error, f"delivery {one.pk} failed, and nothing says why"
        else:
            assert not is_current(one.notice, one.channel), f"delivery {one.pk} was dropped, and is still wanted"


def _each_wanted_delivery_was_made(season: "Season") -> None:
    """Each notice that its user wants by a channel which reaches him has its row there."""
    matrix = dict(NoticeSettings.objects.values_list("user", "matrix"))
    live_at = _Live()
    made = set(Delivery.objects.values_list("notice", "channel"))
    for person in season.people:
        ways = [{"mail": "email"}.get(way, way) for way in person.channels.split()]
        for notice in Notice.objects.filter(user=person.user).select_related("match"):
            live = notice.match is not None and live_at(notice.match, notice.at)
            for way in () if live and not KINDS[notice.kind].live else ways:
                wanted = when(notice.kind, way, matrix.get(person.user.pk)) != OFF
                if way == "push" and person.lost_phone and notice.at >= person.lost_phone:
                    continue
                facts = {name: str(value) for name, value in vars(notice).items() if not name.startswith("_")}
                assert not wanted or (notice.pk, way) in made, f"{person.name}: no {way} for {facts}"


class _Live:
    """Whether a match was played live at a moment, by its pace or because all had agreed to."""

    def __init__(self) -> None:
        self.changes: dict[int, list[tuple[datetime, str]]] = defaultdict(list)
        changes = Move.objects.filter(action__type__in=["went_live", "went_back", "live_ended"])
        for match_id, at, kind in changes.order_by("number").values_list("match", "at", "action__type"):
            self.changes[match_id].append((at, kind))

    def __call__(self, match: Match, at: datetime) -> bool:
        before = [kind for when_, kind in self.changes[match.pk] if when_ <= at]
        return PACES[match.pace].kind == "live" or before[-1:] == ["went_live"]


def _doubles_are_those_placed(season: "Season") -> None:
    """A letter came twice only where a fault was placed, and then under the same Message-ID; none came from nowhere."""
    came = Counter(str(letter["Message-ID"]).strip("<>").rpartition("@")[0] for letter in season.post.letters)
    sent = set(Delivery.objects.filter(channel="email", state="sent").values_list("message_id", flat=True))
    known = set(Delivery.objects.filter(channel="email").values_list("message_id", flat=True))
    assert sent <= set(came), f"{len(sent - set(came))} letters are written down as sent and never came"
    assert set(came) <= known, f"{len(set(came) - known)} letters came that no delivery knows"
    twice = sum(n - 1 for n in came.values())
    allowed = season.placed["after an answer"] + season.placed["crash"] + season.post.unsaid
    assert twice <= allowed, f"{twice} letters came twice, {allowed} faults were placed"
    season.placed["letter twice"] = twice


def _no_card_in_what_was_sent(season: "Season") -> None:
    words = _names_of_cards()
    texts = []
    for letter in season.post.letters:
        texts += [str(letter["Subject"]), *(part.get_content() for part in letter.walk() if not part.is_multipart())]
    for person in season.people:
        if person.browser is not None:
            pushed = [body for path, _headers, body in season.push.taken if path == f"/push/{person.name}"]
            texts += [str(person.browser.opened(body)) for body in pushed]
    for text in texts:
        bare = re.sub(r"(https?://|/)\S+", " ", text).casefold()
        assert not words.search(bare), f"a card is named: {bare}"


def _names_of_cards() -> re.Pattern[str]:
    faces = [card(rank + suit) for rank in "A23456789TJQK" for suit in "SHDC"]
    names = {str(one).casefold() for one in faces}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            names |= {card_name(one).casefold() for one in faces}
    return re.compile(r"\b(" + "|".join(sorted(map(re.escape, names))) + r")\b")
