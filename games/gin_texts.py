"""The words of the options that only the gin family has (RULES.md sections 3 and 6)."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from .option_text import YES_NO, OptionText, Text, by


def _knock_limit(value: Any) -> Text:
    if value == "upcard":
        return gettext("the upcard sets the limit")
    if value == 0:
        return gettext("no knock but gin")
    return ngettext("knock with %(n)d point", "knock with up to %(n)d points", value) % {"n": value}


def _big_gin(value: int) -> Text:
    if not value:
        return gettext("no big gin")
    return ngettext("big gin: %(n)d point", "big gin: %(n)d points", value) % {"n": value}


def _floor(value: int) -> Text:
    if not value:
        return gettext("stock played to the end")
    return ngettext("%(n)d card stays in the stock", "%(n)d cards stay in the stock", value) % {"n": value}


GIN_OPTION_TEXTS: dict[str, OptionText] = {
    "knock_limit": OptionText(
        _("Most deadwood for a knock"),
        _("With how many points outside your melds you may end the deal. With 0 only gin ends it."),
        _knock_limit,
        {"upcard": _("as the upcard says")},
    ),
    "upcard_ace": OptionText(
        _("An ace as upcard"),
        _("Counts only where the upcard sets the limit: nothing may be left, or one point."),
        by({"gin_only": _("ace turned up: only gin"), "one": _("ace turned up: one point")}),
        {"gin_only": _("only gin"), "one": _("one point")},
    ),
    "spades_double": OptionText(
        _("A spade as upcard doubles"),
        _("All points of the deal count twice, bonuses too; boxes do not."),
        by({True: _("spades double"), False: _("spades do not double")}),
        YES_NO,
    ),
    "auto_layoff": OptionText(
        _("Lay off by itself"),
        _("After a knock the cards of the other player are laid off in the best way. Otherwise that player does it."),
        by({True: _("best lay-offs by itself"), False: _("lay-offs by hand")}),
        YES_NO,
    ),
    "gin_bonus": OptionText(
        _("Bonus for gin"),
        _("Points for leaving nothing outside your melds, added to the deadwood of the other player."),
        lambda value: ngettext("gin: %(n)d point", "gin: %(n)d points", value) % {"n": value},
    ),
    "big_gin_bonus": OptionText(
        _("Bonus for big gin"),
        _("For all eleven cards in melds and no discard, in place of the bonus for gin. With 0 it is not played."),
        _big_gin,
    ),
    "undercut_bonus": OptionText(
        _("Bonus for an undercut"),
        _("For the player who has no more deadwood than the one who knocked."),
        lambda value: ngettext("undercut: %(n)d point", "undercut: %(n)d points", value) % {"n": value},
    ),
    "tie_counts_box": OptionText(
        _("Equal deadwood is a box"),
        _("Who did not knock gets the undercut bonus in any case; this says whether it also counts as a deal won."),
        by({True: _("ties are boxes"), False: _("ties are no boxes")}),
        YES_NO,
    ),
    "game_bonus": OptionText(
        _("Bonus for the match"),
        _("Points for the winner, added after the last deal."),
        lambda value: ngettext("match bonus: %(n)d point", "match bonus: %(n)d points", value) % {"n": value},
    ),
    "box_bonus": OptionText(
        _("Bonus for a box"),
        _("Points for every deal won, added after the last deal."),
        lambda value: ngettext("box: %(n)d point", "box: %(n)d points", value) % {"n": value},
    ),
    "box_bonus_to": OptionText(
        _("Who gets points for boxes"),
        _("The winner of the match alone, or both players."),
        by({"winner": _("boxes for the winner"), "both": _("boxes for both")}),
        {"winner": _("the winner"), "both": _("both")},
    ),
    "shutout": OptionText(
        _("If the loser wins no deal"),
        _("The winner's points of all deals count twice, or the bonus for the match does, or nothing is added."),
        by(
            {
                "double_hand_points": _("shutout doubles the points"),
                "double_game_bonus": _("shutout doubles the match bonus"),
                "none": _("no shutout bonus"),
            }
        ),
        {
            "double_hand_points": _("points count twice"),
            "double_game_bonus": _("match bonus counts twice"),
            "none": _("nothing is added"),
        },
    ),
    "stock_floor": OptionText(
        _("Cards that stay in the stock"),
        _("When no more than these are left after a discard, the deal is void and nobody scores."),
        _floor,
    ),
    "last_discard_takeable": OptionText(
        _("Knock with the last discard"),
        _("Before a deal is void the other player may take the last discard, if that ends the deal with a knock."),
        by({True: _("last discard for a knock"), False: _("last discard stays")}),
        YES_NO,
    ),
    "deal_rotation": OptionText(
        _("Who deals next"),
        _("The loser of the deal, its winner, or both in turn. After a void deal the same player deals again."),
        by({"loser": _("loser deals"), "winner": _("winner deals"), "clockwise": _("deal in turn")}),
        {"loser": _("the loser"), "winner": _("the winner"), "clockwise": _("in turn")},
    ),
}

GIN_EFFECTS: dict[str, Text | Mapping[Any, Text]] = {
    "knock_limit": _("The lower the limit, the longer the deals, and the more of them end with gin."),
    "upcard_ace": {
        "gin_only": _("After an ace only gin ends the deal."),
        "one": _("After an ace a knock needs a hand with no more than one loose point."),
    },
    "spades_double": {
        True: _("A spade turned up first makes the deal count twice."),
        False: _("A spade turned up first is a card like any other."),
    },
    "auto_layoff": {
        True: _("Nobody has to look for lay-offs, and a knock ends the deal at once."),
        False: _("Who is knocked on lays off by hand, and may overlook something."),
    },
    "gin_bonus": _("The larger the bonus, the better it is to wait for gin."),
    "big_gin_bonus": _("With a bonus an eleventh card that fits is worth more than gin; with 0 it is not played."),
    "undercut_bonus": _("The larger the bonus, the more a high knock risks."),
    "tie_counts_box": {
        True: _("Equal deadwood is a deal won by the player who did not knock."),
        False: _("Equal deadwood is a deal won by nobody, and spoils a shutout."),
    },
    "game_bonus": _("It tells by how much a match is won; it never decides who wins."),
    "box_bonus": _("The larger it is, the more many small deals are worth at the end."),
    "box_bonus_to": {
        "winner": _("The loser keeps the points of the deals and gets nothing more."),
        "both": _("The loser gets points for deals won, too."),
    },
    "shutout": {
        "double_hand_points": _("Winning every deal doubles the points of all deals."),
        "double_game_bonus": _("Winning every deal doubles the bonus for the match."),
        "none": _("Winning every deal brings nothing more."),
    },
    "stock_floor": _("The more cards stay, the sooner a deal is void."),
    "last_discard_takeable": {
        True: _("The last discard of a deal may still be knocked with."),
        False: _("The last discard of a deal is lost."),
    },
    "deal_rotation": {
        "loser": _("Who lost the deal deals the next one."),
        "winner": _("Who won the deal deals the next one."),
        "clockwise": _("Both deal in turn, whoever wins."),
    },
}
"""By option, as EFFECTS in rule_texts.py: one sentence for any number, or one for each value."""
