"""What can be said at a table by one tap, and what a message says to its reader."""

from django.utils.translation import gettext_lazy

from .models import Message
from .preset_texts import Text

PHRASES: dict[str, Text] = {
    "hello": gettext_lazy("Hello!"),
    "luck": gettext_lazy("Good luck!"),
    "nice": gettext_lazy("Nice turn!"),
    "played": gettext_lazy("Well played!"),
    "thanks": gettext_lazy("Thank you!"),
    "lucky": gettext_lazy("That was lucky."),
    "unlucky": gettext_lazy("Bad luck!"),
    "close": gettext_lazy("That was close."),
    "sorry": gettext_lazy("Sorry!"),
    "think": gettext_lazy("I have to think."),
    "moment": gettext_lazy("One moment, please."),
    "back": gettext_lazy("I am back."),
    "today": gettext_lazy("I will play later today."),
    "tomorrow": gettext_lazy("I will play tomorrow."),
    "bye": gettext_lazy("I have to go now."),
    "again": gettext_lazy("Shall we play again?"),
}
"""What can be said by one tap. Kept as the key."""


def words_of(row: Message) -> Text:
    """What a message says, to its reader in his own language."""
    return PHRASES.get(row.phrase, "…") if row.phrase else row.text
