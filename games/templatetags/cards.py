"""Cards in templates: ``{% full card %}``, ``{% mini card %}``, ``{% chip card %}``, ``{% back %}``, ``{% icon %}``.

Arguments: ``named=True`` lets the card travel, ``mute=True`` hides it from screen readers, ``label=text``.
"""

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.safestring import SafeString

from games import faces, wording
from games.rules.cards import Card
from games.tables import SeatSeen

register = template.Library()


@register.simple_tag
def full(card: Card | str, **how: Any) -> SafeString:
    """A card of a hand or a pile, 60 px wide or more."""
    return faces.face(card, **how)


@register.simple_tag
def mini(card: Card | str, **how: Any) -> SafeString:
    """A card under 60 px: its rank is larger."""
    return faces.face(card, "m", **how)


@register.simple_tag
def chip(card: Card | str) -> SafeString:
    """A card inside a sentence."""
    return faces.chip(card)


@register.simple_tag
def back(prefix: str = "") -> SafeString:
    """A card that shows nothing; ``{% back "m" %}`` is the small one."""
    return faces.back(prefix)


@register.simple_tag
def icon(name: str) -> SafeString:
    """A sign: back-arrow, clock, undo, score, log, talk."""
    return faces.icon(name)


@register.filter
def card_name(card: Card | str) -> str:
    """A card in words."""
    return faces.card_name(card)


@register.filter
def called(seat: SeatSeen) -> str:
    """The name of a seat."""
    return wording.seat_name(seat)


@register.filter
def initial(seat: SeatSeen) -> str:
    """The letter on the disc of a seat."""
    return wording.initial(seat)


@register.filter
def same(one: Card | None, other: Card) -> bool:
    """Whether two are the same physical card."""
    return one == other


@register.filter
def times(number: int) -> range:
    """So many rounds of a loop."""
    return range(number)


@register.filter
def item(some: Sequence[Any], index: int) -> Any:
    """The value at a place of a list."""
    return some[index]
