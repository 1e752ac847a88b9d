"""Scripts are sent as they were written, without comments; those of a table fit the budget with sound switched on."""

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import override_settings
from django.urls import reverse

from rummysite.slim import slim
from tests.games.playing import opened

ROOT = Path(__file__).parent.parent
OWN = sorted(path for place in ("games", "rummysite") for path in (ROOT / place / "static").rglob("*.js"))
BUDGET = 25 * 1024
"""With the script of the sounds, which few load; without it the limit of every page is tighter (test_pages_load.py)."""


@pytest.mark.django_db(transaction=True)
def test_all_scripts_of_a_table_with_sound_fit_the_budget(client, ann, bob):
    ann.sound = True
    ann.save()
    client.force_login(ann)
    html = client.get(reverse("games:match", args=[opened(ann, bob).pk])).content.decode()
    names = re.findall(r'<script src="/static/([^"]+)"', html)
    assert {"games/table.js", "games/hand.js", "games/drag.js", "games/sound.js", "site/live.js"} <= set(names)
    texts = {name: Path(finders.find(name)).read_text() for name in names}
    sizes = {
        name: len(gzip.compress((text if "htmx" in name else slim(text)).encode(), 9)) for name, text in texts.items()
    }
    assert sum(sizes.values()) < BUDGET, sizes


def test_what_collectstatic_keeps_under_the_hashed_name_is_slim(tmp_path):
    storages = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "rummysite.slim.SlimStorage"},
    }
    with override_settings(STATIC_ROOT=tmp_path, STORAGES=storages):
        call_command("collectstatic", interactive=False, verbosity=0)
    sent = next(tmp_path.glob("games/table.*.js"))
    assert sent.read_text() == slim((ROOT / "games/static/games/table.js").read_text())
    assert gzip.decompress(sent.with_suffix(".js.gz").read_bytes()) == sent.read_bytes()


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_no_text_of_a_script_looks_like_a_comment(path):
    for line in path.read_text().splitlines():
        assert "/*" not in line or "*/" in line, line
        code, _slashes, rest = line.partition(" //")
        assert not rest or all(code.count(quote) % 2 == 0 for quote in "\"'`"), line
