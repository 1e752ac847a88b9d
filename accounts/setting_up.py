"""What a start of the site sets up in the folder of data: one start at a time, and nothing twice.

Two at once would both create the tables and the demo players.
"""

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path

from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

try:
    import fcntl
except ImportError:  # Windows has no such lock; there two first starts at once are not told apart
    fcntl = None  # type: ignore[assignment]


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Wait until no other start is setting up ``folder``. The system drops the lock of a start that was killed."""
    with (folder / "setup.lock").open("w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def collect_static(place: Path) -> bool:
    """Collect the site's files under ``place``, compressed and with hashed names; whether there was anything to do.

    Hashed files that no page names any longer stay: a page that is open may still ask for them.
    """
    mark, found = place / "collected", dict(_found())
    stamp = hashlib.sha256("\n".join(f"{name} {state}" for name, state in found.items()).encode()).hexdigest()
    if mark.exists() and mark.read_text() == stamp:
        return False
    for name in found:  # or a file that is older than its copy, as an unpacked release has them, would not be taken
        (place / name).unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    mark.write_text(stamp)
    return True


def _found() -> Iterator[tuple[str, str]]:
    """Each file that pages can ask for, with its size and time."""
    for finder in get_finders():
        for name, storage in finder.list([]):
            file = Path(storage.path(name)).stat()
            yield name, f"{file.st_size} {file.st_mtime_ns}"
