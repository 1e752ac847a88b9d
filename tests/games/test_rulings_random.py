"""Random rulings, taken back in any order, leave numbers and rows that follow from the tapes alone."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest

from accounts.models import AuditEntry, User
from games import play
from games.admin import acts
from games.models import Match
from games.moderation import rulings, seating
from games.seats import Refusal

from .ruling import WHY, deals_played, is_its_tape, nothing_to_correct, on
from .seasons import index_of, turn

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


def _one(rng: Random, match: Match, mod: Any) -> Any:
    """One act of a moderator, which may be refused."""
    deal = rng.randint(1, max(match.deal_number, 1))
    seats = match.seats.count()
    points = [0] * seats
    points[rng.randrange(seats)] = rng.choice([0, 10, 60, 10_000])
    told: dict[str, Any] = {"by": mod, "reason": WHY}
    which = rng.randrange(12)
    if which < 2:
        return rulings.void_deal(match.pk, deal, **told)
    if which == 2:
        return rulings.count_again(match.pk, deal, **told)
    if which < 5:
        return rulings.correct(match.pk, deal, points, **told)
    if which == 5:
        return rulings.take_back_correction(match.pk, deal, **told)
    if which == 6:
        return rulings.abort(match.pk, **told)
    if which == 7:
        return rulings.adjudicate(match.pk, [rng.randrange(seats)], **told)
    if which == 8:
        return rulings.reopen_match(match.pk, **told)
    if which == 9:
        return seating.let_bot_drive(match.pk, rng.randrange(seats), **told)
    if which == 10:
        return seating.give_back(match.pk, rng.randrange(seats), **told)
    return seating.give_time(match.pk, rng.randrange(seats), timedelta(hours=1), **told)


def _undo(rng: Random, mod: Any) -> Any:
    entries = [one for one in AuditEntry.objects.filter(target_kind="match") if acts.can_be_undone(one, mod)]
    if not entries:
        raise Refusal("nothing")
    entry = rng.choice(entries)
    _model, act = acts.find(entry.act)
    return act.undo(mod, entry, WHY)


@pytest.mark.parametrize("seed", range(2))
def test_any_rulings_in_any_order_leave_what_the_tapes_make(ann, bob, cat, mod, seed):
    rng = Random(seed)
    dan = User.objects.create(username="dan")
    matches = [
        deals_played(ann, bob, ended=2, rated=True, target=200),
        deals_played(bob, cat, ended=1, rated=True, target=60),
        deals_played(ann, cat, dan, ended=1, rated=True, target=60),
    ]
    play.resign(matches[0].pk, index_of(matches[0], bob))
    done = 0
    for _step in range(30):
        match = rng.choice(matches)
        on(match)
        what = rng.random()
        try:
            if what < 0.25:
                turn(match, rng)
                continue
            if what < 0.5:
                _undo(rng, mod)
            else:
                _one(rng, match, mod)
            done += 1
        except Refusal:
            continue
        nothing_to_correct()
        for one in matches:
            is_its_tape(on(one))
    assert done > 5
