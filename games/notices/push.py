"""Web push: a notice sealed for each device of its user (RFC 8291), signed by the site (VAPID, RFC 8292), and sent.

A message names kind, match and address, never a card. Its topic (RFC 8030) follows from the notice, so that what is
sent again takes the place of the first, at the push service and on the screen.
"""

import base64
import hashlib
import http.client
import json
import logging
from collections.abc import Sequence
from email.utils import parseaddr
from functools import cache
from typing import Any

from django.conf import settings
from django.utils import timezone

from games.models import Delivery, Notice, PushSubscription
from games.preset_texts import name_of

from . import devices, endpoints, inbox, wire
from .errors import Never, NotYet
from .reader import reader

log = logging.getLogger(__name__)

WEEK = 7 * 24 * 3600
SHORTEST, LONGEST = 60, 28 * 24 * 3600
"""Seconds that a push service is asked to keep a message for a device that is off; more than four weeks none does."""
SOON = 3600
"""A deadline nearer than so many seconds wakes a phone that saves its battery."""
GONE = (404, 410)
"""The device has switched push off, or the browser is no more."""
LATER = (408, 425, 429)
"""The push service asks to try again, as it does with every 5xx."""


def send(deliveries: Sequence[Delivery]) -> None:
    """Bring notices that were claimed. Raises NotYet for another try, Never if no device has one of them."""
    for delivery in deliveries:
        if not bring(delivery.notice):
            raise Never("no device")


def bring(notice: Notice) -> int:
    """Send a notice to every device of its user; how many have it. Raises NotYet if one is worth another try.

    A device that has it already is not sent it again; one that is gone is forgotten.
    """
    with reader(notice.user):
        text = json.dumps(_message(notice)).encode()
    headers = {"Topic": topic(notice), "TTL": str(_kept_for(notice)), "Urgency": _urgency(notice)}
    reached = 0
    waits: list[NotYet] = []
    for device in devices.told(notice.user_id):
        if device.last_notice == notice.pk:
            reached += 1
            continue
        try:
            reached += _to(device, notice, text, headers)
        except NotYet as later:
            waits.append(later)
    if waits:
        seconds = max((later.seconds for later in waits if later.seconds is not None), default=None)
        raise NotYet(waits[0].error, seconds=seconds)
    return reached


def topic(notice: Notice) -> str:
    """32 signs that stand for a notice. Only a user's newest "your turn" at a table matters, reminders with it."""
    about = f"turn:{notice.match_id}" if notice.kind in ("your_turn", "reminder") else f"{notice.kind}:{notice.key}"
    told = hashlib.sha256(f"{notice.user_id}:{about}".encode()).digest()
    return base64.urlsafe_b64encode(told[:24]).decode()


def _message(notice: Notice) -> dict[str, str]:
    (line,) = inbox.lines([notice])
    title = name_of(notice.match) if notice.match else "Rummysite"
    return {"title": title, "body": line.sentence, "url": line.link, "tag": topic(notice)}


def _left(notice: Notice) -> int | None:
    """Seconds until the turn that it is about is over; None if it is about none."""
    match = notice.match
    if notice.kind not in ("your_turn", "reminder") or match is None or match.due_at is None:
        return None
    return int((match.due_at - timezone.now()).total_seconds())


def _kept_for(notice: Notice) -> int:
    left = _left(notice)
    return WEEK if left is None else min(max(left, SHORTEST), LONGEST)


def _urgency(notice: Notice) -> str:
    left = _left(notice)
    if left is not None and left < SOON:
        return "high"
    return "low" if notice.kind in ("chat", "deal_over") else "normal"


def _to(device: PushSubscription, notice: Notice, text: bytes, headers: dict[str, str]) -> bool:
    """Whether the device has it. Raises NotYet."""
    try:
        answer = wire.post(*_sealed(device, text, headers))
    except endpoints.Unfit as why:
        return _failed(device, str(why))
    except (OSError, http.client.HTTPException, ValueError) as error:
        _failed(device, type(error).__name__)
        raise NotYet("not reached") from None
    if answer.status in GONE:
        device.delete()
        return False
    if answer.status in LATER or answer.status >= 500:
        _failed(device, str(answer.status))
        raise NotYet(str(answer.status), seconds=answer.later)
    if not 200 <= answer.status < 300:
        return _failed(device, str(answer.status))
    PushSubscription.objects.filter(pk=device.pk).update(last_notice=notice.pk, last_error="")
    return True


def _failed(device: PushSubscription, why: str) -> bool:
    log.warning("push to device %s failed: %s", device.pk, why)
    PushSubscription.objects.filter(pk=device.pk).update(last_error=why[:80])
    return False


def _sealed(
    device: PushSubscription, text: bytes, headers: dict[str, str]
) -> tuple[endpoints.Place, bytes, dict[str, str]]:
    """Where to, the text for nobody but the device, and all headers. Raises endpoints.Unfit."""
    from pywebpush import WebPusher

    where = endpoints.place(device.endpoint)
    keys = {"p256dh": device.p256dh, "auth": device.auth}
    body: Any = WebPusher({"endpoint": device.endpoint, "keys": keys}).encode(text)["body"]
    signed = _key(settings.VAPID_PRIVATE_KEY).sign(
        {"aud": where.origin, "sub": f"mailto:{_contact()}", "exp": _expires()}
    )
    return (
        where,
        body,
        {**headers, **signed, "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream"},
    )


def _contact() -> str:
    return settings.VAPID_CONTACT or parseaddr(settings.DEFAULT_FROM_EMAIL)[1]


def _expires() -> int:
    return int(timezone.now().timestamp()) + 12 * 3600


@cache
def _key(private: str) -> Any:
    """The site's key. Reading the library takes a moment that no start of the site has to wait for."""
    from py_vapid import Vapid02

    key: Any = Vapid02
    return key.from_raw(private.encode())


def public_key() -> str:
    """What a browser is given, so that it takes messages from this site only."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point = _key(settings.VAPID_PRIVATE_KEY).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()
