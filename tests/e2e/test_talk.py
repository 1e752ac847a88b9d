"""Talk in a browser: what is new comes while I type, and leaves my words alone."""

import pytest

from games import talk
from rummysite import limits
from tests.games.playing import opened

from .conftest import still

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


def test_what_others_say_comes_into_the_open_sheet_and_leaves_alone_what_i_type(visit, shot, ann, bob, monkeypatch):
    monkeypatch.setitem(limits.NUMBERS, "new_days", 0)
    monkeypatch.setitem(limits.NUMBERS, "new_matches", 0)
    still(ann)
    match = opened(ann, bob)
    talk.say(match.pk, bob, phrase="luck")
    phone = visit(ann, 390, 844)
    phone.goto(f"/matches/{match.pk}/")
    phone.wait_for_selector("body[data-ws=open]")
    assert phone.inner_text("#talk-count").startswith("1")
    assert not phone.get_by_text("Good luck!").is_visible()

    phone.click("button[popovertarget=s-talk]")
    phone.wait_for_selector("#talk-list .words")
    phone.wait_for_function("() => document.getElementById('talk-count').textContent === ''")
    phone.fill("#talk-text", "half a wo")
    talk.say(match.pk, bob, text="And one more.")
    phone.wait_for_selector("text=And one more.")
    phone.click("text=I am back.")
    phone.wait_for_selector(".mine")
    assert phone.input_value("#talk-text") == "half a wo"
    phone.fill("#talk-text", "whole words")
    phone.press("#talk-text", "Enter")
    phone.wait_for_selector("text=whole words")
    phone.wait_for_function("() => document.getElementById('talk-text').value === ''")
    assert phone.evaluate("document.activeElement.id") == "talk-text"
    shot(phone, "talk-390")
    phone.keyboard.press("Escape")
    talk.say(match.pk, bob, text="Are you there?")
    phone.wait_for_function("() => document.getElementById('talk-count').textContent.startsWith('1')")
