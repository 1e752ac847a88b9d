"""The rules of the house that a machine can hold: sizes, templates, who imports whom, migrations."""

import ast
import json
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

ROOT = Path(__file__).parent.parent
OURS = ("accounts", "games", "rummysite", "tests")
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
LONGEST = 400


def ours(pattern: str) -> list[Path]:
    return sorted(path for name in OURS for path in (ROOT / name).rglob(pattern))


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_no_room_is_too_large() -> None:
    rooms = [path for path in ours("*.py") if path.relative_to(ROOT).parts[0] != "tests"]  # tables of cases may be long
    long = {named(path): count for path in rooms if (count := len(path.read_text().splitlines())) > LONGEST}
    assert len(rooms) > 40
    assert not long


def test_no_stylesheet_or_script_is_too_large() -> None:
    most = {".css": 300, ".js": 150}
    files = [path for path in ours("*.css") + ours("*.js") if "static" in path.parts]
    assert files
    long = [named(path) for path in files if len(path.read_text().splitlines()) > most[path.suffix]]
    assert not long


BLOCKED = {
    "a style attribute": r"<[^>]*\sstyle\s*=",
    "a style element": r"<style\b",
    "a script without a source": r"<script\b(?![^>]*\bsrc=)",
    "an event attribute": r"<[a-z][^>]*\son[a-z]+\s*=",
    "hx-on": r"\shx-on[:=-]",
    "evaluated hx-vals": r"""hx-(vals|headers)\s*=\s*['"]\s*js:""",
    "a javascript address": r"javascript:",
}


def markup(path: Path) -> str:
    """The template without its tags, so that a > in one does not end an element."""
    return re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "", path.read_text(), flags=re.DOTALL)


@pytest.mark.parametrize("path", TEMPLATES, ids=named)
def test_templates_keep_the_strict_policy(path: Path) -> None:
    found = [what for what, pattern in BLOCKED.items() if re.search(pattern, markup(path), re.IGNORECASE)]
    assert not found


def test_what_htmx_reads_is_json() -> None:
    seen = 0
    for path in TEMPLATES:
        text = path.read_text()
        found = re.findall(r"hx-(?:headers|vals)='([^']*)'", text)
        found += re.findall(r"""name="htmx-config" content='([^']*)'""", text)
        for value in found:
            json.loads(re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "1", value))
            seen += 1
        assert not re.search(r'hx-headers="', text), named(path)
    assert seen >= 2


def test_rules_and_bots_import_the_standard_library_only() -> None:
    strange: list[str] = []
    for path in [*(ROOT / "games/rules").rglob("*.py"), *(ROOT / "games/bots").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            pure = ("games.rules", "games.bots")
            strange += [
                f"{named(path)}: {name}"
                for name in names
                if name.partition(".")[0] not in sys.stdlib_module_names and not name.startswith(pure)
            ]
    assert not strange


def test_who_may_import_whom() -> None:
    tool = Path(sys.executable).with_name("lint-imports")
    if not tool.exists():
        pytest.fail("import-linter is missing: pip install -r requirements-dev.txt")
    done = subprocess.run([tool, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    said = StringIO()
    try:
        call_command("makemigrations", check=True, dry_run=True, stdout=said)
    except SystemExit:
        pytest.fail(said.getvalue())


def test_every_module_says_what_it_is() -> None:
    silent = [
        named(path)
        for path in ours("*.py")
        if (body := path.read_text().strip())
        and "migrations" not in path.parts
        and not ast.get_docstring(ast.parse(body))
    ]
    assert not silent


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/", "/lobby/", "/tables/", "/matches/new/", "/accounts/settings/", "/nowhere/"])
def test_pages_are_named_and_have_one_heading(client: Any, ann: Any, page: str) -> None:
    client.force_login(ann)
    text = client.get(page, follow=True).content.decode()
    assert re.search(r"<title>[^<]*\S[^<]*</title>", text)
    assert text.count("<h1") == 1
    assert text.count('id="main"') == 1
    ids = re.findall(r'\sid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
