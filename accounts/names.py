"""What a person may be called. Names are compared without case and width, so that nobody can pass for another."""

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MinLengthValidator, RegexValidator
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from . import words

GUEST = "guest-"
"""How the user name of a guest begins; a number follows."""


def plain(name: str) -> str:
    """The name as it is compared: one form of each letter, no case, no spaces."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def not_reserved(name: str) -> None:
    """Raise ValidationError for names that only the site itself bears, and for those that the word list refuses."""
    parts = re.split(r"[\s._'-]+", name)
    like_a_bot = words.bare(parts[0]) == "bot" and (len(parts) > 1 or words.bare(name) == "bot")
    like_a_guest = re.fullmatch(r"guest[\d\W_]*", plain(name)) is not None
    refused = words.refused(name, words.NAMES)
    if like_a_bot or like_a_guest or (refused is not None and refused.whole):
        raise ValidationError(_("This name is kept for the site itself. Choose another."), code="reserved")
    if refused is not None:
        raise ValidationError(_("This name has a word that is not wanted here. Choose another."), code="unwanted")


def look_at(user: Any) -> None:
    """Within the transaction in which somebody took a name: what the word list lets through and reports is reported."""
    said = [word for name in {user.username, user.display_name} for word in words.reported(name, words.NAMES)]
    if said:
        for dotted in settings.ACCOUNT_UNWANTED_NAME:
            import_string(dotted)(user, sorted(set(said)))


Validators = list[Callable[[Any], None]]

USERNAME_VALIDATORS: Validators = [
    MinLengthValidator(3),
    MaxLengthValidator(20),
    RegexValidator(r"^[\w.-]+\Z", _("Use letters, digits and the signs _ - . only.")),
    not_reserved,
]
DISPLAY_NAME_VALIDATORS: Validators = [
    RegexValidator(r"^[^\W_][\w .'-]*\Z", _("Use letters, digits, spaces and the signs . ' - only.")),
    not_reserved,
]
