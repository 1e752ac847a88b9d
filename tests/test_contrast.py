"""Contrast computed from the tokens: suits on cards, in both themes and both decks; axe looks at all the text."""

import re
from pathlib import Path

import pytest

TOKENS = (Path(__file__).parent.parent / "rummysite/static/site/tokens.css").read_text()


def token(name, theme, text=TOKENS):
    """The colour of a token: light-dark() holds both themes."""
    value = re.findall(rf"--{name}: ([^;}}]+)", text)[-1].strip()
    found = re.findall(r"#[0-9a-f]{6}", value)
    return found[0] if theme == "light" or len(found) == 1 else found[1]


def brightness(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((brightness(one), brightness(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


FOUR = re.search(r"data-deck=four\] \{([^}]*)\}", TOKENS).group(1)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("suit", "schdj")
def test_suits_stand_out_on_their_cards_in_both_decks(theme, suit):
    two = token(f"suit-{suit}", theme, TOKENS.replace(FOUR, ""))
    four = token(f"suit-{suit}", theme, FOUR) if f"--suit-{suit}" in FOUR else two
    assert contrast(two, token("face", theme)) >= 3
    assert contrast(four, token("face", theme)) >= 3


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("ground", ["table", "tray"])
def test_words_on_the_felt_can_be_read(theme, ground):
    for ink in ("on-table", "on-table-muted", "turn"):
        assert contrast(token(ink, theme), token(ground, theme)) >= 4.5, ink
