"""Designed pages for what goes wrong: each says what happened and the one thing to do next; some need no database."""

import re

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory, override_settings
from django.urls import path
from django.views.defaults import bad_request, server_error

from rummysite import limits
from rummysite.urls import urlpatterns as ours


def forbidden(request):
    raise PermissionDenied


def hasty(request):
    raise limits.TooMany(120)


def broken(request):
    raise RuntimeError("on purpose")


urlpatterns = [path("forbidden/", forbidden), path("hasty/", hasty), path("broken/", broken), *ours]


def main_of(page):
    return re.sub(r"\s+", " ", page[page.index("<main") : page.index("</main>")])


def one_way_on(page):
    """The filled button of a page: there is exactly one."""
    found = re.findall(r'<a class="btn[^"]*\bfill\b[^"]*" href="([^"]*)"', main_of(page))
    assert len(found) == 1, found
    return found[0]


@pytest.mark.django_db
def test_who_is_signed_out_at_a_table_signs_in_and_is_back_there(client, ann):
    answer = client.get("/matches/7/")
    assert answer.status_code == 404
    way = one_way_on(answer.content.decode())
    assert way == "/accounts/login/?next=/matches/7/"
    assert 'name="next" value="/matches/7/"' in client.get(way).content.decode()


@pytest.mark.django_db
@override_settings(ROOT_URLCONF="tests.test_faults")
@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/nowhere/", 404, "There is no such page"),
        ("/forbidden/", 403, "This page is not open to you"),
        ("/play/now/", 405, "There is nothing to see at this address"),
        ("/hasty/", 429, "Try again in 2 minutes"),
    ],
)
def test_a_page_of_the_site_says_what_is_wrong_and_where_to_go(client, ann, address, status, words):
    for signed_in in (False, True):
        if signed_in:
            client.force_login(ann)
        answer = client.get(address, headers={"Accept": "text/html,*/*"})
        page = answer.content.decode()
        assert answer.status_code == status
        assert words in main_of(page)
        assert client.get(one_way_on(page), follow=True).status_code == 200
        assert page.count("<h1") == 1


@pytest.mark.django_db
def test_a_refusal_is_a_page_with_its_sentence(client, ann):
    client.force_login(ann)
    answer = client.post("/play/now/", {"preset": "poker"})
    assert answer.status_code == 422
    assert "Choose one of the games shown." in main_of(answer.content.decode())
    assert one_way_on(answer.content.decode())


def test_a_form_without_its_token_is_answered_without_a_database():
    answer = Client(enforce_csrf_checks=True).post("/i18n/setlang/", {"language": "cs"})
    page = answer.content.decode()
    assert answer.status_code == 403
    assert "too old to be sent" in main_of(page)
    assert one_way_on(page) == "/"


@override_settings(ROOT_URLCONF="tests.test_faults")
def test_a_fault_of_ours_is_answered_without_a_database():
    client = Client(raise_request_exception=False)
    page = client.get("/broken/").content.decode()
    assert "Something broke on our side" in main_of(page)
    assert "on purpose" not in page
    assert one_way_on(page) == "/"


def test_nonsense_is_answered_without_a_database():
    answer = bad_request(RequestFactory().get("/"), ValueError("x"))
    assert answer.status_code == 400
    assert one_way_on(answer.content.decode()) == "/"
    assert server_error(RequestFactory().get("/")).status_code == 500


def test_the_offline_page_knows_nobody_and_needs_no_database():
    page = Client().get("/offline/?language=cs")
    text = page.content.decode()
    assert '<html lang="cs">' in text
    assert "csrf" not in text and "<form" not in text
    assert re.findall(r'(?:src|href)="([^"]+)"', text)
    assert Client().get("/offline/?language=xx").content.decode().count('<html lang="en">') == 1


def test_the_worker_keeps_the_offline_page_and_its_files_only(settings):
    page = Client().get("/offline/?language=en").content.decode()
    drawn_with = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page))
    answer = Client().get("/sw.js?language=en")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    (files,) = re.findall(r"const FILES = \[(.*)\]", answer.content.decode())
    assert set(re.findall(r'"(/static/[^"]+)"', files)) == drawn_with
    settings.BUILD = "another"
    assert Client().get("/sw.js?language=en").content != answer.content
    assert Client().get("/sw.js?language=pl").content != Client().get("/sw.js?language=cs").content
    assert Client().get('/sw.js?language=";alert(1)').content == Client().get("/sw.js?language=en").content


@pytest.mark.django_db
def test_each_answer_names_its_build(client, ann, settings):
    settings.BUILD = "abc"
    client.force_login(ann)
    assert client.get("/badge/")["Rummy-Build"] == "abc"
    assert 'data-build="abc"' in client.get("/lobby/").content.decode()
    assert client.get("/nowhere/")["Rummy-Build"] == "abc"


def test_a_build_is_known_by_the_files_of_the_site(tmp_path):
    from rummysite.build import build_of

    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "a.py").write_text("1")
    first = build_of(tmp_path)
    (tmp_path / "games" / "a.pyc").write_text("compiled")
    assert build_of(tmp_path) == first and re.fullmatch("[0-9a-f]{12}", first)
    (tmp_path / "games" / "a.py").write_text("2")
    assert build_of(tmp_path) != first
