"""Secrets and cuts that tests lay packs with."""

import hashlib
import re
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st

DOC = Path(__file__).parents[2] / "docs" / "fairness.md"
SEED = bytes(range(32))
CUTS = ("00112233445566778899aabbccddeeff", "", "ffeeddccbbaa99887766554433221100")
steady = settings(derandomize=True, deadline=None)
any_secret = st.binary(min_size=32, max_size=32)
any_cut = st.one_of(st.just(""), st.binary(min_size=16, max_size=16).map(bytes.hex))


def secret(number):
    return hashlib.sha256(b"fixed %d" % number).digest()


def code():
    (found,) = re.findall(r"^```python\n(.*?)^```$", DOC.read_text(encoding="utf-8"), re.M | re.S)
    return found


def checker():
    names = {"__name__": "check"}
    exec(code(), names)  # noqa: S102
    return names


def wrong(*orders):
    return {f"deal {deal}, order {n}: wrong cards" for deal, n in orders}
