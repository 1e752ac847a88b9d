"""Notices: what a user is told about his matches when he is not there. ``tell`` is the way in; all else is delivery."""

from .outbox import tell

__all__ = ["tell"]
