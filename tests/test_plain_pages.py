"""Privacy, terms and contact: linked everywhere, true to what the site does, whole with and without an operator."""

import re

import pytest
from django.test import override_settings

from accounts import pruning

pytestmark = pytest.mark.django_db

PAGES = ["/privacy/", "/terms/", "/contact/"]


def words_of(client, address):
    page = client.get(address).content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", page[page.index("<main") : page.index("</main>")]).split())


@pytest.mark.parametrize("page", PAGES)
def test_they_are_linked_from_every_footer(client, page):
    for start in ("/", "/lobby/", "/learn/", "/accounts/login/"):
        assert f'href="{page}"' in client.get(start).content.decode()
    assert client.get(page).status_code == 200


@override_settings(OPERATOR="The Card Club", CONTACT="help@rummy.example")
def test_they_name_who_runs_the_site():
    from django.test import Client

    client = Client()
    assert "run by The Card Club" in words_of(client, "/privacy/")
    assert "go to help@rummy.example" in words_of(client, "/privacy/")
    assert "The Card Club offers" in words_of(client, "/terms/")
    assert 'href="mailto:help@rummy.example"' in client.get("/contact/").content.decode()


@override_settings(OPERATOR="", CONTACT="")
def test_without_an_operator_they_still_make_sense(client):
    for page in PAGES:
        said = words_of(client, page)
        assert "None" not in said
        assert not re.search(r"by\s*[.,]|to\s*[.,]", said)
    assert "mailto" not in client.get("/contact/").content.decode()
    assert "Ask the person who invited you" in words_of(client, "/contact/")


def test_the_cookies_are_those_that_the_site_sets(client, ann):
    client.post("/i18n/setlang/", {"language": "cs"})
    client.get("/accounts/login/")
    client.force_login(ann)
    client.post("/accounts/settings/", {"time_zone": "UTC"})
    client.cookies["django_language"] = "en"
    said = words_of(client, "/privacy/")
    assert {"sessionid", "csrftoken", "django_language"} <= set(client.cookies)
    for cookie in client.cookies:
        assert cookie in said


def test_crawlers_may_keep_what_explains_the_site_and_nothing_else(client, ann):
    for page in ["/", *PAGES, "/learn/", "/learn/basic-rummy/", "/learn/glossary/", "/learn/strategy/"]:
        assert "noindex" not in client.get(page).content.decode(), page
    for page in ("/lobby/", "/accounts/login/", "/join/some-token/"):
        assert '<meta name="robots" content="noindex">' in client.get(page).content.decode(), page


def test_what_is_said_of_keeping_is_what_is_pruned(client):
    said = words_of(client, "/privacy/")
    assert f"not been here for {pruning.GUESTS.days} days is closed" in said
    assert f"removed after {pruning.ADDRESSES.days} days" in said
