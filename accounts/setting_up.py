"""One start at a time sets up the folder of data: two at once would both create the tables and the demo players."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

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
