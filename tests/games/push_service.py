"""A push service in this machine, as browsers' makers run them: it takes messages in, and can behave badly.

And a browser: the keys of a subscription, and what only their owner can read.
"""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec


def text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class Browser:
    """What a browser gives to a site that may push, and how it opens what comes."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.key = ec.generate_private_key(ec.SECP256R1())
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.p256dh, self.secret = text(point), bytes(range(16))
        self.auth = text(self.secret)

    def form(self) -> dict[str, str]:
        return {"endpoint": self.endpoint, "p256dh": self.p256dh, "auth": self.auth}

    def opened(self, body: bytes) -> Any:
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"))


class Service:
    """``answers``: the status of each next message (201 when none is left); ``got``: path, headers and body of each;
    ``gone``: paths of devices that are no more; ``taken``: what of ``got`` was answered with 201.
    """

    def __init__(self, where: str) -> None:
        self.where = where
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.taken: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: list[int] = []
        self.gone: set[str] = set()
        self.headers: dict[str, str] = {}
        self.behave: Any = None

    def browser(self, name: str = "one") -> Browser:
        return Browser(f"http://{self.where}/push/{name}")


@contextmanager
def push_service() -> Iterator[Service]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.got.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            if service.behave is not None:
                return service.behave(self)
            status = 410 if self.path in service.gone else service.answers.pop(0) if service.answers else 201
            if status == 201:
                service.taken.append(service.got[-1])
            self.send_response(status)
            for name, value in service.headers.items():
                self.send_header(name, value)
            self.end_headers()

        do_GET = do_POST

        def log_message(self, *_said: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    service = Service(f"127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
