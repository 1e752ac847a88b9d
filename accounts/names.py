"""What a person may be called. Names are compared without case and width, so that nobody can pass for another."""

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MinLengthValidator, RegexValidator
from django.utils.translation import gettext_lazy as _

LOOKALIKES = str.maketrans("аеорсухіјѕԁһԛԝвкмнтзαεινορτυχκμ013", "aeopcyxijsdhqwbkmhtzaeivoptyxkmole", "'._- ")
"""Letters of other scripts, and digits, that pass for Latin ones; signs that part letters are left out."""

RESERVED = frozenset(
    {"admin", "administrator", "moderator", "mod", "system", "rummysite", "dealer", "staff", "deleted"}
)


GUEST = "guest-"
"""How the user name of a guest begins; a number follows."""


def plain(name: str) -> str:
    """The name as it is compared: one form of each letter, no case, no spaces."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def not_reserved(name: str) -> None:
    """Raise ValidationError for names that only the site itself bears."""
    bare = plain(name).translate(LOOKALIKES)
    words = re.split(r"[\s._'-]+", name)
    like_a_bot = plain(words[0]).translate(LOOKALIKES) == "bot" and (len(words) > 1 or bare == "bot")
    like_a_guest = re.fullmatch(r"guest[\d\W_]*", plain(name)) is not None
    if bare in RESERVED or like_a_bot or like_a_guest or bare == "deletedplayer":
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
