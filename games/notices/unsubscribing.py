"""The way out of mails that every mail carries (RFC 8058): a signed address that works without signing in.

It turns off the mails of some kinds for one user, and can do nothing else.
"""

from collections.abc import Iterable

from django.contrib.auth import get_user_model
from django.core import signing
from django.urls import reverse

from games.models import NoticeSettings
from games.writing import writing

from .kinds import EMAIL, KINDS, OFF

User = get_user_model()
SALT = "notices.unsubscribe"


def address(user_id: int, kinds: Iterable[str]) -> str:
    """The path of the page that turns these kinds off."""
    return reverse("games:unsubscribe", args=[signing.dumps([user_id, *sorted(kinds)], salt=SALT)])


def read(token: str) -> tuple[int, list[str]]:
    """The user and the kinds of an address. Raises signing.BadSignature, also for an account that is closed."""
    user_id, *kinds = signing.loads(token, salt=SALT)
    if not User.objects.filter(pk=user_id, is_active=True).exists():
        raise signing.BadSignature("closed")
    return user_id, [kind for kind in kinds if kind in KINDS]


def turn_off(user_id: int, kinds: Iterable[str]) -> None:
    """No more mails of these kinds. A second time changes nothing."""
    with writing():
        NoticeSettings.objects.get_or_create(user_id=user_id)
        row = NoticeSettings.objects.select_for_update().get(user_id=user_id)
        row.matrix |= {f"{kind}.{EMAIL}": OFF for kind in kinds}
        row.save(update_fields=["matrix"])
