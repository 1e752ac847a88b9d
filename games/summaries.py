"""What a user's deals and matches add up to: a row a month, written in the transaction that ends a deal or a match.

``of_deal`` and ``of_match`` say what one of them adds, from public columns, the Record and who drove; writing live,
moving a guest's results and ``recompute`` all rest on these two, so that the rows can always be made anew.
Whether a match counts and for whom stands in counting.py.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import pairwise
from operator import attrgetter
from typing import Any

from django.db.models import Q

from . import counting, tape
from .models import Deal, Match, Move, Seat, Summary, Tenure
from .paces import PACES
from .rules.codec import ACTIONS
from .rules.table import VOIDED

COUNTS = (
    "won", "shared", "lost", "left", "uncounted", "deals", "deals_won", "deals_void", "points_for", "points_against",
    "outs", "concealed", "knocks", "knocks_won", "gins", "big_gins", "undercuts", "undercut", "caught",
    "caught_points",
)  # fmt: skip
COUNTED = attrgetter(*COUNTS)
"""The columns of a Summary that are sums; beside them stand ``ended_by_turn`` and ``answers``."""

KNOCKS = frozenset({"knock", "knock_last", "big_gin", "big_gin_last"})
DRAWS = frozenset({"drew", "took"})
IN_HAND = frozenset({"left", "deadwood"})
"""Actions that end a deal, events that begin a turn, lines of a score that say what was left in a hand."""

OTHERS = (Q(driver=Seat.Driver.BOT) | Q(why="taken_over")) & ~Q(why="moved") & Q(seat__user__isnull=False)
"""Tenures of others than the user of a seat. What ``moved`` with an account changes no driver."""

Key = tuple[int, str, str, date]


@dataclass(frozen=True, slots=True)
class Stretch:
    """The moves of a match in which somebody else drove a seat; ``to_move`` None: he still does."""

    seat: int
    from_move: int
    to_move: int | None


def rows(
    user: Any, *, preset: str = "", opponents: str = "", since: date | None = None, until: date | None = None
) -> list[Summary]:
    """A user's rows, the oldest first: of one preset, against one kind of opponent, of the months from ``since`` to
    ``until``. One query."""
    found = Summary.objects.filter(user=user)
    if preset:
        found = found.filter(preset=preset)
    if opponents:
        found = found.filter(opponents=opponents)
    if since:
        found = found.filter(month__gte=since.replace(day=1))
    if until:
        found = found.filter(month__lte=until)
    return list(found.order_by("month", "preset", "opponents"))


def total(some: Iterable[Summary]) -> Summary:
    """All of them in one, which is never saved; its month is the first of theirs (None without any)."""
    rows, one = list(some), Summary(ended_by_turn={}, answers={})
    if not rows:
        return one
    one.month = min(row.month for row in rows)
    for name, told in zip(COUNTS, zip(*map(COUNTED, rows), strict=True), strict=True):
        setattr(one, name, sum(told))
    turns, hours = Counter[str](), dict[str, list[int]]()
    for row in rows:
        turns.update(row.ended_by_turn)
        for hour, (n, seconds) in row.answers.items():
            had = hours.setdefault(hour, [0, 0])
            had[0] += n
            had[1] += seconds
    one.ended_by_turn, one.answers = _in_order(turns), _in_order(hours)
    return one


def by_kind(some: Iterable[Summary]) -> dict[str, list[Summary]]:
    """The rows with people, then those with bots, where there are any."""
    kinds = [kind.value for kind in Summary.Opponents]
    parts = {kind: [row for row in some if row.opponents == kind] for kind in kinds}
    return {kind: part for kind, part in parts.items() if part}


def by(name: str, some: Iterable[Summary]) -> dict[Any, Summary]:
    """Totals by ``preset``, ``opponents`` or ``month``, in the order in which they come."""
    parts: dict[Any, list[Summary]] = defaultdict(list)
    for row in some:
        parts[getattr(row, name)].append(row)
    return {key: total(part) for key, part in parts.items()}


def matches(row: Summary) -> int:
    """How many matches of a row (or total) counted."""
    return row.won + row.shared + row.lost


def add(row: Summary, more: Summary, sign: int = 1) -> None:
    """Add the numbers of another row, or take them away; nothing is saved."""
    for name, told in zip(COUNTS, COUNTED(more), strict=True):
        if told:
            setattr(row, name, getattr(row, name) + sign * told)
    if more.ended_by_turn:
        turns = Counter(row.ended_by_turn)
        turns.update({turn: sign * n for turn, n in more.ended_by_turn.items()})
        row.ended_by_turn = _in_order({turn: n for turn, n in turns.items() if n})
    if more.answers:
        hours = {hour: list(told) for hour, told in row.answers.items()}
        for hour, (n, seconds) in more.answers.items():
            had = hours.get(hour, [0, 0])
            hours[hour] = [had[0] + sign * n, had[1] + sign * seconds]
        row.answers = _in_order({hour: told for hour, told in hours.items() if told[0]})


def _in_order[V](told: Mapping[str, V]) -> dict[str, V]:
    """By turn or hour."""
    return dict(sorted(told.items(), key=lambda one: int(one[0])))


def others_at(matches: Collection[int]) -> list[Stretch]:
    """When seats of these matches were driven by others than their users. One query."""
    found = Tenure.objects.filter(OTHERS, seat__match__in=matches)
    return [Stretch(*told) for told in found.values_list("seat", "from_move", "to_move")]


def of_all(match: Match, seats: Sequence[Seat], deals: Iterable[Deal], others: Sequence[Stretch]) -> list[Summary]:
    """What a match and its ended deals have added so far."""
    return [one for deal in deals for one in of_deal(match, seats, deal, others)] + of_match(match, seats)


def of_deal(
    match: Match, seats: Sequence[Seat], deal: Deal, others: Sequence[Stretch], only: int | None = None
) -> list[Summary]:
    """What an ended deal adds for each user (or ``only`` one) who has driven a seat all through it; nothing if it was
    broken off or declared void. Points are those that count, the rest is as it was played."""
    outcome, record = deal.outcome, deal.record
    if outcome is None or record is None or deal.ended_at is None:
        return []
    if outcome["kind"] == VOIDED:
        return []
    steps = record["steps"]
    first, last = steps[0]["n"], max(step["n"] for step in steps if step["action"]["type"] not in tape.SITE_ACTS)
    away = {one.seat for one in others if one.from_move <= last and (one.to_move is None or one.to_move >= first)}
    return [
        _deal_of(_row(match, seats, seat, deal.ended_at), seat.index, outcome, record, _timed(match))
        for seat in seats
        if seat.user_id is not None and only in (None, seat.user_id) and seat.pk not in away
    ]


def of_match(match: Match, seats: Sequence[Seat]) -> list[Summary]:
    """What a match that is over adds for each of its users."""
    if match.ended_at is None or match.status != Match.Status.OVER:
        return []
    how = {standing.seat: standing for standing in counting.standings(match, seats)}
    added = []
    for seat in seats:
        if seat.user_id is not None:
            row = _row(match, seats, seat, match.ended_at)
            standing = how.get(seat.index)
            if standing is None:
                row.uncounted = 1
            elif standing.lost:
                row.lost, row.left = 1, int(standing.how != "lost")
            else:
                row.won, row.shared = int(standing.how == "won"), int(standing.how == "shared")
            added.append(row)
    return added


def _row(match: Match, seats: Sequence[Seat], seat: Seat, at: datetime) -> Summary:
    assert seat.user_id is not None
    bots = any(other.user_id is None for other in seats)
    kind = Summary.Opponents.BOTS if bots else Summary.Opponents.PEOPLE
    return Summary(
        user_id=seat.user_id, preset=match.preset, opponents=kind, month=at.astimezone(UTC).date().replace(day=1)
    )


def _timed(match: Match) -> bool:
    """Whether it is told how soon people answer."""
    return PACES[match.pace].kind == "correspondence"


def _deal_of(row: Summary, seat: int, outcome: Mapping[str, Any], record: Mapping[str, Any], timed: bool) -> Summary:
    """Fill in what a deal was for one seat."""
    scorer, points, kind, steps = outcome["scorer"], outcome["points"], outcome["kind"], record["steps"]
    row.deals, row.deals_won, row.deals_void = 1, int(scorer == seat), int(scorer is None)
    row.points_for, row.points_against = points[seat], sum(points) - points[seat]
    ended = _ender(record["outcome"], steps) == seat
    if ended:
        turns = sum(event["kind"] in DRAWS and event["seat"] == seat for step in steps for event in _events(step))
        row.ended_by_turn = {str(turns): 1}
    row.outs = int(ended and kind == "out")
    row.concealed = int(ended and "concealed" in outcome["marks"])
    row.big_gins = int(ended and kind == "big_gin")
    row.gins = row.big_gins + int(ended and kind == "gin")
    row.knocks = int(ended and kind in ("knock", "undercut", "tie"))
    row.knocks_won = int(ended and kind == "knock")
    row.undercuts = int(kind in ("undercut", "tie") and scorer == seat)
    row.undercut = int(ended and kind in ("undercut", "tie"))
    if scorer is not None and scorer != seat:
        row.caught = 1
        row.caught_points = sum(line[2] for line in outcome["lines"] if line[0] in IN_HAND and line[1] == seat)
    if timed:
        row.answers = _answers(seat, steps)
    return row


def _ender(outcome: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> int | None:
    """The seat that ended a deal by going out or knocking; None where it ended by itself."""
    if outcome["kind"] == "out":
        return int(outcome["scorer"])
    return next((step["seat"] for step in reversed(steps) if step["action"]["type"] in KNOCKS), None)


def _events(step: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    events: Sequence[Mapping[str, Any]] = step.get("events", ())
    return events


def _answers(seat: int, steps: Sequence[Mapping[str, Any]]) -> dict[str, list[int]]:
    """The first acts of a person in each turn, by hour: how many, and the seconds since the step before."""
    found = dict[str, list[int]]()
    for before, step in pairwise(steps):
        if step["seat"] == seat != before["seat"] and step["by"] == Move.By.USER and step["action"]["type"] in ACTIONS:
            at = datetime.fromisoformat(step["at"]).astimezone(UTC)
            told = found.setdefault(str(at.hour), [0, 0])
            told[0] += 1
            told[1] += round((at - datetime.fromisoformat(before["at"])).total_seconds())
    return found


def write(added: Sequence[Summary], sign: int = 1) -> None:
    """Add to the rows of the users, whose ledgers are locked; with ``sign`` -1 take away. At most three queries."""
    wanted = dict[Key, Summary]()
    for one in added:
        add(wanted.setdefault(key_of(one), blank(key_of(one))), one, sign)
    found = Summary.objects.filter(user__in={key[0] for key in wanted}, month__in={key[3] for key in wanted})
    known = {key_of(row): row for row in found if key_of(row) in wanted}
    for key, row in known.items():
        add(row, wanted[key])
    if new := [row for key, row in wanted.items() if key not in known]:
        Summary.objects.bulk_create(new)
    if known:
        Summary.objects.bulk_update(known.values(), [*COUNTS, "ended_by_turn", "answers"], batch_size=20)


def key_of(row: Summary) -> Key:
    """What a row is about."""
    return row.user_id, row.preset, row.opponents, row.month


def blank(key: Key) -> Summary:
    """A row without numbers; not saved."""
    user, preset, opponents, month = key
    return Summary(user_id=user, preset=preset, opponents=opponents, month=month, ended_by_turn={}, answers={})


def move(match: Match, seats: Sequence[Seat], guest: int, account: int) -> None:
    """What a guest has played at a locked match becomes the account's; the ledgers of both are locked."""
    deals = match.deals.filter(outcome__isnull=False)
    mine = [one for one in of_all(match, seats, deals, others_at([match.pk])) if one.user_id == guest]
    if not mine:
        return
    write(mine, -1)
    Summary.objects.filter(user=guest, **dict.fromkeys(COUNTS, 0)).delete()
    for one in mine:
        one.user_id = account
    write(mine)
