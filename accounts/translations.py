"""Compiles the message catalogues, so that no compiled file has to be kept in the project."""

import os
from pathlib import Path

import polib
from django.conf import settings


def compile_catalogues() -> int:
    """Compile each catalogue that is newer than its compiled file; how many were. Two at once do no harm."""
    done = 0
    for folder in settings.LOCALE_PATHS:
        for source in Path(folder).glob("*/LC_MESSAGES/*.po"):
            target = source.with_suffix(".mo")
            if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
                draft = target.with_suffix(f".{os.getpid()}")
                polib.pofile(str(source)).save_as_mofile(str(draft))  # type: ignore[no-untyped-call]
                draft.replace(target)
                done += 1
    return done
