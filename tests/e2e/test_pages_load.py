"""How much a page asks of a phone: bytes and requests of its first load, and that nothing jumps.

The bounds are generous, for files that are not compressed here. ``./run bench --pages`` measures what is served.
"""

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from games.bench import pages
from games.bench.client import session_of
from rummysite.slim import OURS, slim
from tests.games.playing import opened

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[2]
MOST_KB, MOST_REQUESTS = 320, 26


def test_first_loads_are_light_and_nothing_jumps(browser, site, ann, bob):
    match, session = opened(ann, bob), session_of(ann)
    for name, path in pages.places(match.pk).items():
        cookies = {} if name in ("front", "learn") else {"sessionid": session}
        one = pages.load(browser, site + path, cookies, slow=False)
        assert 10 < one.bytes / 1000 < MOST_KB, (name, one)
        assert 5 < one.requests <= MOST_REQUESTS, (name, one)
        assert one.shift < 0.1, (name, one)
        assert one.paint, name


def as_served(name):
    """A script as ./run sends it, before it is compressed."""
    script = Path(finders.find(name)).read_text()
    return slim(script) if name.startswith(OURS) else script


def test_slimmed_scripts_are_whole(browser):
    page = browser.new_page()
    found = [path for root in ("rummysite", "games") for path in (ROOT / root / "static").rglob("*.js")]
    assert len(found) > 8
    for path in found:
        text = path.read_text()
        assert all(line.count("`") % 2 == 0 for line in text.splitlines()), f"{path.name} has a text over lines"
        page.evaluate("(script) => { new Function(script); }", slim(text))
    page.close()


@pytest.mark.django_db
def test_scripts_of_a_page_weigh_less_than_25_kb_compressed(client, ann, bob):
    """htmx and all of ours, page by page."""
    match = opened(ann, bob)
    client.force_login(ann)
    for name, path in {**pages.places(match.pk), "front": "/tables/", "opening": "/matches/new/"}.items():
        names = re.findall(r'<script src="/static/([^"]+)"', client.get(path).content.decode())
        assert "django_htmx/htmx-2.min.js" in names
        weight = sum(len(gzip.compress(as_served(one).encode())) for one in names)
        assert weight < 25_000, (name, weight)
