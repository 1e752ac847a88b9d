"""The administration: lists and pages to read, and acts (acts.py). No page, list, search or filter touches a column
of secrecy.py, no row is deleted, no field is edited but in rows of words and limits.

Drafts are not here at all. One file a topic.
"""

from . import audit, hands, imported, matches, notices, people, reports, rulings, sanctioned, signs, talk, tapes, words
from .base import ReadOnly, open_columns

__all__ = [
    "ReadOnly",
    "audit",
    "hands",
    "imported",
    "matches",
    "notices",
    "open_columns",
    "people",
    "reports",
    "rulings",
    "sanctioned",
    "signs",
    "talk",
    "tapes",
    "words",
]
