"""A sanction by hand: the second step, an act in the office, the page of who is shut out, the answer."""

import re
from datetime import date

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core.management import call_command

from accounts.models import Appeal, Sanction
from tests.conftest import PASSWORD

from .conftest import still

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True), pytest.mark.second_step]


def test_a_suspension_from_the_office_to_the_answer(ann, cat, visit, shot):
    call_command("appoint", "cat", "senior")
    still(ann)
    office = visit(cat, 390, 844, by_form=True)
    office.goto("/admin/")
    office.get_by_role("link", name="Turn it on").click()
    if "reauthenticate" in office.url:
        office.fill("[name=password]", PASSWORD)
        office.press("[name=password]", "Enter")
    office.wait_for_selector(".qr")
    secret = office.inner_text(".secret")
    office.evaluate("scrollTo(0, 0)")
    shot(office, "second-step-390")
    office.fill("[name=code]", format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time()))))
    office.press("[name=code]", "Enter")
    office.wait_for_selector(".codes")
    shot(office, "recovery-codes-390")
    code = office.locator(".codes li").first.inner_text()
    office.goto("/admin/accounts/user/")
    office.fill("[name=code]", code)
    office.press("[name=code]", "Enter")
    office.get_by_role("link", name="ann", exact=True).click()
    office.get_by_role("link", name="Suspend").wait_for()
    shot(office, "office-user-390")

    hers = visit(ann, 390, 844)
    hers.goto("/tables/")
    hers.wait_for_selector("body[data-ws=open]")
    office.get_by_role("link", name="Suspend").click()
    office.select_option("[name=ground]", "abuse")
    office.fill("[name=until]", f"{date.today().year + 2}-01-01T10:00")
    office.fill("[name=reason]", "You called Bob names at the table, three times after he had asked you to stop.")
    shot(office, "office-act-390")
    office.set_viewport_size({"width": 1280, "height": 900})
    shot(office, "office-act-1280")
    office.get_by_role("button", name="Suspend").click()
    office.get_by_role("link", name="Take it back").wait_for()
    shot(office, "office-done-1280")

    hers.reload()
    assert hers.url.endswith("/accounts/sanctions/")
    assert re.search("suspended until", hers.inner_text("h2"))
    shot(hers, "shut-out-390")
    hers.fill("[name=text]", "He began it. I am sorry all the same.")
    hers.get_by_role("button", name="Send my answer").click()
    hers.get_by_text("A moderator will read it.").wait_for()
    shot(hers, "answered-390")
    hers.set_viewport_size({"width": 1280, "height": 900})
    shot(hers, "answered-1280")
    assert Appeal.objects.get().sanction == Sanction.objects.get(by=cat)
