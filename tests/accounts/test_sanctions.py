"""Sanctions seen by their user: the page, the one answer, what else is open; and two who decide at once."""

import threading
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import appeals, renaming, sanctions
from accounts.models import Appeal, AuditEntry, Sanction, User
from accounts.refusal import Refusal
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
PAGE = "/accounts/sanctions/"


def impose(by: Any, user: Any, kind: str, **more: Any) -> Sanction:
    entry = sanctions.impose(by, user, kind, ground="abuse", reason="You shouted at Bob.", **more)
    return Sanction.objects.get(pk=entry.target_id)


def signed_in(user: Any) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def soon(**more: Any) -> Any:
    return timezone.now() + timedelta(**more)


def test_the_page_says_why_in_which_words_and_until_when(ann: Any, mod: Any) -> None:
    impose(mod, ann, "suspended", until=soon(days=2))
    page = signed_in(ann).get(PAGE).content.decode()
    for text in ("Your account is suspended until", "Insults, threats or spam.", "You shouted at Bob.", "answer once"):
        assert text in page
    assert "mod" not in page.replace("moderator", "").replace("Moderator", "")


def test_who_is_shut_out_sees_this_page_and_nothing_else(ann: Any, mod: Any) -> None:
    impose(mod, ann, "banned")
    browser = signed_in(ann)
    for name in ("games:tables", "games:lobby", "settings", "games:home", "account_email", "usersessions_list"):
        answer = browser.get(reverse(name))
        assert (answer.status_code, answer["Location"]) == (302, PAGE)
    assert browser.post(reverse("games:play_now")).status_code == 302
    part = browser.get(reverse("games:badge"), headers={"HX-Request": "true"})
    assert (part.status_code, part["HX-Redirect"]) == (204, PAGE)
    for name in ("privacy", "contact", "close_account", "games:own_data", "sanctions"):
        assert browser.get(reverse(name)).status_code == 200
    assert browser.post(reverse("account_logout")).status_code == 302


def test_signing_in_leads_to_the_page(ann: Any, mod: Any, client: Client) -> None:
    impose(mod, ann, "banned")
    answer = client.post(reverse("account_login"), {"login": "ann", "password": PASSWORD}, follow=True)
    assert answer.request["PATH_INFO"] == PAGE
    assert "Your account is banned." in answer.content.decode()


def test_a_suspension_ends_by_itself(ann: Any, mod: Any) -> None:
    impose(mod, ann, "suspended", until=soon(days=2))
    with time_machine.travel(soon(days=3), tick=False):
        browser = signed_in(User.objects.get(pk=ann.pk))
        assert browser.get(reverse("games:tables")).status_code == 200
        assert "This has ended." in browser.get(PAGE).content.decode()
    assert not sanctions.active(ann) or sanctions.why_not(ann, "play")


def test_lifting_one_leaves_the_other(ann: Any, mod: Any) -> None:
    short = impose(mod, ann, "suspended", until=soon(days=2))
    ban = impose(mod, ann, "banned")
    sanctions.lift(mod, ban, reason="Too hard.")
    assert User.objects.get(pk=ann.pk).barred_until == short.until
    sanctions.lift(mod, short, reason="Too hard as well.")
    assert User.objects.get(pk=ann.pk).barred_until is None
    assert "Too hard as well." in signed_in(ann).get(PAGE).content.decode()


def test_a_user_answers_once_and_reads_what_came_of_it(ann: Any, mod: Any) -> None:
    row = impose(mod, ann, "banned")
    browser, address = signed_in(ann), reverse("appeal", args=[row.pk])
    assert browser.post(address, {"text": " "}).status_code == 422
    assert browser.post(address, {"text": "x" * 2001}).status_code == 422
    assert browser.post(address, {"text": "It was <b>my</b> brother."}).status_code == 302
    again = browser.post(address, {"text": "Please!"})
    assert again.status_code == 422
    assert "You have answered already." in again.content.decode()
    page = browser.get(PAGE).content.decode()
    assert "It was &lt;b&gt;my&lt;/b&gt; brother." in page
    assert "<textarea" not in page

    appeals.answer(mod, Appeal.objects.get(), outcome="shortened", reason="A week, then.", until=soon(days=7))

    assert "A week, then." in browser.get(PAGE).content.decode()
    assert User.objects.get(pk=ann.pk).barred_until == Sanction.objects.get().until
    assert AuditEntry.objects.get(act="answer_appeal").details["kind"] == "banned"


def test_nobody_answers_to_the_sanction_of_another(ann: Any, bob: Any, mod: Any) -> None:
    row = impose(mod, ann, "warning")
    assert signed_in(bob).post(reverse("appeal", args=[row.pk]), {"text": "Me!"}).status_code == 404
    assert "No moderator has decided anything" in signed_in(bob).get(PAGE).content.decode()


def test_a_warning_binds_nobody_and_is_taken_back(ann: Any, mod: Any) -> None:
    row = impose(mod, ann, "warning")
    assert sanctions.active(ann) == []
    assert impose(mod, ann, "warning").pk != row.pk
    sanctions.lift(mod, row, reason="Wrong player.")
    with pytest.raises(Refusal):
        sanctions.lift(mod, row, reason="Wrong player.")


def test_a_lifted_sanction_is_restored_as_it_was(ann: Any, mod: Any) -> None:
    row = impose(mod, ann, "suspended", until=soon(days=2))
    entry = sanctions.lift(mod, row, reason="Too hard.")
    sanctions.restore(mod, entry, "It was right.")
    assert User.objects.get(pk=ann.pk).is_barred
    assert AuditEntry.objects.get(undoes=entry).act == "restore"


def test_a_name_is_given_and_given_back_and_both_sign_in(ann: Any, mod: Any, client: Client) -> None:
    User.objects.filter(pk=ann.pk).update(display_name="Annie")
    entry = renaming.rename(mod, ann, "anna", ground="name", reason="Passes for another.")
    assert (entry.details["old"], entry.details["new"]) == ("ann", "anna")
    assert User.objects.get(pk=ann.pk).shown_name == "anna"
    for login in ("ann", "Anna"):
        assert client.post(reverse("account_login"), {"login": login, "password": PASSWORD}).status_code == 302
        client.logout()
    renaming.undo(mod, entry, "It was fine.")
    assert User.objects.get(pk=ann.pk).shown_name == "Annie"
    with pytest.raises(Refusal):
        renaming.undo(mod, entry, "Again.")


@pytest.mark.pg
@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "suspended", "until": None},
        {"kind": "banned", "until": soon(days=1)},
        {"kind": "mute", "until": soon(days=-1)},
        {"kind": "mute", "reason": ""},
        {"kind": "mute", "lifted_at": soon(days=0)},
    ],
)
def test_the_database_holds_what_a_sanction_is(ann: Any, mod: Any, fields: dict[str, Any]) -> None:
    usual = {"user": ann, "by": mod, "at": timezone.now(), "ground": "abuse", "reason": "Shouted."}
    with pytest.raises(DatabaseError), transaction.atomic():
        Sanction.objects.create(**usual | fields)


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["banned", "mute"])
def test_two_moderators_at_once_impose_it_once(ann: Any, mod: Any, kind: str) -> None:
    other = User.objects.create(username="boss", is_staff=True, is_superuser=True)
    start, said = threading.Barrier(2), []

    def decide(by: Any) -> None:
        start.wait(5)
        try:
            sanctions.impose(by, ann, kind, ground="abuse", reason="Shouted.")
            said.append("done")
        except Refusal:
            said.append("refused")
        finally:
            connection.close()

    both = [threading.Thread(target=decide, args=(by,)) for by in (mod, other)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert sorted(said) == ["done", "refused"]
    assert Sanction.objects.count() == AuditEntry.objects.count() == 1
