"""Reading a match in from a file: every action is played again by the rules, and all that the file tells must follow.

What is read becomes an ImportedMatch and no Match. A file that is not true is refused with the first difference, and
nothing is kept of it. Nothing of the file is believed before it is checked.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime

from . import fairness, records, tape
from .api import schemas, shapes
from .imported_rulings import NotTrue as NotTrue
from .imported_rulings import Rulings, is_by, rulings_of
from .models import Deal, ImportedMatch, Match, Move
from .paces import PACES
from .rules.catalog import find
from .rules.errors import BadOption, Refused
from .rules.sheet import Sheet
from .writing import writing

LARGEST = 20_000_000
"""Bytes of a file."""


OF_NO_SEAT = tape.RULINGS | {"deal", "shuffled", "pause_ended", "granted"}
"""Entries of a tape that the site or a moderator makes for nobody."""


LEFT = ("resigned", "clock", "abandoned")
"""Endings of a match that was not played to its end."""


def read_in(data: bytes) -> ImportedMatch:
    """Keep the match that a file tells. Raises NotTrue."""
    told = checked(data)
    unnumbered = {name: value for name, value in told.items() if name != "id"}
    digest = hashlib.sha256(json.dumps(unnumbered, sort_keys=True).encode()).hexdigest()
    with writing():
        row, new = ImportedMatch.objects.get_or_create(
            digest=digest,
            defaults={
                "preset": told["preset"],
                "edition": told["edition"],
                "players": ", ".join(seat["name"] for seat in told["seats"]),
                "told": told,
                "imported_at": timezone.now(),
            },
        )
    if not new:
        raise NotTrue(f"This match has been imported before: it is number {row.pk}.")
    return row


def checked(data: bytes) -> dict[str, Any]:
    """The match of a file, played again. Raises NotTrue."""
    if len(data) > LARGEST:
        raise NotTrue(f"The file is too large: at most {LARGEST // 1_000_000} MB are read.")
    try:
        told = json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise NotTrue("The file is no JSON that can be read.") from error
    if wrong := shapes.problem(told, schemas.SHARED["MatchFile"], schemas.SHARED, "the file"):
        raise NotTrue(wrong)
    try:
        _play_again(told)
    except OverflowError as error:
        raise NotTrue("The file has numbers that no match has.") from error
    return dict(told)


def _no_number(_name: str) -> None:
    raise ValueError


def _play_again(told: dict[str, Any]) -> None:
    match = _match(told)
    game, cuts = match.game(), tuple(told["cuts"])
    first = _first_dealer(told, cuts)
    before, ruled = told["commitment"], rulings_of(told, game, first)
    for number, deal in enumerate(told["deals"], 1):
        sheet = ruled.sheet(told["deals"][: number - 1], before=_first_entry(deal))
        if sheet.over or deal["deal"] != number:
            raise NotTrue(f"Deal {number} is not the one that follows: the file has number {deal['deal']}.")
        if not fairness.verify_link(before, deal["secret"]):
            raise NotTrue(f"Deal {number}: the secret does not hash to the one before it.")
        made = _deal_again(match, number, sheet, cuts, deal)
        if made["outcome"] is None and (number < len(told["deals"]) or told["result"]["status"] == "running"):
            raise NotTrue(f"Deal {number} is not played to its end.")
        before = deal["secret"]
    _require("the result", told["result"], _result(told, ruled))


def _first_entry(deal: Mapping[str, Any]) -> int:
    if not deal["steps"]:
        raise NotTrue(f"Deal {deal['deal']} has no steps.")
    return int(deal["steps"][0]["n"])


def _match(told: Mapping[str, Any]) -> Match:
    """The match as a row that is never stored. Raises NotTrue for a preset or options that are not offered."""
    try:
        preset = find(told["preset"], told["edition"])
    except KeyError as error:
        raise NotTrue(f"No preset {told['preset']!r} of edition {told['edition']} is known.") from error
    stored, offered = dict(told["options"]), {offer.name for offer in preset.offers}
    try:
        known = preset.options(stored.get("players"), {n: v for n, v in stored.items() if n in offered})
    except BadOption as bad:
        raise NotTrue(f"The preset does not offer this value of the option {bad.option!r}.") from bad
    _require("the options", stored, {field.name: getattr(known, field.name) for field in fields(known)})
    if told["pace"] not in PACES:
        raise NotTrue(f"The pace {told['pace']!r} is not known.")
    if not known.players == len(told["seats"]) == len(told["cuts"]):
        raise NotTrue(f"The match is for {known.players} seats, and the file has another number of seats or cuts.")
    return Match(
        preset=preset.name, edition=preset.edition, options=stored, memory=told["memory"], title=told["title"],
        pace=told["pace"], status=told["result"]["status"], commitment=told["commitment"],
        deal_number=len(told["deals"]), totals=told["result"]["totals"], winners=told["result"]["winners"],
    )  # fmt: skip


def _first_dealer(told: Mapping[str, Any], cuts: tuple[str, ...]) -> int:
    """Whom chance named; in a rematch the file tells it by its first deal. Raises NotTrue."""
    if not told["deals"]:
        return 0
    first: int = told["deals"][0]["dealer"]
    if first >= len(cuts):
        raise NotTrue("The first dealer is no seat of the match.")
    secret = bytes.fromhex(told["deals"][0]["secret"])
    if "first_dealer" in told and fairness.order(secret, cuts, 0, 0, len(cuts))[0] != told["first_dealer"]:
        raise NotTrue("The first dealer is not the one whom the first secret and the cuts name.")
    if told.get("first_dealer", first) != first:
        raise NotTrue("The first deal has another dealer than the match.")
    return first


def _deal_again(match: Match, number: int, sheet: Sheet, cuts: tuple[str, ...], told: dict[str, Any]) -> dict[str, Any]:
    """The Record that secret, cuts and actions make; NotTrue where the file has another."""
    deal = Deal(number=number, dealer=sheet.dealer, secret=bytes.fromhex(told["secret"]), sheet=_plain(sheet))
    moves = [
        Move(number=step["n"], seat=step["seat"], by=step["by"], at=_moment(step["at"]), action=step["action"])
        for step in told["steps"]
    ]
    _follow(match, deal, cuts, moves)
    made = records.told_by(match, deal, cuts, moves)
    there = {name: value for name, value in told.items() if name not in ("started_at", "ended_at")}
    _require(f"deal {number}", there, json.loads(json.dumps(made)))
    return made


def _follow(match: Match, deal: Deal, cuts: tuple[str, ...], moves: list[Move]) -> None:
    """Play every action, to name the first that the rules refuse."""
    now = tape.begin(match, deal, cuts)
    for move in moves:
        what, over = str(move.action["type"]), now.table.outcome is not None
        if move.number <= now.number or (over and what not in tape.SITE_ACTS):
            raise NotTrue(f"Deal {deal.number}, move {move.number}: it comes too late.")
        beyond = max(move.seat or 0, move.action.get("to", 0)) >= len(cuts)
        if beyond or (move.seat is None) != (what in OF_NO_SEAT) or not is_by(move):
            raise NotTrue(f"Deal {deal.number}, move {move.number}: no such seat does it.")
        try:
            now = tape.follow(deal, now, move)
        except (Refused, KeyError, IndexError) as why:
            reason = getattr(why, "reason", "") or "it is not written as it should be"
            raise NotTrue(f"Deal {deal.number}, move {move.number}: the rules refuse {what!r} ({reason}).") from why


def _moment(text: str) -> datetime:
    at = parse_datetime(text)
    if at is None:
        raise NotTrue(f"{text!r} is no time.")
    return at


def _plain(sheet: Sheet) -> dict[str, Any]:
    return dict(json.loads(json.dumps(asdict(sheet))))


def _result(told: Mapping[str, Any], ruled: Rulings) -> dict[str, Any]:
    """The result that follows from the deals, from the seats that were given up, and from what moderators decided."""
    sheet = ruled.sheet(told["deals"])
    totals = list(sheet.standing)
    result: dict[str, Any] = {**told["result"], "totals": totals}
    left = {sheet.side_of(index) for index, seat in enumerate(told["seats"]) if seat["given_up"]}
    stayed = [side for side in range(len(totals)) if side not in left] or list(range(len(totals)))
    best = [side for side in stayed if totals[side] == max(totals[side] for side in stayed)]
    if (decided := ruled.decided(result)) is not None:
        return result | decided
    given_up = bool(left) and result["ending"] in LEFT
    if sheet.over and not (ruled.acts and given_up):
        winners = [side for side in sheet.winners if side not in left] or best
        return result | {"status": "over", "ending": "played", "winners": winners}
    if told["result"]["status"] == "running":
        return result | {"ending": "", "winners": [], "ended_at": None}
    if not given_up:
        raise NotTrue("The match is not played to its end, and nobody has given it up.")
    broken_off = len(told["deals"]) == 1 and told["deals"][0]["outcome"] is None
    if broken_off or result["ending"] == "abandoned":
        return result | {"ending": "abandoned" if broken_off else "resigned", "winners": []}
    return result | {"winners": best}


def _require(what: str, there: Any, right: Any) -> None:
    """Raise NotTrue with the first place where ``there`` is not what follows from the rules."""
    if place := _differs(there, right, what):
        raise NotTrue(f"The first difference is at {place}.")


def _differs(there: Any, right: Any, at: str) -> str:
    if isinstance(there, dict) and isinstance(right, dict):
        for name in (*right, *there):
            if (name in there) != (name in right):
                return f"{at}.{name[:40]}: it is in one of them only"
            if found := _differs(there[name], right[name], f"{at}.{name}"):
                return found
        return ""
    if isinstance(there, list) and isinstance(right, list):
        for place, (one, other) in enumerate(zip(there, right, strict=False)):
            if found := _differs(one, other, f"{at}[{place}]"):
                return found
        return "" if len(there) == len(right) else f"{at}: {len(there)} entries, and {len(right)} follow from the rules"
    if type(there) is type(right) and there == right:
        return ""
    return f"{at}: the file has {str(there)[:40]}, and {str(right)[:40]} follows from the rules"
