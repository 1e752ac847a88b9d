"""Refusal: what somebody tried and cannot be done."""


class Refusal(ValueError):
    """Something that cannot be done here, with a sentence for the person who tried."""
