"""What the words of an option consist of. The words themselves stand in preset_texts.py and gin_texts.py."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

type Text = str | Promise


@dataclass(frozen=True, slots=True)
class OptionText:
    """``values`` names the choices; ``tag`` says in a few words that a match has this value and not the usual one."""

    label: Text
    help: Text
    tag: Callable[[Any], Text]
    values: Mapping[Any, Text] = field(default_factory=dict)


YES_NO: dict[Any, Text] = {True: _("yes"), False: _("no")}


def by(tags: Mapping[Any, Text]) -> Callable[[Any], Text]:
    """A tag for each value."""
    return lambda value: tags[value]
