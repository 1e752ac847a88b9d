"""A crawl through every page: each form is posted with what the page gives and no more, and none answers 403 or 500.

FAULTS C09 (every act guards against a second press) and C11 (CSRF from the page alone, valid hx-headers).
"""

import json
import re
from html import unescape
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client

from games import lobby, people, play, talk

from .playing import CUT, opened, play_on, seat_of

pytestmark = pytest.mark.django_db

SHADOWS = {"matches", "closest", "submit", "reset", "contains", "children", "parentNode", "dataset"}
"""Names of fields that would hide what scripts ask of the form itself (``form.matches`` would be the field)."""

LEFT_OUT = re.compile(r"^/(admin|static|i18n)/|/close/$|/sessions/$|[?&]step=")


class Forms(HTMLParser):
    """The forms and links of a page."""

    def __init__(self, page):
        super().__init__()
        self.forms, self.links, self.headers, self.posts = [], [], None, []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if "hx-headers" in given:
            self.headers = json.loads(given["hx-headers"])
        if "hx-post" in given:
            self.posts.append(given)
        if tag == "form":
            self.forms.append({"attrs": given, "fields": []})
        elif tag == "a" and given.get("href"):
            self.links.append(given["href"])
        elif tag in ("input", "button") and given.get("name") and self.forms:
            self.forms[-1]["fields"].append((given["name"], given.get("value", ""), tag, given.get("type", "")))


def pages_of(client, starts):
    """Every page of the site that can be reached, with its text."""
    waiting, seen = list(starts), {}
    while waiting:
        path = waiting.pop()
        if path in seen or LEFT_OUT.search(path):
            continue
        answer = client.get(path, follow=True)
        assert answer.status_code in (200, 404), f"{path} answers {answer.status_code}"
        text = answer.content.decode() if "text/html" in answer.get("Content-Type", "") else ""
        seen[path] = text
        for link in Forms(text).links:
            parts = urlsplit(urljoin(path, unescape(link)))
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            new = target not in seen and target not in waiting
            if new and not parts.netloc and parts.path.startswith("/") and len(seen) + len(waiting) < 200:
                waiting.append(target)
    return seen


@pytest.fixture
def places(ann, bob, cat):
    running = play_on(opened(ann, bob, bots=1), turns=3)
    waiting = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d")
    over = opened(ann, bob)
    play.resign(over.pk, seat_of(over, bob).index)
    joinable = lobby.open_match(cat, "android-rummy", seats=["open"], pace="3d")
    asked = lobby.open_match(bob, "basic-rummy", seats=["@ann"], pace="2d")
    asking = lobby.open_match(ann, "basic-rummy", seats=["@bob", "open"], pace="2d", private=True)
    lobby.join(asking.pk, cat, CUT, asking.token)
    staying = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", standing=2)
    people.befriend(cat, ann)
    people.befriend(ann, bob)
    people.mute(ann, cat)
    talk.say(running.pk, bob, phrase="hello")
    rooms = (running, waiting, over, joinable, asked, asking, staying)
    return [f"/join/{joinable.token}/", *(f"/matches/{match.pk}/" for match in rooms)]


def test_every_form_of_every_page_is_accepted_with_what_the_page_gives(ann, places):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    own = [
        "/leaderboards/",
        "/players/ann/bob/",
        "/players/ann/?as=stranger",
        "/my-profile/",
        "/reports/",
        "/reports/players/bob/",
        "/matches/new/",
        "/accounts/settings/",
    ]
    pages = pages_of(client, ["/", "/tables/", "/lobby/", "/people/", *own, *places])
    assert {"/check/", "/observatory/"} <= set(pages) and any(path.endswith("/fairness.json") for path in pages)
    forms = []
    for path, text in pages.items():
        for form in Forms(text).forms:
            assert not SHADOWS & {field[0] for field in form["fields"]}, f"{path} hides its form from scripts"
            action = urljoin(path.split("?")[0], form["attrs"].get("action") or path)
            if form["attrs"].get("method", "").lower() == "post" and not LEFT_OUT.search(action):
                fields = {name: value for name, value, tag, kind in form["fields"] if kind != "checkbox"}
                forms.append((action, fields))
    assert len(forms) > 10
    # what takes a seat away comes last, and signing out is the very end
    forms.sort(
        key=lambda form: ("leave" in form[0] or "resign" in form[0] or "withdraw" in form[0], "logout" in form[0])
    )
    for action, fields in forms:
        answer = client.post(action, fields)
        gone = 404 if "leave" in action or "resign" in action or "logout" in action else None
        assert answer.status_code not in {403, 404, 405, 500} - {gone}, f"{action}: {answer.status_code}"


def test_every_page_carries_the_csrf_token_for_scripts_as_valid_json(ann, places):
    client = Client()
    client.force_login(ann)
    for path, text in pages_of(client, ["/tables/", *places]).items():
        if "<body" in text:
            assert set(Forms(text).headers or {}) == {"X-CSRFToken"}, path


def test_every_act_of_a_table_guards_against_a_second_press(ann, places):
    client = Client()
    client.force_login(ann)
    guarded = 0
    for text in pages_of(client, places).values():
        for attributes in Forms(text).posts:
            if "/act/" in attributes["hx-post"]:
                assert attributes.get("hx-disabled-elt"), attributes
                assert attributes.get("hx-sync"), attributes
                guarded += 1
    assert guarded
