"""Chance that anybody can check: the chain of secrets, the cuts, and the order of the pack.

Pure: bytes and text in, bytes, text and numbers out. Only the two ``make_`` functions draw
randomness. No rows, no cards, no clock: who stores, shows or reveals these values, and which card
a number stands for, is decided elsewhere. docs/fairness.md tells the same in plain words, with a
checker that shares no code with this module.

The algorithm is VERSION 1. Finished matches are checked by it for ever, so a changed meaning is a
new version beside this one. No error raised here quotes a secret or a cut.
"""

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Iterator, Sequence

VERSION = 1
LINKS = 2000
"""Links of a chain, and so the highest deal number of a match."""
SECRET_BYTES = 32
CUT_BYTES = 16
CUT_TEXT_MAX = 200

_LABEL = f"rummysite-order-v{VERSION}"
_WORD_BYTES = 4
_WORDS = 2 ** (8 * _WORD_BYTES)
_HEX = frozenset("0123456789abcdef")


def make_chain_seed() -> bytes:
    """The last link of a new chain: 32 random bytes. Secret as long as the match may still deal."""
    return secrets.token_bytes(SECRET_BYTES)


def link(seed: bytes, i: int) -> bytes:
    """Link ``s_i`` (32 bytes) of the chain that ends in ``seed``.

    ``s_LINKS`` is the seed and ``s_i = SHA-256(s_(i+1))``. ``s_0`` is the commitment, public from
    the opening of the match; deal ``i``, counted from 1, uses ``s_i``. About a millisecond.
    ValueError: the seed is not 32 bytes, or ``i`` is outside 0..LINKS.
    """
    _require_secret(seed)
    if not 0 <= i <= LINKS:
        raise ValueError(f"A chain has the links 0 to {LINKS}; there is no link {i}.")
    for _ in range(LINKS - i):
        seed = hashlib.sha256(seed).digest()
    return seed


def verify_link(previous_hex: str, secret_hex: str) -> bool:
    """Whether the SHA-256 of a revealed secret is the link before it.

    Both are 64 hex digits of any case: the commitment (for deal 1) or the secret of the deal
    before, and the secret of this deal. Anything else is simply not a link: False, no error.
    """
    previous, secret = previous_hex.lower(), secret_hex.lower()
    if not (_is_hex(previous, SECRET_BYTES) and _is_hex(secret, SECRET_BYTES)):
        return False
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest() == previous


def make_cut() -> str:
    """A random cut of 128 bits, as 32 lowercase hex digits."""
    return secrets.token_hex(CUT_BYTES)


def clean_cut(text: str) -> str:
    """The cut (32 lowercase hex digits) that a person sent or typed.

    White space at both ends is dropped. 32 hex digits of any case are the cut itself; any other
    text gives the first 16 bytes of the SHA-256 of its NFC form in UTF-8.
    ValueError, with a sentence for the person: nothing typed, more than 200 characters, or
    characters that have no UTF-8 form (lone surrogates).
    """
    text = text.strip()
    if not text:
        raise ValueError("Type something to cut the pack with.")
    if len(text) > CUT_TEXT_MAX:
        raise ValueError(f"A cut has at most {CUT_TEXT_MAX} characters.")
    if _is_hex(text.lower(), CUT_BYTES):
        return text.lower()
    if any("\ud800" <= char <= "\udfff" for char in text):  # asked first: a UnicodeEncodeError would keep the cut
        raise ValueError("This cut holds characters that cannot be written down.")
    data = unicodedata.normalize("NFC", text).encode()
    return hashlib.sha256(data).digest()[:CUT_BYTES].hex()


def cut_hash(cut_hex: str) -> str:
    """The SHA-256 (64 hex digits) of the 16 bytes of a cut: shown while the cut is still hidden.

    ValueError: not 32 lowercase hex digits, as ``make_cut`` and ``clean_cut`` give them.
    """
    if not _is_hex(cut_hex, CUT_BYTES):
        raise ValueError("A cut is 32 lowercase hex digits.")
    return hashlib.sha256(bytes.fromhex(cut_hex)).hexdigest()


def order(secret: bytes, cuts: Sequence[str], deal: int, n: int, size: int) -> tuple[int, ...]:
    """Permutation ``n`` of ``range(size)`` in a deal: entry k says which card comes k-th.

    The numbers count the cards to be ordered in card-id order, from 0.
    ``secret``: the link of the deal, 32 bytes. ``cuts``: one a seat, in seat order, each 32
    lowercase hex digits or '' for a seat without one. ``deal``: from 1. ``n``: 0 for the pack,
    1, 2 ... for each later reshuffle. The first dealer is ``order(s_1, cuts, 0, 0, seats)[0]``.
    Same arguments, same answer; every permutation is equally likely over the secrets.
    ValueError: a secret that is not 32 bytes, a malformed cut, a negative number, or a size over
    2**32.
    """
    _require_secret(secret)
    if not all(cut == "" or _is_hex(cut, CUT_BYTES) for cut in cuts):
        raise ValueError("A cut is 32 lowercase hex digits, or empty for a seat without one.")
    if deal < 0 or n < 0 or not 0 <= size <= _WORDS:
        raise ValueError("Deal, number and size of an order are not negative, size at most 2**32.")
    words = _words(secret, f"{_LABEL}|{deal}|{n}|{size}|{'-'.join(cuts)}|")
    places = list(range(size))
    for m in range(size, 1, -1):
        j = _below(m, words)
        places[m - 1], places[j] = places[j], places[m - 1]
    return tuple(places)


def _words(secret: bytes, message: str) -> Iterator[int]:
    """The endless stream of 32-bit words of one order: HMAC blocks 0, 1, 2 ..., big-endian."""
    block = 0
    while True:
        data = hmac.digest(secret, f"{message}{block}".encode("ascii"), "sha256")
        for at in range(0, len(data), _WORD_BYTES):
            yield int.from_bytes(data[at : at + _WORD_BYTES], "big")
        block += 1


def _below(m: int, words: Iterator[int]) -> int:
    """The next unbiased number in ``range(m)``: words past the last whole multiple are skipped."""
    limit = _WORDS // m * m
    return next(word for word in words if word < limit) % m


def _is_hex(text: str, size: int) -> bool:
    """Whether the text is ``size`` bytes in lowercase hex digits."""
    return len(text) == 2 * size and _HEX.issuperset(text)


def _require_secret(secret: bytes) -> None:
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"A secret of the chain has {SECRET_BYTES} bytes.")
