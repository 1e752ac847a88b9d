"""How often one address or one user may do what costs the site something. All limits stand here.

Counts stand in the cache, which several workers share when REDIS_URL is set. They are counts in fixed windows: two
quick calls of the cache an act, no lock, and the end of the window is when to come back. The counters of allauth, which
guard its own pages, keep a list of times under a lock, belong to a request and do not say when to come back.
"""

import ipaddress
import logging
import math
import time
from dataclasses import dataclass

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext

log = logging.getLogger(__name__)

MINUTE, HOUR = 60, 3600


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``most`` times in ``seconds``."""

    most: int
    seconds: int


LIMITS = {
    "guest": Limit(10, HOUR),
    "open": Limit(40, HOUR),
    "sit": Limit(60, HOUR),
    "invite": Limit(60, HOUR),
    "come_back": Limit(20, HOUR),
}
"""By name; an address and a user are counted apart."""


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
        return "unknown"
    return str(ipaddress.ip_network((known, 64), strict=False)) if known.version == 6 else str(known)


def count(name: str, who: str) -> None:
    """Count one ``name`` of ``who``. Raises TooMany. A cache that is away stops nobody."""
    limit = LIMITS[name]
    now = time.time()
    key = f"limit:{name}:{who}:{int(now // limit.seconds)}"
    try:
        cache.add(key, 0, timeout=limit.seconds)
        used = cache.incr(key)
    except Exception as error:  # whatever a cache can raise, or the window ended between the two calls
        log.warning("limit %s not counted: %s", name, type(error).__name__)
        return
    if used > limit.most:
        raise TooMany(math.ceil(limit.seconds - now % limit.seconds))
