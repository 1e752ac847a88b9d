"""Why something could not be brought. The words are ours and short; they name no address."""


class NotYet(Exception):
    """Worth another try. ``seconds``: how long the other side asks to wait; ``down``: nothing else will get through
    to it now either.
    """

    def __init__(self, error: str, *, seconds: int | None = None, down: bool = False) -> None:
        super().__init__(error)
        self.error, self.seconds, self.down = error, seconds, down


class Never(Exception):
    """No other try will help: the address is refused."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error
