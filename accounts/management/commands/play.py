"""``./run``: set up the database, make the demo players, and serve the site."""

import ipaddress
import json
import os
import secrets
import socket
import sys
from pathlib import Path
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management import BaseCommand, call_command

from accounts.models import User
from accounts.translations import compile_catalogues

DEMO = ("ann", "bob", "cat")


class Command(BaseCommand):
    """Serve on HOST and PORT; demo players exist only where nobody else can reach them."""

    help = "Serve the site on this machine."

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = os.environ.get("HOST", "127.0.0.1"), os.environ.get("PORT", "8000")
        if not port.isdecimal() or not 0 < int(port) < 65536:
            sys.exit(f"PORT has to be a number from 1 to 65535, it is {port!r}.")
        _must_be_free(host, int(port))
        compile_catalogues()
        call_command("migrate", verbosity=0)
        self.stdout.write(f"Rummysite: http://{host}:{port}/")
        if _is_loopback(host):
            for name, password in demo_players(Path(settings.VAR)).items():
                self.stdout.write(f"  demo player {name}, password {password}")
        self.stdout.write("Ctrl+C stops it.")
        uvicorn.run(
            "rummysite.asgi:application",
            host=host,
            port=int(port),
            ws="websockets-sansio",
            lifespan="on",
            log_level="warning",
            timeout_graceful_shutdown=5,
            proxy_headers=settings.PROXY_HEADERS,
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _must_be_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            sys.exit(f"Port {port} cannot be used ({error.strerror}). Choose another: PORT=8001 ./run")


def demo_players(folder: Path) -> dict[str, str]:
    """The demo players with their passwords, made at the first start and kept in ``folder``."""
    path = folder / "demo.json"
    if path.exists():
        known: dict[str, str] = json.loads(path.read_text())
        if User.objects.filter(username__in=known).count() == len(known):
            return known
    made = {name: secrets.token_urlsafe(9) for name in DEMO if not User.objects.filter(username=name).exists()}
    for name, password in made.items():
        User.objects.create_user(name, password=password, is_demo=True)
    with os.fdopen(os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "w") as file:
        json.dump(made, file)
    return made
