"""A match that is over, as the signs see it: who sat, who left and how it stood. Pure."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Played:
    """``users`` by seat, bots left out. ``won``: who won or shares it. ``left``: who left his seat, and when.

    ``level``: who of those who left was not behind anybody then. ``absent``: who of them let the clock run out too
    often, or left in the first deal. ``counts`` is False for a match that counts for nobody.
    """

    number: int
    users: tuple[int, ...]
    ended_at: datetime
    rated: bool = False
    counts: bool = True
    won: frozenset[int] = frozenset()
    left: tuple[tuple[int, datetime], ...] = ()
    level: frozenset[int] = frozenset()
    absent: frozenset[int] = frozenset()

    @property
    def of_two(self) -> bool:
        """Whether two people and nobody else decided it."""
        return self.counts and len(self.users) == 2
