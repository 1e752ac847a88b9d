"""Private notes: one text per match and user, for its writer alone. A note raises no version and tells nobody."""

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .models import Match, Note
from .tables import Board
from .writing import writing


class NoteForm(forms.Form):
    """The text of a note; empty takes the note away."""

    text = forms.CharField(
        required=False,
        max_length=Note.MOST,
        strip=True,
        widget=forms.Textarea,
        error_messages={"max_length": _("A note has at most %(limit_value)d characters; this one has %(show_value)d.")},
    )

    def clean_text(self) -> str:
        """Lines end alike, whatever the browser sends."""
        text: str = self.cleaned_data["text"]
        return text.replace("\r\n", "\n").replace("\r", "\n")


def of(match: Match, user_id: int | None) -> Note | None:
    """What this user has noted about the match."""
    return Note.objects.filter(match=match, user=user_id or 0).first()


def write(board: Board, user: Any, text: str) -> None:
    """Keep the text with the turn in which it was written; no text takes the note away."""
    with writing():
        if not text:
            Note.objects.filter(match=board.match, user=user).delete()
            return
        turn = board.view.turns if board.view else 0
        now = {"text": text, "deal": board.match.deal_number, "turn": turn, "changed_at": timezone.now()}
        Note.objects.update_or_create(match=board.match, user=user, defaults=now)


def forget(user: Any) -> None:
    """Before an account is closed: what was written for nobody else is read by nobody."""
    Note.objects.filter(user=user).delete()
