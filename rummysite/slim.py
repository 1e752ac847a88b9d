"""How collected files are kept: compressed, with hashed names, and our own scripts without comments and indentation.

No build step: a line stays a line, only lines of comment and the space around the others go.
"""

from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS = ("site/", "games/")


def slim(script: str) -> str:
    """A script without lines of comment, empty lines and indentation; none of ours has a text over several lines."""
    lines = (line.strip() for line in script.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"


class SlimStorage(CompressedManifestStaticFilesStorage):
    """What ``collectstatic`` writes to."""

    def save(self, name: str | None, content: Any, max_length: int | None = None) -> str:
        if name and name.endswith(".js") and name.startswith(OURS):
            content = ContentFile(slim(content.read().decode()).encode())
        return str(super().save(name, content, max_length))
