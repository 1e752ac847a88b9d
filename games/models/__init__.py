"""The rows of the game. What a row means stands in its class; how rows change stands in play.py and lobby.py."""

from .absence import BenchPlace, SeatOffer
from .deal import Deal, Draft, Move
from .disclosure import Disclosure
from .feeds import Feed
from .hands import HandsSeen
from .imported import ImportedMatch
from .match import Absence, Match, Seat, Tenure
from .moderation import Report
from .notes import Note
from .notices import Delivery, MutedMatch, Notice, NoticeSettings
from .numbers import Kind, Ledger, Rating, RatingChange, Summary
from .observing import Luck, Observation
from .order import StandingOrder
from .people import Distance, Door, Friendship, Habit
from .push import PushSubscription
from .signs import Sign
from .talk import Listener, Message
from .token import ApiToken
from .vacation import Vacation

__all__ = [
    "Absence",
    "ApiToken",
    "BenchPlace",
    "Deal",
    "Delivery",
    "Disclosure",
    "Distance",
    "Door",
    "Draft",
    "Feed",
    "Friendship",
    "Habit",
    "HandsSeen",
    "ImportedMatch",
    "Kind",
    "Ledger",
    "Listener",
    "Luck",
    "Match",
    "Message",
    "Move",
    "MutedMatch",
    "Note",
    "Notice",
    "NoticeSettings",
    "Observation",
    "PushSubscription",
    "Rating",
    "RatingChange",
    "Report",
    "Seat",
    "SeatOffer",
    "Sign",
    "StandingOrder",
    "Summary",
    "Tenure",
    "Vacation",
]
