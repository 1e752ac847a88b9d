"""Advice for players: RULES.md section 13 in words, with cards where they help. What bots do of it as well."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from games.bots.easy import PAIR_TAKEN
from games.preset_texts import Text
from games.rules.cards import Card, cards

BOT_TAKES_A_PAIR_ONCE_IN = PAIR_TAKEN


@dataclass(frozen=True, slots=True)
class Tip:
    """One piece of advice. ``held`` are cards of a hand, ``wanted`` those that would help."""

    title: Text
    text: Text
    held: tuple[Card, ...] = ()
    wanted: tuple[Card, ...] = ()


def _tip(title: Text, text: Text, held: str = "", wanted: str = "") -> Tip:
    return Tip(title, text, cards(held) if held else (), cards(wanted) if wanted else ())


HAND = (
    _tip(
        _("Grow what you have"),
        _(
            "Melds come from pairs and neighbours that you hold already. A card that goes with no other is the first"
            " to be discarded."
        ),
    ),
    _tip(
        _("Count what can help you"),
        _(
            "Keep the cards that leave most doors open. With two fours and the three of clubs, four cards make a meld:"
            " two of them for the run, two for the set."
        ),
        "3C 4C 4S",
        "2C 5C 4D 4H",
    ),
    _tip(
        _("Two chances in three cards"),
        _("With a six and two sevens it is the same: two cards end the run, two more make the set."),
        "6C 7C 7S",
        "5C 8C 7D 7H",
    ),
    _tip(
        _("High cards first"),
        _(
            "What you hold when another goes out counts for that player. Let go early of high cards that have no"
            " company, face cards before all."
        ),
        "KD QH JS",
    ),
    _tip(
        _("Do not wait for what is gone"),
        _(
            "Remember discards and melds. You hold two nines and the nine of diamonds is gone: only one card is left"
            " that can help. Is it worth the wait?"
        ),
        "9C 9H",
        "9S",
    ),
)
OTHERS = (
    _tip(
        _("Few cards, near the end"),
        _(
            "A player with three cards may go out in the next turn: three can be a meld, two a pair that waits for a"
            " card, one needs only a place to be laid off. From then on get rid of points, and keep low cards and"
            " those that can be laid off."
        ),
    ),
    _tip(
        _("Read the table"),
        _(
            "Full sets and runs that end at an ace or a king take no more cards: keep your own melds together. Sets of"
            " three and runs that are open at both ends take many: single cards that fit there are worth keeping."
        ),
    ),
    _tip(
        _("A discard taken is a secret told"),
        _(
            "Take a discard to finish a meld or to lay it off. To take one for a mere pair tells everybody what you are"
            " waiting for."
        ),
    ),
    _tip(
        _("Remember what they take"),
        _(
            "Somebody takes a ten, and you hold two tens: then it must be for a run in that suit. Early in a deal keep"
            " its neighbours, you may lay them off later; late in a deal do not give them away."
        ),
        "TC TH",
        "9D JD",
    ),
    _tip(
        _("Melds can wait in the hand"),
        _(
            "A meld that nobody knows of takes no card of others and lets nobody lay off. Where going rummy doubles, it"
            " can pay to hold everything back. But if somebody else goes out first, all of it counts against you."
        ),
    ),
)
GIN = (
    _tip(
        _("Knock to defend, knock to attack"),
        _(
            "Knock before the other has gin, or when you think that the other hand is heavy. Early even a high"
            " knock is mostly safe; late in the deal it may be undercut."
        ),
    ),
    _tip(
        _("Do not feed"),
        _(
            "Do not discard what the other has taken, nor its neighbours. Safer are cards like those that you hold or"
            " that are gone already."
        ),
    ),
)
GROUPS: tuple[tuple[Text, tuple[Tip, ...]], ...] = (
    (_("Your own hand"), HAND),
    (_("The others"), OTHERS),
    (_("In gin rummy"), GIN),
)
