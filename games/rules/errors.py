"""The refusals of the rules: what cannot be read, what may not be done, what cannot be opened."""

from .cards import Card

REASONS = (
    "wrong_phase", "not_your_turn", "card_not_in_hand", "invalid_meld", "invalid_layoff", "no_own_meld",
    "meld_limit", "same_card_discard", "must_keep_discard", "stranded", "empty_stock", "empty_discard",
    "must_draw_stock", "deadwood_too_high", "option_off", "pile_card_unusable",
)  # fmt: skip
"""Reason codes of RULES.md section 2 that the games in the catalog can give."""


class Refused(ValueError):
    """An action that changes nothing. ``reason`` is a code that the site turns into a sentence."""

    reason = "malformed"


class Malformed(Refused):
    """Something that no client of ours sends: an unknown action or card, a card named twice, a wrong index."""


class Illegal(Refused):
    """An action that the rules refuse, with a reason code and, where it helps, the cards or the meld meant."""

    def __init__(self, reason: str, *cards: Card, meld: int | None = None) -> None:
        super().__init__(reason)
        self.reason, self.cards, self.meld = reason, cards, meld


class BadOption(ValueError):
    """A value that an option may not have, or a combination that cannot be played.

    ``code``: ``unknown``, ``choice``, ``range`` (with ``low`` and ``high``), ``seats`` or ``needs_deals``.
    """

    def __init__(self, option: str, code: str, low: int | None = None, high: int | None = None) -> None:
        super().__init__(f"{option}: {code}")
        self.option, self.code, self.low, self.high = option, code, low, high
