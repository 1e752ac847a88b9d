"""What a house rule changes: a sentence for each value that a match may have instead of the usual one. Texts only."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from .gin_texts import GIN_EFFECTS
from .preset_texts import Text

EFFECTS: dict[str, Text | Mapping[Any, Text]] = {
    "match_end": {
        "points": _("The match goes on until somebody has the points, however many deals that takes."),
        "deals": _("The match has as many deals as you say; then the most points win."),
    },
    "target": _("More points make a longer match, fewer a shorter one."),
    "deals": _("The match has exactly so many deals if it ends after some deals."),
    "tie_break": {
        "extra_deal": _("If two are in front with equal points, they play on until one leads."),
        "shared": _("Equal points in front end the match; the win is shared."),
    },
    "hand_size": _("More cards make longer deals with more melds; fewer make quick ones."),
    "ace": {
        "low": _("Ace, two, three is a run; queen, king, ace is none."),
        "low_or_high": _("Queen, king, ace is a run too; king, ace, two is none."),
        "wrap": _("King, ace, two is a run too."),
    },
    "ace_value": {
        "auto": _("An ace in the hand costs 1 where aces are low, otherwise 15."),
        1: _("An ace in the hand costs 1 only."),
        11: _("An ace in the hand costs 11: do not keep it long."),
        15: _("An ace in the hand costs 15: do not keep it long."),
    },
    "set_max": {
        3: _("The fourth card of a rank cannot join a set."),
        4: _("The fourth card of a rank may join a set."),
    },
    "layoff_requires_own_meld": {
        True: _("Nobody adds cards to melds before putting down one of the own."),
        False: _("Cards may be added to any meld from the first turn on."),
    },
    "max_melds_per_turn": {
        None: _("A hand full of melds can be put down in one turn."),
        1: _("A hand full of melds takes several turns to put down."),
    },
    "final_discard_required": {
        True: _("To go out you need a card left to discard."),
        False: _("You may go out by melding your last cards."),
    },
    "forbid_discard_drawn": {
        True: _("A card taken from the discards has to be kept for this turn."),
        False: _("A card taken from the discards may be thrown back at once."),
    },
    "rummy_bonus": {
        "none": _("Going out in one turn counts no more than any other way."),
        "concealed": _("Waiting with all melds may pay: going out in one single turn counts double."),
        "concealed_no_discard": _("Going out in one single turn counts double only if no card is left to discard."),
    },
    "blocked_scoring": {
        "none": _("When nobody can finish, the deal counts nothing."),
        "opponents_total": _("When nobody can finish, each scores the cards of the others."),
        "lowest_hand": _("When nobody can finish, the lowest hand scores what the others hold more."),
    },
    "stock_recycle": {
        "turn_over": _("Who remembers the discards knows what comes when the stock is used up."),
        "shuffle": _("Nobody knows what comes after the stock has been used up."),
        "none": _("With the last card of the stock the deal is over."),
    },
    "stock_recycle_max": _("The fewer times, the sooner a deal ends with nobody out."),
    "recycle_keep_top": {
        True: _("The last discard can still be taken after the stock was renewed."),
        False: _("The last discard goes into the new stock and cannot be taken."),
    },
    "turn_cap": _("With fewer turns more deals end with nobody out."),
    **GIN_EFFECTS,
}
"""By option: one sentence for any number, or one for each value."""


def effect(option: str, value: Any) -> Text:
    """What it changes that a match has this value."""
    told = EFFECTS[option]
    return told[value] if isinstance(told, Mapping) else told
