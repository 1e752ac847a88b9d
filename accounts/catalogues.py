"""Collects the site's texts into message catalogues: for those who translate and for the tests, never while serving.

Templates are turned into something like Python by Django, then read as all Python files are. The catalogues stand in
locale/; translations.py compiles them.
"""

from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

ROOMS = ("accounts", "games", "rummysite")
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}


def collect() -> Catalog:
    """Every text of the site, without translations."""
    catalogue = _empty(None)
    for name, text in _sources():
        found = extract("python", BytesIO(text.encode()), keywords=KEYWORDS, comment_tags=["Translators:"])
        for _line, message, comments, context in found:
            said = message if isinstance(message, str) else (message[0], message[1])
            catalogue.add(said, locations=[(name, 0)], auto_comments=comments, context=context)
    return catalogue


def _sources() -> Iterator[tuple[str, str]]:
    """Names and texts of all files that hold messages."""
    base = Path(settings.BASE_DIR)
    for room in ROOMS:
        for path in sorted((base / room).rglob("*.py")):
            if "migrations" not in path.parts:
                yield str(path.relative_to(base)), path.read_text()
    for path in sorted((base / "templates").rglob("*.html")) + sorted((base / "templates").rglob("*.txt")):
        told = templatize(path.read_text(), origin=str(path))
        yield str(path.relative_to(base)), "\n".join(line.lstrip() for line in told.splitlines())


def _empty(locale: str | None) -> Catalog:
    return Catalog(
        locale=locale,
        project="Rummysite",
        version="1",
        charset="utf-8",
        fuzzy=False,
        header_comment="# Texts of Rummysite.",
        msgid_bugs_address="",
        last_translator="",
        language_team="",
    )


def path_of(locale: str) -> Path:
    """Where the catalogue of a locale (``sr_Latn``) stands."""
    return Path(settings.LOCALE_PATHS[0]) / locale / "LC_MESSAGES" / "django.po"


def read(locale: str) -> Catalog:
    """The catalogue of a locale as it is kept; empty if there is none."""
    path = path_of(locale)
    if not path.exists():
        return _empty(locale)
    with path.open("rb") as file:
        return read_po(file, locale=locale, charset="utf-8")


def update(locale: str) -> int:
    """Bring the catalogue of a locale up to date with the site; how many texts still lack a translation."""
    catalogue = read(locale)
    catalogue.update(collect(), no_fuzzy_matching=True, update_header_comment=True)
    catalogue.obsolete.clear()
    path = path_of(locale)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=120, sort_output=False, omit_header=False, include_lineno=False)
    return len(lacking(catalogue))


def lacking(catalogue: Catalog) -> list[str]:
    """Texts without a translation, or with one that is only a guess."""
    return [str(one.id) for one in catalogue if one.id and (one.fuzzy or not all(forms(one.string)))]


def forms(said: str | Iterable[str] | None) -> tuple[str, ...]:
    """A text or its plural forms, always as a tuple, of at least one."""
    return (said or "",) if isinstance(said, str) or said is None else tuple(said)
