"""How collected files are kept: compressed, with hashed names, and our own scripts without comments and indentation.

No build step: a line stays a line, only comments and the space around it go.
"""

import re
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS = ("site/", "games/")


def slim(script: str) -> str:
    """A script without comments, empty lines and indentation; none of ours has a text over lines or with slashes."""
    lines = (re.sub(r"(^|\s+)//( .*)?$", "", line.strip()) for line in script.splitlines())
    return "\n".join(filter(None, lines)) + "\n"


class SlimStorage(CompressedManifestStaticFilesStorage):
    """What ``collectstatic`` writes to, first under the plain name, then from the source anew under the hashed one."""

    def _save(self, name: str, content: Any) -> str:
        if name.endswith(".js") and name.startswith(OURS):
            content.seek(0)
            content = ContentFile(slim(content.read().decode()).encode())
        return str(super()._save(name, content))  # type: ignore[misc]  # Django's own, left out of its stubs
