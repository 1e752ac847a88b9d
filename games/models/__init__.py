"""The rows of the game. What a row means stands in its class; how rows change stands in play.py and lobby.py."""

from .match import Absence, Deal, Draft, Match, Move, Seat, Tenure
from .notices import Delivery, MutedMatch, Notice, NoticeSettings

__all__ = [
    "Absence",
    "Deal",
    "Delivery",
    "Draft",
    "Match",
    "Move",
    "MutedMatch",
    "Notice",
    "NoticeSettings",
    "Seat",
    "Tenure",
]
