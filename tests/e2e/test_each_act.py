"""Every act of the administration once as a person does it: from the page of the row, through the form, to what the
player concerned sees. The rows are those of the table role x act.
"""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts import roles
from accounts.models import AuditEntry, User
from games.admin import acts
from games.bench.client import session_of
from games.models import Match, Message, Notice, Report
from tests.games import acts_table

WHY = "We have looked at it together."


@dataclass(frozen=True)
class Seen:
    """``path``: the page that ``who`` opens afterwards; ``text``: a pattern of what stands there."""

    text: str
    path: str = "/notices/"
    who: str = "player"


def mine(text: str) -> Seen:
    return Seen(text, "/accounts/sanctions/")


SEEN: dict[str, Seen | None] = {
    "warn": mine("A moderator has warned you"),
    "mute": mine("You may not chat"),
    "bar_rated": mine("You may not play rated matches"),
    "bar_opening": mine("You may not open matches"),
    "suspend": Seen("suspended until", "/tables/"),
    "ban": Seen("banned", "/tables/"),
    "rename": Seen("you are called newname now"),
    "send_again": None,
    "link_accounts": Seen("holds your account and that of .* for those of one person"),
    "lift": mine("This has been lifted"),
    "answer_appeal": mine("Upheld"),
    "void_deal": Seen("A moderator has declared deal 1 of .* void"),
    "count_again": Seen("deal 1 of .* counts after all"),
    "correct_points": Seen("corrected the points: you 77, .* 0", "/matches/{match}/sheet/"),
    "take_back_correction": Seen("taken back the correction of deal 1"),
    "abort_match": Seen("A moderator has broken off .*: it counts for nobody"),
    "adjudicate": Seen("A moderator has decided", who="opponent"),
    "reopen_match": Seen("A moderator has reopened .*: it goes on"),
    "give_time": Seen("A moderator has given more time"),
    "bot_drives": Seen("A moderator lets a bot play a seat", who="opponent"),
    "give_back": Seen("given a seat .* back to its player"),
    "close_report": Seen("Thank you\\.", "/reports/", "reporter"),
    "reopen_report": Seen("A moderator looks at your report once more", who="reporter"),
    "hide_message": Seen("Hidden by a moderator", "/matches/{match}/talk/", "opponent"),
    "note_sign": None,
    "dismiss_sign": None,
    "settle_sign": None,
    "reopen_sign": None,
}
"""By the name of the act. None: no player hears of it."""


def test_every_act_is_done_in_the_browser_below() -> None:
    known = {name for of_model in acts.ACTS.values() for name in of_model}
    assert known == set(SEEN) == set(acts_table.CASES)


@pytest.mark.e2e
@pytest.mark.django_db(transaction=True)
def test_each_act_is_done_once_and_the_player_concerned_sees_it(visit, site) -> None:
    boss = acts_table.staff("boss", "superuser")
    desks = {role: visit(acts_table.staff(name, role)) for role, name in STAFF.items()}
    phone = visit(boss, 390, 844)
    for number, (name, seen) in enumerate(SEEN.items()):
        player = User.objects.create(username=f"player{number}", animation="off")
        case = acts_table.CASES[name]
        row = case.row(player, boss)
        people = {"player": player} | {one.username: one for one in User.objects.filter(username__in=OTHERS)}
        told = Notice.objects.count()
        _do(desks[_role(case)], name, row, case.data())
        entry = AuditEntry.objects.latest("pk")
        assert (entry.act, entry.reason, entry.by.username) == (name, WHY, STAFF[_role(case)]), name
        if seen is None:
            assert Notice.objects.count() == told, f"{name} told somebody"
        else:
            phone.context.add_cookies([{"name": "sessionid", "value": session_of(people[seen.who]), "url": site}])
            _sees(phone, seen, row)
        _make_room(people)


STAFF = {roles.MODERATOR: "moderator", roles.SENIOR: "senior", roles.OPERATOR: "operator"}
OTHERS = ("opponent", "reporter", "another")


def _role(case: acts_table.Case) -> str:
    """The least of the roles that have the act."""
    return next(role for role in STAFF if role in case.may)


def _do(desk: Page, name: str, row: Any, data: dict[str, Any]) -> None:
    """Follow the link on the page of the row, fill in the form as the case says, confirm, and read that it is done."""
    known = acts.find(name)
    assert known is not None
    act = known[1]
    desk.goto(reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk]))
    desk.get_by_role("link", name=str(act.label), exact=True).click()
    expect(desk.locator(".act .does")).not_to_be_empty()
    if desk.locator("[name=ground]").count():
        desk.select_option("[name=ground]", "abuse")
    for field, value in data.items():
        _fill(desk, field, value)
    desk.get_by_label(re.compile("Reason, in|Answer, in")).fill(WHY)
    desk.get_by_role("button", name=str(act.label), exact=True).click()
    expect(desk.get_by_text("stands in the audit log")).to_be_visible()
    assert desk.get_by_role("link", name="Take it back").count() == (act.undo is not None), name


def _fill(desk: Page, field: str, value: Any) -> None:
    if isinstance(value, list):
        for one in value:
            desk.check(f"[name={field}][value='{one}']")
        return
    found = desk.locator(f"[name={field}]")
    if found.evaluate("field => field.tagName") == "SELECT":
        found.select_option(str(value))
    else:
        found.fill(str(value))


def _sees(phone: Page, seen: Seen, row: Any) -> None:
    match = row.pk if isinstance(row, Match) else row.match_id if isinstance(row, Message | Report) else None
    phone.goto(seen.path.format(match=match))
    expect(phone.get_by_text(re.compile(seen.text)).first).to_be_visible()


def _make_room(people: dict[str, User]) -> None:
    """The next case has an opponent and a reporter of its own."""
    for name in OTHERS:
        if name in people:
            people[name].username += str(people[name].pk)
            people[name].save()
