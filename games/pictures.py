"""Draws the preview picture of a finished match: who won, who played, the totals. No row, no card, no clock."""

from dataclasses import dataclass
from functools import cache
from io import BytesIO

from font_source_sans_pro import SourceSansProBold  # Latin, Greek and Cyrillic
from PIL import Image, ImageDraw, ImageFont
from PIL.ImageFont import FreeTypeFont

WIDTH, HEIGHT = 1200, 630
EDGE = 70
TABLE, TRAY, IVORY, MUTED, BRIGHT = "#1f5d50", "#174a40", "#fbf6e6", "#c3d8ce", "#ffbd7d"
SEATS = ("#ffa070", "#9ed4f2", "#b492ea", "#f6e69a", "#ec7d9c", "#7fd196", "#76a5f5", "#f4f4ee")
"""The colours of tokens.css."""
ON_SEAT = "#1b201e"


@dataclass(frozen=True, slots=True)
class Place:
    """A seat and its total."""

    index: int
    initial: str
    name: str
    total: int


@dataclass(frozen=True, slots=True)
class Result:
    """What the picture says. ``places``: the winner first."""

    headline: str
    game: str
    deals: str
    places: tuple[Place, ...]


def draw(told: Result) -> bytes:
    """The picture as PNG."""
    image = Image.new("RGB", (WIDTH, HEIGHT), TABLE)
    pen = ImageDraw.Draw(image)
    pen.text((EDGE, 52), "Rummysite", font=_font(30), fill=BRIGHT)
    pen.text((WIDTH - EDGE, 52), _fit(f"{told.game} · {told.deals}", 30, 760), font=_font(30), fill=MUTED, anchor="ra")
    size = _size(told.headline, 68, WIDTH - 2 * EDGE)
    pen.text((EDGE, 190), _fit(told.headline, size, WIDTH - 2 * EDGE), font=_font(size), fill=IVORY, anchor="lm")
    top = 270
    step = min(96, (HEIGHT - top - 40) // max(len(told.places), 1))
    for row, place in enumerate(told.places):
        _place(pen, place, top + row * step, step, won=row == 0)
    out = BytesIO()
    image.quantize(64).save(out, "PNG", optimize=True)
    return out.getvalue()


def _place(pen: ImageDraw.ImageDraw, place: Place, y: int, step: int, *, won: bool) -> None:
    """A line: disc, name, total."""
    half, middle = (step - 8) // 2, y + step // 2
    if won:
        pen.rounded_rectangle((EDGE - 24, y, WIDTH - EDGE + 24, y + step - 6), 22, fill=TRAY)
    disc = half - 6
    at = (EDGE + disc, middle - 3)
    pen.ellipse((at[0] - disc, at[1] - disc, at[0] + disc, at[1] + disc), fill=SEATS[place.index % len(SEATS)])
    pen.text(at, _drawable(place.initial), font=_font(disc), fill=ON_SEAT, anchor="mm")
    size = max(22, min(40, step // 2))
    total = str(place.total)
    room = WIDTH - 2 * EDGE - 2 * disc - 60 - int(_font(size).getlength(total))
    pen.text((EDGE + 2 * disc + 28, at[1]), _fit(place.name, size, room), font=_font(size), fill=IVORY, anchor="lm")
    pen.text((WIDTH - EDGE, at[1]), total, font=_font(size), fill=BRIGHT if won else IVORY, anchor="rm")


@cache
def _font(size: int) -> FreeTypeFont:
    return ImageFont.truetype(SourceSansProBold, size)


def _size(text: str, most: int, width: int) -> int:
    """The largest size at which a line fits, but not below 40."""
    return next((size for size in range(most, 40, -4) if _font(size).getlength(_drawable(text)) <= width), 40)


def _fit(text: str, size: int, width: int) -> str:
    """The text, shortened with dots if it is too long."""
    text = _drawable(text)
    if _font(size).getlength(text) <= width:
        return text
    while text and _font(size).getlength(text + "…") > width:
        text = text[:-1]
    return text.rstrip() + "…"


def _drawable(text: str) -> str:
    """The text with a dot for each sign that the font has not."""
    return "".join(char if _known(char) else "·" for char in text)


@cache
def _missing() -> bytes:
    return bytes(_font(30).getmask("\uffff"))


@cache
def _known(char: str) -> bool:
    return char.isspace() or bytes(_font(30).getmask(char)) != _missing()
