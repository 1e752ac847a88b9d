"""User: a person with an account, and what that person likes the site to be."""

import zoneinfo
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.names import DISPLAY_NAME_VALIDATORS, GUEST, USERNAME_VALIDATORS, plain


def known_zone(name: str) -> None:
    """Raise ValidationError for what is no time zone."""
    if name not in zoneinfo.available_timezones():
        raise ValidationError(_("There is no time zone of this name."))


class User(AbstractUser):
    """A person with an account. Never deleted: closing an account takes everything personal away and keeps the row."""

    class Deck(models.TextChoices):
        TWO = "two", _("two colours")
        FOUR = "four", _("four colours")

    class CardSize(models.TextChoices):
        NORMAL = "normal", _("normal")
        LARGE = "large", _("large")

    class Theme(models.TextChoices):
        SYSTEM = "system", _("as the device")
        LIGHT = "light", _("light")
        DARK = "dark", _("dark")

    class Animation(models.TextChoices):
        OFF = "off", _("off")
        SLOW = "slow", _("slow")
        NORMAL = "normal", _("normal")
        FAST = "fast", _("fast")

    class HandSort(models.TextChoices):
        SUIT = "suit", _("by suit")
        RANK = "rank", _("by rank")

    class Memory(models.TextChoices):
        PACE = "", _("as the pace has it")
        ALL = "all", _("everything")
        DISCARDS = "discards", _("discards only")
        NONE = "none", _("nothing")

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField(
        _("user name"),
        max_length=20,
        unique=True,
        validators=USERNAME_VALIDATORS,
        help_text=_("3 to 20 letters or digits. You sign in with it, and others see it."),
        error_messages={"unique": _("Somebody has this name already. Choose another.")},
    )
    name_key = models.CharField(max_length=40, editable=False)
    """The user name as it is compared; kept beside it, since databases differ in what they call a case."""
    display_name = models.CharField(
        _("display name"),
        max_length=20,
        blank=True,
        validators=DISPLAY_NAME_VALIDATORS,
        help_text=_("How others see you at the table. Empty: your user name."),
    )
    language = models.CharField(
        _("language"),
        max_length=10,
        blank=True,
        choices=settings.LANGUAGES,
    )
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[known_zone])
    deck = models.CharField(_("card colours"), max_length=4, choices=Deck, default=Deck.TWO)
    card_size = models.CharField(_("card size"), max_length=6, choices=CardSize, default=CardSize.NORMAL)
    theme = models.CharField(_("theme"), max_length=6, choices=Theme, default=Theme.SYSTEM)
    animation = models.CharField(_("animation speed"), max_length=6, choices=Animation, default=Animation.NORMAL)
    hand_sort = models.CharField(
        _("sort my hand"),
        max_length=4,
        choices=HandSort,
        default=HandSort.SUIT,
        help_text=_("How a hand lies when a match begins. At the table you can lay it anew."),
    )
    confirm_live = models.BooleanField(_("ask me before a turn is sent, in live matches"), default=False)
    confirm_correspondence = models.BooleanField(_("ask me before a turn is sent, by correspondence"), default=False)
    next_by_itself = models.BooleanField(
        _("after a turn, go to the next table that waits for me"),
        default=False,
        help_text=_("Not when your turn has ended a deal: then you see how it came out."),
    )
    memory = models.CharField(
        _("memory"),
        max_length=8,
        blank=True,
        choices=Memory,
        default=Memory.PACE,
        help_text=_("What the page tells of earlier turns in the matches that you open."),
    )
    sound = models.BooleanField(_("sound"), default=False)
    is_guest = models.BooleanField(_("guest"), default=False, editable=False)
    """Plays without having signed up: no password, a name made by the site. Keeping the account makes it False."""
    back_key = models.CharField(max_length=64, blank=True, editable=False)
    """SHA-256 of the token in a guest's link to come back; the token itself is nowhere."""
    is_demo = models.BooleanField(_("demo player"), default=False, editable=False)
    closed_at = models.DateTimeField(_("account closed"), null=True, blank=True, editable=False)
    barred_until = models.DateTimeField(_("may not play until"), null=True, blank=True, editable=False)
    """Copied from the sanctions that shut somebody out, so that each page knows it without a query; FOREVER: a ban.
    Only sanctions.py writes it, and no ``save`` of a row that was loaded before.
    """

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["name_key"], name="user_name_once_in_any_case"),
            models.UniqueConstraint(
                fields=["back_key"], condition=~models.Q(back_key=""), name="user_link_back_is_of_one"
            ),
            models.CheckConstraint(
                condition=models.Q(back_key="") | models.Q(is_guest=True), name="user_link_back_is_of_a_guest"
            ),
        ]

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name_key = plain(self.username)
        if not self._state.adding and not args and kwargs.get("update_fields") is None:
            kwargs["update_fields"] = [
                f.name for f in self._meta.concrete_fields if f.name not in ("id", "barred_until")
            ]
        super().save(*args, **kwargs)

    @property
    def is_barred(self) -> bool:
        """Whether a sanction shuts this person out just now."""
        return self.barred_until is not None and self.barred_until > timezone.now()

    @property
    def shown_name(self) -> str:
        """The name that others see."""
        if self.closed_at is not None:
            return gettext("deleted player")
        if self.is_guest and not self.display_name:
            return gettext("Guest %(number)s") % {"number": self.username.removeprefix(GUEST)}
        return self.display_name or self.username

    def get_full_name(self) -> str:
        return self.shown_name

    def get_short_name(self) -> str:
        return self.shown_name
