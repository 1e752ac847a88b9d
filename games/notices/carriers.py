"""How a channel brings what is due: whom it reaches, and what sends. The one place where channels are named with both.

A carrier sends or raises: ``NotYet`` for another try, ``Never`` when no try can help.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from games.models import Delivery

from . import devices, mail, push
from .kinds import EMAIL, PUSH


@dataclass(frozen=True, slots=True)
class Carrier:
    """``reached``: which of these users the channel reaches. ``send``: brings deliveries of one user that are claimed
    together. ``together``: all of a user's that are due go in one message.
    """

    reached: Callable[[Collection[int]], set[int]]
    send: Callable[[Sequence[Delivery]], None]
    together: bool = False


CARRIERS: dict[str, Carrier] = {
    EMAIL: Carrier(mail.reached, mail.send, together=True),
    PUSH: Carrier(devices.reached, push.send),
}
"""By channel."""
