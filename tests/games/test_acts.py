"""Acts in the administration: each role does exactly its own, with a reason, once, and takes it back."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts import roles, sanctions
from accounts.closing import close
from accounts.models import Appeal, AuditEntry, Sanction, User
from games import people
from games.admin import acts

from .acts_table import CASES, WHO, appealed, in_days, muted, staff
from .playing import opened

pytestmark = pytest.mark.django_db

ALL = [(model, act) for model, known in acts.ACTS.items() for act in known.values()]
WHY = {"ground": "abuse", "reason": "Shouted at others."}


def address(row: Any, act: str) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_do", args=[row.pk, act])


def signed_in(user: Any) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def do(user: Any, row: Any, act: str, **data: Any) -> Any:
    return signed_in(user).post(address(row, act), WHY | data)


def senior(name: str = "senior") -> Any:
    return staff(name, roles.SENIOR)


def test_every_act_has_its_row_in_the_table() -> None:
    assert {act.name for _model, act in ALL} == set(CASES)


@pytest.mark.parametrize("act", [act.name for _model, act in ALL])
@pytest.mark.parametrize("who", WHO)
def test_each_role_does_exactly_its_own(ann: Any, mod: Any, who: str, act: str) -> None:
    case, by = CASES[act], staff("somebody", who)
    row = case.row(ann, mod)
    before = AuditEntry.objects.count(), Sanction.objects.count(), User.objects.get(pk=ann.pk).username

    asked = signed_in(by).get(address(row, act))
    done = do(by, row, act, **case.data())

    after = AuditEntry.objects.count(), Sanction.objects.count(), User.objects.get(pk=ann.pk).username
    if who in case.may:
        assert (asked.status_code, done.status_code) == (200, 302)
        assert AuditEntry.objects.filter(act=act, by=by, reason=WHY["reason"]).count() == 1
    else:
        refused = 302 if who == "player" else 403
        assert (asked.status_code, done.status_code) == (refused, refused)
        assert after == before


@pytest.mark.parametrize("act", [act.name for _model, act in ALL if act.undo is not None])
def test_an_act_is_taken_back_once_by_who_has_it(ann: Any, mod: Any, act: str) -> None:
    case, by = CASES[act], senior()
    do(by, case.row(ann, mod), act, **case.data())
    entry = AuditEntry.objects.get(act=act)
    undo = reverse("admin:accounts_auditentry_undo", args=[entry.pk])

    assert signed_in(staff("clerk", roles.OPERATOR)).post(undo, {"reason": "No."}).status_code == 403
    assert signed_in(by).post(undo, {"reason": " "}).status_code == 400
    assert signed_in(by).post(undo, {"reason": "It was somebody else."}).status_code == 302
    again = signed_in(by).post(undo, {"reason": "It was somebody else."})

    assert again.status_code == 409
    assert "taken back already" in again.content.decode()
    assert AuditEntry.objects.get(undoes=entry).reason == "It was somebody else."


def test_the_page_of_a_player_offers_what_the_role_has(ann: Any) -> None:
    page = reverse("admin:accounts_user_change", args=[ann.pk])
    junior = signed_in(staff("junior", roles.MODERATOR)).get(page).content.decode()
    assert address(ann, "mute") in junior
    assert address(ann, "ban") not in junior
    assert address(ann, "ban") in signed_in(senior()).get(page).content.decode()


def test_what_was_done_is_said_with_the_way_back(ann: Any) -> None:
    answer = signed_in(by := senior()).post(address(ann, "mute"), WHY, follow=True).content.decode()
    entry = AuditEntry.objects.get(by=by, act="mute")
    assert "stands in the audit log" in answer
    assert reverse("admin:accounts_auditentry_undo", args=[entry.pk]) in answer


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"reason": ""}, "This field is required."),
        ({"reason": "   "}, "This field is required."),
        ({"reason": "x" * 1001}, "at most 1000 characters"),
        ({"ground": "none"}, "Select a valid choice"),
        ({"until": "2020-01-01T10:00"}, "The end has to lie in the future."),
        ({"until": "soon"}, "Enter a valid date/time."),
    ],
)
def test_a_form_that_is_wrong_comes_again_and_changes_nothing(ann: Any, data: Any, sentence: str) -> None:
    answer = do(senior(), ann, "mute", **data)
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert not Sanction.objects.exists()
    assert not AuditEntry.objects.exists()


def test_a_moderator_suspends_for_a_week_and_a_senior_for_longer(ann: Any) -> None:
    refused = do(staff("junior", roles.MODERATOR), ann, "suspend", until=in_days(8))
    assert refused.status_code == 400
    assert "takes a senior moderator" in refused.content.decode()
    assert not Sanction.objects.exists()
    assert do(senior(), ann, "suspend", until=in_days(8)).status_code == 302


def test_nobody_decides_about_himself_his_like_or_those_above(ann: Any, mod: Any) -> None:
    junior, peer, above = staff("junior", roles.MODERATOR), staff("peer", roles.MODERATOR), senior()
    for row, sentence in [
        (junior, "That is you."),
        (peer, "one of the staff"),
        (above, "one of the staff"),
        (mod, "one of the staff"),
    ]:
        answer = do(junior, row, "mute")
        assert answer.status_code == 409
        assert sentence in answer.content.decode()
    assert do(above, junior, "mute").status_code == 302
    assert Sanction.objects.count() == 1


def test_nobody_decides_about_a_friend_or_who_plays_with_him(ann: Any, bob: Any) -> None:
    by = senior()
    people.befriend(by, ann)
    people.befriend(ann, by)
    opened(by, bob)
    for row, sentence in [(ann, "friend of yours"), (bob, "play with this player")]:
        answer = do(by, row, "ban")
        assert answer.status_code == 409
        assert sentence in answer.content.decode()
    assert not Sanction.objects.exists()


def test_a_closed_account_is_left_alone(ann: Any) -> None:
    close(ann)
    answer = do(senior(), ann, "ban")
    assert answer.status_code == 409
    assert "account is closed" in answer.content.decode()


def test_the_same_twice_is_refused(ann: Any) -> None:
    by = senior()
    assert do(by, ann, "mute").status_code == 302
    answer = do(by, ann, "mute")
    assert answer.status_code == 400
    assert "has it already" in answer.content.decode()
    assert Sanction.objects.count() == 1


@pytest.mark.parametrize("name", ["ann", "bob", "x", "admin", "with space", "guest-7"])
def test_a_name_that_cannot_be_given_is_refused(ann: Any, bob: Any, name: str) -> None:
    assert do(senior(), ann, "rename", name=name).status_code == 400
    assert User.objects.get(pk=ann.pk).username == "ann"


def test_a_junior_does_not_lift_what_only_seniors_impose(ann: Any, mod: Any) -> None:
    entry = sanctions.impose(mod, ann, "banned", ground="cheating", reason="Told cards.")
    row = Sanction.objects.get(pk=entry.target_id)
    assert do(staff("junior", roles.MODERATOR), row, "lift").status_code == 400
    assert Sanction.objects.get().lifted_at is None


def test_an_appeal_is_answered_by_another_senior_where_there_is_one(ann: Any, mod: Any) -> None:
    appeal = appealed(ann, by := senior())
    refused = do(by, appeal, "answer_appeal", outcome="upheld")
    assert refused.status_code == 409
    assert "another senior" in refused.content.decode()
    assert do(mod, appeal, "answer_appeal", outcome="lifted").status_code == 302
    assert Appeal.objects.get().outcome == "lifted"
    assert Sanction.objects.get().lifted_by == mod


def test_the_only_senior_answers_himself(ann: Any) -> None:
    appeal = appealed(ann, by := senior())
    assert do(by, appeal, "answer_appeal", outcome="shortened", until=in_days(2)).status_code == 302
    assert Sanction.objects.get().until is not None
    assert do(by, appeal, "answer_appeal", outcome="upheld").status_code == 409


@pytest.mark.parametrize("data", [{"outcome": "shortened"}, {"outcome": "shortened", "until": "2020-01-01T00:00"}, {}])
def test_an_answer_needs_a_decision_that_can_be(ann: Any, mod: Any, data: Any) -> None:
    assert do(senior(), appealed(ann, mod), "answer_appeal", **data).status_code == 400
    assert Appeal.objects.get().answered_at is None


def test_sanctions_appeals_and_the_log_can_be_read_and_not_changed(ann: Any, mod: Any) -> None:
    appealed(ann, mod)
    by, junior = senior(), staff("junior", roles.MODERATOR)
    for model in (Sanction, Appeal, AuditEntry):
        name, row = f"accounts_{model._meta.model_name}", model.objects.get()
        read = [reverse(f"admin:{name}_changelist"), reverse(f"admin:{name}_change", args=[row.pk])]
        for page in read:
            assert signed_in(by).get(page).status_code == 200
            assert signed_in(junior).get(page).status_code == (403 if model is AuditEntry else 200)
        assert signed_in(mod).post(read[1], {"reason": "x"}).status_code == 403
        assert signed_in(mod).post(reverse(f"admin:{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
        assert signed_in(mod).get(reverse(f"admin:{name}_add")).status_code == 403


def test_unknown_acts_and_rows_are_not_found(ann: Any, mod: Any) -> None:
    office = signed_in(mod)
    assert office.get(address(ann, "crown")).status_code == 404
    assert office.get(reverse("admin:accounts_user_do", args=[999_999, "mute"])).status_code == 404
    assert office.get(reverse("admin:accounts_auditentry_undo", args=[999_999])).status_code == 404
    assert office.get(address(muted(ann, mod), "mute")).status_code == 404
