"""The OpenAPI 3.1 document of the interface, as a literal. Tests hold every answer against it."""

from typing import Any

from games.models import Match
from games.paces import PACES
from games.rules.catalog import PRESETS

from .schemas import (
    ANYTHING,
    CARD,
    CARDS,
    FLAG,
    HEX64,
    SHARED,
    TIME,
    VALUE,
    Schema,
    many,
    or_null,
    ref,
    text,
    thing,
    whole,
)

ID = whole(1, 10**18)
PLACE = whole(0, 9)
DRIVERS: Schema = {"enum": ["open", "invited", "user", "bot"]}

SCHEMAS: dict[str, Schema] = SHARED | {
    "Error": thing({"error": text(20), "message": text(400)}),
    "Person": thing(
        {"username": text(40), "name": text(60), "guest": FLAG, "since": {"type": "string"}, "page": text(80)}
    ),
    "Me": thing({"person": ref("Person"), "scope": {"enum": ["own"]}, "language": text(10), "time_zone": text(64)}),
    "Place": thing({"seat": PLACE, "name": text(60), "username": text(40), "kind": DRIVERS, "given_up": FLAG}),
    "Line": thing(
        {
            "id": ID,
            "preset": {"enum": [preset.name for preset in PRESETS]},
            "edition": whole(1, 1000),
            "title": text(40),
            "pace": {"enum": list(PACES)},
            "private": FLAG,
            "status": {"enum": list(Match.Status.values)},
            "ending": {"enum": ["", *Match.Ending.values]},
            "opened_at": TIME,
            "started_at": or_null(TIME),
            "ended_at": or_null(TIME),
            "due_at": or_null(TIME),
            "deal": whole(0, 2000),
            "turn": or_null(PLACE),
            "my_seat": or_null(PLACE),
            "totals": many(whole(-1_000_000), 10),
            "winners": many(PLACE, 10),
            "seats": many(ref("Place"), 10),
            "page": text(80),
        }
    ),
    "Lines": thing({"matches": many(ref("Line"), 50), "next": or_null(text(200))}),
    "Laid": thing({"kind": {"enum": ["set", "run"]}, "owner": PLACE, "cards": CARDS, "by": many(PLACE)}),
    "TableSeen": thing(
        {
            "phase": text(20),
            "turn": whole(-1, 9),
            "dealer": PLACE,
            "turns": whole(),
            "my_turn": FLAG,
            "hand": CARDS,
            "drawn": or_null(CARD),
            "taken": or_null(CARD),
            "points": whole(),
            "counts": many(whole(), 10),
            "stock": whole(),
            "top": or_null(CARD),
            "pile": whole(),
            "melds": many(ref("Laid")),
            "legal": many(ref("Action")),
            "legal_is_all": FLAG,
            "events": many(ref("Event")),
            "outcome": or_null(ref("Outcome")),
            "hands": many(CARDS, 10),
        }
    ),
    "MatchSeen": thing(
        {
            "match": ref("Line"),
            "options": {"type": "object", "additionalProperties": VALUE},
            "memory": {"enum": ["all", "discards", "none"]},
            "commitment": HEX64,
            "deals": many(whole(1, 2000), 2000),
            "table": or_null(ref("TableSeen")),
        }
    ),
    "Document": ANYTHING,
}
"""Everything that an answer may be or hold, by name."""

ERRORS = {
    "400": "The question is not one that can be asked.",
    "401": "No token, or one that is not known.",
    "403": "The token may not read this.",
    "404": "There is nothing here that you may see.",
    "429": "Too often: the header Retry-After says in how many seconds to come back.",
}

MATCH_ID: Schema = {"name": "match", "in": "path", "required": True, "schema": ID, "description": "Number of a match"}
DEAL: Schema = {
    "name": "deal", "in": "path", "required": True, "schema": whole(1, 2000), "description": "Number of a deal"
}  # fmt: skip
NAME: Schema = {"name": "name", "in": "path", "required": True, "schema": text(40), "description": "User name"}
BEFORE: Schema = {
    "name": "before", "in": "query", "schema": ID, "description": "Only matches with a lower number: the next page"
}  # fmt: skip
STATUS: Schema = {
    "name": "status", "in": "query", "schema": {"enum": list(Match.Status.values)},
    "description": "Only matches of this status",
}  # fmt: skip


def _get(summary: str, answer: str, scope: str, *parameters: Schema) -> dict[str, Any]:
    """One address: what it tells, the schema of its answer, the scope that its token needs."""
    right = {"description": summary, "content": {"application/json": {"schema": ref(answer)}}}
    wrong = {"content": {"application/json": {"schema": ref("Error")}}}
    responses = {"200": right} | {code: {"description": told} | wrong for code, told in ERRORS.items()}
    told: dict[str, Any] = {"summary": summary, "responses": responses, "security": [{"token": [scope]}]}
    return {"get": told | ({"parameters": list(parameters)} if parameters else {})}


PATHS: dict[str, Any] = {
    "/me": _get("Who I am, and what this token may read.", "Me", "own"),
    "/me/matches": _get("My matches, the newest first, 50 at a time.", "Lines", "own", STATUS, BEFORE),
    "/matches": _get("Public matches that are over, the newest first.", "Lines", "public", BEFORE),
    "/matches/{match}": _get(
        "A match and its table as its page shows them to me; without the scope own, as a stranger sees them.",
        "MatchSeen", "public", MATCH_ID,
    ),
    "/matches/{match}/deals/{deal}": _get(
        "The Record of a deal that is over: every step with its cards, score and secret.",
        "Record", "public", MATCH_ID, DEAL,
    ),
    "/players/{name}": _get("A player as everybody may see him.", "Person", "public", NAME),
    "/players/{name}/matches": _get(
        "The public matches of a player that are over, the newest first.", "Lines", "public", NAME, BEFORE
    ),
}  # fmt: skip

DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {
        "title": "Rummysite",
        "version": "1",
        "description": "Read-only. A token is made in the settings of its user and sent in the header Authorization: "
        "Bearer. It may ask 600 times in 10 minutes. Cards are written rank and suit (7H, TS), a joker XX, the second "
        "copy of a card 7H#2; seats count from 0; times are UTC. New properties may be added within version 1.",
    },
    "servers": [{"url": "/api/v1"}],
    "paths": PATHS,
    "components": {
        "schemas": SCHEMAS,
        "securitySchemes": {
            "token": {"type": "http", "scheme": "bearer", "description": "Scopes: public, own (which holds public)."}
        },
    },
}
