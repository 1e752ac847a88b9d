"""Every event by every channel, now, once a day and not at all: each cell of the settings does what it says."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from games.models import Delivery, MutedMatch, Notice, NoticeSettings, PushSubscription
from games.notice_forms import GROUPS, WAYS
from games.notices import tell
from games.notices.kinds import CHANNELS, DIGEST, EMAIL, KINDS, NOW, OFF, PAGE, PUSH, TIMES
from games.notices.spread import next_digest, spread

from .playing import opened

pytestmark = [pytest.mark.django_db, pytest.mark.pg]

START = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def reader(ann):
    """Can be reached by every channel."""
    EmailAddress.objects.create(user=ann, email="ann@example.org", verified=True, primary=True)
    PushSubscription.objects.create(user=ann, endpoint="https://example.org/1", mark="x", made_at=timezone.now())
    return ann


def chosen(reader, when):
    """All cells are set to this time; on the site, where nothing waits for an hour, that is now."""
    matrix = {f"{kind}.{channel}": when for kind in KINDS for channel in (EMAIL, PUSH)}
    matrix |= {f"{kind}.{PAGE}": OFF if when == OFF else NOW for kind in KINDS}
    NoticeSettings.objects.update_or_create(user=reader, defaults={"matrix": matrix, "digest_hour": 18})


def told_of_all(reader, match=None):
    """The notices and deliveries of one event of each kind."""
    Notice.objects.all().delete()
    for number, kind in enumerate(KINDS):
        tell(kind, [reader], match, {"by": reader.pk}, key=str(number))
    spread(timezone.now())
    return Notice.objects.filter(user=reader), Delivery.objects.filter(notice__user=reader)


def test_the_page_has_each_event_once_and_each_channel_with_all_its_times():
    assert Counter(kind for _title, kinds in GROUPS for kind in kinds) == Counter(list(KINDS))
    assert set(WAYS) == set(CHANNELS)
    for channel in (EMAIL, PUSH):
        assert [when for when, _words in WAYS[channel]] == list(TIMES)
    assert [when for when, _words in WAYS[PAGE]] == [NOW, OFF]
    assert all(set(kind.usual) == set(CHANNELS) for kind in KINDS.values())


@time_machine.travel(START, tick=False)
def test_each_cell_brings_its_event_at_its_time_and_no_other(reader):
    chosen(reader, NOW)
    notices, deliveries = told_of_all(reader)
    assert notices.filter(listed=True).count() == len(KINDS)
    for channel in (EMAIL, PUSH):
        mine = deliveries.filter(channel=channel)
        assert set(mine.values_list("notice__kind", flat=True)) == set(KINDS)
        assert mine.latest("due_at").due_at <= START + timedelta(minutes=5)

    chosen(reader, DIGEST)
    notices, deliveries = told_of_all(reader)
    assert notices.filter(listed=True).count() == len(KINDS)
    assert deliveries.count() == 2 * len(KINDS)
    assert set(deliveries.values_list("due_at", flat=True)) == {next_digest(START, 18, "UTC")}

    chosen(reader, OFF)
    notices, deliveries = told_of_all(reader)
    assert not notices.exists() and not deliveries.exists()


@time_machine.travel(START, tick=False)
def test_on_the_site_only_is_a_choice_for_each_event_and_so_is_a_channel_without_the_site(reader):
    for shown, carried in ((NOW, OFF), (OFF, NOW)):
        matrix = {f"{kind}.{channel}": carried for kind in KINDS for channel in (EMAIL, PUSH)}
        matrix |= {f"{kind}.{PAGE}": shown for kind in KINDS}
        NoticeSettings.objects.update_or_create(user=reader, defaults={"matrix": matrix})
        notices, deliveries = told_of_all(reader)
        assert notices.count() == len(KINDS)
        assert set(notices.values_list("listed", flat=True)) == {shown == NOW}
        assert deliveries.count() == (0 if carried == OFF else 2 * len(KINDS))


def test_a_muted_match_tells_nothing_of_any_event_by_any_channel(reader, bob):
    chosen(reader, NOW)
    match, other = opened(reader, bob), opened(reader, bob)
    MutedMatch.objects.create(user=reader, match=match)
    notices, deliveries = told_of_all(reader, match)
    assert not notices.exists() and not deliveries.exists()
    notices, _deliveries = told_of_all(reader, other)
    assert notices.count() == len(KINDS)


def test_the_page_explains_its_choices(reader):
    client = Client()
    client.force_login(reader)
    page = client.get("/notices/settings/").content.decode()
    assert "all of it in one mail" in page and "A match that you mute at its table" in page
    assert "Hour of what comes once a day" in page
