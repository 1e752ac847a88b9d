"""Signing up, in and out; settings; closing an account."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts.devices import device
from accounts.models import User
from games.lobby import open_match
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
GOOD = {"username": "dora", "email": "", "password1": "quiet card room", "password2": "quiet card room"}


def sign_in(client: Client, name: str, password: str = PASSWORD) -> Any:
    return client.post("/accounts/login/", {"login": name, "password": password})


def signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_signing_up_needs_no_address_and_signs_in(client: Client) -> None:
    answer = client.post("/accounts/signup/", {**GOOD, "time_zone": "Europe/Skopje"})
    assert answer.status_code == 302
    assert answer["Location"] == "/tables/"
    assert signed_in(client)
    assert User.objects.get(username="dora").time_zone == "Europe/Skopje"


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../etc/passwd"])
def test_an_unknown_time_zone_is_no_reason_to_refuse(client: Client, zone: str) -> None:
    client.post("/accounts/signup/", {**GOOD, "time_zone": zone})
    assert User.objects.get(username="dora").time_zone == "UTC"


def test_an_address_is_asked_to_confirm_but_does_not_block(client: Client) -> None:
    client.post("/accounts/signup/", {**GOOD, "email": "dora@example.org"})
    assert client.get("/tables/").status_code == 200
    assert mail.outbox[0].to == ["dora@example.org"]
    link = re.search(r"http://testserver(/accounts/confirm-email/\S+)", mail.outbox[0].body)
    assert link
    assert client.get(link[1]).status_code == 200
    client.post(link[1])
    assert client.get("/accounts/email/").content.count(b"not confirmed yet") == 0


def test_a_name_is_taken_in_any_case(client: Client, ann: User) -> None:
    for name in ("ann", "ANN", "Ann"):
        answer = client.post("/accounts/signup/", {**GOOD, "username": name})
        assert answer.status_code == 200
        assert not signed_in(client)
    assert User.objects.count() == 1


def test_a_name_of_signs_that_stand_for_whole_words_is_refused(client: Client) -> None:
    answer = client.post(
        "/accounts/signup/", {**GOOD, "username": "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 3}
    )
    assert "Use letters, digits and the signs _ - . only." in answer.content.decode()
    assert not User.objects.exists()


def test_the_database_too_knows_names_in_any_case(ann: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("ANN")


@pytest.mark.parametrize("name", ["admin", "Moderator", "bot", "Bot_7", "deleted", "a b", "ab", "x" * 21, "ad.min<"])
def test_some_names_are_nobodys(client: Client, name: str) -> None:
    answer = client.post("/accounts/signup/", {**GOOD, "username": name})
    assert answer.status_code == 200
    assert b"errorlist" in answer.content
    assert not User.objects.exists()


def test_signing_in_by_name_or_address(client: Client, ann: User) -> None:
    for login in ("ann", "ann@example.org"):
        assert sign_in(client, login)["Location"] == "/tables/"
        assert signed_in(client)
        client.post("/accounts/logout/")


def test_wrong_passwords_soon_meet_a_limit(client: Client, ann: User) -> None:
    for _ in range(5):
        sign_in(client, "ann", "wrong")
    answer = sign_in(client, "ann")
    assert not signed_in(client)
    assert answer.status_code == 200
    assert b"Too many" in answer.content


def test_the_admin_has_no_door_of_its_own(client: Client, mod: User) -> None:
    answer = client.post("/admin/login/", {"username": "mod", "password": PASSWORD})
    assert not signed_in(client)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")


def test_signing_out_forgets(client: Client, ann: User) -> None:
    client.force_login(ann)
    assert b"Sign out" in client.get("/accounts/logout/").content
    answer = client.post("/accounts/logout/")
    assert not signed_in(client)
    assert answer["Clear-Site-Data"] == '"cache", "storage"'
    assert client.get("/tables/")["Location"].startswith("/accounts/login/")


def test_private_pages_are_stored_nowhere(client: Client, ann: User) -> None:
    client.force_login(ann)
    for page in ("/tables/", "/lobby/", "/accounts/settings/", "/accounts/sessions/", "/accounts/email/", "/nowhere/"):
        assert "no-store" in client.get(page)["Cache-Control"], page
    assert b'"historyCacheSize": 0' in client.get("/tables/").content


def test_a_forgotten_password_is_replaced_by_mail(client: Client, ann: User) -> None:
    ann.emailaddress_set.create(email=ann.email, verified=True, primary=True)
    client.post("/accounts/password/reset/", {"email": "ann@example.org"})
    link = re.search(r"http://testserver(/accounts/password/reset/key/\S+)", mail.outbox[0].body)
    assert link
    page = client.get(link[1], follow=True)
    where = page.redirect_chain[-1][0]
    client.post(where, {"password1": "a newer password", "password2": "a newer password"})
    assert sign_in(Client(), "ann", "a newer password").status_code == 302


def test_pages_with_a_key_in_their_address_tell_no_other_page(client: Client, ann: User) -> None:
    client.post("/accounts/signup/", {**GOOD, "email": "dora@example.org"})
    link = re.search(r"http://testserver(/accounts/confirm-email/\S+)", mail.outbox[0].body)
    assert link
    assert client.get(link[1])["Referrer-Policy"] == "strict-origin"
    match = open_match(ann, "basic-rummy", seats=["open"], pace="1d")
    assert client.get(f"/join/{match.token}/")["Referrer-Policy"] == "strict-origin"


@pytest.mark.parametrize("key", ["/accounts/password/reset/key/1-abc/", "/accounts/confirm-email/MQ:1abc:xyz/"])
def test_a_link_that_is_used_up_says_so_and_what_to_do(client: Client, key: str) -> None:
    page = client.get(key, follow=True).content.decode()
    assert "This link is used up" in page
    assert "Send another letter" in page


def test_nobody_learns_who_has_an_account(client: Client, ann: User) -> None:
    answers = [client.post("/accounts/password/reset/", {"email": to}) for to in ("ann@example.org", "no@example.org")]
    assert answers[0].status_code == answers[1].status_code == 302
    assert answers[0]["Location"] == answers[1]["Location"]


def test_a_password_is_changed(client: Client, ann: User) -> None:
    client.force_login(ann)
    new = "another long word"
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert User.objects.get().check_password(new)
    assert signed_in(client)


def test_closing_asks_for_the_password(client: Client, ann: User) -> None:
    client.force_login(ann)
    assert client.get("/accounts/close/").status_code == 200
    assert client.post("/accounts/close/", {"password": "wrong"}).status_code == 400
    assert User.objects.get().is_active


told: list[Any] = []


def note(user: User) -> None:
    """Stands for the games: called before an account is closed."""
    told.append((user.pk, user.is_active))


def test_closing_takes_everything_personal(client: Client, ann: User, settings: Any) -> None:
    settings.ACCOUNT_BEFORE_CLOSE = [f"{__name__}.note"]
    told.clear()
    ann.emailaddress_set.create(email=ann.email, verified=True, primary=True)
    User.objects.update(display_name="Ana", is_staff=True)
    elsewhere = Client()
    sign_in(elsewhere, "ann")
    sign_in(client, "ann")
    answer = client.post("/accounts/close/", {"password": PASSWORD})
    assert "storage" in answer["Clear-Site-Data"]
    assert [pk for pk, _active in told] == [ann.pk] * 2  # before, and once more for what was begun meanwhile
    assert told[0] == (ann.pk, True)
    row = User.objects.get()
    assert (row.username, row.email, row.display_name, row.is_staff) == ("ann", "", "", False)
    assert row.shown_name == "deleted player"
    assert timezone.now() - row.closed_at < timedelta(minutes=1)
    assert not row.emailaddress_set.exists()
    assert not signed_in(client)
    assert elsewhere.get("/tables/").status_code == 302
    sign_in(client, "ann")
    assert not signed_in(client)
    client.post("/accounts/signup/", {**GOOD, "username": "Ann"})
    assert User.objects.count() == 1


ON_A_TABLET = (
    "Mozilla/5.0 (Linux; Android 14; SM-X210) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"
)


def test_one_device_is_signed_out_and_no_other(client: Client, ann: User, bob: User) -> None:
    tablet, phone, his = Client(), Client(), Client()
    for place in (tablet, phone, client):
        sign_in(place, "ann")
    sign_in(his, "bob")
    end = "/accounts/sessions/{}/end/"
    key = {place: place.session.session_key for place in (tablet, client, his)}
    row = {place: UserSession.objects.get(session_key=key[place]).pk for place in key}
    assert client.get(end.format(row[tablet])).status_code == 405
    assert client.post(end.format(row[his])).status_code == 404
    assert client.post(end.format(row[tablet]))["Location"] == "/accounts/sessions/"
    client.post(end.format(row[client]))
    assert not signed_in(tablet)
    assert signed_in(phone) and signed_in(client) and signed_in(his)
    assert client.get("/tables/").status_code == 200


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (ON_A_TABLET, "Chrome on Android"),
        ("Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0", "Firefox on Android"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "Version/18.1 Mobile/15E148 Safari/604.1",
            "Safari on iPhone",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "CriOS/142.0 Mobile/15E148 Safari/604.1",
            "Chrome on iPhone",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 "
            "Safari/537.36 Edg/142.0.0.0",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 "
            "Safari/605.1.15",
            "Safari on Mac",
        ),
        ("curl/8.5.0", "A browser that is not known here"),
        ("Firefox/9", "Firefox"),
        ("", "A browser that is not known here"),
    ],
)
def test_a_device_is_told_in_words(said: str, words: str) -> None:
    assert device(said) == words


def test_who_signs_out_as_a_guest_is_told_what_that_means(client: Client) -> None:
    client.post("/accounts/guest/")
    menu = client.get("/lobby/").content.decode()
    assert '<form method="post" action="/accounts/logout/"' not in menu
    page = client.get("/accounts/logout/").content.decode()
    assert "only your link to come back lets you in again" in page
    assert 'href="/accounts/keep/"' in page
    client.post("/accounts/logout/")
    assert not signed_in(client)


def test_sessions_are_listed_and_the_others_signed_out(client: Client, ann: User) -> None:
    elsewhere = Client(headers={"user-agent": ON_A_TABLET})
    sign_in(elsewhere, "ann")
    elsewhere.get("/tables/")
    sign_in(client, "ann")
    page = client.get("/accounts/sessions/").content.decode()
    assert "Chrome on Android" in page
    assert "Mozilla" not in page
    client.post("/accounts/sessions/")
    assert elsewhere.get("/tables/").status_code == 302
    assert client.get("/tables/").status_code == 200
