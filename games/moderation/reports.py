"""Reports: making one, adding to it, closing and reopening it. A report blocks nothing, and who reports stays untold.

The site reports as well (``reporter`` None), where a word list says so.
"""

from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import audit, roles
from accounts.models import AuditEntry
from games.models import Match, Message, Report, Seat, Tenure
from games.notices import tell
from games.preset_texts import Text
from games.seats import Refusal
from games.writing import writing

from . import context, fit

User = get_user_model()
Kind, State, Outcome = Report.Kind, Report.State, Report.Outcome

LONGEST = 1000
"""Characters that a reporter writes at a time."""
MOST_WORDS = 6000
"""Characters that one report keeps of its reporter, however often he adds to it."""
MOST_TIMES = 1000

PLAYER, MESSAGE, MATCH = "player", "message", "match"
OFFERED: dict[str, tuple[Report.Kind, ...]] = {
    PLAYER: (Kind.ABUSE, Kind.ABANDONING, Kind.CHEATING, Kind.NAME, Kind.OTHER),
    MESSAGE: (Kind.ABUSE, Kind.CHEATING, Kind.OTHER),
    MATCH: (Kind.STALLING, Kind.ABANDONING, Kind.ABUSE, Kind.CHEATING, Kind.NAME, Kind.OTHER),
}
"""What can be reported, by where it happens."""
LINES: dict[Report.Kind, Text] = {
    Kind.ABUSE: gettext_lazy("Insults, threats, hate or advertising. Not: a dry word, or few words."),
    Kind.STALLING: gettext_lazy("Lets the clock run so that others give up. Not: slow, but within the agreed time."),
    Kind.ABANDONING: gettext_lazy("Goes away in the middle, again and again. Not: resigned once."),
    Kind.CHEATING: gettext_lazy(
        "Tells cards, helps another player, loses on purpose, plays by several accounts. Not: good luck."
    ),
    Kind.NAME: gettext_lazy("A name or title that insults, or passes for somebody else. Not: one that is only odd."),
    Kind.OTHER: gettext_lazy("Say in your own words what happened."),
}
"""One line for each: what it is, and what it is not."""


def people_at(match: Match, user: Any) -> list[Any]:
    """Whom somebody can report at a match: who sits there, plays there, did so for a while, or opened it."""
    seats = Seat.objects.filter(match=match).exclude(driver=Seat.Driver.INVITED).values_list("user", "driven_by")
    known = {pk for pair in seats for pk in pair} | {match.opener_id}
    known |= set(Tenure.objects.filter(seat__match=match).values_list("user", flat=True))
    return list(User.objects.filter(pk__in=known - {None, user.pk}).order_by("pk"))


def report(
    reporter: Any,
    about: Any,
    kind: str,
    words: str = "",
    *,
    match: Match | None = None,
    message: Message | None = None,
) -> Report:
    """Tell the moderators. The same once more, while it is open, is added to the first. Raises Refusal."""
    words = words.strip()
    if reporter is not None and reporter.pk == about.pk:
        raise Refusal(_("That is you. Nobody reports himself."))
    if kind == Kind.OTHER and not words:
        raise Refusal(_("Say in your own words what happened."))
    if len(words) > LONGEST:
        raise Refusal(_("A report has at most %(n)d characters.") % {"n": LONGEST})
    with writing():
        # two at once of one reporter come one after the other, and so do those of the site about one player
        User.objects.select_for_update(no_key=True, of=("self",)).get(pk=(reporter or about).pk)
        same = {"reporter": reporter, "about_user": about, "kind": kind, "match": match, "message": message}
        known = _open(**same).select_for_update(of=("self",)).first()
        if known is not None:
            return _added(known, words)
        now, kept = timezone.now(), context.kept(about, match, message)
        return Report.objects.create(**same, words=words, context=kept, at=now, added_at=now)


def _open(**same: Any) -> "QuerySet[Report]":
    empty = Q(**{f"{name}__isnull": True for name, value in same.items() if value is None})
    return Report.objects.filter(empty, state=State.OPEN, **{k: v for k, v in same.items() if v is not None})


def _added(known: Report, words: str) -> Report:
    """Each text once, so that a second press adds nothing."""
    known.times, known.added_at = min(known.times + 1, MOST_TIMES), timezone.now()
    if words and words not in known.words and len(known.words) + len(words) < MOST_WORDS:
        known.words = f"{known.words}\n\n{words}".strip()
    known.save(update_fields=["times", "added_at", "words"])
    return known


def of(user: Any) -> "QuerySet[Report]":
    """What somebody has reported, the latest first."""
    return Report.objects.filter(reporter=user).select_related("about_user", "match").order_by("-pk")


# --- what moderators do


def why_not_fit(by: Any, report: Report) -> str:
    """Why somebody may not decide about a report, as a sentence; empty if he may."""
    about = report.about_user
    if by.pk == about.pk:
        return _("This report is about you, so somebody else has to look after it.")
    if by.pk == report.reporter_id:
        return _("You have reported this yourself, so somebody else has to look after it.")
    if roles.rank(about) >= roles.rank(by) and not by.is_superuser:
        return _("This is one of the staff. Somebody with a higher role has to decide.")
    return fit.why_too_close(by, about) or (fit.why_not(by, report.match) if report.match else "")


def close(
    by: Any, report: Report, *, outcome: str, answer: str, reason: str, undoes: AuditEntry | None = None
) -> AuditEntry:
    """Close a report; its reporter is told, with the answer. Raises Refusal."""
    with writing():
        report = _at_hand(by, report)
        if report.state == State.CLOSED:
            raise Refusal(_("This report has been closed already."))
        report.state, report.outcome, report.answer = State.CLOSED, outcome, answer.strip()
        report.closed_by, report.closed_at = by, timezone.now()
        report.save()
        details = {"outcome": outcome, "answer": report.answer[:1000]}
        entry = _entered(by, "close_report", report, reason, details, undoes)
        _tell(report, outcome, entry)
    return entry


def reopen(by: Any, report: Report, *, reason: str, undoes: AuditEntry | None = None) -> AuditEntry:
    """Open a closed report again. Raises Refusal."""
    with writing():
        report = _at_hand(by, report)
        if report.state == State.OPEN:
            raise Refusal(_("This report is open."))
        same = ("reporter", "about_user", "kind", "match", "message")
        if _open(**{name: getattr(report, name) for name in same}).exists():
            raise Refusal(_("The same has been reported again meanwhile, and that report is open."))
        details = {"outcome": report.outcome, "answer": report.answer[:1000]}
        report.state, report.outcome, report.answer = State.OPEN, "", ""
        report.closed_by = report.closed_at = None
        report.save()
        entry = _entered(by, "reopen_report", report, reason, details, undoes)
        _tell(report, "", entry)
    return entry


def _at_hand(by: Any, report: Report) -> Report:
    report = Report.objects.select_for_update(of=("self",)).get(pk=report.pk)
    if why := why_not_fit(by, report):
        raise Refusal(why)
    return report


def _entered(
    by: Any, act: str, report: Report, reason: str, details: dict[str, Any], undoes: AuditEntry | None
) -> AuditEntry:
    return audit.enter(by, act, reason=reason, user=report.about_user, target=report, details=details, undoes=undoes)


def _tell(report: Report, outcome: str, entry: AuditEntry) -> None:
    """The reporter hears what became of it, and nothing about the other."""
    if report.reporter_id is not None:
        about = {"report": report.pk, "outcome": outcome}
        tell("reported_outcome", [report.reporter_id], about=about, key=f"{report.pk}.{entry.pk}")


def move(guest: Any, account: Any) -> None:
    """What a guest has reported, and what was reported about him, is the account's; within a merge.

    What the two said about each other, and what both have said that is still open, stays where it is.
    """
    for side, other in (("reporter", "about_user"), ("about_user", "reporter")):
        for row in Report.objects.filter(**{side: guest}).exclude(**{other: account}):
            setattr(row, side, account)
            same = ("reporter", "about_user", "kind", "match", "message")
            if row.state == State.CLOSED or not _open(**{name: getattr(row, name) for name in same}).exists():
                row.save(update_fields=[side])
