"""Signs in the administration: told in words, decided with a reason, hidden from those whom they concern."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import roles
from accounts.models import AuditEntry, Sanction, User
from games.models import Friendship, Notice, Sign
from games.moderation.signs import words

from .acts_table import signed, staff

pytestmark = pytest.mark.django_db

LISTED = reverse("admin:games_sign_changelist")
MOST = 15
MORE = {
    "helping": {"thrower": 0, "taker": 0, "of_matches": 12},
    "sharing": {"devices": 1, "places": 1, "rated": 9},
    "wins_given": {"given_by_a": 5, "given_by_b": 3, "rated": 12},
    "wins_in_turns": {"won_by_a": 6, "won_by_b": 6},
    "sandbagging": {"stayed": 20, "won": 14, "fall": 140},
    "timing": {"median_ms": 2000, "hours": 24, "days": 17},
    "abandoning": {"times": 8, "opponents": 7},
}


def junior(name: str = "junior") -> Any:
    return staff(name, roles.MODERATOR)


def browser(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page(user: Any, address: str) -> str:
    answer = browser(user).get(address)
    assert answer.status_code == 200
    return str(answer.content.decode())


def of(sign: Sign) -> str:
    return reverse("admin:games_sign_change", args=[sign.pk])


def do(user: Any, sign: Sign, act: str, reason: str = "They are sisters.") -> Any:
    return browser(user).post(reverse("admin:games_sign_do", args=[sign.pk, act]), {"reason": reason})


@pytest.mark.parametrize("kind", Sign.Kind.values)
def test_a_page_says_what_was_seen_what_it_may_mean_and_why_it_may_be_innocent(ann: Any, mod: Any, kind: str) -> None:
    sign = signed(ann, mod)
    numbers = sign.numbers | MORE[kind] | ({"thrower": ann.pk, "taker": sign.other_id} if kind == "helping" else {})
    other = sign.other if kind in ("helping", "sharing", "wins_given", "wins_in_turns") else None
    Sign.objects.filter(pk=sign.pk).update(kind=kind, numbers=numbers, other=other)
    sign.refresh_from_db()

    shown = page(junior(), of(sign))

    told = words.told(sign)
    assert all(line in shown for line in (*told.seen, *told.innocent, told.means))
    assert "ann" in told.seen[0] and "8" in " ".join(told.seen) and "0.4" in " ".join(told.seen)
    assert "20.0 times as many as expected, 9.1 standard deviations more" in shown
    assert "from Nov. 28, 2026" not in shown and "to Nov. 28, 2026" in shown
    assert reverse("admin:accounts_user_change", args=[ann.pk]) in shown
    assert reverse("admin:games_match_change", args=[3]) in shown


def test_a_sign_is_dismissed_with_a_reason_opened_again_and_nobody_is_told(ann: Any, mod: Any) -> None:
    sign, by = signed(ann, mod), junior()
    assert do(by, sign, "dismiss_sign", " ").status_code == 400
    assert do(by, sign, "dismiss_sign").status_code == 302
    sign.refresh_from_db()
    assert (sign.state, sign.reason, sign.settled_at_observed) == ("dismissed", "They are sisters.", 8)
    assert do(by, sign, "note_sign").status_code == 409

    assert do(by, sign, "reopen_sign", "Not sisters at all.").status_code == 302
    sign.refresh_from_db()
    assert (sign.state, sign.settled_at_observed) == ("new", None)
    assert "What was said then: Not sisters at all." in page(by, of(sign))
    assert not Notice.objects.exists() and not Sanction.objects.exists()


def test_a_decision_is_taken_back_to_what_was_before_unless_another_followed(ann: Any, mod: Any) -> None:
    sign, by = signed(ann, mod), staff("senior", roles.SENIOR)
    do(by, sign, "note_sign", "Odd, I wait for more.")
    do(by, sign, "dismiss_sign")
    noted, gone = AuditEntry.objects.order_by("pk").filter(target_kind="sign")
    undo = "admin:accounts_auditentry_undo"
    early = browser(by).post(reverse(undo, args=[noted.pk]), {"reason": "No."})
    assert early.status_code == 400 and "Something else was decided" in early.content.decode()

    assert browser(by).post(reverse(undo, args=[gone.pk]), {"reason": "Too early."}).status_code == 302
    sign.refresh_from_db()
    assert (sign.state, sign.reason, sign.settled_at_observed) == ("looked_at", "Odd, I wait for more.", None)


def test_who_is_in_a_sign_or_a_friend_of_one_who_is_does_not_find_it(ann: Any, bob: Any, mod: Any) -> None:
    sign, other, far = signed(ann, mod), junior(), junior("far")
    assert sign.other is not None
    inside = sign.other
    inside.is_staff = True
    inside.save()
    inside.groups.set(other.groups.all())
    Friendship.objects.create(asking=other, asked=ann, at=timezone.now(), accepted_at=timezone.now())
    Friendship.objects.create(asking=far, asked=ann, at=timezone.now())  # asked only
    for who in (other, inside):
        assert of(sign) not in page(who, LISTED)
        assert "No new sign." in page(who, reverse("admin:index"))
        assert browser(who).get(of(sign)).status_code == 302  # Django's own way: home, with a message
        assert do(who, sign, "dismiss_sign").status_code == 404
    assert of(sign) in page(far, LISTED)
    sign.refresh_from_db()
    assert sign.state == "new"


def test_operators_and_players_see_no_signs(ann: Any, mod: Any) -> None:
    sign = signed(ann, mod)
    assert browser(staff("clerk", roles.OPERATOR)).get(LISTED).status_code == 403
    assert browser(staff("clerk2", roles.OPERATOR)).get(of(sign)).status_code == 403
    assert browser(ann).get(LISTED).status_code == 302


def test_a_look_at_shared_devices_stands_in_the_audit_log_and_at_other_signs_not(ann: Any, mod: Any) -> None:
    sign, by = signed(ann, mod), junior()
    page(by, of(sign))
    assert not AuditEntry.objects.exists()
    Sign.objects.update(kind="sharing", numbers=sign.numbers | MORE["sharing"])
    page(by, of(sign))
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.by, entry.target_id) == ("saw_sign", by, sign.pk)


def test_the_home_names_the_new_ones(ann: Any, mod: Any) -> None:
    sign, by = signed(ann, mod), junior()
    shown = page(by, reverse("admin:index"))
    assert "1 new sign to look at." in shown and of(sign) in shown and f"{LISTED}?state__exact=new" in shown
    do(by, sign, "dismiss_sign")
    assert "No new sign." in page(by, reverse("admin:index"))


def test_ten_thousand_signs_are_listed_in_few_queries(mod: Any) -> None:
    now = timezone.now()
    users = User.objects.bulk_create(User(username=f"u{n}", name_key=f"u{n}") for n in range(10_000))
    numbers = {
        "observed": 8,
        "expected": 0.4,
        "n": 12,
        "z": 9.1,
        "sample": 900,
        "matches": [],
        "since": "",
        "until": "",
    }
    Sign.objects.bulk_create(
        Sign(
            kind="abandoning", user=user, observed=8, numbers=numbers, first_seen=now - timedelta(days=n % 90),
            last_seen=now,
        )
        for n, user in enumerate(users)
    )  # fmt: skip
    by, found = browser(junior()), []
    for query in ("", "?p=7", "?q=u77", "?state__exact=new&kind__exact=abandoning", f"?user={users[5].pk}"):
        with CaptureQueriesContext(connection) as queries:
            answer = by.get(LISTED + query)
        assert answer.status_code == 200
        found.append(len(queries))
    assert max(found) <= MOST
    assert by.get(f"{LISTED}?user__password__startswith=a").status_code in (302, 400)
