"""One POST to a push service, over a connection that cannot be led astray or held open.

It goes to the address that was looked at, follows no redirect, reads a little of the answer, and ends in time whatever
the other side does.
"""

import contextlib
import http.client
import os
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from . import endpoints

PATIENCE = 10.0
"""Seconds for all of it once the name is looked up."""
STEP = 5.0
"""Seconds that one step (connecting, one read) may take."""
READ = 2048
"""Bytes of an answer that are read; the rest is left."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the push service said. ``later``: the seconds of its Retry-After, or None."""

    status: int
    later: int | None = None


def post(where: endpoints.Place, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send it. Raises endpoints.Unfit, OSError (also for time) and http.client.HTTPException."""
    number = endpoints.address(where)
    plain = socket.create_connection((number, where.port), timeout=STEP)
    with contextlib.closing(plain), _cut_after(plain, PATIENCE):
        line = plain if where.local else _context().wrap_socket(plain, server_hostname=where.host)
        with contextlib.closing(line):
            return _ask(line, where, body, headers)


def _ask(line: socket.socket, where: endpoints.Place, body: bytes, headers: Mapping[str, str]) -> Answer:
    talk = http.client.HTTPConnection(where.host, where.port if where.local else None, timeout=STEP)
    talk.sock = line
    talk.request("POST", where.path, body, dict(headers))
    answer = talk.getresponse()
    answer.read(READ)
    return Answer(answer.status, _seconds(answer.getheader("Retry-After", "")))


def _seconds(said: str) -> int | None:
    return int(said) if said.isdecimal() and len(said) < 7 else None


def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


@contextlib.contextmanager
def _cut_after(plain: socket.socket, seconds: float) -> Iterator[None]:
    """Shut the connection down when the time is over: who sends one byte at a time is never late in any single step."""
    cord = socket.socket(fileno=os.dup(plain.fileno()))
    over = threading.Event()

    def cut() -> None:
        over.set()
        with contextlib.suppress(OSError):
            cord.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        cord.close()
        if over.is_set():
            raise TimeoutError("the push service took too long")  # what was cut off may look whole
