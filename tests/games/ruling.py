"""How tests rule: matches played to a certain score, and what must hold after every ruling."""

from random import Random
from typing import Any

from games import fairness, play, recomputing, records, summaries, tape, verdicts
from games.models import Deal, Match, Move, Summary
from games.rules import codec

from .playing import opened
from .seasons import turn

WHY = "As the players and the tape agree."


def on(match: Match) -> Match:
    """The match as it stands now, after the site has done its part."""
    play.drive(match.pk)
    match.refresh_from_db()
    return match


def deals_played(*users: Any, ended: int = 2, seed: int = 4, **chosen: Any) -> Match:
    """A match in which so many deals have ended, and the next one runs."""
    if chosen.get("preset", "basic-rummy") == "basic-rummy":
        chosen = {"target": 10_000, "turn_cap": 12, "hand_size": 3} | chosen
    match, rng = opened(*users, **chosen), Random(seed)
    while match.deals.filter(outcome__isnull=False).count() < ended and turn(match, rng):
        pass
    return on(match)


def play_deal(match: Match, seed: int = 9) -> Match:
    """Play the deal in progress to its end; the next one is dealt."""
    number, rng = on(match).deal_number, Random(seed)
    while match.deal_number == number and turn(match, rng):
        on(match)
    return on(match)


def play_out(match: Match, seed: int = 3) -> Match:
    """Play until the match is over."""
    rng = Random(seed)
    while on(match).status == Match.Status.RUNNING and turn(match, rng):
        pass
    return on(match)


def points(match: Match) -> list[list[int]]:
    """What each ended deal counts, by seat."""
    return [
        outcome["points"] for outcome in match.deals.filter(outcome__isnull=False).values_list("outcome", flat=True)
    ]


def nothing_to_correct() -> None:
    """Ratings and summaries are what a recomputation finds."""
    assert recomputing.all_ratings()[1] == 0
    assert [found for _user, found in recomputing.all_summaries() if found] == []


def sums(user: Any) -> Summary:
    return summaries.total(summaries.rows(user))


def rebuilt(match: Match) -> dict[str, Any]:
    """The match made anew from what was fixed before the start and from its tape alone: nothing else is looked at."""
    game, cuts = match.game(), tape.cuts_of(match)
    first = fairness.order(fairness.link(bytes(match.chain), 1), cuts, 0, 0, len(cuts))[0]
    told: dict[str, Any] = {"status": "running", "ending": "", "winners": [], "gone": [""] * len(cuts)}
    bots = [seat.user_id is None for seat in match.seats.order_by("index")]
    driver = ["bot" if bot else "user" for bot in bots]
    deals: list[tuple[Deal, tape.Tape, list[Move]]] = []
    acts: list[dict[str, Any]] = []

    def sheet():
        found, ended = verdicts.of_deals(acts), []
        for deal, read, _moves in deals:
            if read.table.outcome is not None:
                counts = verdicts.counts_as(game, read.table.outcome, found.get(deal.number, verdicts.AS_PLAYED))
                ended.append((deal.dealer, counts))
        return verdicts.sheet_after(game, first, ended)

    def best():
        now = sheet().standing
        left = {i for i, how in enumerate(told["gone"]) if how}
        stayed = [i for i in range(len(now)) if i not in left] or list(range(len(now)))
        return [i for i in stayed if now[i] == max(now[j] for j in stayed)]

    def played_out():
        won = [side for side in sheet().winners if not told["gone"][side]] or best()
        told.update(status="over", ending="played", winners=won)

    for move in match.tape.order_by("number"):
        what = move.action["type"]
        if what == "deal":
            now = sheet() if deals else game.new_sheet(first)
            secret = fairness.link(bytes(match.chain), move.action["n"])
            row = Deal(number=move.action["n"], dealer=now.dealer, secret=secret, sheet=codec.encode_sheet(now))
            deals.append((row, tape.begin(match, row, cuts), []))
        row, read, moves = deals[-1]
        deals[-1] = (row, tape.follow(row, read, move), [*moves, move])
        if move.by == Move.By.MODERATOR:
            acts.append(move.action)
        _who_plays(told, driver, move, bots)
        ended = deals[-1][1].table.outcome is not None
        if what in ("resigned", "given_up") and (len(cuts) == 2 or not _others(told, bots)):
            ending = "clock" if move.by == Move.By.CLOCK else "resigned"
            first_deal = row.number == 1 and not ended
            ending = "abandoned" if first_deal else ending
            told.update(status="over", ending=ending, winners=[] if first_deal else best())
        elif what == "aborted":
            told.update(status="over", ending="aborted", winners=[])
        elif what == "adjudicated":
            told.update(status="over", ending="decided", winners=move.action["winners"])
        elif what == "withdrawn":
            was = next(act["was"] for act in reversed(acts) if act["type"] in ("aborted", "adjudicated"))
            told.update(ending=was, winners=best() if was in ("resigned", "clock") else [])
        elif what == "reopened":
            told.update(status="running", ending="", winners=[])
        if told["status"] == "running" and ended and sheet().over:
            played_out()
        elif told["ending"] == "played":
            played_out() if sheet().over else told.update(winners=[])
        elif told["ending"] in ("resigned", "clock"):
            told["winners"] = best()
    standing = sheet().standing if any(read.table.outcome for _d, read, _m in deals) else [0] * len(game.sides())
    found = verdicts.of_deals(acts)
    told["totals"], told["driver"], told["deals"] = list(standing), driver, []
    for row, read, moves in deals:
        outcome = read.table.outcome
        counts = outcome and codec.encode_outcome(
            verdicts.counts_as(game, outcome, found.get(row.number, verdicts.AS_PLAYED))
        )
        over = outcome is not None or (told["status"] == "over" and row is deals[-1][0])
        kept = records.told_by(match, row, cuts, moves) if over else None
        told["deals"].append((row.number, row.dealer, row.sheet, counts, kept))
    return told


def _others(told, bots):
    """The persons who still play their own seats."""
    return [seat for seat, how in enumerate(told["gone"]) if not how and not bots[seat]]


def _who_plays(told, driver, move, bots):
    what, seat = move.action["type"], move.seat
    if what in ("resigned", "given_up", "replaced"):
        told["gone"][seat] = told["gone"][seat] or what
        if what == "replaced" or (len(driver) > 2 and _others(told, bots)):
            driver[seat] = "bot"
    elif what in ("taken_back", "put_back"):
        told["gone"][seat], driver[seat] = "", "user"
    elif what == "left":
        driver[seat] = "bot"
    elif what == "taken_over":
        driver[seat] = "user"


def stored(match: Match) -> dict[str, Any]:
    """The same, as it stands in the rows."""
    match = Match.objects.get(pk=match.pk)
    seats = list(match.seats.order_by("index"))
    return {
        "status": match.status,
        "ending": match.ending,
        "winners": match.winners,
        "gone": [seat.gone for seat in seats],
        "driver": [seat.driver for seat in seats],
        "totals": match.totals,
        "deals": [
            (deal.number, deal.dealer, deal.sheet, deal.outcome, deal.record) for deal in match.deals.order_by("number")
        ],
    }


def plain(told: Any) -> Any:
    """As JSON keeps it: tuples are lists."""
    if isinstance(told, dict):
        return {name: plain(value) for name, value in told.items()}
    return [plain(one) for one in told] if isinstance(told, list | tuple) else told


def is_its_tape(match: Match) -> None:
    """The stored match is the one that its tape makes."""
    there, right = plain(stored(match)), plain(rebuilt(match))
    for name in right:
        assert there[name] == right[name], name
