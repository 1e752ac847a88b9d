"""Where web push is sent to. The address comes from a user's browser, so it is trusted in nothing.

Only https, only hosts that are listed (PUSH_HOSTS), and only what these names stand for on the public internet: each
time anew, and the connection goes to the very address that was looked at.
"""

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

LONGEST = 1000
"""Signs of an endpoint; those in use have about 200."""


class Unfit(Exception):
    """Nothing is sent to this address. The text names the reason, never the address."""


@dataclass(frozen=True, slots=True)
class Place:
    """An endpoint taken apart. ``local`` only in tests: a push service in this machine, without TLS."""

    host: str
    port: int
    path: str
    local: bool = False

    @property
    def origin(self) -> str:
        """Scheme, host and port as the signature of a message names them."""
        return f"http://{self.host}:{self.port}" if self.local else f"https://{self.host}"


def place(endpoint: str) -> Place:
    """The endpoint, if it is one of a listed push service. Raises Unfit."""
    if len(endpoint) > LONGEST or not all("!" <= sign <= "~" for sign in endpoint) or "\\" in endpoint:
        raise Unfit("no plain address")
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        raise Unfit("no plain address") from None
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    if settings.PUSH_LOCAL and (parts.scheme, parts.netloc) == ("http", settings.PUSH_LOCAL):
        return Place(parts.hostname or "", port or 80, path, local=True)
    host = parts.hostname or ""
    if parts.scheme != "https":
        raise Unfit("not https")
    if "@" in parts.netloc or port not in (None, 443) or parts.fragment or not path.startswith("/"):
        raise Unfit("more than host and path")
    if not any(_fits(host, listed.lower()) for listed in settings.PUSH_HOSTS):
        raise Unfit("no listed host")
    return Place(host, 443, path)


def _fits(host: str, listed: str) -> bool:
    """``*.example.com`` stands for every name below example.com, not for example.com."""
    if listed.startswith("*."):
        return host.endswith(listed[1:]) and len(host) > len(listed[1:])
    return host == listed


def address(where: Place) -> str:
    """The address to connect to. Raises Unfit if the name stands for any that is not public, OSError for none."""
    found = socket.getaddrinfo(where.host, where.port, type=socket.SOCK_STREAM)
    numbers = [str(place[4][0]) for place in found]
    if not numbers:
        raise OSError("no address")
    if not where.local and not all(map(is_public, numbers)):
        raise Unfit("no public address")
    return numbers[0]


def is_public(number: str) -> bool:
    """Whether an address is one of the public internet, also if it stands inside one of IPv6."""
    try:
        known = ipaddress.ip_address(number.partition("%")[0])
    except ValueError:
        return False
    if isinstance(known, ipaddress.IPv6Address):
        inner = known.ipv4_mapped or known.sixtofour or (known.teredo[1] if known.teredo else None)
        if inner is not None or known in TRANSLATED:
            return False
    return known.is_global and not known.is_multicast


TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 names for addresses of IPv4 (NAT64): where they lead to, this machine cannot say."""
