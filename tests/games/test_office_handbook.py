"""The handbook as the staff read it in the administration."""

import re

import pytest

from accounts import roles
from games.admin import handbook

from .acts_table import WHO, staff

pytestmark = pytest.mark.django_db
NAMES = sorted(path.stem for path in handbook.FOLDER.glob("*.md"))


def test_every_role_comes_from_home_to_each_page_and_each_picture(client) -> None:
    for who in roles.ROLES:
        client.force_login(staff(who.replace(" ", ""), who))
        assert '"/admin/handbook/"' in client.get("/admin/").content.decode()
    pages = {"/admin/handbook/"}
    for address in (*pages, *(f"/admin/handbook/{name}/" for name in NAMES)):
        told = client.get(address).content.decode().partition('<article class="handbook"')[2].partition("</article>")[0]
        assert "<p>" in told and not re.search(r"\*\*|\]\(|^\||^#", told, re.MULTILINE), address
        pages |= set(re.findall(r'href="([^"]+)"', told))
        for picture in re.findall(r'src="([^"]+)"', told):
            answer = client.get(picture)
            assert answer["Content-Type"] == "image/png" and next(iter(answer)).startswith(b"\x89PNG"), picture
    assert pages == {"/admin/handbook/", *(f"/admin/handbook/{name}/" for name in NAMES)}


def test_nobody_else_reads_it_and_no_other_file_is_shown(client) -> None:
    client.force_login(staff("player", WHO[-1]))
    assert client.get("/admin/handbook/").status_code == 302
    client.force_login(staff("boss", "superuser"))
    for name in ("operations", "nothing"):
        assert client.get(f"/admin/handbook/{name}/").status_code == 404
        assert client.get(f"/admin/handbook/{name}.png").status_code == 404


def test_what_a_paper_says_is_escaped() -> None:
    assert handbook.html("<script> & **bold**") == "<p>&lt;script&gt; &amp; <b>bold</b></p>"
