"""The literal list of presets and editions. The only place that names a game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import BadOption
from .game import Game
from .options import Choice, Offer, Options, Range, flag
from .variants.gin import Gin
from .variants.gin_sheet import GinOptions
from .variants.hollywood import Hollywood
from .variants.oklahoma import Oklahoma, OklahomaOptions
from .variants.rummy import Rummy, RummyOptions


@dataclass(frozen=True, slots=True)
class Preset:
    """A game under a name, with its defaults and the options that it offers (RULES.md section 3).

    ``hand_sizes`` gives the default hand by number of seats; ``seats`` is the default number of them. ``family`` joins
    presets that are alike enough to be rated together.
    """

    name: str
    family: str
    game: type[Game[Any]]
    option_class: type[Options]
    hand_sizes: Mapping[int, int]
    seats: int
    defaults: Mapping[str, Any]
    offers: tuple[Offer, ...]
    edition: int = 1

    def options(self, seats: int | None = None, chosen: Mapping[str, Any] | None = None) -> Options:
        """All options of a match, checked: each in its range, all of them playable together. Raises BadOption."""
        chosen = dict(chosen or {})
        seats = self.seats if seats is None else seats
        if seats not in self.hand_sizes:
            raise BadOption("players", "seats", min(self.hand_sizes), max(self.hand_sizes))
        offered = {offer.name: offer for offer in self.offers}
        for name, value in chosen.items():
            if name not in offered:
                raise BadOption(name, "unknown")
            offered[name].check(value)
        values = {"players": seats, "hand_size": self.hand_sizes[seats], **self.defaults, **chosen}
        options = self.option_class(**values)
        options.validate()
        return options

    def play(self, options: Options) -> Game[Any]:
        """The game, bound to the options of a match."""
        return self.game(options)

    def restore(self, stored: Mapping[str, Any]) -> Game[Any]:
        """The game with options as a match keeps them: the value of every one, checked when it was opened."""
        return self.game(self.option_class(**stored))


RUMMY_OFFERS: tuple[Offer, ...] = (
    Range("hand_size", 3, 25),
    Choice("match_end", ("points", "deals")),
    Range("target", 10, 10_000),
    Range("deals", 1, 50, or_none=True),
    Choice("tie_break", ("extra_deal", "shared")),
    Choice("ace", ("low", "low_or_high", "wrap")),
    Choice("ace_value", ("auto", 1, 11, 15)),
    Choice("rummy_bonus", ("none", "concealed", "concealed_no_discard")),
    flag("layoff_requires_own_meld"),
    Choice("max_melds_per_turn", (None, 1)),
    flag("final_discard_required"),
    flag("forbid_discard_drawn"),
    Choice("set_max", (3, 4)),
    Choice("stock_recycle", ("turn_over", "shuffle", "none")),
    Range("stock_recycle_max", 0, 20, or_none=True),
    flag("recycle_keep_top"),
    Choice("blocked_scoring", ("none", "opponents_total", "lowest_hand")),
    Range("turn_cap", 10, 200),
)

GIN_OFFERS: tuple[Offer, ...] = (
    Range("target", 10, 10_000),
    Range("gin_bonus", 0, 500),
    Range("undercut_bonus", 0, 500),
    Range("big_gin_bonus", 0, 500),
    flag("tie_counts_box"),
    Range("game_bonus", 0, 500),
    Range("box_bonus", 0, 500),
    Choice("box_bonus_to", ("winner", "both")),
    Choice("shutout", ("double_hand_points", "double_game_bonus", "none")),
    flag("auto_layoff"),
    flag("last_discard_takeable"),
    Range("stock_floor", 0, 5),
    Choice("deal_rotation", ("loser", "winner", "clockwise")),
    Range("turn_cap", 10, 200),
)
KNOCK_LIMIT = Range("knock_limit", 0, 10)
OKLAHOMA_OFFERS: tuple[Offer, ...] = (
    Choice("knock_limit", ("upcard", *range(11))),
    Choice("upcard_ace", ("gin_only", "one")),
    flag("spades_double"),
)
TWO_TENS = {2: 10}

PRESETS = (
    Preset(
        name="solitaired-rummy",
        family="rummy",
        game=Rummy,
        option_class=RummyOptions,
        hand_sizes={2: 7, 3: 7, 4: 7},
        seats=4,
        defaults={
            "target": 200,
            "layoff_requires_own_meld": True,
            "stock_recycle": "turn_over",
            "stock_recycle_max": 1,
        },
        offers=RUMMY_OFFERS,
    ),
    Preset(
        name="basic-rummy",
        family="rummy",
        game=Rummy,
        option_class=RummyOptions,
        hand_sizes={2: 10, 3: 7, 4: 7, 5: 6, 6: 6},
        seats=4,
        defaults={"target": 150, "stock_recycle": "shuffle", "rummy_bonus": "concealed"},
        offers=RUMMY_OFFERS,
    ),
    Preset(
        name="android-rummy",
        family="rummy",
        game=Rummy,
        option_class=RummyOptions,
        hand_sizes={2: 10},
        seats=2,
        defaults={
            "target": 100,
            "layoff_requires_own_meld": True,
            "stock_recycle": "turn_over",
            "stock_recycle_max": 2,
            "blocked_scoring": "opponents_total",
            "rummy_bonus": "concealed",
        },
        offers=RUMMY_OFFERS,
    ),
    Preset(
        name="gin",
        family="gin",
        game=Gin,
        option_class=GinOptions,
        hand_sizes=TWO_TENS,
        seats=2,
        defaults={"target": 100},
        offers=(KNOCK_LIMIT, *GIN_OFFERS),
    ),
    Preset(
        name="oklahoma-gin",
        family="gin",
        game=Oklahoma,
        option_class=OklahomaOptions,
        hand_sizes=TWO_TENS,
        seats=2,
        defaults={"target": 150, "knock_limit": "upcard", "spades_double": True, "tie_counts_box": True},
        offers=(*OKLAHOMA_OFFERS, *GIN_OFFERS),
    ),
    Preset(
        name="hollywood-gin",
        family="gin",
        game=Hollywood,
        option_class=GinOptions,
        hand_sizes=TWO_TENS,
        seats=2,
        defaults={"target": 100, "tie_counts_box": True},
        offers=(KNOCK_LIMIT, *GIN_OFFERS),
    ),
)


FAMILIES = tuple(dict.fromkeys(preset.family for preset in PRESETS))


def find(name: str, edition: int = 1) -> Preset:
    """The preset of that name and edition. Raises KeyError."""
    for preset in PRESETS:
        if (preset.name, preset.edition) == (name, edition):
            return preset
    raise KeyError(f"no preset {name!r}, edition {edition}")
