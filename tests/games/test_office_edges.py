"""What the forms of moderators are given at their edges, and what a moderator may not read of himself."""

from typing import Any

import pytest
from django.contrib.admin import site
from django.urls import reverse

from accounts import roles
from accounts.models import AuditEntry, Sanction
from games.models import Report
from games.moderation import reports

from .acts_table import staff
from .playing import opened, play_on
from .test_acts import do, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


@pytest.mark.parametrize("zone", ["America/New_York", "Pacific/Auckland"])
@pytest.mark.parametrize("act", ["mute", "suspend"])
def test_an_end_that_no_calendar_tells_is_refused(ann: Any, mod: Any, act: str, zone: str) -> None:
    for user in (ann, mod):
        user.time_zone = zone
        user.save()
    answer = do(mod, ann, act, until="9999-12-31T23:00")
    assert answer.status_code == 400
    assert "within ten years" in answer.content.decode()
    assert not Sanction.objects.exists()


@pytest.mark.parametrize("answer", ["ж" * 1000, '"' * 1000])
def test_an_answer_as_long_as_the_form_allows_is_kept_in_any_script(ann: Any, bob: Any, mod: Any, answer: str) -> None:
    row = reports.report(bob, ann, "abuse")
    assert do(mod, row, "close_report", outcome="nothing", answer=answer).status_code == 302
    assert AuditEntry.objects.get(act="close_report").details["answer"] == answer


def test_nobody_reads_who_has_reported_him_and_what(ann: Any, bob: Any, mod: Any) -> None:
    judge = staff("judge", roles.MODERATOR)
    row = reports.report(bob, judge, "abuse", "He shouts at me.")
    reports.report(bob, ann, "abuse", "She shouts too.")
    listed = reverse("admin:games_report_changelist")
    page = reverse("admin:games_report_change", args=[row.pk])

    own, others = signed_in(judge), signed_in(mod)
    assert [one.about_user for one in own.get(listed).context["cl"].result_list] == [ann]
    assert own.get(listed, {"about_user": judge.pk}).context["cl"].result_list.count() == 0
    assert own.get(page).status_code in (302, 404)
    assert str(row) not in own.get(reverse("admin:index")).content.decode()
    assert do(judge, row, "close_report", outcome="nothing", answer="No.").status_code == 404
    assert "He shouts at me." in others.get(page).content.decode()
    assert Report.objects.filter(state="open").count() == 2


@pytest.mark.parametrize("query", ["match=99999999999999999999999", "at__year=99999999999"])
def test_a_number_that_no_column_can_hold_narrows_no_list(mod: Any, query: str) -> None:
    for model in site._registry:
        listed = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        assert signed_in(mod).get(f"{listed}?{query}").status_code < 500, listed


def test_an_act_that_is_sent_twice_is_done_once(ann: Any, bob: Any, mod: Any) -> None:
    match = opened(ann, bob)
    again = "You have done exactly this a moment ago"
    for row, act, data in ((ann, "warn", {}), (match, "give_time", {"seat": "0", "hours": "1"})):
        assert do(mod, row, act, **data).status_code == 302
        twice = do(mod, row, act, **data)
        assert twice.status_code == 400 and again in twice.content.decode()
        assert AuditEntry.objects.filter(act=act).count() == 1
    assert Sanction.objects.count() == 1
    assert do(mod, match, "give_time", seat="1", hours="1").status_code == 302
    assert do(mod, ann, "warn", reason="And again at another table.").status_code == 302
    assert do(mod, bob, "warn").status_code == 302


def test_a_moderator_who_plays_reads_the_tape_of_his_running_deal_nowhere_but_at_the_table(
    ann: Any, bob: Any, mod: Any
) -> None:
    judge = staff("judge", roles.MODERATOR)
    own, others = opened(judge, bob), opened(ann, bob)
    for match in (own, others):
        play_on(match, turns=2)
    office = signed_in(judge)
    listed = reverse("admin:games_move_changelist")
    assert {move.match_id for move in office.get(listed).context["cl"].result_list} == {others.pk}
    for match, told in ((own, False), (others, True)):
        page = office.get(reverse("admin:games_match_change", args=[match.pk]))
        assert bool(page.context["story"]) is told
        assert ("You play this deal yourself" in page.content.decode()) is not told
    assert signed_in(mod).get(reverse("admin:games_match_change", args=[own.pk])).context["story"]
