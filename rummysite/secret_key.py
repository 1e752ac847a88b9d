"""The site's secret key, made at the first start and kept in var/."""

import os
import secrets
from pathlib import Path


def secret_key(path: Path) -> str:
    """The key in ``path``; made now if there is none, readable by its owner only, never twice by two starts at once."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    if not path.exists():
        handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(64))
        try:
            os.link(draft, path)  # fails if another start was quicker, whose key then stands
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()
