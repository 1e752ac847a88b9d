"""Texts of our libraries in our words: each is still said by one of them, and none is English in another language."""

from pathlib import Path

import allauth
import pytest
from babel.messages.pofile import read_po
from django.contrib import admin
from django.contrib.auth import password_validation
from django.test import Client
from django.utils import translation

from accounts.library_texts import ADMINISTRATION, COUNTED, TEXTS
from accounts.models import User

LANGUAGES = ("sr-latn", "cs", "pl", "mk")


def test_each_text_is_still_said_by_a_library() -> None:
    account = Path(allauth.__file__).parent
    files = [*(account / "account").glob("*.py"), *(account / "templates" / "account" / "messages").glob("*.txt")]
    said = "".join(path.read_text() for path in [*files, Path(password_validation.__file__)])
    with translation.override(None):
        assert [str(text) for text in TEXTS if str(text) not in said] == []
        too_short, at_least = COUNTED
        length = password_validation.MinimumLengthValidator(8)
        assert length.get_error_message() == str(too_short % 8)
        assert length.get_help_text() == str(at_least % {"min_length": 8})


def test_each_text_of_the_administration_is_still_said_by_django() -> None:
    with (Path(admin.__file__).parent / "locale" / "en" / "LC_MESSAGES" / "django.po").open("rb") as file:
        said = {one.id for one in read_po(file)}
    with translation.override(None):
        assert [str(text) for text in ADMINISTRATION if str(text) not in said] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_text_is_translated(language: str) -> None:
    with translation.override(None):
        english = [str(text) for text in (*TEXTS, *ADMINISTRATION)]
    with translation.override(language):
        assert [text for text in map(str, (*TEXTS, *ADMINISTRATION)) if text in english] == []


@pytest.mark.django_db
def test_a_wrong_password_is_refused_in_the_language_of_the_page(client: Client, ann: User) -> None:
    client.post("/i18n/setlang/", {"language": "mk"})
    page = client.post("/accounts/login/", {"login": "ann", "password": "wrong"}).content.decode()
    assert "Името или лозинката не е точна." in page and "Ја заборави лозинката?" in page
    form = client.get("/accounts/signup/").content.decode()
    assert "Најмалку 8 знаци." in form and "Your password" not in form
