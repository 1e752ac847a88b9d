"""The site's settings, and the addresses with the bare view beside them."""

from rummysite.settings import *  # noqa: F403

LIMITED = False
ROOT_URLCONF = "games.bench.urls"
