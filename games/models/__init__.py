"""The rows of the game. What a row means stands in its class; how rows change stands in play.py and lobby.py."""

from .match import Absence, Deal, Draft, Match, Move, Seat, Tenure

__all__ = ["Absence", "Deal", "Draft", "Match", "Move", "Seat", "Tenure"]
