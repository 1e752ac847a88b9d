"""Before the check of a socket's origin: a header that is no address at all is refused, not raised.

The check that comes after it reads the header without expecting a broken one (``http://[``) and would fill the log.
"""

from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier

from .guard import App, Receive, Scope, Send


def readable_origin(app: App) -> App:
    """``app`` for sockets whose origin can be read, or that have none; all others are closed before they open."""

    async def checked(scope: Scope, receive: Receive, send: Send) -> None:
        sent = [value for name, value in scope["headers"] if name == b"origin"]
        inner = app if all(map(_is_address, sent)) else WebsocketDenier()
        await inner(scope, receive, send)

    return checked


def _is_address(origin: bytes) -> bool:
    try:
        return urlsplit(origin.decode("latin1")).port != 0  # asking for the port reads it all
    except ValueError:
        return False
