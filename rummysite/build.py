"""Which build of the site is running: a short hash of all that makes its pages, the same on every machine."""

import hashlib
from pathlib import Path

PARTS = ("accounts", "games", "rummysite", "templates", "locale")
KINDS = frozenset({".py", ".html", ".css", ".js", ".svg", ".po"})


def build_of(root: Path) -> str:
    """Twelve hex digits over the files of the site, by name and content."""
    found = hashlib.sha256()
    files = (path for part in PARTS for path in (root / part).rglob("*") if path.suffix in KINDS)
    for path in sorted(files):
        found.update(str(path.relative_to(root)).encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:12]
