"""``./run bench``: start a server on a database of its own, measure it, print a table, write JSON."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, call_command

SETTINGS = "games.bench.settings"


class Command(BaseCommand):
    """Absolute figures depend on the machine; the ratios of one run do not."""

    help = "Measure the speed of the site on a database of its own."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pages", action="store_true", help="instead: load pages as a slow phone does")
        parser.add_argument("--stats", action="store_true", help="instead: pages that add up generated results")
        parser.add_argument("--matches", type=int, default=200_000, metavar="N", help="with --stats: so many (200000)")
        parser.add_argument("--json", metavar="FILE", help="also write the figures as a JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.SETTINGS_MODULE != SETTINGS:
            self._again_in_a_place_of_its_own(options)
            return
        call_command("migrate", verbosity=0)
        if options["stats"]:
            self._done(self._add_up(options["matches"]), options)
            return
        if options["pages"]:
            call_command("collectstatic", interactive=False, verbosity=0)
        port = _free_port()
        server = [sys.executable, "-m", "uvicorn", "rummysite.asgi:application", "--port", str(port)]
        server += ["--log-level", "warning", "--ws", "websockets-sansio"]
        with subprocess.Popen(server) as process:
            try:
                _wait_for(f"http://127.0.0.1:{port}/healthz")
                figures = self._load_pages(port) if options["pages"] else self._measure(port)
            finally:
                process.terminate()
        self._done(figures, options)

    def _done(self, figures: dict[str, Any], options: dict[str, Any]) -> None:
        if options["json"]:
            Path(options["json"]).write_text(json.dumps(figures, indent=1))

    def _add_up(self, matches: int) -> dict[str, Any]:
        from games.bench import numbers
        from games.bench.seasons import Size

        figures = dict[str, Any]()
        for name, value in numbers.figures(Size().of(matches)):
            figures[name] = value
            self.stdout.write(f"{name:24} {_rounded(value)}")
            self.stdout.flush()
        return figures

    def _measure(self, port: int) -> dict[str, Any]:
        from games.bench import deadwood, measures

        figures: dict[str, Any] = {}
        figures |= measures.move_ratios(port)
        figures |= measures.late_ratio(port)
        figures |= measures.queries()
        figures |= measures.fragments(port)
        figures |= measures.nudges(port)
        figures["engine_actions_s"] = measures.engine()
        figures |= deadwood.figures()
        for name, value in figures.items():
            self.stdout.write(f"{name:24} {_rounded(value)}")
        return figures

    def _load_pages(self, port: int) -> dict[str, Any]:
        from games.bench import client, measures, pages

        match = measures.two_handed("pages")
        session = client.session_of(measures.user("pagesa"))
        loads = pages.load_all(f"http://127.0.0.1:{port}", match.pk, session)
        self.stdout.write(pages.shown(loads))
        return {name: asdict(one) for name, one in loads.items()}

    def _again_in_a_place_of_its_own(self, options: dict[str, Any]) -> None:
        with tempfile.TemporaryDirectory() as place:
            environment = os.environ | {"DJANGO_SETTINGS_MODULE": SETTINGS, "VAR_DIR": place}
            more = ["--json", str(Path(options["json"]).resolve())] if options["json"] else []
            if options["stats"]:
                more += ["--stats", "--matches", str(options["matches"])]
            if options["pages"]:
                environment |= {"COLLECTED_STATIC": "1"}
                more.append("--pages")
            code = subprocess.run(
                [sys.executable, "manage.py", "bench", *more], env=environment, check=False
            ).returncode
        if code:
            sys.exit(code)


def _rounded(value: Any) -> Any:
    """A figure, or figures by name, as they are printed."""
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    return round(value, 2) if isinstance(value, float) else value


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(address: str) -> None:
    for _try in range(100):
        try:
            urllib.request.urlopen(address, timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not start")
