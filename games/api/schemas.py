"""The shapes of what programs get and give, as JSON Schema: the ended match, its deals, and the parts of both."""

from typing import Any

Schema = dict[str, Any]
WRITTEN = r"[^\x00-\x1f\ud800-\udfff]*"
"""No signs that a database could not hold."""
RANK_SUIT = "([A23456789TJQK][CDHS]|XX)(#[2-9])?"


def thing(required: dict[str, Schema], **optional: Schema) -> Schema:
    """An object with exactly these properties."""
    shape: Schema = {"type": "object", "properties": required | optional, "additionalProperties": False}
    return shape | {"required": list(required)} if required else shape


def many(of: Schema, most: int | None = None) -> Schema:
    """A list."""
    return {"type": "array", "items": of} | ({"maxItems": most} if most else {})


def ref(name: str) -> Schema:
    """The schema of that name."""
    return {"$ref": f"#/components/schemas/{name}"}


def or_null(of: Schema) -> Schema:
    """Something, or nothing."""
    return {"anyOf": [of, {"type": "null"}]}


def text(most: int = 200) -> Schema:
    """A text of so many characters at most."""
    return {"type": "string", "maxLength": most, "pattern": WRITTEN}


def whole(low: int = 0, high: int = 1_000_000) -> Schema:
    """A whole number."""
    return {"type": "integer", "minimum": low, "maximum": high}


CARD: Schema = {"type": "string", "pattern": RANK_SUIT}
CARDS = many(CARD, 520)
TIME: Schema = {"type": "string", "format": "date-time", "maxLength": 40}
HEX64: Schema = {"type": "string", "pattern": "[0-9a-f]{64}"}
CUT: Schema = {"type": "string", "pattern": "([0-9a-f]{32})?"}
FLAG: Schema = {"type": "boolean"}
SEAT = whole(-1, 9)
BY: Schema = {"enum": ["user", "bot", "clock", "site", "dealer", "moderator"]}
ANYTHING: Schema = {"type": "object"}
VALUE: Schema = {"type": ["integer", "string", "boolean", "null"], "maxLength": 40, "minimum": -1, "maximum": 1_000_000}

ACTION = thing(
    {"type": text(20)},
    n=whole(),
    card=CARD,
    cards=CARDS,
    meld=whole(0, 100),
    melds=many(many(CARD, 60), 60),
    to=whole(0, 9),
    at=TIME,
    deal=whole(1, 2000),
    points=many(whole(0, 10_000), 10),
    winners=many(whole(0, 9), 10),
    was=text(10),
    seconds=whole(0, 10_000_000),
)
EVENT = thing({"kind": text(20), "seat": SEAT, "turn": whole()}, cards=CARDS, own=CARD, meld=whole(0, 100))
STEP = thing(
    {"n": whole(1), "seat": or_null(whole(0, 9)), "by": BY, "at": TIME, "action": ref("Action")},
    events=many(ref("Event"), 100),
)
ORDER = thing({"n": whole(), "size": whole(), "pool": CARDS, "cards": CARDS})
LINE: Schema = {"type": "array", "maxItems": 4, "minItems": 4}
OUTCOME = thing(
    {
        "kind": text(20),
        "scorer": or_null(whole(0, 9)),
        "points": many(whole(-10_000, 10_000), 10),
        "lines": many(LINE, 100),
        "marks": many(text(40), 20),
    }
)
RECORD_PARTS: dict[str, Schema] = {
    "version": {"const": 1},
    "fairness": {"const": 1},
    "deal": whole(1, 2000),
    "dealer": whole(0, 9),
    "secret": HEX64,
    "cuts": many(CUT, 10),
    "sheet": ANYTHING,
    "orders": many(ref("Order"), 200),
    "hands": many(CARDS, 10),
    "steps": many(ref("Step"), 20_000),
    "outcome": or_null(ref("Outcome")),
    "left": {"type": "object", "additionalProperties": CARDS},
}
FILE_SEAT = thing(
    {
        "name": text(40),
        "kind": {"enum": ["person", "bot"]},
        "level": text(8),
        "cut_by": text(8),
        "given_up": FLAG,
    }
)
RESULT = thing(
    {
        "status": {"enum": ["running", "over"]},
        "ending": {"enum": ["", "played", "resigned", "clock", "abandoned", "aborted", "decided"]},
        "totals": many(whole(-1_000_000), 10),
        "winners": many(whole(0, 9), 10),
        "ended_at": or_null(TIME),
    }
)
RULING = thing({"n": whole(1), "at": TIME, "action": ref("Action")})
MATCH_FILE = thing(
    {
        "format": {"const": "rummysite-match"},
        "version": {"enum": [1, 2]},
        "id": whole(0, 10**18),
        "preset": text(32),
        "edition": whole(1, 1000),
        "options": {"type": "object", "additionalProperties": VALUE},
        "memory": {"enum": ["all", "discards", "none"]},
        "title": text(40),
        "pace": text(8),
        "seats": many(ref("FileSeat"), 10),
        "commitment": HEX64,
        "cuts": many(CUT, 10),
        "started_at": TIME,
        "deals": many(ref("EndedDeal"), 2000),
        "result": ref("Result"),
    },
    first_dealer=whole(0, 9),
    rulings=many(ref("Ruling"), 1000),
)

SHARED: dict[str, Schema] = {
    "Action": ACTION,
    "Event": EVENT,
    "Step": STEP,
    "Order": ORDER,
    "Outcome": OUTCOME,
    "Record": thing(RECORD_PARTS),
    "EndedDeal": thing(RECORD_PARTS | {"started_at": TIME, "ended_at": TIME}),
    "FileSeat": FILE_SEAT,
    "Result": RESULT,
    "Ruling": RULING,
    "MatchFile": MATCH_FILE,
}
"""What a match as a file consists of."""
