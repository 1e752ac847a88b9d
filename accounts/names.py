"""What a person may be called. Names are compared without case and width, so that nobody can pass for another."""

import unicodedata
from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MinLengthValidator, RegexValidator
from django.utils.translation import gettext_lazy as _

RESERVED = frozenset({"admin", "administrator", "moderator", "mod", "system", "rummysite", "dealer", "staff"})


def plain(name: str) -> str:
    """The name as it is compared: one form of each letter, no case, no spaces."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def not_reserved(name: str) -> None:
    """Raise ValidationError for names that only the site itself bears."""
    bare = plain(name).strip("._-")
    if bare in RESERVED or bare.startswith("bot") or bare.replace("_", "").startswith("deleted"):
        raise ValidationError(_("This name is kept for the site itself. Choose another."), code="reserved")


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
