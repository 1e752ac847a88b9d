"""How a channel brings what is due: whom it reaches, and what sends. The one place where channels are named with both.

A carrier sends or raises: ``NotYet`` for another try, ``Never`` when no try can help.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from games.models import Delivery, PushSubscription

from . import mail, push
from .errors import Never, NotYet
from .kinds import EMAIL, PUSH


@dataclass(frozen=True, slots=True)
class Carrier:
    """``reached``: which of these users the channel reaches. ``send``: brings deliveries of one user that are claimed
    together. ``together``: all of a user's that are due go in one message.
    """

    reached: Callable[[Collection[int]], set[int]]
    send: Callable[[Sequence[Delivery]], None]
    together: bool = False


def _has_device(users: Collection[int]) -> set[int]:
    return set(PushSubscription.objects.filter(user__in=users).values_list("user", flat=True))


def _push(deliveries: Sequence[Delivery]) -> None:
    for delivery in deliveries:
        try:
            if not push.send(delivery):
                raise Never("no device")
        except push.NotYet as later:
            raise NotYet("push service", seconds=later.seconds) from None


CARRIERS: dict[str, Carrier] = {
    EMAIL: Carrier(mail.reached, mail.send, together=True),
    PUSH: Carrier(_has_device, _push),
}
"""By channel."""
