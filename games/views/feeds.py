"""A calendar of my deadlines and an Atom feed of my notices, read by other programs at an address that is a secret.

Nobody is signed in by it, and nothing is told that a card could be guessed from.
"""

from datetime import datetime

from django.conf import settings
from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from games import lists, tables
from games.models import Feed, Match
from games.notices import ics, inbox, keys
from games.notices.reader import reader
from games.notices.reminders import HALF
from rummysite import limits
from rummysite.logs import quiet

LENGTH = 50
"""Notices in a feed."""
ALARMS = (120,)
"""Minutes before a deadline when a calendar rings, unless the user chose times for his reminders."""


@quiet
@require_safe
@cache_control(private=True, no_cache=True)
@conditional_page
def calendar(request: HttpRequest, token: str) -> HttpResponse:
    """The deadlines of the turns that await me."""
    feed = _feed(request, token, Feed.Kind.CALENDAR)
    with reader(feed.user):
        waiting = tables.waiting_for(feed.user).filter(due_at__isnull=False).annotate(since=Max("tape__at"))
        alarms = _alarms(feed)
        events = [_event(request, row, alarms) for row in lists.rows(waiting, feed.user)]
        text = ics.calendar(_("Rummysite: my turns"), events)
    response = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'inline; filename="rummysite.ics"'
    return response


@quiet
@require_safe
@cache_control(private=True, no_cache=True)
@conditional_page
def notices(request: HttpRequest, token: str) -> HttpResponse:
    """What I have been told lately, as an Atom feed."""
    feed = _feed(request, token, Feed.Kind.NOTICES)
    with reader(feed.user):
        atom = _Atom(
            title=_("Rummysite: notices"),
            link=request.build_absolute_uri(reverse("games:notices")),
            description="",
            language=feed.user.language or settings.LANGUAGE_CODE,
            feed_guid=f"tag:{request.get_host()},2026:notices/{feed.pk}",
        )
        atom.latest = feed.made_at
        for line in inbox.lines(inbox.listed(feed.user)[:LENGTH]):
            atom.add_item(
                title=line.sentence,
                link=request.build_absolute_uri(line.link),
                description="",
                unique_id=f"tag:{request.get_host()},2026:notice/{line.pk}",
                pubdate=line.at,
                updateddate=line.at,
            )
    return HttpResponse(atom.writeString("utf-8"), content_type=Atom1Feed.content_type)


class _Atom(Atom1Feed):
    """Without any notice a feed is as old as its address, not as new as the moment: else it always seemed changed."""

    latest: datetime

    def latest_post_date(self) -> datetime:
        latest: datetime = max([self.latest, *(item["pubdate"] for item in self.items)])
        return latest


def _feed(request: HttpRequest, token: str, kind: Feed.Kind) -> Feed:
    feed = keys.feed_of(token, kind)
    if feed is None:
        limits.spend("token", request)
        raise Http404
    limits.spend("feed", request, feed.user)
    return feed


def _alarms(feed: Feed) -> list[int]:
    chosen = getattr(getattr(feed.user, "notice_settings", None), "reminders", None)
    return sorted((int(m) for m in chosen if m != HALF), reverse=True) if chosen is not None else list(ALARMS)


def _event(request: HttpRequest, row: lists.Row, alarms: list[int]) -> ics.Event:
    match: Match = row.match
    assert match.due_at is not None
    return ics.Event(
        uid=f"match-{match.pk}-{int(match.due_at.timestamp())}@{request.get_host()}",
        at=match.due_at,
        stamp=getattr(match, "since", None) or match.created_at,
        summary=_("Your turn: %(match)s") % {"match": row.name},
        url=request.build_absolute_uri(reverse("games:match", args=[match.pk])),
        alarms=alarms,
    )
