"""The devices of a user that are told by web push. A device is told only while it is signed in."""

import base64
from collections.abc import Collection
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from accounts import sessions
from games.models import PushSubscription
from games.writing import writing

from . import endpoints

MOST = 10
"""Devices of one user; the oldest gives way."""
SIZES = {"p256dh": 65, "auth": 16}
"""Bytes of a browser's keys (RFC 8291): a point of P-256 and a shared secret."""


def switch_on(request: HttpRequest, endpoint: str, p256dh: str, auth: str) -> PushSubscription:
    """Tell this device from now on. Whoever had the same browser before loses it. Raises endpoints.Unfit."""
    user: Any = request.user
    endpoints.place(endpoint)
    if not (_is_point(p256dh) and _size(auth) == SIZES["auth"]):
        raise endpoints.Unfit("no keys of a browser")
    what = {
        "user": user,
        "p256dh": p256dh,
        "auth": auth,
        "mark": sessions.mark(request),
        "device": request.headers.get("User-Agent", "")[:200],
        "made_at": timezone.now(),
        "last_error": "",
    }
    with writing():
        PushSubscription.objects.filter(user=user, mark=what["mark"]).exclude(endpoint=endpoint).delete()
        row, _made = PushSubscription.objects.update_or_create(endpoint=endpoint, defaults=what)
        others = PushSubscription.objects.filter(user=user).values_list("pk", flat=True)
        PushSubscription.objects.filter(pk__in=list(others[MOST:])).delete()
    return row


def switch_off(user: Any, pk: int) -> bool:
    """Tell one device of one's own no longer; False if there is none of this number."""
    return bool(PushSubscription.objects.filter(user=user, pk=pk).delete()[0])


def here(request: HttpRequest) -> PushSubscription | None:
    """The subscription of the device that asks."""
    user: Any = request.user
    mark = request.session.get(sessions.MARK)
    return PushSubscription.objects.filter(user=user, mark=mark).first() if mark else None


def reached(users: Collection[int]) -> set[int]:
    """Which of these users have a device that is told."""
    return set(PushSubscription.objects.filter(user__in=users).values_list("user_id", flat=True))


def told(user_id: Any) -> list[PushSubscription]:
    """Whom to send to: the devices on which the user is signed in."""
    rows = list(PushSubscription.objects.filter(user_id=user_id))
    alive = sessions.marks(user_id) if rows else set()
    return [row for row in rows if row.mark in alive]


def signed_out(user_id: int) -> None:
    """A session of the user has ended (ACCOUNT_AFTER_SIGN_OUT): its device hears nothing more."""
    PushSubscription.objects.filter(user_id=user_id).exclude(mark__in=sessions.marks(user_id)).delete()


def _size(text: str) -> int:
    try:
        return len(_raw(text))
    except ValueError:
        return -1


def _raw(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _is_point(text: str) -> bool:
    """Whether this is a point of P-256: with any other key a message could not be sealed."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _raw(text))
    except ValueError:
        return False
    return _size(text) == SIZES["p256dh"]
