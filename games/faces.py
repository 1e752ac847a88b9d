"""Cards as markup: faces from the one card file, small chips inside sentences, and their names in words.

Pages use them through the template library ``cards``, sentences (wording.py) directly.
"""

import html
import re
from functools import lru_cache

from django.templatetags.static import static
from django.utils.html import format_html, strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext

from .rules.cards import Card, card

SPRITES = "site/cards.svg"
SUIT_CLASSES = "cdhsj"


def rank_name(rank: int) -> str:
    """A rank in words, as it stands in the name of a card; 0 is the joker."""
    named = {
        1: pgettext("card", "ace"),
        11: pgettext("card", "jack"),
        12: pgettext("card", "queen"),
        13: pgettext("card", "king"),
        0: pgettext("card", "joker"),
    }
    return named.get(rank, str(rank))


def suit_name(suit: int) -> str:
    """A suit in words, as it stands in the name of a card."""
    return (
        pgettext("card", "clubs"),
        pgettext("card", "diamonds"),
        pgettext("card", "hearts"),
        pgettext("card", "spades"),
    )[suit]


def card_name(one: Card | str) -> str:
    """A card in words: "queen of hearts"."""
    return _card_name(card(one).face, get_language())


@lru_cache(maxsize=4096)
def _card_name(face: str, language: str | None) -> str:
    one = card(face)
    if not one.rank:
        return rank_name(0)
    # Translators: the name of a card, for example "queen of hearts".
    words = pgettext("card", "%(rank)s of %(suit)s")
    return words % {"rank": rank_name(one.rank), "suit": suit_name(one.suit)}


def suit_class(one: Card) -> str:
    """The class that colours a card: c, d, h, s, or j for a joker."""
    return SUIT_CLASSES[one.suit]


def face(one: Card | str, prefix: str = "", *, named: bool = False, mute: bool = False, label: str = "") -> SafeString:
    """A card. ``named`` lets it travel (at most one such element a page); ``mute`` where its name stands beside it."""
    return _face(card(one), prefix, named, mute, label, get_language())


@lru_cache(maxsize=8192)
def _face(one: Card, prefix: str, named: bool, mute: bool, label: str, language: str | None) -> SafeString:
    """Kept, since a page draws dozens of cards; public, since any card looks the same whoever holds it."""
    move = f" v-{one.face}-{one.copy}" if named else ""
    said = (
        SafeString('aria-hidden="true"') if mute else format_html('role="img" aria-label="{}"', label or card_name(one))
    )
    return format_html(
        '<svg class="card {}{}" {}><use href="{}#{}{}"/></svg>',
        suit_class(one), move, said, static(SPRITES), prefix, one.face,
    )  # fmt: skip


@lru_cache
def back(prefix: str = "") -> SafeString:
    """The back of a card."""
    return format_html('<svg class="card" aria-hidden="true"><use href="{}#{}back"/></svg>', static(SPRITES), prefix)


def chip(one: Card | str) -> SafeString:
    """A card inside a sentence, on its own white ground; the mark that ends the sentence stays in its line."""
    return _chip(card(one), get_language())


@lru_cache(maxsize=2048)
def _chip(one: Card, language: str | None) -> SafeString:
    if not one.rank:
        return format_html('<span class="cc j">{}</span>&#8288;', rank_name(0))
    rank = one.face[0]
    return format_html(
        '<span class="cc {}" role="img" aria-label="{}"><svg{}><use href="{}#r{}"/></svg>'
        '<svg><use href="{}#{}"/></svg></span>&#8288;',
        suit_class(one), card_name(one), SafeString(' class="ten"') if rank == "T" else "",
        static(SPRITES), rank, static(SPRITES), suit_class(one),
    )  # fmt: skip


def plain(sentence: str) -> str:
    """A sentence with cards in it as text, each card by its name."""
    named = re.sub(r'<span class="cc [^>]*aria-label="([^"]*)">.*?</span>&#8288;', r"\1", sentence)
    return html.unescape(strip_tags(named)).replace("\u2060", "")


@lru_cache
def icon(name: str) -> SafeString:
    """A sign from the card file; its meaning has to stand beside it in words."""
    return format_html('<svg class="i" aria-hidden="true"><use href="{}#i-{}"/></svg>', static(SPRITES), name)
