"""The catalogues of all languages: complete, with the same placeholders and marks, and shown on the pages."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import to_locale

from accounts import catalogues

CODES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
MARKS = re.compile(r"\{\w*\}|%\(\w+\)[sd]|%%|</?\w+[^>]*>")


@pytest.fixture(scope="module")
def site():
    """All texts of the site, by text and context."""
    return {(str(one.id), one.context) for one in catalogues.collect() if one.id}


@pytest.mark.parametrize("code", CODES)
def test_every_text_of_the_site_is_translated(code, site):
    catalogue = catalogues.read(to_locale(code))

    assert catalogues.lacking(catalogue) == []
    assert {(str(one.id), one.context) for one in catalogue if one.id} == site


@pytest.mark.parametrize("code", CODES)
def test_a_translation_keeps_the_placeholders_and_marks_of_its_text(code):
    wrong = []
    for one in catalogues.read(to_locale(code)):
        asked = catalogues.forms(one.id)
        for said in catalogues.forms(one.string):
            if one.id and sorted(MARKS.findall(said)) not in [sorted(MARKS.findall(text)) for text in asked]:
                wrong.append((asked[0], said))

    assert wrong == []


@pytest.mark.parametrize("code", CODES)
def test_a_translation_has_as_many_plural_forms_as_its_language(code):
    catalogue = catalogues.read(to_locale(code))

    plural = [one for one in catalogue if isinstance(one.id, tuple | list)]
    assert plural
    assert {len(catalogues.forms(one.string)) for one in plural} == {catalogue.num_plurals}


@pytest.mark.parametrize("code", CODES)
def test_the_front_page_speaks_the_language_that_was_chosen(code, db):
    client = Client(headers={"accept-language": code})
    english = Client(headers={"accept-language": "en"}).get("/").content.decode()

    shown = client.get("/").content.decode()

    assert f'<html lang="{code}"' in shown
    names = {"English", "Srpski (latinica)", "Polski", "Česky", "Македонски"}
    for tag in ("h1", "h2", "h3", "p", "button"):
        same = texts_of(shown, tag) & texts_of(english, tag)
        assert not {text for text in same if len(text) > 3 and not any(name in text for name in names)}, tag


def texts_of(html, tag):
    """What stands in all elements of a kind, without markup."""
    found = re.findall(rf"<{tag}[ >](.*?)</{tag}>", html, re.S)
    return {re.sub(r"<.*?>|\s+", " ", text).strip() for text in found}
