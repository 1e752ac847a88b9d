"""User: a person with an account, and what that person likes the site to be."""

import zoneinfo
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from .names import DISPLAY_NAME_VALIDATORS, USERNAME_VALIDATORS, plain


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
    is_demo = models.BooleanField(_("demo player"), default=False, editable=False)
    closed_at = models.DateTimeField(_("account closed"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints: ClassVar = [models.UniqueConstraint(fields=["name_key"], name="user_name_once_in_any_case")]

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name_key = plain(self.username)
        super().save(*args, **kwargs)

    @property
    def shown_name(self) -> str:
        """The name that others see."""
        if self.closed_at is not None:
            return gettext("deleted player")
        return self.display_name or self.username

    def get_full_name(self) -> str:
        return self.shown_name

    def get_short_name(self) -> str:
        return self.shown_name
