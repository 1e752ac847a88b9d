"""The handbook of moderators: complete, linked, and true about who may do what."""

import re
from pathlib import Path

import pytest

from accounts import roles

DOCS = Path(__file__).parent.parent / "docs"
HANDBOOK = DOCS / "moderation.md"
PAGES = sorted((DOCS / "moderation").glob("*.md"))
LARGEST = 60_000


def test_who_may_do_what_is_told_as_it_is() -> None:
    rows = re.findall(r"^\| (.+?) \|( yes | )\|( yes | )\|( yes | )\|$", HANDBOOK.read_text(), re.MULTILINE)
    told = {
        what: tuple(role for role, cell in zip(roles.ROLES, cells, strict=True) if cell.strip())
        for what, *cells in rows
    }
    assert told == dict(roles.PERMISSIONS.values())


def test_every_page_is_linked_from_the_handbook_and_the_handbook_from_the_readme() -> None:
    linked = set(re.findall(r"\]\(moderation/([a-z-]+\.md)\)", HANDBOOK.read_text()))
    assert linked == {page.name for page in PAGES}
    assert "docs/moderation.md" in (DOCS.parent / "README.md").read_text()


@pytest.mark.parametrize("page", [HANDBOOK, *PAGES], ids=lambda page: page.stem)
def test_links_and_pictures_of_a_page_are_there_and_pictures_are_small(page: Path) -> None:
    for address in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        found = page.parent / address
        assert found.exists(), address
        assert found.suffix == ".md" or found.stat().st_size < LARGEST, address


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_each_task_has_numbered_steps_what_players_see_and_how_to_take_it_back(page: Path) -> None:
    text = page.read_text()
    assert re.search(r"^1\. ", text, re.MULTILINE) and re.search(r"^2\. ", text, re.MULTILINE)
    assert "**What players see:**" in text
    assert "ake it back:**" in text or "annot be taken back" in text


def test_no_picture_lies_about_unused() -> None:
    shown = {name for page in [HANDBOOK, *PAGES] for name in re.findall(r"([a-z-]+\.png)\)", page.read_text())}
    assert shown == {picture.name for picture in (DOCS / "moderation").glob("*.png")}
