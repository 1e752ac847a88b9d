"""The second step of signing in: turning it on, signing in by it, and the administration that opens with it only."""

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts import factors, roles
from accounts.closing import close
from accounts.models import AuditEntry, User
from tests.conftest import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.second_step]
OFFICE = "/admin/"


def code_of(secret: str) -> str:
    """What the app shows now."""
    return format_hotp_value(hotp_value(secret, list(yield_hotp_counters_from_time())[1]))


def sign_in(user: Any, **more: Any) -> tuple[Client, Any]:
    browser = Client()
    return browser, browser.post(reverse("account_login"), {"login": user.username, "password": PASSWORD} | more)


def turned_on(user: Any) -> tuple[Client, str, list[str]]:
    """A browser in which the user has turned it on, the secret, and the recovery codes."""
    browser, _answer = sign_in(user)
    address = reverse("mfa_activate_totp")
    if browser.get(address).status_code == 302:
        browser.post(reverse("account_reauthenticate"), {"password": PASSWORD, "next": address})
    page = browser.get(address).content.decode()
    found = re.search(r"<code[^>]*>(\w+)</code>", page)
    assert found
    answer = browser.post(address, {"code": code_of(found[1])})
    assert (answer.status_code, answer["Location"]) == (302, reverse("mfa_view_recovery_codes"))
    codes = re.findall(r"<code>(\d+)</code>", browser.get(reverse("mfa_view_recovery_codes")).content.decode())
    assert len(codes) == 10
    return browser, found[1], codes


def later() -> Any:
    """A code is good once; half a minute later there is another."""
    from django.utils import timezone

    return time_machine.travel(timezone.now().timestamp() + 60, tick=False)


def test_turning_it_on_shows_a_picture_that_the_policy_lets_through(ann: Any) -> None:
    browser, _answer = sign_in(ann)
    page = browser.get(reverse("mfa_activate_totp"), follow=True)
    if "password" in page.content.decode() and "qr" not in page.content.decode():
        page = browser.post(
            reverse("account_reauthenticate"), {"password": PASSWORD, "next": reverse("mfa_activate_totp")}, follow=True
        )
    text = page.content.decode()
    assert 'src="data:image/svg+xml;base64,' in text
    assert "img-src 'self' data:" in page["Content-Security-Policy"]
    assert "style=" not in text
    assert "ann@example.org" not in text
    assert "otpauth://totp/ann?" in text


def test_signing_in_asks_for_the_code_and_a_wrong_one_lets_nobody_in(ann: Any) -> None:
    _browser, secret, _codes = turned_on(ann)
    browser, answer = sign_in(ann)
    assert answer["Location"] == reverse("mfa_authenticate")
    assert browser.get(reverse("settings")).status_code == 302
    assert "One more step" in browser.get(answer["Location"]).content.decode()

    wrong = browser.post(answer["Location"], {"code": "000000"})
    assert "This code is not right." in wrong.content.decode()
    assert browser.get(reverse("settings")).status_code == 302

    with later():
        assert browser.post(answer["Location"], {"code": code_of(secret)}).status_code == 302
        assert browser.get(reverse("settings")).status_code == 200


def test_a_recovery_code_signs_in_once(ann: Any) -> None:
    _browser, _secret, codes = turned_on(ann)
    browser, answer = sign_in(ann)
    assert browser.post(answer["Location"], {"code": codes[0]}).status_code == 302
    assert browser.get(reverse("settings")).status_code == 200
    other, answer = sign_in(ann)
    assert "This code is not right." in other.post(answer["Location"], {"code": codes[0]}).content.decode()


def test_it_is_turned_off_again(ann: Any) -> None:
    browser, _secret, _codes = turned_on(ann)
    assert "The second step is on." in browser.get(reverse("mfa_index")).content.decode()
    assert browser.get(reverse("mfa_deactivate_totp")).status_code == 200
    assert browser.post(reverse("mfa_deactivate_totp")).status_code == 302
    assert not Authenticator.objects.exists()
    assert sign_in(ann)[1]["Location"] == reverse("games:tables")


def test_everybody_finds_it_in_the_settings_and_guests_keep_their_account_first(ann: Any) -> None:
    from accounts.guests import make_guest

    browser, _answer = sign_in(ann)
    assert reverse("mfa_index") in browser.get(reverse("settings")).content.decode()
    guest = Client()
    guest.force_login(make_guest("en", "UTC"))
    for name in ("mfa_index", "mfa_activate_totp"):
        assert guest.get(reverse(name))["Location"] == reverse("keep_account")


@pytest.mark.parametrize("role", [*roles.ROLES, "superuser"])
def test_the_administration_opens_with_the_second_step_only(ann: Any, role: str) -> None:
    if role == "superuser":
        User.objects.filter(pk=ann.pk).update(is_staff=True, is_superuser=True)
    else:
        call_command("appoint", "ann", "senior" if role == roles.SENIOR else role)
    browser, _answer = sign_in(ann)
    shut = browser.get(OFFICE, follow=True)
    assert shut.request["PATH_INFO"] == reverse("mfa_index")
    assert "opens only with a second step" in shut.content.decode()

    before, secret, _codes = turned_on(ann)
    asked = browser.get(OFFICE, follow=True)  # a session that knew the password only
    assert asked.request["PATH_INFO"] == reverse("mfa_reauthenticate")
    with later():
        done = browser.post(reverse("mfa_reauthenticate"), {"code": code_of(secret), "next": OFFICE}, follow=True)
    assert (done.status_code, done.request["PATH_INFO"]) == (200, OFFICE)
    assert before.get(OFFICE).status_code == 302
    kept = Authenticator.objects.get(type="totp")
    Authenticator.objects.filter(pk=kept.pk).delete()
    assert browser.get(OFFICE)["Location"].startswith(reverse("admin:login"))
    kept.save()
    assert browser.get(f"{OFFICE}password_change/")["Location"] == reverse("account_change_password")

    browser.post(f"{OFFICE}logout/")
    assert browser.get(reverse("settings")).status_code == 302


def test_players_and_strangers_find_no_way_in(ann: Any) -> None:
    browser, _secret, _codes = turned_on(ann)
    assert browser.get(OFFICE, follow=True).status_code == 403
    sent = Client().get(OFFICE, follow=True)
    assert sent.request["PATH_INFO"] == reverse("account_login")


def test_a_guest_who_signs_in_by_two_steps_may_bring_the_matches_along(ann: Any) -> None:
    from accounts.guests import make_guest
    from games import lobby

    _browser, secret, _codes = turned_on(ann)
    guest = make_guest("en", "UTC")
    lobby.open_match(guest, "basic-rummy", seats=["easy"], pace="none", cut=("00" * 16, "browser"))
    browser = Client()
    browser.force_login(guest)
    answer = browser.post(reverse("account_login"), {"login": "ann", "password": PASSWORD})
    assert answer["Location"] == reverse("mfa_authenticate")
    with later():
        answer = browser.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert urlsplit(answer["Location"]).path == reverse("move_matches")


def test_a_closed_account_keeps_no_second_factor(ann: Any) -> None:
    turned_on(ann)
    close(ann)
    assert not Authenticator.objects.exists()


def test_who_lost_everything_is_helped_at_the_server(ann: Any, bob: Any) -> None:
    turned_on(ann)
    call_command("forget_factor", "Ann", reason="She called, I know her voice.")
    assert sign_in(ann)[1]["Location"] == reverse("games:tables")
    assert AuditEntry.objects.get(act="forget_factor").user == ann
    with pytest.raises(CommandError):
        call_command("forget_factor", "bob", reason="He wrote.")
    assert not factors.has_one(bob)


def test_a_role_is_given_changed_and_taken_at_the_server(ann: Any) -> None:
    for word, role in (("moderator", roles.MODERATOR), ("senior", roles.SENIOR), ("operator", roles.OPERATOR)):
        call_command("appoint", "ann", word)
        now = User.objects.get(pk=ann.pk)
        assert now.is_staff
        assert [group.name for group in now.groups.all()] == [role]
    call_command("appoint", "ann", "none", reason="She has left us.")
    now = User.objects.get(pk=ann.pk)
    assert not now.is_staff
    assert not now.groups.exists()
    assert AuditEntry.objects.filter(act="appoint", user=ann, by=None).count() == 4
    with pytest.raises(CommandError):
        call_command("appoint", "nobody", "moderator")
