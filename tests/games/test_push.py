"""Web push: devices that are told, and what reaches them through a push service in this machine."""

import base64
import json
import re
from datetime import timedelta

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from py_vapid import Vapid02

from accounts.closing import close
from games.models import Delivery, Match, Notice, PushSubscription
from games.notices import devices, push
from games.notices.errors import Never, NotYet
from games.notices.kinds import KINDS
from tests.conftest import PASSWORD

from .facts import facts
from .playing import mover, opened
from .push_service import push_service

pytestmark = pytest.mark.django_db

PHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"


@pytest.fixture
def service(settings):
    with push_service() as running:
        settings.PUSH_LOCAL = running.where
        yield running


def signed_in(user):
    client = Client(headers={"User-Agent": PHONE})
    client.force_login(user)
    return client


def switched_on(user, service, name="one"):
    client, browser = signed_in(user), service.browser(name)
    answer = client.post(reverse("games:push_on"), browser.form())
    assert answer.status_code == 303
    return client, browser


def notice_to(user, kind="your_turn", match=None, key="1", **about):
    return Notice.objects.create(user=user, kind=kind, match=match, key=key, about=about, at=timezone.now())


def test_a_device_is_told_what_it_is_about_and_only_that_device_can_read_it(service, ann, bob):
    match = opened(ann, bob, pace="1d")
    Match.objects.filter(pk=match.pk).update(title="Thursday")
    _client, browser = switched_on(ann, service)

    assert push.bring(notice_to(ann, "your_turn", Match.objects.get(pk=match.pk))) == 1

    ((path, headers, body),) = service.got
    told = browser.opened(body)
    assert path == "/push/one"
    assert b"Thursday" not in body
    assert told.pop("tag") == headers["topic"]
    assert told.pop("body").startswith("Your turn in Thursday against")
    assert told == {"title": "Thursday", "url": f"/matches/{match.pk}/"}
    assert re.fullmatch("[A-Za-z0-9_-]{32}", headers["topic"])
    assert headers["content-encoding"] == "aes128gcm"


def test_the_push_service_can_check_who_sends(service, ann):
    _client, _browser = switched_on(ann, service)
    push.bring(notice_to(ann, "friend"))
    signed = service.got[0][1]["authorization"]
    token, key = re.fullmatch(r"vapid t=([^,]+),\s*k=(.+)", signed).groups()
    assert key == push.public_key()
    assert Vapid02.verify(signed)
    claims = token.split(".")[1]
    told = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
    assert told["aud"] == f"http://{service.where}"
    assert told["sub"].startswith("mailto:")
    assert 0 < told["exp"] - timezone.now().timestamp() <= 24 * 3600


def test_the_reader_s_language_is_spoken(service, ann):
    ann.language = "cs"
    ann.save()
    _client, browser = switched_on(ann, service)
    with translation.override("pl"):
        push.bring(notice_to(ann, "friend"))
        assert translation.get_language() == "pl"
    assert browser.opened(service.got[0][2])["title"]


@time_machine.travel("2026-11-30T12:00:00+00:00", tick=False)
def test_it_is_kept_until_the_deadline_and_wakes_a_phone_when_that_is_near(service, ann, bob):
    match = opened(ann, bob, pace="1d")
    switched_on(ann, service)
    for minutes in (600, 30, -5):
        Match.objects.filter(pk=match.pk).update(due_at=timezone.now() + timedelta(minutes=minutes))
        push.bring(notice_to(ann, "your_turn", Match.objects.get(pk=match.pk), key=str(minutes)))
    push.bring(notice_to(ann, "chat", match))
    headers = [(told["ttl"], told["urgency"]) for _path, told, _body in service.got]
    assert headers == [("36000", "normal"), ("1800", "high"), ("60", "high"), (str(7 * 24 * 3600), "low")]


def test_a_repeat_and_a_later_turn_at_the_same_table_take_the_place_of_the_first(ann, bob):
    match, other = opened(ann, bob), opened(ann, bob)
    turn = notice_to(ann, "your_turn", match, key="1")
    later = notice_to(ann, "reminder", match, key="2")
    assert push.topic(turn) == push.topic(Notice.objects.get(pk=turn.pk)) == push.topic(later)
    rest = [
        notice_to(bob, "your_turn", match),
        notice_to(ann, "your_turn", other, key="3"),
        notice_to(ann, "chat", match, key="4"),
        notice_to(ann, "chat", match, key="5"),
    ]
    assert len({push.topic(notice) for notice in [turn, *rest]}) == 5


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_forgotten(service, ann, status):
    switched_on(ann, service)
    service.answers = [status]
    assert push.bring(notice_to(ann, "friend")) == 0
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_push_service_is_asked_again_and_who_has_it_is_not_told_twice(service, ann, status):
    switched_on(ann, service, "one")
    switched_on(ann, service, "two")
    service.answers, service.headers = [201, status], {"Retry-After": "90"}
    notice = notice_to(ann, "friend")
    with pytest.raises(NotYet) as later:
        push.bring(notice)
    assert later.value.seconds == 90
    assert PushSubscription.objects.exclude(last_error="").count() == 1

    assert push.bring(notice) == 2
    assert len(service.got) == 3
    assert len({path for path, _headers, _body in service.got}) == 2
    assert not PushSubscription.objects.exclude(last_error="").exists()
    push.bring(notice_to(ann, "friend", key="2"))
    assert len(service.got) == 5


def test_what_is_refused_for_good_is_not_tried_again_and_its_user_sees_that(service, ann):
    client, _browser = switched_on(ann, service)
    service.answers = [403]
    assert push.bring(notice_to(ann, "friend")) == 0
    assert "The last notice did not get through." in client.get(reverse("games:devices")).content.decode()


def test_a_push_service_that_cannot_be_reached_is_asked_again(ann, settings):
    with push_service() as service:
        settings.PUSH_LOCAL = service.where
        switched_on(ann, service)
    with pytest.raises(NotYet):
        push.bring(notice_to(ann, "friend"))


def test_a_redirect_is_no_success_and_is_not_followed(service, ann):
    switched_on(ann, service)
    service.answers, service.headers = [302], {"Location": "http://localhost/"}
    assert push.bring(notice_to(ann, "friend")) == 0
    assert len(service.got) == 1


def test_no_log_names_an_endpoint(service, ann, caplog):
    switched_on(ann, service, "s3cret")
    service.answers = [500]
    with pytest.raises(NotYet):
        push.bring(notice_to(ann, "friend"))
    assert caplog.text
    assert "s3cret" not in caplog.text and service.where not in caplog.text


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "http://fcm.googleapis.com/x"},
        {"endpoint": "https://evil.example/x"},
        {"endpoint": "https://169.254.169.254/x"},
        {"endpoint": ""},
        {"p256dh": "x"},
        {"p256dh": "B" * 87},
        {"p256dh": "ключ"},
        {"auth": "AAAA"},
        {"auth": "\x00"},
    ],
)
def test_what_no_browser_would_say_is_refused_in_words(service, ann, wrong):
    client = signed_in(ann)
    answer = client.post(reverse("games:push_on"), service.browser().form() | wrong, follow=True)
    assert "nothing was switched on" in answer.content.decode()
    assert not PushSubscription.objects.exists()


def test_signing_out_ends_it_for_that_device_only(service, ann):
    here, _browser = switched_on(ann, service, "here")
    there, _browser = switched_on(ann, service, "there")
    here.post(reverse("account_logout"))
    assert [row.endpoint[-5:] for row in PushSubscription.objects.all()] == ["there"]
    other = switched_on(ann, service, "third")[0]
    sessions = other.get(reverse("usersessions_list")).context["sessions"]
    for session in sessions:
        other.post(reverse("end_session", args=[session.pk]))
    assert [row.endpoint[-5:] for row in PushSubscription.objects.all()] == ["third"]
    assert there.get(reverse("games:devices")).status_code == 302


def test_a_new_password_keeps_this_device_and_ends_the_others(service, ann):
    here, _browser = switched_on(ann, service, "here")
    switched_on(ann, service, "there")
    new = "another horse 77"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert here.post(reverse("account_change_password"), form).status_code == 302
    assert push.bring(notice_to(ann, "friend")) == 1
    assert [row.endpoint[-4:] for row in PushSubscription.objects.all()] == ["here"]


def test_a_session_that_has_expired_hears_nothing(service, ann):
    switched_on(ann, service)
    Session.objects.all().delete()
    assert push.bring(notice_to(ann, "friend")) == 0
    assert not service.got


def test_another_user_of_the_same_browser_takes_it_over(service, ann, bob):
    _client, browser = switched_on(ann, service)
    bobs = signed_in(bob)
    bobs.post(reverse("games:push_on"), browser.form())
    assert [row.user for row in PushSubscription.objects.all()] == [bob]
    assert push.bring(notice_to(ann, "friend")) == 0
    assert push.bring(notice_to(bob, "friend")) == 1


def test_switching_on_again_replaces_what_this_device_had(service, ann):
    client, _browser = switched_on(ann, service, "old")
    client.post(reverse("games:push_on"), service.browser("new").form())
    assert [row.endpoint[-3:] for row in PushSubscription.objects.all()] == ["new"]


def test_the_page_lists_my_devices_in_words_and_each_can_be_stopped_without_scripts(service, ann, bob):
    client, browser = switched_on(ann, service)
    page = client.get(reverse("games:devices")).content.decode()
    assert "Chrome on Android" in page and "this one" in page
    assert browser.endpoint not in page and browser.auth not in page
    mine = PushSubscription.objects.get()
    assert signed_in(bob).post(reverse("games:push_off", args=[mine.pk])).status_code == 404
    assert client.post(reverse("games:push_off", args=[mine.pk])).status_code == 303
    assert not PushSubscription.objects.exists()


def test_so_many_devices_and_no_more(service, ann):
    for number in range(devices.MOST + 2):
        switched_on(ann, service, f"n{number}")
    left = {row.endpoint.rpartition("/")[2] for row in PushSubscription.objects.all()}
    assert len(left) == devices.MOST and "n0" not in left


def test_closing_the_account_forgets_the_devices(service, ann):
    switched_on(ann, service)
    close(ann)
    assert not PushSubscription.objects.exists()


def test_no_message_holds_a_card_of_anybody(service, ann, bob):
    match = opened(ann, bob)
    user = mover(match)
    _client, browser = switched_on(user, service)
    for kind in KINDS:
        about = facts(kind, by=bob.pk, deal=1)
        notice = Notice(user=user, kind=kind, match=match, key=kind, about=about, at=timezone.now())
        notice.save()
        push.bring(notice)
    told = [browser.opened(body) for _path, _headers, body in service.got]
    assert len(told) == len(KINDS)
    allowed = {"title", "body", "url", "tag"}
    assert all(set(news) == allowed for news in told)
    elsewhere = {"sanctioned", "reported_outcome"}  # these are about a person
    assert {news["url"] for kind, news in zip(KINDS, told, strict=True) if kind not in elsewhere} == {
        f"/matches/{match.pk}/"
    }
    words = " ".join(f"{news['title']} {news['body']}" for news in told)
    assert not re.search(r"\b[2-9TJQKA][CDHS]\b|[♠♥♦♣]", words)


def test_a_claimed_delivery_is_sent_or_told_to_have_no_device(service, ann):
    _client, browser = switched_on(ann, service)
    notice = notice_to(ann, "friend")
    delivery = Delivery.objects.create(notice=notice, channel="push", due_at=notice.at)
    push.send([delivery])
    assert browser.opened(service.got[0][2])["title"] == "Rummysite"
    assert devices.reached([ann.pk, 0]) == {ann.pk}
    PushSubscription.objects.all().delete()
    with pytest.raises(Never):
        push.send([delivery])
    assert devices.reached([ann.pk]) == set()
