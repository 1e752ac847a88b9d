"""How long matches are, measured. Written by ``manage.py lengths``: do not edit."""

from typing import NamedTuple


class Length(NamedTuple):
    """Of matches to ``target`` points six in ten take ``few`` to ``many`` deals; a deal has ``turns`` of all seats."""

    target: int
    few: float
    many: float
    turns: float


LENGTHS: dict[tuple[str, int], Length] = {
    ("solitaired-rummy", 2): Length(200, 30.0, 45.0, 21.2),
    ("solitaired-rummy", 3): Length(200, 13.0, 21.0, 24.4),
    ("solitaired-rummy", 4): Length(200, 8.0, 15.0, 27.5),
    ("basic-rummy", 2): Length(150, 16.0, 26.0, 18.7),
    ("basic-rummy", 3): Length(150, 9.0, 16.0, 23.4),
    ("basic-rummy", 4): Length(150, 6.0, 11.0, 30.0),
    ("basic-rummy", 5): Length(150, 3.0, 7.0, 29.4),
    ("basic-rummy", 6): Length(150, 2.0, 6.0, 34.8),
    ("android-rummy", 2): Length(100, 10.0, 18.0, 18.5),
    ("gin", 2): Length(100, 5.0, 8.0, 10.8),
    ("oklahoma-gin", 2): Length(150, 5.0, 9.0, 13.2),
    ("hollywood-gin", 2): Length(100, 8.0, 12.0, 10.7),
}
