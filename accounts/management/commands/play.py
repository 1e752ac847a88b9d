"""``./run``: set up the database, make the demo players, and serve the site."""

import ipaddress
import os
import socket
import sys
from pathlib import Path
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management import BaseCommand, call_command

from accounts.demo import open_demo, shut_demo
from accounts.setting_up import alone, collect_static
from accounts.translations import compile_catalogues


class Command(BaseCommand):
    """Serve on HOST and PORT; demo players exist only where nobody else can reach them."""

    help = "Serve the site on this machine."

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = os.environ.get("HOST", "127.0.0.1"), os.environ.get("PORT", "8000")
        if not port.isdecimal() or not 0 < int(port) < 65536:
            sys.exit(f"PORT has to be a number from 1 to 65535, it is {port!r}.")
        _must_be_free(host, int(port))
        players: dict[str, str] = {}
        with alone(Path(settings.VAR)):
            compile_catalogues()
            if settings.COLLECTED_STATIC:
                collect_static(Path(settings.STATIC_ROOT))
            call_command("migrate", verbosity=0)
            call_command("recompute", "summaries", "--missing", verbosity=0)
            if is_loopback(host):
                players = open_demo(Path(settings.VAR))
            else:
                shut_demo()
        shown = f"[{host}]" if ":" in host else host
        self.stdout.write(f"Rummysite: http://{shown}:{port}/")
        for name, password in players.items():
            self.stdout.write(f"  demo player {name}, password {password}")
        self.stdout.write("Ctrl+C stops it.")
        self.stdout.flush()
        uvicorn.run(
            "rummysite.asgi:application",
            host=host,
            port=int(port),
            ws="websockets-sansio",
            lifespan="on",
            log_config=None,  # ours stands, with its filter
            access_log=False,
            timeout_graceful_shutdown=5,
            proxy_headers=settings.PROXY_HEADERS,
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _must_be_free(host: str, port: int) -> None:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror:
        sys.exit(f"HOST {host!r} is no address of this machine.")
    family, kind, _, _, address = found[0]
    with socket.socket(family, kind) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            sys.exit(f"Port {port} cannot be used ({error.strerror}). Choose another: PORT=8001 ./run")
