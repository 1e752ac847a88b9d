"""System checks of the game."""

from collections.abc import Sequence
from typing import Any

from channels.layers import get_channel_layer
from django.core.checks import CheckMessage, Error, register


@register()
def channel_layer_is_there(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """A broken configuration gives no channel layer without an error: nobody would be told of anything."""
    if get_channel_layer() is not None:
        return []
    return [
        Error(
            "There is no channel layer, so browsers cannot be told of moves.",
            hint="Check CHANNEL_LAYERS in the settings and REDIS_URL in the environment.",
            id="games.E001",
        )
    ]
