"""Sockets end with their session, wherever and however it ends, and with a dead broker."""

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from accounts.closing import close as close_account
from games import consumers, nudge
from tests.conftest import PASSWORD

from .playing import opened
from .wires import Socket, cookie_of, frames, knock, quiet, shut, socket, story

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]


async def closing(opened_socket: Socket) -> Any:
    """Wait until the server closes a socket; the code."""
    message = await opened_socket.receive_output(5)
    assert message["type"] == "websocket.close"
    return message["code"]


def test_signing_out_closes_the_sockets_of_this_session_only(ann, client):
    client.force_login(ann)
    here, there = client.cookies[settings.SESSION_COOKIE_NAME].value, cookie_of(ann)
    laptop = socket("/ws/", cookie=f"{settings.SESSION_COOKIE_NAME}={here}".encode())
    phone = socket("/ws/", cookie=there)

    async def told() -> None:
        await laptop.connect()
        await phone.connect()
        await sync_to_async(client.post)(reverse("account_logout"))
        assert await closing(laptop) == 4401
        assert await frames(phone) == []
        await laptop.disconnect()
        await phone.disconnect()

    story(told)


@pytest.mark.parametrize("how", ["all others", "one", "new password"])
def test_signing_out_elsewhere_closes_the_sockets_there_at_once(ann, client, how):
    tablet = Client()
    for device in (client, tablet):
        device.post("/accounts/login/", {"login": "ann", "password": PASSWORD})
    name = settings.SESSION_COOKIE_NAME
    there = socket("/ws/", cookie=f"{name}={tablet.cookies[name].value}".encode())
    here = socket("/ws/", cookie=f"{name}={client.cookies[name].value}".encode())

    def end() -> None:
        if how == "all others":
            client.post("/accounts/sessions/")
        elif how == "one":
            row = ann.usersession_set.get(session_key=tablet.session.session_key)
            client.post(f"/accounts/sessions/{row.pk}/end/")
        else:
            new = {"password1": "another long word", "password2": "another long word"}
            client.post("/accounts/password/change/", {"oldpassword": PASSWORD, **new})

    async def told() -> None:
        await there.connect()
        await here.connect()
        await sync_to_async(end)()
        assert await closing(there) == 4401
        if how != "new password":  # that gives this session a new key: its page comes back with it
            assert await frames(here) == []
        await there.disconnect()
        await here.disconnect()

    story(told)


def test_closing_the_account_closes_all_its_sockets(ann, bob):
    match = opened(ann, bob)
    laptop, phone = socket("/ws/", ann), socket(f"/ws/match/{match.pk}/", ann)

    async def told() -> None:
        await laptop.connect()
        await phone.connect()
        await sync_to_async(close_account)(ann)
        assert await shut(laptop) == await shut(phone) == "closed 4401"
        await laptop.disconnect()
        await phone.disconnect()

    story(told)


@pytest.mark.parametrize("how", ["shut out", "new password", "signed out"])
def test_a_socket_finds_out_by_itself_that_its_session_has_ended(ann, bob, monkeypatch, how):
    monkeypatch.setattr(consumers, "RECHECK", 0.02)
    match = opened(ann, bob)
    hers = socket(f"/ws/match/{match.pk}/", ann)

    def end() -> None:
        if how == "shut out":
            ann.is_active = False
        elif how == "new password":
            ann.set_password("another")
        else:
            Session.objects.all().delete()
        ann.save()

    async def told() -> None:
        await hers.connect()
        assert await frames(hers) == []
        await sync_to_async(end)()
        await asyncio.sleep(0.1)
        assert await frames(hers) == ["closed 4401"]
        await sync_to_async(nudge.changed)(match.pk, 99, [ann.pk])
        assert await frames(hers) == []
        await hers.disconnect()

    story(told)


def test_without_a_channel_layer_a_socket_is_refused_and_pages_poll(ann, monkeypatch, caplog):
    monkeypatch.setattr("channels.consumer.get_channel_layer", lambda alias: None)

    assert not knock("/ws/", user=ann)
    assert quiet(caplog)


@pytest.mark.parametrize("act", ["group_add", "group_discard", "receive"])
def test_a_dead_broker_ends_a_socket_with_one_line_and_no_trace(ann, monkeypatch, caplog, act):
    layer, hers = get_channel_layer(), socket("/ws/", ann)

    async def dead(*args: Any) -> None:
        raise ConnectionError("broker is away")

    monkeypatch.setattr(layer, act, dead)

    async def told() -> None:
        if await hers.connect() is None:
            await hers.disconnect()
        else:
            await hers.wait()

    story(told)
    assert [r for r in caplog.records if r.exc_info] == []
    assert "broker is away" not in caplog.text
