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
from tests.games.playing import opened

pytestmark = pytest.mark.e2e

MOST_KB, MOST_REQUESTS = 320, 26


def test_first_loads_are_light_and_nothing_jumps(browser, site, ann, bob):
    match, session = opened(ann, bob), session_of(ann)
    for name, path in pages.places(match.pk).items():
        cookies = {} if name in ("front", "learn") else {"sessionid": session}
        one = pages.load(browser, site + path, cookies, slow=False)
        assert 10 < one.bytes / 1000 < MOST_KB, (name, one)
        assert 5 < one.requests <= MOST_REQUESTS, (name, one)
        assert one.shift < 0.05, (name, one)
        assert one.paint, name


@pytest.mark.django_db
def test_scripts_of_a_page_weigh_less_than_25_kb_compressed(client, ann, bob):
    """htmx and all of ours, page by page."""
    match = opened(ann, bob)
    client.force_login(ann)
    for name, path in {**pages.places(match.pk), "front": "/tables/", "opening": "/matches/new/"}.items():
        names = re.findall(r'<script src="/static/([^"]+)"', client.get(path).content.decode())
        assert "django_htmx/htmx-2.min.js" in names
        weight = sum(len(gzip.compress(Path(finders.find(one)).read_bytes())) for one in names)
        assert weight < 25_000, (name, weight)
