"""The read-only interface for programs: every answer is as its document says, and tells no more than the page."""

import json
import random

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.closing import close
from games import lobby, records, tables, tape
from games.api import document, shapes, tokens
from games.models import ApiToken, Deal, Match
from rummysite import limits

from .playing import opened, play_on, seat_of
from .recorded import NAMES, by_bots, dealt
from .sitting import ended
from .test_leaks import NOW, a_table_with_a_past, redealt

pytestmark = pytest.mark.django_db


def ask(token, address, **more):
    """GET of an address under /api/v1 with a token, or without."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return Client().get(address if address.startswith("/api") else f"/api/v1{address}", more, headers=headers)


def well(answer, name, status=200):
    """The answer, which has the shape that the document tells."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/json"
    told = answer.json()
    assert shapes.problem(told, document.SCHEMAS[name], document.SCHEMAS) == ""
    return told


def own(user):
    return tokens.make(user, "mine", "own")


def public(user):
    return tokens.make(user, "all", "public")


@pytest.fixture
def played(ann, bob):
    """(a public match that is over, a private one, one that runs)."""
    over, private = ended(ann, bob, preset="gin"), ended(ann, bob)
    Match.objects.filter(pk=private.pk).update(private=True)
    return over, private, play_on(opened(ann, bob), turns=2)


def test_every_answer_has_the_shape_that_the_document_tells(ann, bob, cat, played):
    over, private, running = played
    waiting = lobby.open_match(ann, "hollywood-gin", seats=["open"], pace="1d")
    three = by_bots(ann, bob, cat, hand_size=3, match_end="deals", deals=1, tie_break="shared")
    token = own(ann)
    me = well(ask(token, "/me"), "Me")
    assert me["person"]["username"] == "ann" and me["scope"] == "own"
    mine = well(ask(token, "/me/matches"), "Lines")
    assert [line["id"] for line in mine["matches"]] == [three.pk, waiting.pk, running.pk, private.pk, over.pk]
    assert [one["id"] for one in well(ask(token, "/me/matches", status="running"), "Lines")["matches"]] == [running.pk]
    for match in (over, private, running, waiting, three):
        seen = well(ask(token, f"/matches/{match.pk}"), "MatchSeen")
        assert seen["match"]["id"] == match.pk and (seen["table"] is None) == (match == waiting)
        for number in seen["deals"]:
            record = well(ask(token, f"/matches/{match.pk}/deals/{number}"), "Record")
            assert record == Deal.objects.get(match=match, number=number).record
    assert [line["id"] for line in well(ask(token, "/matches"), "Lines")["matches"]] == [three.pk, over.pk]
    assert well(ask(token, "/players/BOB"), "Person")["username"] == "bob"
    results = well(ask(token, "/players/bob/matches"), "Lines")
    assert [line["id"] for line in results["matches"]] == [three.pk, over.pk]
    assert [line["id"] for line in well(ask(token, "/players/cat/matches"), "Lines")["matches"]] == [three.pk]


@pytest.mark.parametrize("preset", NAMES)
def test_the_record_of_every_game_has_the_shape_that_the_document_tells(preset):
    for seed in range(2):
        match, row, cuts, moves = dealt(preset, seed, None, bool(seed))
        record = json.loads(json.dumps(records.told_by(match, row, cuts, moves)))
        assert shapes.problem(record, document.SCHEMAS["Record"], document.SCHEMAS) == ""


def test_a_match_is_told_as_its_page_shows_it(ann, bob):
    match = play_on(opened(ann, bob), turns=3)
    for user in (ann, bob):
        board = tables.board(match, user)
        told = ask(own(user), f"/matches/{match.pk}").json()
        assert told["table"]["hand"] == list(map(str, board.hand))
        assert told["match"]["my_seat"] == seat_of(match, user).index
        assert bool(told["table"]["legal"]) == board.my_turn == told["table"]["my_turn"]
        assert told["table"]["hands"] == []


def test_a_token_for_public_results_sees_no_hand_and_no_private_match(ann, bob, played):
    over, private, running = played
    token = public(ann)
    told = well(ask(token, f"/matches/{running.pk}"), "MatchSeen")
    assert told["table"]["hand"] == [] and told["table"]["legal"] == [] and told["match"]["my_seat"] is None
    well(ask(token, f"/matches/{private.pk}"), "Error", 404)
    well(ask(token, f"/matches/{private.pk}/deals/1"), "Error", 404)
    for address in ("/me", "/me/matches"):
        assert well(ask(token, address), "Error", 403)["message"]
    assert private.pk not in [line["id"] for line in ask(token, "/players/ann/matches").json()["matches"]]
    well(ask(token, f"/matches/{over.pk}/deals/1"), "Record")


def test_what_one_may_not_see_is_not_found_and_says_so(ann, bob, cat, played):
    _over, private, running = played
    token = own(cat)
    addresses = (f"/matches/{private.pk}", f"/matches/{private.pk}/deals/1", f"/matches/{running.pk}/deals/1")
    for address in (*addresses, f"/matches/{10**17}", "/players/nobody", "/players/nobody/matches", "/none", "/", ""):
        assert (
            "nothing here" in well(ask(token, f"/api/v1{address}" if address else "/api/v1/"), "Error", 404)["message"]
        )
    for more in ({"before": "x"}, {"before": "9" * 30}, {"before": "-1"}, {"status": "<b>"}):
        well(ask(token, "/me/matches", **more), "Error", 400)


def test_without_a_valid_token_nothing_is_told_whatever_cookie_comes_along(ann, bob, played):
    over = played[0]
    client = Client()
    client.force_login(ann)
    for address in ("/api/v1/me", "/api/v1/matches", f"/api/v1/matches/{over.pk}", "/api/v1/players/ann", "/api/v1/x"):
        answer = client.get(address)
        assert well(answer, "Error", 401)["error"] == "no_token"
        assert answer["WWW-Authenticate"].startswith("Bearer")
    token = own(ann)
    wrong = ("x", "rummy_x", token[:-1], f"{token}x", "rummy_\u00fc")
    for header in (*(f"Bearer {one}" for one in wrong), "Bearer", f"Basic {token}", token, ""):
        assert Client().get("/api/v1/me", headers={"Authorization": header}).status_code == 401
    assert Client().get("/api/v1/me", {"token": token, "access_token": token}).status_code == 401
    assert Client().get("/api/v1/me", headers={"Authorization": f"bearer {token}"}).status_code == 200


def test_it_only_reads_is_never_stored_and_lets_no_other_site_read(ann):
    token = own(ann)
    headers = {"Authorization": f"Bearer {token}", "Origin": "https://elsewhere.example"}
    client = Client(enforce_csrf_checks=True)
    for method in (client.post, client.put, client.delete, client.patch, client.options):
        answer = method("/api/v1/me", headers=headers)
        assert well(answer, "Error", 405) and answer["Allow"] == "GET, HEAD"
    answer = client.get("/api/v1/me", headers=headers)
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]
    assert "no-store" in answer["Cache-Control"] and not answer.cookies


def test_too_many_questions_and_too_many_wrong_tokens_are_told_when_to_come_back(ann, monkeypatch):
    token = own(ann)
    monkeypatch.setitem(limits.LIMITS, "api", limits.Limit(2, 100, 600))
    monkeypatch.setitem(limits.LIMITS, "token", limits.Limit(1, 1, 600))
    assert [ask(token, "/me").status_code for _ in range(3)] == [200, 200, 429]
    late = ask(token, "/me")
    assert "Try again in" in well(late, "Error", 429)["message"] and 0 < int(late["Retry-After"]) <= 600
    assert [ask("rummy_wrong", "/me").status_code for _ in range(2)] == [401, 429]


def test_lists_come_in_pages_and_cost_the_same_however_long(ann, bob, monkeypatch):
    from games.api import views

    monkeypatch.setattr(views, "LENGTH", 2)
    matches = [ended(ann, bob) for _ in range(5)]
    token = own(ann)
    ask(token, "/me/matches")
    seen, address, counts = [], "/api/v1/me/matches?status=over", set()
    while address:
        with CaptureQueriesContext(connection) as queries:
            told = well(ask(token, address), "Lines")
        counts.add(len(queries))
        seen += [line["id"] for line in told["matches"]]
        address = told["next"]
    assert seen == [match.pk for match in reversed(matches)]
    assert max(counts) <= 6
    with CaptureQueriesContext(connection) as queries:
        ask(token, f"/matches/{matches[0].pk}")
    assert len(queries) <= 12


@pytest.mark.parametrize("scope", ["own", "public"])
@time_machine.travel(NOW, tick=False)
def test_no_answer_depends_on_a_card_that_its_reader_cannot_see(ann, bob, cat, monkeypatch, scope, django_user_model):
    match = a_table_with_a_past(ann, bob, cat, 1)
    stranger = django_user_model.objects.create(username="stranger")
    for user in (ann, bob, cat, stranger):
        token = tokens.make(user, "x", scope)

        def told(token=token):
            addresses = (f"/matches/{match.pk}", f"/matches/{match.pk}/deals/1", "/me", "/me/matches", "/matches")
            return [ask(token, address).content for address in addresses]

        seat = seat_of(match, user).index if user != stranger and scope == "own" else None
        before = told()
        order = redealt(match, seat, random.Random(5))
        with monkeypatch.context() as patch:
            patch.setattr(tape, "_kept", type(tape._kept)())
            patch.setattr(tape.fairness, "order", lambda *_args, order=order: order)
            assert told() == before
        text = b"".join(before).decode()
        secret = Deal.objects.get(match=match, number=1).secret
        assert bytes(secret).hex() not in text and bytes(match.chain).hex() not in text and match.token not in text


def test_the_document_is_openapi_and_tells_exactly_the_addresses_that_there_are(client):
    told = client.get("/api/v1/openapi.json").json()
    assert told == json.loads(json.dumps(document.DOCUMENT)) and told["openapi"] == "3.1.0"
    names = ("me", "my_matches", "matches", "match", "deal", "player", "results")
    values = {"match_id": 1, "number": 2, "name": "ann"}
    wanted = {"match": ["match_id"], "deal": ["match_id", "number"], "player": ["name"], "results": ["name"]}
    there = {reverse(f"api:{name}", kwargs={key: values[key] for key in wanted.get(name, [])}) for name in names}
    filled = {
        "/api/v1" + path.replace("{match}", "1").replace("{deal}", "2").replace("{name}", "ann")
        for path in told["paths"]
    }
    assert filled == there
    text = json.dumps(told)
    for name in told["components"]["schemas"]:
        shapes.problem({}, told["components"]["schemas"][name], told["components"]["schemas"])
    for target in {part.split('"')[0] for part in text.split('"#/components/schemas/')[1:]}:
        assert target in told["components"]["schemas"]
    page = client.get(reverse("games:programs")).content.decode()
    assert all(path in page for path in told["paths"]) and 'id="MatchSeen"' in page


# --- tokens -----------------------------------------------------------------------------------------------------------


def test_a_token_is_made_with_a_name_shown_once_stored_as_a_hash_and_revoked(ann, bob):
    client = Client()
    client.force_login(ann)
    address = reverse("games:tokens")
    made = client.post(address, {"name": "my <phone>", "scope": "own"})
    token = made.context["made"]
    assert token in made.content.decode() and len(token) > 40
    row = ApiToken.objects.get()
    assert row.key != token and token not in str(vars(row)) and len(row.key) == 64
    again = client.get(address).content.decode()
    assert token not in again and row.key not in again and "my &lt;phone&gt;" in again and "not used yet" in again
    assert ask(token, "/me").status_code == 200
    assert "last used on" in client.get(address).content.decode()

    thief = Client()
    thief.force_login(bob)
    revoke = reverse("games:revoke_token", args=[row.pk])
    assert thief.post(revoke).status_code == 404 and client.get(revoke).status_code == 405
    assert ask(token, "/me").status_code == 200
    assert client.post(revoke).status_code == 303
    assert ask(token, "/me").status_code == 401


def test_a_token_needs_a_name_and_a_scope_and_there_are_only_so_many(ann):
    client = Client()
    client.force_login(ann)
    address = reverse("games:tokens")
    for told, why in (
        ({"scope": "own"}, "Give it a name"),
        ({"name": "x"}, "Choose one of the values"),
        ({"name": "x", "scope": "all"}, "Choose one of the values"),
        ({"name": "x" * 41, "scope": "own"}, "at most 40 characters"),
    ):
        answer = client.post(address, told)
        assert answer.status_code == 422 and why in answer.content.decode()
    for n in range(tokens.MOST):
        assert client.post(address, {"name": f"program {n}", "scope": "public"}).status_code == 200
    late = client.post(address, {"name": "one more", "scope": "public"})
    assert late.status_code == 422 and "as many tokens as one may have" in late.content.decode()
    assert ApiToken.objects.count() == tokens.MOST
    assert Client().get(address).status_code == 302
    assert address in client.get(reverse("settings")).content.decode()


def test_the_tokens_of_an_account_end_with_it_and_no_admin_shows_one(ann, mod):
    token = own(ann)
    close(ann)
    assert ask(token, "/me").status_code == 401 and not ApiToken.objects.exists()
    staff = Client()
    staff.force_login(mod)
    assert "apitoken" not in staff.get(reverse("admin:index")).content.decode()


def test_a_day_of_use_is_noted_once(ann):
    token = own(ann)
    with time_machine.travel("2026-11-30T10:00:00+00:00", tick=False) as clock:
        ask(token, "/me")
        first = ApiToken.objects.get().used_at
        assert first == timezone.now()
        clock.shift(3600)
        ask(token, "/me")
        assert ApiToken.objects.get().used_at == first
