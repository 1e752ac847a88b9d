"""What presets, options and their values are called: names, explanations, tags, and the sentence for a bad option.

Texts only. Which options there are and what they may be stands in rules/catalog.py; a test compares the two lists.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from .gin_texts import GIN_OPTION_TEXTS
from .models import Match
from .option_text import YES_NO, OptionText, by
from .option_text import Text as Text
from .rules.errors import BadOption


@dataclass(frozen=True, slots=True)
class PresetText:
    """``line`` says in one sentence what is special; ``cards`` is a small picture of it."""

    name: Text
    line: Text
    cards: tuple[str, ...]


PRESET_TEXTS: dict[str, PresetText] = {
    "solitaired-rummy": PresetText(
        _("Solitaired rummy"),
        _("7 cards. Add to melds once you have laid your own. First to 200."),
        ("7S", "8S", "9S"),
    ),
    "basic-rummy": PresetText(
        _("Basic rummy"),
        _("6 to 10 cards. Add to any meld; all cards in one turn count double. First to 150."),
        ("QC", "QD", "QH"),
    ),
    "android-rummy": PresetText(
        _("Android rummy"),
        _("10 cards, two players. A deal that nobody finishes counts too. First to 100."),
        ("JH", "QH", "KH"),
    ),
    "gin": PresetText(
        _("Gin rummy"),
        _("10 cards, two players. Keep your melds hidden and knock with 10 points or less. First to 100."),
        ("7C", "7D", "7H"),
    ),
    "oklahoma-gin": PresetText(
        _("Oklahoma gin"),
        _("Gin in which the first card turned up says with how much you may knock; a spade doubles. First to 150."),
        ("8D",),
    ),
    "hollywood-gin": PresetText(
        _("Hollywood gin"),
        _("Gin on a sheet with three columns: three games at once, each to 100."),
        ("4S", "5S", "6S"),
    ),
}

GROUPS: tuple[tuple[Text, tuple[str, ...]], ...] = (
    (_("How long"), ("match_end", "target", "deals", "tie_break", "hand_size")),
    (_("Melds"), ("ace", "set_max", "layoff_requires_own_meld", "max_melds_per_turn")),
    (_("Discards"), ("final_discard_required", "forbid_discard_drawn")),
    (_("Knocking"), ("knock_limit", "upcard_ace", "auto_layoff")),
    (
        _("Points"),
        (
            *("ace_value", "rummy_bonus", "blocked_scoring"),
            *("gin_bonus", "big_gin_bonus", "undercut_bonus", "spades_double"),
        ),
    ),
    (_("After the last deal"), ("game_bonus", "box_bonus", "box_bonus_to", "tie_counts_box", "shutout")),
    (
        _("Stock"),
        (
            *("stock_recycle", "stock_recycle_max", "recycle_keep_top"),
            *("stock_floor", "last_discard_takeable", "turn_cap"),
        ),
    ),
    (_("Dealing"), ("deal_rotation",)),
)
"""In which order and under which headings the options are shown."""


OPTION_TEXTS: dict[str, OptionText] = {
    "match_end": OptionText(
        _("The match ends"),
        _("When somebody has enough points, or after a number of deals."),
        by({"points": _("by points"), "deals": _("by deals")}),
        {"points": _("by points"), "deals": _("after some deals")},
    ),
    "target": OptionText(
        _("Points to win"),
        _("Who reaches them at the end of a deal wins."),
        lambda value: gettext("to %(points)d") % {"points": value},
    ),
    "deals": OptionText(
        _("Number of deals"),
        _("Counts only when the match ends after some deals."),
        lambda value: ngettext("%(n)d deal", "%(n)d deals", value or 0) % {"n": value or 0},
        {None: _("none")},
    ),
    "tie_break": OptionText(
        _("Equal points at the end"),
        _("Another deal decides, or the win is shared."),
        by({"extra_deal": _("ties play on"), "shared": _("ties share the win")}),
        {"extra_deal": _("another deal"), "shared": _("shared win")},
    ),
    "hand_size": OptionText(
        _("Cards in a hand"),
        _("Left empty: the usual number for so many players."),
        lambda value: ngettext("%(n)d card each", "%(n)d cards each", value) % {"n": value},
    ),
    "ace": OptionText(
        _("The ace in runs"),
        _("Below the two, also above the king, or around the corner as in king, ace, two."),
        by({"low": _("aces low"), "low_or_high": _("aces high or low"), "wrap": _("runs around the ace")}),
        {"low": _("low"), "low_or_high": _("low or high"), "wrap": _("around the corner")},
    ),
    "set_max": OptionText(
        _("Cards in a set"),
        _("Whether the fourth card of a rank may join a set."),
        lambda value: gettext("sets of 3 only") if value == 3 else gettext("sets of 3 or 4"),
        {3: _("3"), 4: _("3 or 4")},
    ),
    "layoff_requires_own_meld": OptionText(
        _("Lay off only after an own meld"),
        _("Before you add cards to melds on the table, you need a meld of your own there."),
        by({True: _("own meld first"), False: _("lay off at once")}),
        YES_NO,
    ),
    "max_melds_per_turn": OptionText(
        _("Melds in one turn"),
        _("How many new melds you may put down before you discard."),
        by({None: _("any number of melds"), 1: _("one meld a turn")}),
        {None: _("any number"), 1: _("one")},
    ),
    "final_discard_required": OptionText(
        _("The last card must be discarded"),
        _("Going out by a meld alone is not allowed."),
        by({True: _("last card discarded"), False: _("last discard optional")}),
        YES_NO,
    ),
    "forbid_discard_drawn": OptionText(
        _("A taken discard stays for the turn"),
        _("The card that you took from the discards may not go back in the same turn."),
        by({True: _("taken card stays"), False: _("taken card may go back")}),
        YES_NO,
    ),
    "ace_value": OptionText(
        _("Points of an ace"),
        _("As usual means 1 where aces are low, otherwise 15."),
        lambda value: gettext("aces as usual") if value == "auto" else gettext("aces count %(n)d") % {"n": value},
        {"auto": _("as usual"), 1: _("1"), 11: _("11"), 15: _("15")},
    ),
    "rummy_bonus": OptionText(
        _("All cards in one turn"),
        _("Who puts nothing down and then goes out in a single turn scores double."),
        by(
            {
                "none": _("no doubling"),
                "concealed": _("all in one turn: double"),
                "concealed_no_discard": _("all in one turn without discard: double"),
            }
        ),
        {
            "none": _("not doubled"),
            "concealed": _("doubled"),
            "concealed_no_discard": _("doubled without a discard"),
        },
    ),
    "blocked_scoring": OptionText(
        _("A deal that nobody finishes"),
        _("Nobody scores, each scores what the others hold, or the lowest hand scores the difference."),
        by(
            {
                "none": _("blocked deals score nothing"),
                "opponents_total": _("blocked: what the others hold"),
                "lowest_hand": _("blocked: lowest hand scores"),
            }
        ),
        {
            "none": _("no points"),
            "opponents_total": _("what the others hold"),
            "lowest_hand": _("lowest hand scores"),
        },
    ),
    "stock_recycle": OptionText(
        _("When the stock is used up"),
        _("The discards are turned over in their order, shuffled, or the deal ends."),
        by(
            {
                "turn_over": _("discards turned over"),
                "shuffle": _("discards shuffled"),
                "none": _("stock used once"),
            }
        ),
        {"turn_over": _("turn over the discards"), "shuffle": _("shuffle the discards"), "none": _("the deal ends")},
    ),
    "stock_recycle_max": OptionText(
        _("How often the discards become the stock"),
        _("After that the deal ends with nobody out."),
        lambda value: (
            gettext("stock without limit")
            if value is None
            else ngettext("stock again %(n)d time", "stock again %(n)d times", value) % {"n": value}
        ),
        {None: _("no limit")},
    ),
    "recycle_keep_top": OptionText(
        _("The top discard stays"),
        _("When the discards become the stock, the top one can still be taken."),
        by({True: _("top discard stays"), False: _("top discard goes too")}),
        YES_NO,
    ),
    "turn_cap": OptionText(
        _("Most turns in a deal"),
        _("For each player; then the deal ends with nobody out."),
        lambda value: ngettext("at most %(n)d turn", "at most %(n)d turns", value) % {"n": value},
    ),
    **GIN_OPTION_TEXTS,
}


def value_name(option: str, value: Any) -> Text:
    """How a value of an option is called in a list of choices; a number is its own name."""
    return OPTION_TEXTS[option].values.get(value, str(value))


def name_of(match: Match) -> str:
    """What a match is called: the title that it was given, or its preset; of several opened at once also which."""
    name = match.title or str(PRESET_TEXTS[match.preset].name)
    return gettext("%(name)s, table %(n)d") % {"name": name, "n": match.nth} if match.nth else name


def differences(match: Match) -> list[Text]:
    """The house rules in which a match differs from its preset, a few words each, in the order of the form."""
    entry, options = match.preset_entry(), match.options
    usual = entry.options(options["players"])
    offered = [name for _heading, names in GROUPS for name in names if name in {o.name for o in entry.offers}]
    return [
        OPTION_TEXTS[name].tag(options[name])
        for name in offered
        if options[name] != getattr(usual, name) and _counts(name, options)
    ]


def _counts(name: str, options: Mapping[str, Any]) -> bool:
    """Points to win say nothing about a match of some deals, and the number of deals says all of its end."""
    by_deals = options["match_end"] == "deals"
    return not (name == "match_end" or (name == "target" and by_deals) or (name == "deals" and not by_deals))


def why_not(bad: BadOption) -> str:
    """The sentence for an option that the rules refuse."""
    between = {"low": bad.low, "high": bad.high}
    if bad.code == "seats" and bad.low == bad.high:
        return ngettext("This game is for %(n)d player.", "This game is for %(n)d players.", bad.low or 0) % {
            "n": bad.low
        }
    if bad.code == "seats":
        return gettext("This game is for %(low)d to %(high)d players.") % between
    if bad.code == "needs_deals":
        return gettext("Say after how many deals the match ends, or let it end by points.")
    if bad.code == "unknown":
        return gettext("This game does not offer that house rule.")
    if bad.code == "range" and bad.option == "hand_size":
        return gettext("With so many players a hand has %(low)d to %(high)d cards.") % {
            "low": bad.low,
            "high": bad.high,
        }
    if bad.code == "range":
        return gettext("Choose a number from %(low)d to %(high)d.") % {"low": bad.low, "high": bad.high}
    return gettext("Choose one of the values shown.")
