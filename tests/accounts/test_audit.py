"""The audit log is only added to; the roles of the staff are one table, which the database has as groups."""

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import DatabaseError, connection, transaction

from accounts import roles
from accounts.audit import enter
from accounts.models import AuditEntry, User


@pytest.fixture
def entry(mod: Any, ann: Any) -> AuditEntry:
    return enter(mod, "warn", reason="Shouted.", user=ann, target=ann, details={"kind": "warning"})


@pytest.mark.pg
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE accounts_auditentry SET reason = 'nothing'",
        "DELETE FROM accounts_auditentry",
    ],
)
def test_the_database_itself_refuses_to_change_an_entry(entry: AuditEntry, statement: str) -> None:
    with pytest.raises(DatabaseError, match="only added to"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    with pytest.raises(DatabaseError), transaction.atomic():
        AuditEntry.objects.update(reason="")
    with pytest.raises(DatabaseError), transaction.atomic():
        AuditEntry.objects.all().delete()
    assert AuditEntry.objects.get().reason == "Shouted."


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
def test_the_log_can_be_swept_between_tests_and_keeps_its_triggers(mod: Any) -> None:
    with transaction.atomic():
        enter(mod, "warn", reason="Shouted.")
    with pytest.raises(DatabaseError):
        AuditEntry.objects.update(reason="")


def test_an_entry_is_neither_saved_again_nor_deleted(entry: AuditEntry) -> None:
    with pytest.raises(TypeError):
        entry.save()
    with pytest.raises(TypeError):
        entry.delete()


def test_an_entry_knows_what_it_is_about(entry: AuditEntry, ann: Any) -> None:
    assert (entry.user, entry.target_kind, entry.target_id) == (ann, "user", ann.pk)


def test_an_act_needs_a_reason_and_a_look_does_not(mod: Any) -> None:
    with pytest.raises(ValueError):
        enter(mod, "warn", reason="  ")
    assert enter(mod, "saw_devices", reason="").reason == ""


@pytest.mark.parametrize(
    "details", [{"ip": "1.2.3.4"}, {"old": {"Hand": "7H"}}, {"x": [{"secret": 1}]}, {"x": "y" * 3000}]
)
def test_details_hold_nothing_that_is_secret(mod: Any, details: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        enter(mod, "warn", reason="Shouted.", details=details)


def test_an_entry_outside_a_transaction_is_refused(transactional_db: None) -> None:
    with pytest.raises(RuntimeError):
        enter(None, "appoint", reason="First one.")


@pytest.mark.parametrize("role", roles.ROLES)
def test_the_groups_of_the_database_are_those_of_the_table(db: None, role: str) -> None:
    given = set(Group.objects.get(name=role).permissions.values_list("codename", flat=True))
    assert given == {name for name, (_label, who) in roles.PERMISSIONS.items() if role in who}


@pytest.mark.parametrize("role", roles.ROLES)
def test_a_role_may_do_exactly_its_own(ann: Any, role: str) -> None:
    ann.groups.add(Group.objects.get(name=role))
    assert not any(roles.may(ann, name) for name in roles.PERMISSIONS)  # not yet of the staff
    User.objects.filter(pk=ann.pk).update(is_staff=True)
    ann = User.objects.get(pk=ann.pk)
    assert {name for name in roles.PERMISSIONS if roles.may(ann, name)} == {
        name for name, (_label, who) in roles.PERMISSIONS.items() if role in who
    }


def test_a_superuser_may_all_but_see_hands(mod: Any) -> None:
    assert {name for name in roles.PERMISSIONS if not roles.may(mod, name)} == {"see_hands"}
    mod.groups.add(Group.objects.get(name=roles.SENIOR))
    assert roles.may(User.objects.get(pk=mod.pk), "see_hands")
