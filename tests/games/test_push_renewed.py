"""A browser changes its subscription by itself: the service worker asks for what it needs and tells the site."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.models import PushSubscription
from games.notices import push

from .push_service import push_service

pytestmark = pytest.mark.django_db
PLACE = "/notices/devices/again/"


@pytest.fixture
def service(settings):
    with push_service() as running:
        settings.PUSH_LOCAL = running.where
        yield running


@pytest.fixture
def device(service, ann):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    token = client.get(reverse("games:devices")).context["csrf_token"]
    client.post(reverse("games:push_on"), {**service.browser("old").form(), "csrfmiddlewaretoken": str(token)})
    assert PushSubscription.objects.get().endpoint.endswith("/old")
    return client


def told(client):
    return client.get(PLACE).json()


def test_the_new_subscription_takes_the_place_of_the_old_one(service, device, ann):
    assert told(device)["key"] == push.public_key()
    answer = device.post(PLACE, service.browser("new").form(), headers={"X-CSRFToken": told(device)["token"]})
    assert (answer.status_code, answer.content) == (204, b"")
    row = PushSubscription.objects.get()
    assert row.endpoint.endswith("/new") and row.user == ann


def test_another_site_changes_nothing(service, device):
    new = service.browser("new").form()
    assert device.post(PLACE, new).status_code == 403
    headers = {"X-CSRFToken": told(device)["token"], "Origin": "https://evil.example"}
    assert device.post(PLACE, new, headers=headers).status_code == 403
    assert PushSubscription.objects.get().endpoint.endswith("/old")


@pytest.mark.parametrize("wrong", [{"endpoint": "https://169.254.169.254/x"}, {"endpoint": ""}, {"auth": "AAAA"}])
def test_what_the_first_switch_would_refuse_is_refused_here_too(service, device, wrong):
    new = service.browser("new").form() | wrong
    assert device.post(PLACE, new, headers={"X-CSRFToken": told(device)["token"]}).status_code == 400
    assert PushSubscription.objects.get().endpoint.endswith("/old")


def test_a_device_that_is_told_nothing_is_not_switched_on_by_it(service, ann, device):
    other = Client()
    assert other.get(PLACE).status_code == 404
    other.force_login(ann)
    assert other.get(PLACE).status_code == 404
    assert other.post(PLACE, service.browser("new").form()).status_code == 404
    PushSubscription.objects.all().delete()
    assert device.get(PLACE).status_code == 404


def test_the_worker_tells_the_site_of_a_changed_subscription():
    text = Client().get("/sw.js?language=en").content.decode()
    place = re.search(r'place = "([^"]+)"', text)[1].encode().decode("unicode_escape")
    assert place == PLACE
    assert 'addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)))' in text
    sent = re.search(r"new URLSearchParams\(\{([^}]+)\}\)", text)[1]
    assert [name.split(":")[0].strip() for name in sent.split(",")] == ["endpoint", "p256dh", "auth"]
    assert "{{" not in text
