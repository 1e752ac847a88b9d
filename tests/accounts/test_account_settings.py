"""The settings of an account: shown, changed, refused with a sentence, in force on the next page."""

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from accounts.models import User

pytestmark = pytest.mark.django_db


def settings_of(**more: str) -> dict[str, str]:
    return {
        "display_name": "Ana Marija",
        "language": "en",
        "time_zone": "Asia/Tokyo",
        "deck": "four",
        "card_size": "large",
        "theme": "dark",
        "animation": "off",
        "hand_sort": "rank",
        "memory": "discards",
        "confirm_correspondence": "on",
        "sound": "on",
    } | more


def test_what_is_said_after_a_change_of_language_is_said_in_the_new_one(client: Client, ann: User) -> None:
    client.force_login(ann)
    page = client.post("/accounts/settings/", settings_of(language="cs"), follow=True).content.decode()
    with translation.override("cs"):
        assert gettext("Your settings are saved.") in page
    assert "Your settings are saved." not in page


def test_settings_apply_to_the_very_next_page(client: Client, ann: User) -> None:
    client.force_login(ann)
    answer = client.post("/accounts/settings/", settings_of(), follow=True)
    page = answer.content.decode()
    assert '<html lang="en" data-deck="four" data-cards="large" data-motion="off" data-theme="dark">' in page
    assert "Your settings are saved." in page
    assert "Ana Marija" in page
    ann.refresh_from_db()
    assert (ann.hand_sort, ann.memory, ann.sound) == ("rank", "discards", True)
    assert (ann.confirm_correspondence, ann.confirm_live) == (True, False)


def test_nothing_sounds_or_asks_before_somebody_wants_it(ann: User) -> None:
    assert (ann.sound, ann.confirm_live, ann.confirm_correspondence, ann.memory) == (False, False, False, "")


def test_the_settings_page_shows_what_is_set(client: Client, ann: User) -> None:
    client.force_login(ann)
    client.post("/accounts/settings/", settings_of())
    page = client.get("/accounts/settings/").content.decode()
    radio = '<input type="radio" name="{}" value="{}"'
    for name, value in (("deck", "four"), ("card_size", "large"), ("hand_sort", "rank"), ("memory", "discards")):
        chosen = page[page.index(radio.format(name, value)) :]
        assert "checked" in chosen[: chosen.index(">")], name


@pytest.mark.parametrize(
    "wrong",
    [
        {"time_zone": "Mars/Olympus"},
        {"display_name": "Moderator"},
        {"display_name": "<b>"},
        {"deck": "six"},
        {"memory": "x"},
        {"hand_sort": ""},
    ],
)
def test_wrong_settings_are_refused_with_a_sentence(client: Client, ann: User, wrong: dict[str, str]) -> None:
    client.force_login(ann)
    answer = client.post("/accounts/settings/", settings_of(**wrong))
    assert answer.status_code == 400
    assert b"errorlist" in answer.content
    assert User.objects.get().deck == "two"


def test_the_language_switcher_serves_guests_and_users(client: Client, ann: User) -> None:
    client.post("/i18n/setlang/", {"language": "cs", "next": "/lobby/"})
    assert '<html lang="cs"' in client.get("/lobby/").content.decode()
    client.force_login(ann)
    User.objects.update(language="en")
    client.post("/i18n/setlang/", {"language": "pl", "next": "/lobby/"})
    assert '<html lang="pl"' in client.get("/lobby/").content.decode()
    client.post("/i18n/setlang/", {"language": "xx", "next": "https://evil.example/"})
    assert User.objects.get().language == "pl"
