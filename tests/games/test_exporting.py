"""A match taken along and read in again: the same, or refused with the first difference."""

import copy
import json
import re

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import importing, inviting, lobby, play, tables
from games.api.export import exported
from games.models import Deal, ImportedMatch, Match, Move, Seat

from .playing import CUT, opened, play_on, seat_of
from .recorded import NAMES, by_bots
from .sitting import ended

pytestmark = pytest.mark.django_db
SHORT = {"hand_size": 3, "match_end": "deals", "deals": 2, "tie_break": "shared"}
"""Two quick deals."""


def client_of(user):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def file_of(match, user=None):
    return client_of(user).get(reverse("games:export", args=[match.pk])).json()


def bytes_of(told):
    return json.dumps(told).encode()


def without_id(told):
    return {name: value for name, value in told.items() if name != "id"}


@pytest.mark.parametrize("preset", NAMES)
@pytest.mark.pg
def test_a_match_of_every_preset_comes_back_the_same_but_for_its_number(ann, bob, preset, tmp_path, capsys):
    match = by_bots(ann, bob, preset=preset, **(SHORT if "rummy" in preset else {"target": 20}))
    told = file_of(match)
    assert told["result"]["ending"] == "played" and len(told["deals"]) == match.deal_number
    path = tmp_path / "match.json"
    path.write_bytes(bytes_of(told))
    rows = Match.objects.count(), Seat.objects.count(), Deal.objects.count(), Move.objects.count()

    call_command("import_match", str(path))

    assert (Match.objects.count(), Seat.objects.count(), Deal.objects.count(), Move.objects.count()) == rows
    row = ImportedMatch.objects.get()
    assert without_id(row.told) == without_id(exported(match)) == without_id(told)
    assert f"number {row.pk}" in capsys.readouterr().out
    for number in range(1, match.deal_number + 1):
        shown = client_of(ann).get(reverse("games:imported_deal", args=[row.pk, number]), {"step": 9999})
        assert shown.status_code == 200 and shown.context["replay"].last
    with pytest.raises(CommandError, match="imported before"):
        call_command("import_match", str(path))


def test_matches_that_were_given_up_or_still_run_come_back_too(ann, bob, cat):
    resigned = ended(ann, bob)
    three = opened(ann, bob, cat)
    play_on(three, turns=3)
    play.resign(three.pk, seat_of(three, ann).index)
    play.resign(three.pk, seat_of(three, bob).index)
    three.refresh_from_db()
    play.resign(three.pk, seat_of(three, cat).index) if three.status == Match.Status.RUNNING else None
    running = opened(ann, bob)
    for match in (resigned, three, running):
        match.refresh_from_db()
        told = file_of(match)
        assert importing.read_in(bytes_of(told)).told == told
    assert exported(running)["deals"] == [] and exported(running)["result"]["status"] == "running"


def test_a_rematch_comes_back_with_the_dealer_that_it_had(ann, bob):
    again = lobby.rematch(ended(ann, bob, preset="gin").pk, ann)
    inviting.answer(again.pk, bob, yes=True, cut=CUT)
    again.refresh_from_db()
    play.resign(again.pk, 0)
    again.refresh_from_db()
    told = file_of(again)
    assert "first_dealer" not in told
    assert importing.read_in(bytes_of(told)).told == told


def test_the_checker_of_the_papers_finds_an_exported_match_to_be_well(ann, bob):
    from .fair_world import checker

    told = file_of(by_bots(ann, bob, **SHORT))
    assert checker()["check"](told) == []


def test_only_ended_deals_stand_in_a_file_and_nothing_of_the_one_that_runs(ann, bob):
    match = opened(ann, bob, target=10_000, hand_size=3)
    while Match.objects.get(pk=match.pk).deal_number < 2:
        play_on(match, turns=1)
    running = Deal.objects.get(match=match, number=2)
    for user in (ann, bob, None):
        client = client_of(user)
        text = client.get(reverse("games:export", args=[match.pk])).content.decode()
        assert [deal["deal"] for deal in json.loads(text)["deals"]] == [1]
        text += client.get(reverse("games:export_text", args=[match.pk])).content.decode()
        assert bytes(running.secret).hex() not in text and bytes(match.chain).hex() not in text
        assert match.token not in text and "Deal 2" not in text


def test_a_match_is_told_as_text_in_the_language_of_its_reader(ann, bob, monkeypatch):
    from .stacking import over

    match = over(monkeypatch, ann, bob)
    answer = client_of(ann).get(reverse("games:export_text", args=[match.pk]))
    text = answer.content.decode()
    assert answer["Content-Type"].startswith("text/plain") and "attachment" in answer["Content-Disposition"]
    assert "bob drew 2 of clubs." in text and "bob melded 7 of diamonds 7 of hearts 7 of clubs" in text.replace(
        "7 of clubs 7 of diamonds 7 of hearts", "7 of diamonds 7 of hearts 7 of clubs"
    )
    assert "bob: +" in text and "<" not in text and "\u2060" not in text
    assert "ann, bob" in text and match.commitment in text


def test_files_are_for_those_who_may_see_the_match_once_it_has_started(ann, bob, cat):
    private, waiting = ended(ann, bob), lobby.open_match(ann, "gin", seats=["open"], pace="1d")
    Match.objects.filter(pk=private.pk).update(private=True)
    for name in ("games:export", "games:export_text"):
        asked = [client_of(user).get(reverse(name, args=[private.pk])).status_code for user in (ann, bob, cat, None)]
        assert asked == [200, 200, 404, 404]
        assert client_of(ann).get(reverse(name, args=[waiting.pk])).status_code == 404
        sheet = client_of(ann).get(reverse("games:sheet", args=[private.pk])).content.decode()
        assert reverse(name, args=[private.pk]) in sheet


def test_too_many_files_are_refused_with_a_time_to_come_back(ann, bob, monkeypatch):
    match = ended(ann, bob)
    client = client_of(ann)
    from rummysite import limits

    monkeypatch.setitem(limits.LIMITS, "export", limits.Limit(1, 10, 3600))
    assert client.get(reverse("games:export", args=[match.pk])).status_code == 200
    late = client.get(reverse("games:export", args=[match.pk]))
    assert late.status_code == 429 and int(late["Retry-After"]) > 0


# --- what is refused --------------------------------------------------------------------------------------------------


def changed(told, change):
    other = copy.deepcopy(told)
    change(other)
    return other


def swap_a_card(told):
    hand = told["deals"][0]["hands"]
    hand[0][0], hand[1][0] = hand[1][0], hand[0][0]


def another_discard(told):
    step = next(s for s in told["deals"][0]["steps"] if s["action"]["type"] == "discard")
    step["action"]["card"] = next(c for c in told["deals"][0]["hands"][0] if c != step["action"]["card"])


def put(path, value):
    def change(told):
        *way, last = path
        for part in way:
            told = told[part]
        told[last] = value

    return change


def drop(path):
    def change(told):
        *way, last = path
        for part in way:
            told = told[part]
        del told[last]

    return change


FALSE = {
    "another card in a hand": (swap_a_card, "first difference is at deal 1.hands"),
    "another action": (another_discard, "Deal 1, move|first difference is at deal 1"),
    "another secret": (put(["deals", 0, "secret"], "00" * 32), "Deal 1: the secret does not hash"),
    "another cut": (put(["cuts", 0], "11" * 16), "first dealer|first difference|rules refuse"),
    "another commitment": (put(["commitment"], "00" * 32), "Deal 1: the secret does not hash"),
    "a deal left out": (drop(["deals", 0]), "Deal 1 is not the one that follows|first dealer"),
    "another winner": (put(["result", "winners"], []), "the result.winners"),
    "other totals": (put(["result", "totals"], [7, 8]), "the result.totals"),
    "a match that runs, and does not": (put(["result", "status"], "running"), "the result.status"),
    "an unknown preset": (put(["preset"], "poker"), "No preset 'poker'"),
    "an unknown edition": (put(["edition"], 99), "No preset"),
    "an unknown pace": (put(["pace"], "soon"), "pace 'soon'"),
    "an option out of range": (put(["options", "target"], 5), "option 'target'"),
    "an option that is not offered": (put(["options", "deal_cap"], 3), "the options.deal_cap"),
    "an unknown option": (put(["options", "cheat"], True), "the options.cheat"),
    "options of a wrong type": (put(["options", "players"], "2"), "option 'players'"),
    "another format": (put(["format"], "chess"), "the file.format"),
    "a later version": (put(["version"], 3), "the file.version"),
    "a record of another version": (put(["deals", 0, "version"], 2), "deals\\[0\\].version"),
    "deals that are no list": (put(["deals"], {}), "the file.deals there is object"),
    "a seat that is no seat": (put(["seats", 0], 3), "the file.seats\\[0\\]"),
    "too few seats": (drop(["seats", 0]), "2 seats"),
    "a title that no database could hold": (put(["title"], "a\0b"), "the file.title"),
    "a name that is too long": (put(["seats", 0, "name"], "x" * 41), "seats\\[0\\].name the text is too"),
    "something more": (put(["rated"], True), "'rated' is not known"),
    "no steps": (drop(["deals", 0, "steps"]), "there is no 'steps'"),
    "an action without its type": (drop(["deals", 0, "steps", 1, "action", "type"]), "there is no 'type'"),
    "an action without its card": (put(["deals", 0, "steps", 1, "action"], {"type": "discard"}), "Deal 1, move"),
    "an action of another game": (put(["deals", 0, "steps", 1, "action"], {"type": "hit"}), "Deal 1, move"),
    "a shuffle that nobody waits for": (
        put(["deals", 0, "steps", 1], {"n": 2, "seat": None, "by": "dealer", "at": "2026-11-30T12:00:00+00:00",
                                       "action": {"type": "shuffled", "n": 1}}), "Deal 1, move 2"),
    "a seat beyond the table": (put(["deals", 0, "steps", 1, "seat"], 9), "no such seat"),
    "a dealer beyond the table": (put(["deals", 0, "dealer"], 9), "no seat of the match"),
    "no time": (put(["deals", 0, "steps", 1, "at"], "yesterday"), "no time"),
    "a number that is too large": (put(["deals", 0, "steps", 1, "n"], 10**30), "too small or too large"),
    "moves out of order": (put(["deals", 0, "steps", 1, "n"], 1), "comes too late"),
}  # fmt: skip


@pytest.fixture
def told(ann, bob):
    match = exported(by_bots(ann, bob, **SHORT))
    assert len(match["deals"]) > 1
    return match


def test_a_file_that_is_not_true_is_refused_with_the_first_difference_and_nothing_is_kept(told, tmp_path):
    path = tmp_path / "match.json"
    for name, (change, why) in FALSE.items():
        path.write_bytes(bytes_of(changed(told, change)))
        with pytest.raises(CommandError) as refused:
            call_command("import_match", str(path))
        assert re.search(why, str(refused.value)), f"{name}: {refused.value}"
        assert str(refused.value).startswith("Nothing is imported. "), name
    assert not ImportedMatch.objects.exists()


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xfe", b"[" * 100_000, b'{"a": NaN}', b"[]", b"null", b'"x"', b"1" * 6000, b'{"format": "\\ud800"}'],
    ids=range(9),
)
def test_what_is_no_match_at_all_is_refused_with_a_sentence(data):
    with pytest.raises(importing.NotTrue, match=r"\.$"):
        importing.read_in(data)


def test_a_file_that_is_too_large_or_not_there_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(importing, "LARGEST", 10)
    with pytest.raises(importing.NotTrue, match="too large"):
        importing.read_in(b"x" * 11)
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_match", str(tmp_path / "none.json"))


# --- where it is shown ------------------------------------------------------------------------------------------------


def test_an_imported_match_is_listed_apart_marked_and_counts_for_nobody(ann, mod, told):
    row = importing.read_in(bytes_of(told | {"title": "<b>Sunday</b>"}))
    client = client_of(ann)
    before = Match.objects.filter(status="over").count()
    listed = client.get(reverse("games:imported_matches")).content.decode()
    assert reverse("games:imported", args=[row.pk]) in listed and "ann, bob" in listed
    with CaptureQueriesContext(connection) as queries:
        shown = client.get(reverse("games:imported", args=[row.pk])).content.decode()
    assert len(queries) <= 12
    assert "It counts for nobody" in shown and "imported" in shown and "<b>Sunday" not in shown
    assert reverse("games:imported_deal", args=[row.pk, 1]) in shown
    assert client.get(reverse("games:imported_deal", args=[row.pk, 99])).status_code == 404
    assert client.get(reverse("games:imported", args=[row.pk + 1])).status_code == 404
    assert Match.objects.filter(status="over").count() == before
    assert all(match.pk != row.pk or match.title != "<b>Sunday</b>" for match in Match.objects.all())
    assert tables.waiting_for(ann).count() == 0
    staff = client_of(mod)
    assert staff.get(reverse("admin:games_importedmatch_changelist")).status_code == 200
    assert staff.get(reverse("admin:games_importedmatch_change", args=[row.pk])).status_code == 200
    assert Client().get(reverse("games:imported_matches")).status_code == 302
