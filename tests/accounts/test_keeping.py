"""A guest keeps the account: the same row, with a name and a password, signed in wherever the guest was."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts import forms
from accounts.models import User

pytestmark = pytest.mark.django_db
GOOD = {"username": "dora", "email": "", "password1": "quiet card room", "password2": "quiet card room"}


def guest_of(client: Client) -> User:
    client.post("/accounts/guest/", {"time_zone": "Europe/Prague"})
    return User.objects.get(pk=client.session["_auth_user_id"])


def signed_in(client: Client) -> bool:
    return client.get("/accounts/settings/").status_code == 200


def link_of(client: Client) -> str:
    page = client.post("/accounts/keep/link/", {"do": "make"}).content.decode()
    found = re.search(r'value="http://testserver(/back/[^"]+)"', page)
    assert found
    return found[1]


def test_guests_are_invited_to_keep_the_account(client: Client) -> None:
    guest = guest_of(client)
    page = client.get("/accounts/settings/").content.decode()
    assert f"You play as {guest.shown_name}" in page
    assert page.count('href="/accounts/keep/"') == 2  # in the menu and on the page


def test_persons_are_not(client: Client, ann: User) -> None:
    client.force_login(ann)
    assert "/accounts/keep/" not in client.get("/accounts/settings/").content.decode()
    assert client.get("/accounts/keep/")["Location"] == "/accounts/settings/"
    assert client.post("/accounts/keep/", GOOD)["Location"] == "/accounts/settings/"
    assert User.objects.get().username == "ann"


def test_keeping_keeps_the_row_and_the_session(client: Client) -> None:
    guest = guest_of(client)
    key = client.session.session_key
    answer = client.post("/accounts/keep/", GOOD)
    assert (answer.status_code, answer["Location"]) == (303, "/tables/")
    kept = User.objects.get()
    assert (kept.pk, kept.username, kept.is_guest, kept.time_zone) == (guest.pk, "dora", False, "Europe/Prague")
    assert kept.shown_name == "dora"
    assert signed_in(client)
    assert client.session.session_key != key
    assert kept.usersession_set.get().session_key == client.session.session_key
    elsewhere = Client()
    elsewhere.post("/accounts/login/", {"login": "dora", "password": GOOD["password1"]})
    assert signed_in(elsewhere)


def test_the_guests_other_sessions_stay_signed_in_too(client: Client) -> None:
    guest = guest_of(client)
    tablet = Client()
    tablet.post(link_of(client))
    client.post("/accounts/keep/", GOOD)
    assert signed_in(tablet)
    assert tablet.session["_auth_user_id"] == str(guest.pk)


def test_an_address_is_asked_to_confirm_as_after_signing_up(client: Client) -> None:
    guest_of(client)
    client.post("/accounts/keep/", {**GOOD, "email": "Dora@example.org"})
    assert mail.outbox[0].to == ["dora@example.org"]
    link = re.search(r"http://testserver(/accounts/confirm-email/\S+)", mail.outbox[0].body)
    assert link
    client.post(link[1])
    address = EmailAddress.objects.get()
    assert (address.email, address.verified, address.primary) == ("dora@example.org", True, True)
    assert User.objects.get().email == "dora@example.org"
    assert signed_in(client)


@pytest.mark.parametrize(
    "wrong",
    [
        {"username": "ANN"},
        {"username": "admin"},
        {"username": "guest-77"},
        {"username": ""},
        {"email": "ann@example.org"},
        {"password2": "another card room"},
        {"password1": "short", "password2": "short"},
        {"username": "quietcards", "password1": "quietcards1", "password2": "quietcards1"},
    ],
)
def test_the_rules_are_those_of_signing_up(client: Client, ann: User, wrong: dict[str, str]) -> None:
    EmailAddress.objects.create(user=ann, email=ann.email, verified=True, primary=True)
    guest = guest_of(client)
    answer = client.post("/accounts/keep/", GOOD | wrong)
    assert answer.status_code == 400
    assert b"errorlist" in answer.content
    guest.refresh_from_db()
    assert guest.is_guest and guest.username.startswith("guest-")
    assert not mail.outbox


def test_a_name_that_goes_a_moment_before_is_told(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = guest_of(client)
    was = forms.KeepForm.clean

    def clean(self: Any) -> Any:
        User.objects.create(username="Dora")
        return was(self)

    monkeypatch.setattr(forms.KeepForm, "clean", clean)
    answer = client.post("/accounts/keep/", GOOD)
    assert answer.status_code == 400
    assert b"Somebody has this name already" in answer.content
    guest.refresh_from_db()
    assert guest.is_guest


@pytest.mark.parametrize(
    "name",
    ["account_change_password", "account_set_password", "account_email", "account_signup", "account_reauthenticate"],
)
def test_what_needs_a_password_leads_guests_to_keeping_the_account(client: Client, name: str) -> None:
    guest = guest_of(client)
    for answer in (client.get(reverse(name)), client.post(reverse(name), {**GOOD, "password": "x", "email": "a@b.de"})):
        assert answer.status_code == 302
        assert answer["Location"] == "/accounts/keep/"
    guest.refresh_from_db()
    assert guest.is_guest and not guest.has_usable_password()


def test_a_guest_closes_the_account_with_a_tick(client: Client) -> None:
    guest_of(client)
    page = client.get("/accounts/close/").content.decode()
    assert 'type="password"' not in page
    assert client.post("/accounts/close/").status_code == 400
    assert User.objects.get().is_active
    link = link_of(client)
    assert client.post("/accounts/close/", {"sure": "on"}).status_code == 302
    assert not User.objects.get().is_active
    assert not signed_in(client)
    assert client.get(link).status_code == 404


def test_a_link_brings_a_guest_back_on_another_device(client: Client) -> None:
    guest = guest_of(client)
    link = link_of(client)
    tablet = Client()
    page = tablet.get(link)
    assert f"Come back as {guest.shown_name}" in page.content.decode()
    tablet.head(link)
    assert not signed_in(tablet)
    before = tablet.session.session_key
    assert tablet.post(link).status_code == 303
    assert signed_in(tablet)
    assert tablet.session["_auth_user_id"] == str(guest.pk)
    assert tablet.session.session_key != before
    assert guest.usersession_set.count() == 2
    assert tablet.get(link)["Location"] == "/tables/"


def test_a_new_link_ends_the_old_one_and_can_be_ended_itself(client: Client) -> None:
    guest_of(client)
    old, new = link_of(client), link_of(client)
    assert old != new
    assert Client().get(old).status_code == Client().post(old).status_code == 404
    assert Client().get(new).status_code == 200
    client.post("/accounts/keep/link/", {"do": "end"})
    assert Client().get(new).status_code == Client().post(new).status_code == 404


def test_of_a_link_only_its_hash_is_kept(client: Client) -> None:
    guest_of(client)
    token = link_of(client).split("/")[2]
    assert len(token) >= 22  # 128 bits
    row = str(list(User.objects.values()))
    assert token not in row
    assert token not in str(dict(client.session))


def test_a_link_is_shown_once_and_stored_nowhere(client: Client) -> None:
    guest_of(client)
    answer = client.post("/accounts/keep/link/", {"do": "make"})
    assert "no-store" in answer["Cache-Control"]
    assert "/back/" not in client.get("/accounts/keep/").content.decode()
    assert client.get("/accounts/keep/link/").status_code == 405


def test_the_page_of_a_link_tells_no_other_page_its_address(client: Client) -> None:
    guest_of(client)
    answer = Client().get(link_of(client))
    assert answer["Referrer-Policy"] == "strict-origin"
    assert "no-store" in answer["Cache-Control"]


def test_a_link_ends_when_the_account_is_kept(client: Client) -> None:
    guest_of(client)
    link = link_of(client)
    client.post("/accounts/keep/", GOOD)
    assert Client().get(link).status_code == 404
    assert User.objects.get().back_key == ""


def test_persons_have_no_such_link(client: Client, ann: User) -> None:
    client.force_login(ann)
    assert client.post("/accounts/keep/link/", {"do": "make"})["Location"] == "/accounts/settings/"
    ann.refresh_from_db()
    assert ann.back_key == ""


def test_coming_back_has_a_limit_for_each_address(client: Client, time_machine: Any) -> None:
    time_machine.move_to("2026-12-01T10:05:00Z", tick=False)
    guest_of(client)
    link = link_of(client)
    for _ in range(20):
        assert Client().post(link).status_code == 303
    assert Client().post(link).status_code == 429
    assert Client().post(link, REMOTE_ADDR="192.0.2.7").status_code == 303


def test_who_is_signed_in_otherwise_is_told_before_coming_back(client: Client, ann: User) -> None:
    guest = guest_of(client)
    link = link_of(client)
    tablet = Client()
    tablet.force_login(ann)
    assert "You are signed in as ann now" in tablet.get(link).content.decode()
    tablet.post(link)
    assert tablet.session["_auth_user_id"] == str(guest.pk)


def test_nobody_asks_for_names_and_addresses_without_end(db: None) -> None:
    browser = Client()
    browser.post("/accounts/guest/")
    codes = [browser.post("/accounts/keep/", {"username": "x"}).status_code for _ in range(21)]
    assert codes == [400] * 20 + [429]
