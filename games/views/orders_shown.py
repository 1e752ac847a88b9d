"""What a table page says of standing orders, to the driver of the seat and to nobody else."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from games import order_rows, order_texts, tables
from games.models import Match, Seat


@dataclass(frozen=True, slots=True)
class Orders:
    """What a table page says of orders to their driver."""

    board: tables.Board

    @property
    def offered(self) -> bool:
        """Whether this is a match and a seat for orders."""
        board = self.board
        drives = board.me is not None and board.seats[board.me].driver == Seat.Driver.USER
        running = board.match.status == Match.Status.RUNNING and board.view is not None
        return drives and running and order_rows.offered(board.match)

    @property
    def open(self) -> bool:
        """Whether one may be left now: somebody else is to move."""
        view = self.board.view
        return self.offered and view is not None and not view.my_turn and view.outcome is None

    @property
    def waits(self) -> bool:
        return self.board.order is not None and not self.board.order.why

    @property
    def line(self) -> SafeString | None:
        """The order that waits, in one line."""
        return order_texts.short(self.board.order.order) if self.board.order and self.waits else None

    @property
    def told(self) -> list[SafeString]:
        """The order that waits, sentence by sentence."""
        return order_texts.read_back(self.board.order.order, self.board) if self.board.order and self.waits else []

    @property
    def ended(self) -> SafeString | None:
        """How the last one ended."""
        return order_texts.ending(self.board, self.board.order) if self.board.order and not self.waits else None
