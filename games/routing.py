"""Addresses of the sockets."""

from typing import Any

from channels.security.websocket import WebsocketDenier
from django.urls import path, re_path

from .consumers import Live

websocket_urlpatterns: list[Any] = [
    path("ws/", Live.as_asgi()),
    path("ws/lobby/", Live.as_asgi(), {"lobby": True}),
    path("ws/match/<int:match_id>/", Live.as_asgi()),
    re_path(r"", WebsocketDenier.as_asgi()),  # an unknown address is refused, not an error
]
