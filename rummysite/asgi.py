"""The server application: pages as WSGI in threads, sockets by Channels, the background loop by lifespan."""

import asyncio
import os
from typing import Any, cast

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummysite.settings")

from django.core.wsgi import get_wsgi_application

pages = get_wsgi_application()  # before anything that needs the apps loaded

from a2wsgi import WSGIMiddleware
from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator

from accounts import pruning
from games import background, habits, observing, sweep
from games.moderation.signs import computing as signs
from games.notices import work as post
from games.routing import websocket_urlpatterns

from .guard import App, Receive, Scope, Send, guarded
from .origins import readable_origin

WORKERS = 16
"""Threads that serve pages."""


def work() -> None:
    """What the site does by itself: acts on due matches, brings notices (in threads of their own), and once a day
    looks for signs for moderators (in a thread of its own), lets go of what is not kept, and counts how soon people
    answer and what was dealt.
    """
    post.look()
    sweep.sweep_in_thread()
    signs.look()  # before sessions that have ended are let go
    pruning.look()
    habits.look()
    observing.look()


async def lifespan(scope: Scope, receive: Receive, send: Send) -> None:
    """Start and stop the background work with the server."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            background.start(work)
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            await background.stop()
            await asyncio.to_thread(post.finish)
            await send({"type": "lifespan.shutdown.complete"})
            return


sockets = readable_origin(AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))))
application = ProtocolTypeRouter(
    {
        "http": guarded(cast(App, WSGIMiddleware(cast(Any, pages), workers=WORKERS))),
        "websocket": sockets,
        "lifespan": lifespan,
    }
)
