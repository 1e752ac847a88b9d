"""The pictures of docs/moderation, taken anew when somebody asks for it. No test of the suite:

./run test tests/e2e/handbook_pictures.py -n 0
"""

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page

from accounts import roles, sanctions
from accounts.models import User
from games import talk
from games.models import Message
from games.moderation import reports, rulings
from tests.conftest import PASSWORD
from tests.games import acts_table
from tests.games.ruling import deals_played

from .conftest import still

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]
FOLDER = Path(__file__).parents[2] / "docs" / "moderation"
COLOURS = 96


def keep(found: Locator, name: str, most: int = 640) -> None:
    """The picture of a part of a page, of few colours, cut off below ``most`` pixels."""
    picture = Image.open(io.BytesIO(found.screenshot()))
    picture = picture.crop((0, 0, picture.width, min(picture.height, most)))
    picture.convert("RGB").quantize(COLOURS).save(FOLDER / f"{name}.png", optimize=True)


def test_take_the_pictures_of_the_handbook(visit: Any, ann: Any, bob: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(talk, "phrases_only", lambda user: "")
    senior = acts_table.staff("senior", roles.SENIOR)
    for user in (ann, bob, senior):
        still(user)
    match = deals_played(ann, bob, ended=2)
    report = _reported(match, ann, bob)
    sign = acts_table.signed(User.objects.create(username="dora"), senior)
    desk = visit(senior, 1000, 800)
    _office(desk, match, report, sign, bob)
    rulings.correct(match.pk, 1, [20, 0], by=senior, reason="Counted together with both players.")
    phone = visit(ann, 390, 700)
    phone.goto(f"/matches/{match.pk}/sheet/")
    keep(phone.locator("main"), "sheet", 700)
    sanctions.impose(
        senior, bob, "mute", ground="abuse", reason="You called ann a fool, after she had asked you to stop."
    )
    his = visit(bob, 390, 800)
    his.goto("/accounts/sanctions/")
    keep(his.locator("main"), "told", 900)


def test_take_those_of_the_second_step_and_of_a_word(visit: Any, ann: Any) -> None:
    _second_step(visit(ann, 800, 900, by_form=True))
    operator = visit(acts_table.staff("operator", roles.OPERATOR), 1000, 800)
    operator.goto("/admin/accounts/wordentry/add/")
    keep(operator.locator("#content"), "word", 760)


def _reported(match: Any, ann: Any, bob: Any) -> Any:
    talk.say(match.pk, ann, phrase="luck")
    bad = talk.say(match.pk, bob, text="You play like a fool. Go away.")
    asked = talk.say(match.pk, ann, text="Please stop that.")
    assert isinstance(bad, Message) and asked
    return reports.report(ann, bob, "abuse", "He says this in each of our matches.", match=match, message=bad)


def _office(desk: Page, match: Any, report: Any, sign: Any, bob: Any) -> None:
    desk.goto("/admin/")
    keep(desk.locator(".waits"), "home")
    desk.goto(f"/admin/games/report/{report.pk}/change/")
    keep(desk.locator("#content"), "report", 900)
    desk.goto(f"/admin/accounts/user/{bob.pk}/do/suspend/")
    desk.select_option("[name=ground]", "abuse")
    desk.fill("[name=until]", "2027-01-08T10:00")
    desk.fill("[name=reason]", "You called ann names at the table, three times after she had asked you to stop.")
    keep(desk.locator("#content"), "act")
    desk.goto(f"/admin/games/match/{match.pk}/do/give_time/")
    desk.fill("[name=reason]", "ann has written that the power is out in her town.")
    keep(desk.locator("#content"), "time")
    desk.goto(f"/admin/games/match/{match.pk}/do/correct_points/")
    desk.fill("[name=seat0]", "20")
    desk.fill("[name=seat1]", "0")
    desk.fill("[name=reason]", "Counted together with both players.")
    keep(desk.locator("#content"), "correct")
    desk.goto(f"/admin/games/sign/{sign.pk}/change/")
    keep(desk.locator("#content"), "sign", 720)


def _second_step(page: Page) -> None:
    page.goto("/accounts/2fa/totp/activate/")
    if "reauthenticate" in page.url:
        page.fill("[name=password]", PASSWORD)
        page.press("[name=password]", "Enter")
    page.wait_for_selector(".qr")
    keep(page.locator("main"), "second-step", 720)
