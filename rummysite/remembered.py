"""What is read from the database seldom and asked often: kept in the process for a short time."""

import time
from collections.abc import Callable


class Remembered[T]:
    """What ``load`` gives. Another process hears of a change when its own copy is as old as ``seconds``."""

    def __init__(self, load: Callable[[], T], seconds: float = 20.0) -> None:
        self.load, self.seconds = load, seconds
        self._kept: tuple[float, T] | None = None

    def __call__(self) -> T:
        kept, now = self._kept, time.monotonic()
        if kept is None or now >= kept[0]:
            kept = (now + self.seconds, self.load())
            self._kept = kept
        return kept[1]

    def keep(self, value: T, seconds: float) -> None:
        """Take this for what was loaded."""
        self._kept = (time.monotonic() + seconds, value)

    def forget(self) -> None:
        """Load it anew when it is asked for."""
        self._kept = None
