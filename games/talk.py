"""Talk at a table: phrases that each reads in his own language, and free text. Locks nothing, raises no version.

Only those who sit there read and write. Who mutes or blocks somebody does not read him; nobody else notices.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import sanctions
from rummysite.limits import number

from . import nudge
from .models import Distance, Listener, Match, Message, Notice, Seat
from .models.talk import LONGEST
from .moderation import words
from .notices import tell
from .phrases import PHRASES, words_of
from .preset_texts import Text
from .seats import Refusal
from .writing import writing

SHOWN = 60
"""So many messages a page has; older ones by a link."""
JOINERS = "\u200c\u200d"
"""Signs without a shape that belong to words and pictures; all others, such as those that turn a text, are left out."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message as its reader sees it. ``seat``: the place of who said it, None for one who has left."""

    number: int
    user: Any
    seat: int | None
    mine: bool
    words: Text
    at: datetime
    hidden: bool = False

    @property
    def name(self) -> str:
        return str(self.user.shown_name)


def at_table(match_id: int, user: Any) -> "QuerySet[Seat]":
    """The seat that lets a user read and write: also one that a bot plays for him, not one that is only kept."""
    mine = Q(user=user.pk or 0) | Q(driven_by=user.pk or 0)
    return Seat.objects.filter(mine, match=match_id).exclude(driver=Seat.Driver.INVITED)


# --- saying


def why_phrases_only(user: Any, ended: int, now: datetime) -> str:
    """Why somebody who has so many ended matches may not write freely yet, as a sentence; empty if he may."""
    matches = number("new_matches")
    if user.is_guest:
        return _("Guests say phrases only. Keep your account, and you can write after a few matches.")
    days = number("new_days") - (now - user.date_joined) // timedelta(days=1)
    if days > 0:
        sentence = ngettext(
            "New accounts say phrases only. In %(n)d day you can write, if you have played %(m)d matches.",
            "New accounts say phrases only. In %(n)d days you can write, if you have played %(m)d matches.",
            days,
        )
        return sentence % {"n": days, "m": matches}
    if ended < matches:
        left = matches - ended
        sentence = ngettext(
            "You can write when %(n)d more match of yours has ended. Until then choose a phrase.",
            "You can write when %(n)d more matches of yours have ended. Until then choose a phrase.",
            left,
        )
        return sentence % {"n": left}
    return ""


def phrases_only(user: Any) -> str:
    """The same for a user as he is now."""
    mine = Seat.objects.filter(user=user, match__status=Match.Status.OVER)
    return why_phrases_only(user, mine[: number("new_matches")].count(), timezone.now())


def clean(text: str) -> str:
    """A free text as it is kept: one line of plain text. Raises Refusal."""
    bare = "".join(sign for sign in " ".join(text.split()) if sign.isprintable() or sign in JOINERS)
    kept = " ".join(bare.split())
    if not kept.strip(JOINERS):
        raise Refusal(_("There is nothing to send: type something first."))
    if len(kept) > LONGEST:
        raise Refusal(_("A message has at most %(n)d characters.") % {"n": LONGEST})
    return kept


def say(match_id: int, user: Any, *, phrase: str = "", text: str = "") -> Message:
    """Say a phrase or a text at a table. Raises Refusal, and Match.DoesNotExist for one who does not sit there."""
    if phrase and phrase not in PHRASES:
        raise Refusal(_("Choose one of the phrases shown."))
    kept = "" if phrase else words.must_be_wanted(clean(text), words.MESSAGES)
    if kept and (why := phrases_only(user)):
        raise Refusal(why)
    with writing():
        if not at_table(match_id, user).exists():
            raise Match.DoesNotExist
        sanctions.must_be_free(user, "chat")
        match = Match.objects.get(pk=match_id)
        if match.status == Match.Status.CANCELLED:
            raise Refusal(_("This match was cancelled: nobody reads here any more."))
        message = Message.objects.create(match=match, user=user, phrase=phrase, text=kept, at=timezone.now())
        words.said(message)
        _tell(match, user, kept)
    return message


def _tell(match: Match, user: Any, text: str) -> None:
    """One notice until the reader has looked, and a word to the open pages; none to those who would not see it."""
    seats = Seat.objects.filter(match=match).exclude(driver=Seat.Driver.INVITED)
    readers = {pk for pair in seats.values_list("user_id", "driven_by_id") for pk in pair if pk}
    others = readers - {user.pk}
    kinds = Distance.objects.filter(whom=user, user__in=others).values_list("user_id", "kind")
    away = {pk for pk, _kind in kinds}
    unseen = {pk for pk, kind in kinds if text or kind == Distance.Kind.BLOCKED}
    listens = {row.user_id: row for row in Listener.objects.filter(match=match, user__in=others)}
    for pk in sorted(others - away):
        row = listens.get(pk)
        if row is None or not row.muted:
            tell("chat", [pk], match, {"by": user.pk}, key=str(row.heard if row else 0))
    transaction.on_commit(lambda: nudge.talk(match.pk, others - unseen), robust=True)


# --- reading


def _seen_by(user: Any) -> Q:
    """The messages that a user reads: without those whom he blocked, without texts of those whom he muted."""
    away = Distance.objects.filter(user=user.pk)
    blocked = away.filter(kind=Distance.Kind.BLOCKED).values("whom")
    muted = away.filter(kind=Distance.Kind.MUTED).values("whom")
    return ~Q(user__in=blocked) & (Q(text="") | ~Q(user__in=muted))


def unheard(user: Any) -> Any:
    """How many messages of a match wait for this user, as an annotation of Match; 0 for who does not sit there."""
    if not user.is_authenticated:
        return Value(0)
    mine = Listener.objects.filter(match=OuterRef("match"), user=user.pk)
    sits = Seat.objects.filter(Q(user=user.pk) | Q(driven_by=user.pk), match=OuterRef("match"))
    sits = sits.exclude(driver=Seat.Driver.INVITED)
    waiting = Message.objects.filter(_seen_by(user), Exists(sits), match=OuterRef("pk")).exclude(user=user.pk)
    waiting = waiting.exclude(Exists(mine.filter(muted=True)))
    waiting = waiting.filter(pk__gt=Coalesce(Subquery(mine.values("heard")[:1]), 0))
    counted = waiting.order_by().values("match").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted), 0)


def read(match: Match, user: Any, before: int | None = None) -> tuple[list[Said], bool]:
    """The last messages, oldest first, and whether there are older ones. What was new is heard by that."""
    rows = Message.objects.filter(_seen_by(user), match=match).select_related("user")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows.order_by("-pk")[: SHOWN + 1])
    seats = Seat.objects.filter(match=match).values_list("user_id", "driven_by_id", "index")
    places = {pk: index for user_id, driver_id, index in seats for pk in (user_id, driver_id) if pk}
    if before is None and found:
        _hear(match, user, found[0].pk)
    return [_said(row, user, places) for row in reversed(found[:SHOWN])], len(found) > SHOWN


def _said(row: Message, user: Any, places: Mapping[int, int]) -> Said:
    hidden = row.hidden_at is not None
    told = _("Hidden by a moderator.") if hidden else words_of(row)
    return Said(row.pk, row.user, places.get(row.user_id), row.user_id == user.pk, told, row.at, hidden)


def _hear(match: Match, user: Any, last: int) -> None:
    """Heard up to there, on all devices; the notice of it is read."""
    row, made = Listener.objects.get_or_create(match=match, user=user, defaults={"heard": last})
    if made or Listener.objects.filter(pk=row.pk, heard__lt=last).update(heard=last):
        Notice.objects.filter(user=user, match=match, kind="chat", read_at=None).update(read_at=timezone.now())


def is_muted(match: Match, user: Any) -> bool:
    """Whether the talk of this match is muted for this user."""
    return Listener.objects.filter(match=match, user=user, muted=True).exists()


def mute(match: Match, user: Any, *, muted: bool) -> None:
    """No number and no notice for the talk of this match, or both again."""
    Listener.objects.update_or_create(match=match, user=user, defaults={"muted": muted})


def muted_people(user: Any, users: Sequence[Any]) -> list[Any]:
    """Whose texts this reader does not see, among those at the table."""
    rows = Distance.objects.filter(user=user, whom__in=users).select_related("whom").order_by("whom")
    return list({row.whom_id: row.whom for row in rows}.values())
