"""Notices by e-mail: a plain letter in the language and time zone of its reader, with links that sign nobody in.

Only to addresses that their owner has confirmed. The Message-ID is that of the claimed deliveries, so that a letter
which is sent twice after a crash is known as the same one.
"""

import smtplib
from collections.abc import Collection, Sequence
from email.utils import parseaddr
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import ngettext

from games.models import Delivery, Notice, NoticeSettings

from . import unsubscribing, words
from .errors import Never, NotYet
from .reader import reader


def reached(users: Collection[int]) -> set[int]:
    """Those who have confirmed an address."""
    return set(EmailAddress.objects.filter(user__in=users, verified=True).values_list("user", flat=True))


def address_of(user: Any) -> str:
    """Where letters to a user go: the first of the confirmed addresses; empty if there is none."""
    confirmed = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    return confirmed.values_list("email", flat=True).first() or ""


def send(deliveries: Sequence[Delivery]) -> None:
    """Send one letter with all of these, which are of one user. Raises NotYet or Never."""
    user = deliveries[0].notice.user
    to = address_of(user)
    if not to:
        raise Never("no address")
    _post(written(user, to, [delivery.notice for delivery in deliveries], deliveries[0].message_id))


def works_again(user_id: int) -> None:
    """A letter has been taken: nothing fails any more."""
    failing = NoticeSettings.objects.filter(user=user_id, mail_failing_since__isnull=False)
    failing.update(mail_failing_since=None, mail_refused=False)


def fails(user_id: int, *, refused: bool) -> None:
    """A letter could not be brought at all: the settings page says since when."""
    row, _new = NoticeSettings.objects.get_or_create(user_id=user_id)
    row.mail_failing_since = row.mail_failing_since or timezone.now()
    row.mail_refused = refused
    row.save(update_fields=["mail_failing_since", "mail_refused"])


def _post(letter: EmailMultiAlternatives) -> None:
    try:
        sent = letter.send()
    except smtplib.SMTPRecipientsRefused as refused:
        raise _answer([code for code, _said in refused.recipients.values()]) from None
    except smtplib.SMTPDataError as refused:
        raise _answer([refused.smtp_code]) from None
    except smtplib.SMTPException as error:
        raise NotYet(type(error).__name__[:32], down=True) from None
    except (OSError, ValueError) as error:
        raise NotYet(type(error).__name__[:32], down=isinstance(error, OSError)) from None
    if not sent:
        raise NotYet("no mail server", down=True)


def _answer(codes: Sequence[int]) -> NotYet | Never:
    """What the answer of a mail server means: 5xx is for good, 4xx for now."""
    code = max(codes)
    return Never(f"refused {code}") if code >= 500 else NotYet(f"later {code}")


def written(user: Any, to: str, notices: Sequence[Notice], message_id: str) -> EmailMultiAlternatives:
    """The letter."""
    with reader(user):
        told = words.sentences(notices)
        off = link(unsubscribing.address(user.pk, {notice.kind for notice in notices}))
        context = {
            "lines": [(text, link(_place(notice))) for text, notice in zip(told, notices, strict=True)],
            "name": user.shown_name,
            "off": off,
            "settings": link(reverse("games:notice_settings")),
            "language": translation.get_language(),
        }
        return EmailMultiAlternatives(
            subject=_subject(told, notices),
            body=render_to_string("games/mail/notices.txt", context),
            to=[to],
            headers={
                "Message-ID": f"<{message_id}@{_domain()}>",
                "Auto-Submitted": "auto-generated",
                "List-Unsubscribe": f"<{off}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            },
            alternatives=[(render_to_string("games/mail/notices.html", context), "text/html")],
        )


def link(path: str) -> str:
    """A whole address of the site."""
    return f"{settings.SITE_URL}{path}"


def _place(notice: Notice) -> str:
    if notice.kind == "sanctioned":
        return reverse("sanctions")
    if notice.kind == "reported_outcome":
        return reverse("games:reports")
    return reverse("games:match", args=[notice.match_id]) if notice.match_id else reverse("games:tables")


def _subject(told: Sequence[str], notices: Sequence[Notice]) -> str:
    if len(told) == 1:
        return told[0]
    turns = sum(notice.kind == "your_turn" for notice in notices)
    if turns == len(notices):
        return ngettext("Your turn in {n} match", "Your turn in {n} matches", turns).format(n=turns)
    others = len(told) - 1
    return ngettext("{first}; and {n} more notice", "{first}; and {n} more notices", others).format(
        first=told[0], n=others
    )


def _domain() -> str:
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"
