"""Word lists: whether a text has a word that is not wanted, whatever its case and letters that look alike.

Words are found as words, never inside of others: who lives in Scunthorpe may say so. Letters with an accent are letters
of their own, since in some languages just that makes another word.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import get_language

from rummysite.remembered import Remembered

from .models.words import WordEntry

NAMES, MESSAGES, TITLES = "names", "messages", "titles"
REFUSE, REPORT = "refuse", "report"

LOOKALIKES = str.maketrans("аеорсухіјѕԁһԛԝвкмнтзёαεινορτυχκμ", "aeopcyxijsdhqwbkmhtzeaeivoptyxkm")
"""Letters of other scripts that pass for Latin ones. List and text are read by the same table."""
SIGNS = {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i", "|": "i"}
"""Digits and signs that pass for letters inside of a word."""
PIECE = re.compile(r"(?:(?<![@$!|])[@$!|]++)?[^\W_@$!|]+(?:[@$!|]+[^\W_@$!|]*)*")
"""Letters with such signs before, in and behind them. A long row of signs alone is looked at once."""
READINGS = (str.maketrans(SIGNS), str.maketrans(SIGNS | {"1": "l", "|": "l", "!": "l"}))


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry as it is looked for. ``key``: the word as ``plain`` reads it, or the whole text without any signs."""

    word: str
    key: str
    language: str
    whole: bool
    where: frozenset[str]
    happens: str


def entry_of(row: WordEntry) -> Entry:
    """The entry of a row."""
    whole = row.how == WordEntry.How.WHOLE
    where = frozenset(name for name in (NAMES, MESSAGES, TITLES) if getattr(row, name))
    return Entry(row.word, bare(row.word) if whole else plain(row.word), row.language, whole, where, row.happens)


def _load() -> Sequence[Entry]:
    return [entry_of(row) for row in WordEntry.objects.filter(counts=True)]


ENTRIES: Remembered[Sequence[Entry]] = Remembered(_load)


def found(text: str, where: str) -> list[Entry]:
    """The entries that a text has, for somebody who has the site in the language that is active."""
    language, entries = get_language() or "", ENTRIES()
    wanted = [one for one in entries if where in one.where and one.language in ("", language)]
    if not wanted:
        return []
    wholes = {_bare(text, reading) for reading in READINGS}
    readings = [short for read in _readings(text) for short in _shorter(read)]
    return [one for one in wanted if (one.key in wholes if one.whole else _among(one.key, readings))]


def refused(text: str, where: str) -> Entry | None:
    """The first entry for which a text is refused."""
    return next((one for one in found(text, where) if one.happens == REFUSE), None)


def reported(text: str, where: str) -> list[str]:
    """The words for which a text that was let through goes to the moderators."""
    return [one.word for one in found(text, where) if one.happens == REPORT]


def bare(text: str) -> str:
    """A whole text without case, spaces and signs that part letters."""
    return _bare(text, READINGS[1])


def _bare(text: str, reading: dict[int, str]) -> str:
    letters = "".join(_folded(text).split()).translate(reading)
    return "".join(sign for sign in letters if sign not in "'._-")


def plain(text: str) -> str:
    """The words of a text, each parted from the next by one space."""
    return " ".join(_joined(re.findall(r"[^\W\d_]+", _folded(text))))


def _folded(text: str) -> str:
    """One form of each letter, without case, without what has no shape, without marks that make no letter."""
    known = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(sign for sign in known if unicodedata.category(sign) not in ("Cf", "Mn")).translate(LOOKALIKES)


def _readings(text: str) -> Iterator[str]:
    """The words of a text in all ways in which it can be read: signs as letters or between words, NamesLikeThis."""
    yield plain(text)
    yield plain(re.sub(r"(?<=[^\W\d_])(?=[A-ZА-ЯЁЃЅЈЉЊЌЏ])", " ", unicodedata.normalize("NFKC", text)))
    pieces = PIECE.findall(_folded(text))
    for reading in READINGS:
        read = [piece.translate(reading) if re.search(r"[^\W\d_]", piece) else piece for piece in pieces]
        yield " ".join(_joined(read))


def _joined(words: Iterable[str]) -> Iterator[str]:
    """Letters that stand alone in a row are one word."""
    alone = ""
    for word in words:
        if len(word) == 1:
            alone += word
            continue
        if alone:
            yield alone
        alone = ""
        yield word
    if alone:
        yield alone


def _shorter(read: str) -> set[str]:
    """A letter three times or more stands for one of it, or for two."""
    return {re.sub(r"(.)\1{2,}", less, read) for less in (r"\1", r"\1\1")}


def _among(key: str, readings: Iterable[str]) -> bool:
    return bool(key) and any(f" {key} " in f" {reading} " for reading in readings)
