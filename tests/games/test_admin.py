"""The administration: everything may be read but what is secret, nothing may be written, and lists stay cheap."""

import re
from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.roles import MODERATOR
from games import drafts, play, tables
from games.admin import ReadOnly, open_columns
from games.models import Deal, Draft, Match, Move, Seat
from games.rules.actions import DrawStock
from games.rules.catalog import find
from games.secrecy import SECRET_COLUMNS

from .playing import do, mover, opened, play_on, seat_of

pytestmark = pytest.mark.django_db

LISTS = ["accounts_user", "games_match", "games_seat", "games_deal", "games_move"]
MODELS = {"accounts_user": User, "games_match": Match, "games_seat": Seat, "games_deal": Deal, "games_move": Move}
OPTIONS = asdict(find("basic-rummy").options(2))
MOST = 15
"""Queries of a list with 1,000 rows."""


@pytest.fixture
def office(client, mod):
    """The browser of a moderator."""
    client.force_login(mod)
    return client


@pytest.fixture
def clerk(db):
    """Works in the office as a moderator, and is no superuser."""
    user = User.objects.create(username="clerk", is_staff=True)
    user.groups.add(Group.objects.get(name=MODERATOR))
    return user


def list_of(name: str) -> str:
    return reverse(f"admin:{name}_changelist")


def page_of(name: str, row: Any) -> str:
    return reverse(f"admin:{name}_change", args=[row.pk])


def many(count: int, opener: Any) -> None:
    """So many rows of each kind, each match opened by a user of its own, written in one go."""
    now = timezone.now()
    users = User.objects.bulk_create(
        User(username=f"user{i}", name_key=f"user{i}", email=f"u{i}@example.org") for i in range(count)
    )
    matches = Match.objects.bulk_create(
        Match(
            **{"preset": "basic-rummy", "options": OPTIONS, "token": f"token{i:04}", "opener": users[i]},
            **{"pace": "1d", "status": "running", "chain": b"chain", "commitment": "c" * 64},
            **{"created_at": now - timedelta(days=i), "deal_number": 1, "turn": 0},
        )
        for i in range(count)
    )
    Seat.objects.bulk_create(
        Seat(match=match, index=0, user=user, driven_by=user, driver="user", cut="ab" * 16)
        for match, user in zip(matches, users, strict=True)
    )
    deals = Deal.objects.bulk_create(
        Deal(match=match, number=1, dealer=0, secret=b"secret", sheet={}, started_at=now) for match in matches
    )
    Move.objects.bulk_create(
        Move(match=m, deal=d, number=1, seat=0, action={"type": "draw_stock"}, by="bot", at=now)
        for m, d in zip(matches, deals, strict=True)
    )


def queries_of(client: Any, address: str) -> int:
    with CaptureQueriesContext(connection) as made:
        assert client.get(address).status_code == 200
    return sum("SAVEPOINT" not in one["sql"] for one in made.captured_queries)  # they are the test's own


@pytest.mark.parametrize("name", LISTS)
def test_a_list_costs_the_same_with_5_and_with_1000_rows(office, ann, name):
    many(5, ann)
    few = queries_of(office, list_of(name))
    User.objects.filter(username__startswith="user").update(username=models_upper(), name_key=models_upper("name_key"))
    Match.objects.update(token=models_upper("token"))
    many(1000, ann)

    lots = queries_of(office, list_of(name))

    assert lots <= MOST
    assert abs(lots - few) <= 2


def models_upper(column: str = "username") -> Any:
    """Another name for the rows that were there first."""
    from django.db.models import Value
    from django.db.models.functions import Concat

    return Concat(Value("old-"), column)


def test_pages_filters_and_searches_are_cheap_and_offer_no_long_choices(office, ann, clerk, client):
    many(1000, ann)
    for name in LISTS:
        row = opened(ann, clerk) if name == "games_match" else MODELS[name].objects.last()
        address = page_of(name, row)
        assert queries_of(office, address) <= MOST
        answer = office.get(address).content.decode()
        assert "<select" not in re.sub(r"<form[^>]*set_language.*?</form>", "", answer, flags=re.DOTALL)
        assert queries_of(office, list_of(name) + "?q=user7") <= MOST
    assert queries_of(office, list_of("games_match") + "?status__exact=running&preset=basic-rummy&q=user7") <= MOST
    client.force_login(clerk)
    assert queries_of(client, list_of("games_match")) <= MOST


@pytest.mark.parametrize("name", LISTS)
def test_nothing_can_be_added_changed_or_deleted(office, ann, bob, name):
    play_on(opened(ann, bob), turns=2)
    row = MODELS[name].objects.first()
    before = MODELS[name].objects.count()

    assert office.get(reverse(f"admin:{name}_add")).status_code == 403
    assert office.post(page_of(name, row), {"username": "mallory", "status": "over"}).status_code == 403
    assert office.post(reverse(f"admin:{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    dropped = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    office.post(list_of(name), dropped)

    assert MODELS[name].objects.count() == before
    assert '<input type="submit"' not in re.sub(r"<form[^>]*changelist-search.*?</form>", "", page(office, name, row))


def page(client: Any, name: str, row: Any) -> str:
    return client.get(page_of(name, row)).content.decode()


def secrets_of(match: Match) -> list[str]:
    """Everything that nobody may read while the deal runs, as it could be spelt."""
    deal = match.deals.get(number=match.deal_number)
    raw = [bytes(match.chain), bytes(deal.secret)]
    cuts = list(match.seats.values_list("cut", flat=True))
    return [*[b.hex() for b in raw], *[repr(b) for b in raw], match.token, *filter(None, cuts)]


def all_pages(client: Any) -> dict[str, str]:
    """Every list, page and history of the game in the admin."""
    addresses = [reverse("admin:index"), reverse("admin:app_list", args=["games"])]
    for name in LISTS:
        addresses.append(list_of(name))
        for row in MODELS[name].objects.all():
            addresses += [page_of(name, row), reverse(f"admin:{name}_history", args=[row.pk])]
    return {address: client.get(address).content.decode() for address in addresses}


@pytest.mark.parametrize("who", ["mod", "clerk"])
def test_no_page_tells_a_secret_or_a_hand_while_the_deal_runs(ann, bob, client, request, who):
    match = opened(ann, bob, hand_size=20)
    user = mover(match)
    do(match, user, DrawStock())
    hand = tables.board(match, user).hand
    drafts.set_order(seat_of(match, user), hand, [str(card) for card in reversed(hand)])
    meld = next(a for a in tables.board(match, user).view.legal if type(a).__name__ == "Meld")
    do(match, user, meld)
    top = tables.board(match, user).view.top
    client.force_login(request.getfixturevalue(who))

    pages = all_pages(client)

    for address, told in pages.items():
        for secret in secrets_of(match):
            assert secret not in told, address
        shown = set(re.findall(r"\b(?:[2-9TJQKA][SHDC](?:\.\d)?|XX)\b", told)) - {str(top)}
        assert not shown, address
        assert "correct horse" not in told
        assert user.password not in told
    running = pages[page_of("games_deal", match.deals.get())]
    assert "shown to nobody before its end" in running
    assert not any(Draft.__name__.lower() in address for address in pages)


def test_who_made_a_move_is_told_after_the_deal(office, ann):
    match = play_on(opened(ann, bots=2, pace="none", target=10), turns=1)
    play.drive(match.pk)  # whoever began, a bot has moved now
    move = match.tape.filter(by="bot").first()

    told = page(office, "games_move", move)
    if move.deal.ended_at is None:
        assert "told after the deal" in told
    play_on(match)

    assert "told after the deal" not in page(office, "games_move", move)
    assert reverse("games:sheet", args=[match.pk]) in page(office, "games_deal", move.deal)


@pytest.mark.parametrize(
    ("name", "lookup"),
    [
        ("games_match", "token__startswith"),
        ("games_match", "chain__isnull"),
        ("games_match", "seats__cut__startswith"),
        ("games_match", "seats__draft__order__contains"),
        ("games_seat", "cut__startswith"),
        ("games_seat", "match__token__startswith"),
        ("games_seat", "draft__actions__contains"),
        ("games_deal", "secret__gt"),
        ("games_deal", "match__chain__gt"),
        ("games_move", "by"),
        ("games_move", "by__exact"),
        ("games_move", "deal__secret__gt"),
        ("games_move", "match__seats__draft__order__contains"),
        ("accounts_user", "password__startswith"),
        ("accounts_user", "seats__cut__startswith"),
    ],
)
def test_an_address_cannot_guess_a_hidden_column_letter_by_letter(office, ann, bob, name, lookup):
    opened(ann, bob)

    answer = office.get(list_of(name), {lookup: "a"})

    assert answer.status_code in (302, 400)


def test_lists_can_be_narrowed_to_a_match(office, ann, bob, cat):
    match, _other = opened(ann, bob), opened(ann, cat)
    for name in ("games_seat", "games_deal", "games_move"):
        answer = office.get(list_of(name), {"match": match.pk})
        rows = answer.context["cl"].queryset
        assert answer.status_code == 200
        assert {row.match_id for row in rows} == {match.pk}
        assert f"{list_of(name)}?match={match.pk}" in page(office, "games_match", match)


def test_running_and_ended_matches_stand_in_their_lists(office, ann, bob):
    from .sitting import ended

    running, over = opened(ann, bob), ended(ann, bob)

    def listed(status: str) -> list[int]:
        return [m.pk for m in office.get(list_of("games_match"), {"status__exact": status}).context["cl"].queryset]

    assert listed("running") == [running.pk]
    assert listed("over") == [over.pk]


def test_staff_without_the_right_and_people_without_an_office_see_nothing(client, ann, bob):
    match = opened(ann, bob)
    helper = User.objects.create(username="helper", is_staff=True)
    for user, code in ((helper, 403), (ann, 302)):
        client.force_login(user)
        for name in LISTS:
            assert client.get(list_of(name)).status_code == code
        assert client.get(page_of("games_match", match)).status_code == code


def test_no_secret_column_is_registered_anywhere():
    assert not any(admin.site.is_registered(model) for model in (Draft,))
    for model, office in admin.site._registry.items():
        if model._meta.app_label == "games":
            assert isinstance(office, ReadOnly)
            secret = SECRET_COLUMNS.get(model._meta.model_name, frozenset())
            named = {*office.list_display, *map(str, office.list_filter), *office.search_fields, *open_columns(model)}
            named |= set(office.fields or ())
            assert not {name for name in named for part in name.split("__") if part.strip("=^@") in secret}
    assert "usersession" not in {model._meta.model_name for model in admin.site._registry}
