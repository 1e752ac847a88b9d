"""What is measured, one function a figure or a family of figures."""

import gzip
import random
import statistics
import threading
import time
from collections.abc import Iterable
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from websockets.sync.client import connect
from websockets.typing import Origin

from games import lobby, play, tables
from games.models import Match, Move, Seat
from games.rules.actions import Discard, DrawStock, LayOff, Meld
from games.rules.catalog import PRESETS

from .client import Browser

WARM, ROUNDS, CLIENTS = 10, 150, 8


def user(name: str) -> Any:
    """A user for the measurement, made when first named."""
    return get_user_model().objects.get_or_create(username=name)[0]


def two_handed(tag: str, **chosen: Any) -> Match:
    """A match of two persons that does not end while it is measured."""
    options = {"target": 10_000, "turn_cap": 200} | chosen
    match = lobby.open_match(user(f"{tag}a"), "basic-rummy", seats=["open"], pace="14d", chosen=options)
    lobby.join(match.pk, user(f"{tag}b"), lobby.cut_from("", ""))
    return Match.objects.get(pk=match.pk)


class Pair:
    """Two browsers at one match; ``step`` makes the next move by HTTP and says how long it took."""

    def __init__(self, port: int, match: Match, tag: str) -> None:
        self.match = match
        self.both = [Browser(port, user(f"{tag}{who}")) for who in "ab"]
        self.now: Browser | None = None
        self.rng = random.Random(tag)

    def step(self) -> float:
        """One move with its partial: a draw, or the discard of a random card. Milliseconds."""
        if self.now is None or not (self.now.may("draw_stock") or self.now.may("discard")):
            self._find()
        assert self.now is not None
        browser, act = self.now, f"/matches/{self.match.pk}/act/"
        if browser.may("draw_stock"):
            browser.post(act, {"do": "draw_stock", "seen": browser.seen})
        else:
            card = self.rng.choice(browser.cards[:-1] or browser.cards)
            browser.post(act, {"do": "discard", "card": card, "seen": browser.seen})
            self.now = None
        return browser.taken

    def _find(self) -> None:
        """Whose turn it is; puts aside the result of a deal, waits for the dealer."""
        for _try in range(400):
            for browser in self.both:
                page = browser.get(f"/matches/{self.match.pk}/")
                if 'name="deal"' in page:
                    deal = Match.objects.values_list("deal_number", flat=True).get(pk=self.match.pk)
                    browser.post(f"/matches/{self.match.pk}/ready/", {"deal": deal})
                    browser.get(f"/matches/{self.match.pk}/")
                if browser.may("draw_stock") or browser.may("discard"):
                    self.now = browser
                    return
            time.sleep(0.02)
        raise RuntimeError(f"nobody can move in match {self.match.pk}")


def percentile(values: Iterable[float], part: float) -> float:
    """The value below which ``part`` of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def interleaved(port: int, tag: str, rounds: int) -> tuple[list[float], list[float]]:
    """Moves and bare views in turn, by one client. Milliseconds of each."""
    match, spare = two_handed(tag), two_handed(f"{tag}s")
    pair, bare = Pair(port, match, tag), Browser(port, user(f"{tag}s" + "a"))
    moves, bares = [], []
    for i in range(rounds + WARM):
        taken = pair.step()
        bare.post(f"/bench/bare/{spare.pk}/", {})
        if i >= WARM:
            moves.append(taken)
            bares.append(bare.taken)
    connection.close()
    return moves, bares


def move_ratios(port: int) -> dict[str, float]:
    """A move with its partial over the bare view: medians with one client, 95th percentiles with eight."""
    moves, bares = interleaved(port, "solo", ROUNDS)
    figures = {
        "move_ms_p50_1": statistics.median(moves),
        "bare_ms_p50_1": statistics.median(bares),
        "move_ratio_p50_1": statistics.median(moves) / statistics.median(bares),
    }
    results: list[tuple[list[float], list[float]]] = []

    def crowd(n: int) -> None:
        results.append(interleaved(port, f"crowd{n}", ROUNDS // 3))

    threads = [threading.Thread(target=crowd, args=(n,)) for n in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    moves = [ms for m, _b in results for ms in m]
    bares = [ms for _m, b in results for ms in b]
    ratio = percentile(moves, 0.95) / percentile(bares, 0.95)
    return (
        figures
        | {"move_ms_p95_8": percentile(moves, 0.95), "bare_ms_p95_8": percentile(bares, 0.95)}
        | {"move_ratio_p95_8": ratio}
    )


def late_ratio(port: int) -> dict[str, float]:
    """Moves at the end of a very long deal over the moves around its tenth."""
    match = two_handed("long", hand_size=3, turn_cap=120, final_discard_required=True, set_max=3)
    pair = Pair(port, match, "long")
    times: list[float] = []
    while Match.objects.get(pk=match.pk).deal_number == 1 and len(times) < 480:
        times.append(pair.step())
    late, early = statistics.median(times[-20:-2]), statistics.median(times[5:15])
    return {"longest_deal_moves": len(times), "move_ratio_late": late / early}


def queries() -> dict[str, int]:
    """Queries of a page of the table in the first deal and in the twentieth."""
    match = two_handed("many", hand_size=3, turn_cap=10)
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(user("manya"))

    def count() -> int:
        client.get(f"/matches/{match.pk}/")
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(f"/matches/{match.pk}/")
        if answer.status_code != 200:
            raise RuntimeError(f"the page of the table answers {answer.status_code}")
        return len(captured)

    first = count()
    while Match.objects.get(pk=match.pk).deal_number < 20:
        quick_turn(match)
    return {"table_queries_first": first, "table_queries_deal20": count()}


def quick_turn(match: Match) -> None:
    """A turn without any page, for building up a match."""
    play.drive(match.pk)
    match.refresh_from_db()
    if match.turn is None:
        return
    seat = Seat.objects.get(match=match, index=match.turn)
    for _act in range(8):
        view = tables.board(Match.objects.get(pk=match.pk), seat.user).view
        if view is None or not view.my_turn:
            return
        down = [a for a in view.legal if isinstance(a, Meld | LayOff)]
        draws = [a for a in view.legal if isinstance(a, DrawStock)]
        action = (draws or down or [a for a in view.legal if isinstance(a, Discard)])[0]
        play.submit(match.pk, seat.index, [action], by=Move.By.USER)


def fragments(port: int) -> dict[str, int]:
    """The largest partial of a table of six in a long deal, plain and compressed."""
    names = [f"six{n}" for n in range(6)]
    chosen = {"target": 10_000, "hand_size": 8}
    match = lobby.open_match(user(names[0]), "basic-rummy", seats=["open"] * 5, pace="14d", chosen=chosen)
    for name in names[1:]:
        lobby.join(match.pk, user(name), lobby.cut_from("", ""))
    browser, most, packed = Browser(port, user(names[0])), 0, 0
    for _turn in range(90):
        quick_turn(match)
        if Match.objects.get(pk=match.pk).deal_number > 1:
            break
        browser.get(f"/matches/{match.pk}/parts/?have=0&hand=")
        if len(browser.text) > most:
            most, packed = len(browser.text.encode()), len(gzip.compress(browser.text.encode()))
    return {"fragment_bytes": most, "fragment_bytes_gzip": packed}


def nudges(port: int) -> dict[str, float]:
    """From the start of a move's request to the opponent's frame. Milliseconds."""
    match = two_handed("nudge")
    pair = Pair(port, match, "nudge")
    watcher = Browser(port, user("nudgeb"))
    origin = f"http://127.0.0.1:{port}"
    times = []
    cookie = {"Cookie": watcher.cookie}
    address = f"ws://127.0.0.1:{port}/ws/match/{match.pk}/"
    with connect(address, additional_headers=cookie, origin=Origin(origin)) as socket:
        for _move in range(60):
            if pair.now is None:
                pair._find()
            begun = time.perf_counter()
            mover = threading.Thread(target=pair.step)
            mover.start()
            socket.recv(timeout=5)
            times.append((time.perf_counter() - begun) * 1000)
            mover.join()
            while True:
                try:
                    socket.recv(timeout=0.03)
                except TimeoutError:
                    break
    return {"nudge_ms_p50": statistics.median(times), "nudge_ms_p95": percentile(times, 0.95)}


def engine() -> dict[str, int]:
    """Actions a second in random play with all choices listed, by preset and seats."""
    figures = {}
    for preset in PRESETS:
        for seats in preset.hand_sizes:
            figures[f"{preset.name}/{seats}"] = _actions_a_second(preset.play(preset.options(seats)), seats)
    return figures


def _actions_a_second(game: Any, seats: int) -> int:
    rng, done, begun = random.Random(seats), 0, time.perf_counter()
    while done < 6000:
        table = game.deal(game.new_sheet(0), rng.sample(range(52), 52))
        while table.outcome is None:
            if table.phase == "shuffle":
                size = len(game.pool(table))
                table = game.reshuffle(table, table.orders + 1, rng.sample(range(size), size))
                continue
            table = game.apply(table, table.actor, rng.choice(game.choices(table).actions))
            done += 1
    return round(done / (time.perf_counter() - begun))
