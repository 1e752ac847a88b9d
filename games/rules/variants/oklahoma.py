"""Oklahoma gin: the upcard says how much deadwood a knock may have (RULES.md section 6). All else is gin."""

from dataclasses import dataclass
from typing import Any

from games.rules.cards import Card
from games.rules.knocking import KnockTable
from games.rules.table import Table

from .gin import Gin
from .gin_sheet import GinOptions


@dataclass(frozen=True, slots=True)
class OklahomaOptions(GinOptions):
    """``knock_limit`` may also be ``upcard``; ``upcard_ace`` is then ``gin_only`` (nothing may be left) or ``one``."""

    upcard_ace: str = "gin_only"


class Oklahoma(Gin[OklahomaOptions]):
    """Gin with a limit for each deal."""

    name = "oklahoma"

    def knock_limit(self, upcard: Card) -> int:
        if self.options.knock_limit != "upcard":
            return Gin.knock_limit(self, upcard)
        ace_is_gin = upcard.rank == 1 and self.options.upcard_ace == "gin_only"
        return 0 if ace_is_gin else self.points(upcard)

    def facts(self, table: Table) -> tuple[tuple[str, Any], ...]:
        """The upcard stays displayed all deal."""
        assert isinstance(table, KnockTable)
        return (("upcard", table.upcard), *Gin.facts(self, table))
