"""How often one address or one user may do what costs the site something. All limits stand here.

Operators set them in rows (accounts.LimitRow); what stands in this file holds for a name that has no row yet.

Counts stand in the cache, which several workers share when REDIS_URL is set. They are counts in fixed windows: two
quick calls of the cache an act, no lock, and the end of the window is when to come back. The counters of allauth, which
guard its own pages, keep a list of times under a lock, belong to a request and do not say when to come back.
"""

import ipaddress
import logging
import math
import time
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from .remembered import Remembered

log = logging.getLogger(__name__)

MINUTE, HOUR, DAY = 60, 3600, 86_400
UNKNOWN = "unknown"
"""Stands for an address that the server was not told."""


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``user`` times in ``seconds`` for one user, ``address`` times for all who share an address. ``new``: for
    a guest or a new account, where that is another number.
    """

    user: int
    address: int
    seconds: int
    new: int | None = None


LIMITS = {
    "guest": Limit(10, 10, HOUR),
    "come_back": Limit(20, 20, HOUR),
    "open": Limit(40, 120, HOUR),
    "sit": Limit(60, 240, HOUR),
    "invite": Limit(60, 240, HOUR),
    "people": Limit(60, 240, HOUR),
    "appeal": Limit(20, 60, HOUR),
    "report": Limit(20, 60, DAY, new=5),
    "talk": Limit(20, 120, MINUTE),
    "talk_hour": Limit(200, 1000, HOUR),
    "feed": Limit(120, 3000, HOUR),
    "token": Limit(40, 40, HOUR),
    "device": Limit(40, 120, HOUR),
    "export": Limit(60, 300, HOUR),
    "own_data": Limit(1, 20, HOUR),
    "api": Limit(600, 3000, 10 * MINUTE),
    "act": Limit(600, 3000, 10 * MINUTE),
}
"""Guests that are made, links to come back that are used, matches opened, seats taken, invitations and challenges sent,
acts towards other people, what is said at tables (in a minute, in an hour), answers to moderators, reports, private
calendars and feeds read
(``token``: in vain), devices that are to be told by push, matches and own data taken along as files, what programs ask,
and whatever is sent from a table. Generous: no person at
play meets one."""

NUMBERS = {"new_days": 3, "new_matches": 3}
"""For so many days an account is new; and so many matches it has to play to the end before it writes freely."""

SOCKETS = {"user": 30, "address": 100}
"""Sockets open at a time, in each worker."""


class TooMany(Exception):
    """The limit is reached; it is worth a try again in ``seconds``."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds

    def __str__(self) -> str:
        return gettext("That was very often in a short time. %(later)s") % {"later": self.later()}

    def later(self) -> str:
        """When to come back, as a sentence."""
        minutes = -(-self.seconds // MINUTE)
        sentence = ngettext("Try again in %(n)d minute.", "Try again in %(n)d minutes.", minutes)
        return sentence % {"n": minutes}


def address_of(request: HttpRequest) -> str:
    """The client's address as the server knows it; behind a trusted proxy (PROXY_HEADERS) the one that it names."""
    return shortened(request.META.get("REMOTE_ADDR") or "")


def shortened(address: str) -> str:
    """An address as it is counted: of IPv6 the network, since one household has a whole one."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return UNKNOWN
    return str(ipaddress.ip_network((known, 64), strict=False)) if known.version == 6 else str(known)


def _load() -> dict[str, Limit | int]:
    rows = apps.get_model("accounts", "LimitRow").objects.all()
    return {row.name: limit_of(row) for row in rows}


def limit_of(row: Any) -> Limit | int:
    """The limit of a row; a plain number where it counts nothing."""
    return Limit(row.number, row.shared, row.seconds, row.new) if row.seconds else int(row.number)


ROWS: Remembered[dict[str, Limit | int]] = Remembered(_load)


def limit(name: str) -> Limit:
    """The limit that holds now."""
    known = ROWS().get(name)
    return known if isinstance(known, Limit) else LIMITS[name]


def number(name: str) -> int:
    """The number that holds now."""
    known = ROWS().get(name)
    return known if isinstance(known, int) else NUMBERS[name]


def is_new(user: Any) -> bool:
    """Whether an account is so new that its limits may be tighter. A guest always is."""
    return bool(user.is_guest) or timezone.now() - user.date_joined < timedelta(days=number("new_days"))


def spend(name: str, request: HttpRequest, user: Any = None) -> None:
    """Count one ``name`` of this address, and of the user if there is one. Raises TooMany."""
    if not settings.LIMITED:
        return
    most = limit(name)
    if user is not None:
        mine = most.new if most.new is not None and is_new(user) else most.user
        _count(name, f"user-{user.pk}", mine, most.seconds)
    _count(name, f"from-{address_of(request)}", most.address, most.seconds)


def _count(name: str, who: str, most: int, seconds: int) -> None:
    """A cache that is away stops nobody."""
    now = time.time()
    key = f"limit:{name}:{who}:{int(now // seconds)}"
    try:
        cache.add(key, 0, timeout=seconds)
        used = cache.incr(key)
    except Exception as error:  # whatever a cache can raise, or the window ended between the two calls
        log.warning("limit %s not counted: %s", name, type(error).__name__)
        return
    if used > most:
        raise TooMany(math.ceil(seconds - now % seconds))


class Places:
    """How many sockets each user and each address has open in this process. For one loop, so without a lock."""

    def __init__(self) -> None:
        self.held: Counter[str] = Counter()

    def take(self, user_id: int, address: str) -> bool:
        """Take a place; False if the user or the address has all that one may have."""
        wanted = self._names(user_id, address)
        if settings.LIMITED and any(self.held[name] >= SOCKETS[name.partition("-")[0]] for name in wanted):
            return False
        self.held.update(wanted)
        return True

    def give_back(self, user_id: int, address: str) -> None:
        """The socket is closed."""
        self.held.subtract(self._names(user_id, address))
        self.held += Counter()  # forgets who has none

    def _names(self, user_id: int, address: str) -> list[str]:
        return [f"user-{user_id}", *([f"address-{address}"] if address != UNKNOWN else [])]
