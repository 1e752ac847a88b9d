"""Bots: a TableView and a random.Random in, an Action out. Pure, like the rules; a bot never gets a Table."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from games.rules.actions import Action
from games.rules.game import Game
from games.rules.view import TableView

from . import easy

LEVELS: Mapping[str, Callable[[TableView, Game[Any], Random], Action]] = {"easy": easy.choose}
"""The levels at which bots play, weakest first."""

NAMES = ("Bot Mila", "Bot Vuk", "Bot Zora", "Bot Jan", "Bot Ola", "Bot Goce")
"""The names of bots; no person may take one. There are as many as a table has seats."""
