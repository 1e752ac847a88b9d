"""Up to where a user has seen what happened at a table, kept on the row of the seat that he drives.

News up to now are seen: at the next visit that finds more, they are the old ones. A reload keeps them new.
"""

from datetime import datetime, timedelta

from .models import Seat

FRESH = timedelta(hours=1)
"""A visit that finds nothing new is written down no more often than that."""


def look(seat: Seat, deal: int, events: int, now: datetime) -> list[str]:
    """The driver of ``seat`` sees ``events`` of a deal: changes the row, and says which of its columns to write."""
    same = (seat.looked_deal, seat.looked_events) == (deal, events)
    if same and seat.looked_at is not None and now - seat.looked_at < FRESH:
        return []
    seat.looked_at = now
    if same:
        return ["looked_at"]
    seat.recap_deal, seat.recap_events = seat.looked_deal, seat.looked_events
    seat.looked_deal, seat.looked_events = deal, events
    return ["recap_deal", "recap_events", "looked_deal", "looked_events", "looked_at"]
