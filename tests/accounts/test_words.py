"""Word lists: what is found, and above all what is not; where it counts, and what happens then."""

import time
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts import roles, words
from accounts.models import AuditEntry, LimitRow, User, WordEntry
from accounts.names import not_reserved
from games import lobby, talk
from games.models import Match, Message, Report
from games.seats import Refusal
from rummysite import limits
from tests.games.acts_table import staff
from tests.games.playing import opened

pytestmark = pytest.mark.django_db
WHY = {"reason": "Seen too often."}


@pytest.fixture
def may_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(limits.NUMBERS, "new_days", 0)
    monkeypatch.setitem(limits.NUMBERS, "new_matches", 0)


@pytest.fixture
def office(client: Client) -> Client:
    """The browser of an operator; what is remembered is loaded from the rows."""
    words.ENTRIES.forget()
    limits.ROWS.forget()
    client.force_login(staff("clerk", roles.OPERATOR))
    return client


def listed(*entries: str, **more: Any) -> None:
    """The list has these, and no other."""
    words.ENTRIES.keep([words.entry_of(WordEntry(word=word, **more)) for word in entries], 3600)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "ass",
            "ASS",
            "Ass!",
            "you ass.",
            "my-ass",
            "the_ass_99",
            "a.s.s",
            "a s s",
            "аss",
            "αss",
            "a55",
            "@ss",
            "a$$",
        ),
        *("as\u200bs", "ａｓｓ", "aaass", "asssss", "BigAss", "ass22"),
    ],
)
def test_a_word_is_found_in_any_case_and_with_letters_that_look_alike(text: str) -> None:
    listed("ass")
    assert words.refused(text, "messages"), text


@pytest.mark.parametrize(
    "text",
    [
        *("class", "assassin", "Assistant", "bass", "passage", "compass", "embarrass", "as", "455", "5 5", "as s1x"),
        *("a is for ace", "glass half full", "Assen", "Kassel", "Massachusetts", "MASS", "asset", "was so", "äss"),
    ],
)
def test_innocent_words_that_contain_one_are_left_alone(text: str) -> None:
    listed("ass")
    assert not words.refused(text, "messages"), text


@pytest.mark.parametrize(
    ("entry", "bad", "innocent"),
    [
        ("cunt", "CUNT", "Scunthorpe"),
        ("cock", "c0ck", "cocktail peacock Hitchcock"),
        ("dick", "d1ck", "Dickens dickinson"),
        ("slut", "s1ut", "sluttish slutty Slutsk"),
        ("кур", "КУР", "курица курс куриер рекурзија"),
        ("сука", "cyкa", "сукање барсука сукарь"),
        ("хуй", "xyй", "хуйня застрахуй"),
        ("пичка", "пичкa", "спичка спички"),
        ("píča", "PÍČA", "pica pića pita"),
        ("kill yourself", "Kill   YOURSELF", "kill your self skill yourself"),
    ],
)
def test_latin_and_cyrillic_words_are_words(entry: str, bad: str, innocent: str) -> None:
    listed(entry)
    assert words.refused(bad, "titles"), bad
    assert not words.refused(innocent, "titles"), innocent


def test_the_list_at_first_knows_insults_and_no_town() -> None:
    for text in ("fuck you", "FUCK", "f.u.c.k", "Kurva", "ти си пичка"):
        assert words.refused(text, "messages"), text
    for text in ("Scunthorpe", "Sussex", "kurvature", "Well played, dealer!", "the staff of the system", "admin"):
        assert not words.found(text, "messages"), text


def test_an_entry_counts_where_it_says_and_for_its_language() -> None:
    listed("bad", names=False, titles=False)
    assert [bool(words.found("bad", where)) for where in ("names", "messages", "titles")] == [False, True, False]
    listed("hůl", language="cs")
    assert not words.found("hůl", "names")
    with translation.override("cs"):
        assert words.found("hůl", "names")


@pytest.mark.parametrize("name", ["admin", "Adm1n", "m0derator", "Rummy.Site", "deleted player", "fuck_you", "Kurva7"])
def test_names_of_the_site_and_words_of_the_list_are_refused_as_names(name: str) -> None:
    with pytest.raises(ValidationError):
        not_reserved(name)


@pytest.mark.parametrize("name", ["administer", "modern", "dealers", "stafford", "Systematic", "Scunthorpe"])
def test_names_that_only_begin_so_are_free(name: str) -> None:
    not_reserved(name)


def test_a_display_name_is_refused_or_let_through_and_reported(ann: Any, client: Client) -> None:
    client.force_login(ann)
    page = reverse("settings")
    form = client.get(page).context["form"]
    data = {name: form[name].value() or "" for name in form.fields} | {"language": "en"}
    data = {name: value for name, value in data.items() if value is not False}
    answer = client.post(page, data | {"display_name": "Fuck all"})
    assert "a word that is not wanted here" in answer.content.decode()
    assert client.post(page, data | {"display_name": "Kys"}).status_code == 302
    row = Report.objects.get()
    assert (row.reporter, row.about_user, row.kind) == (None, ann, "name")
    assert "kys" in row.words and row.context["about"]["shown"] == "Kys"


def test_a_message_is_refused_or_let_through_and_reported(ann: Any, bob: Any, may_write: None) -> None:
    match = opened(ann, bob)
    with pytest.raises(Refusal, match="a word in it that is not wanted"):
        talk.say(match.pk, ann, text="fuck you")
    assert not Message.objects.exists()
    message = talk.say(match.pk, ann, text="Kill yourself!")
    row = Report.objects.get()
    assert (row.reporter, row.about_user, row.message, row.match) == (None, ann, message, match)
    talk.say(match.pk, bob, text="What a skill yourself")
    assert Report.objects.count() == 1


def test_a_title_is_refused_by_the_form_and_reported_when_it_is_let_through(ann: Any, client: Client) -> None:
    client.force_login(ann)
    form = {"preset": "basic-rummy", "seats": "2", "seat_1": "open", "pace": "1d", "who": "lobby"}
    answer = client.post(reverse("games:new_match"), form | {"title": "Fuck this"})
    assert "a word in it that is not wanted" in answer.content.decode()
    assert not Match.objects.exists()
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", title="kys")
    assert Report.objects.get().match == match


# --- edited by operators ---------------------------------------------------------------------------------------------


def word_page(row: WordEntry | None = None) -> str:
    return reverse("admin:accounts_wordentry_change", args=[row.pk]) if row else reverse("admin:accounts_wordentry_add")


ENTRY = {"word": "turnip", "language": "", "how": "word", "names": "on", "happens": "refuse", "counts": "on"}


def test_an_operator_adds_and_rests_a_word_and_it_counts_at_once(
    office: Client, django_capture_on_commit_callbacks: Any
) -> None:
    not_reserved("turnip")
    with django_capture_on_commit_callbacks(execute=True):
        assert office.post(word_page(), ENTRY | WHY).status_code == 302
    with pytest.raises(ValidationError):
        not_reserved("Turnip")
    row = WordEntry.objects.get(word="turnip")
    with django_capture_on_commit_callbacks(execute=True):
        assert office.post(word_page(row), {k: v for k, v in ENTRY.items() if k != "counts"} | WHY).status_code == 302
    not_reserved("turnip")
    told = AuditEntry.objects.filter(target_kind="wordentry").order_by("pk")
    assert [one.act for one in told] == ["add_word", "change_word"]
    assert told[1].details["was"] == {"counts": True} and told[1].reason == "Seen too often."


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"word": "  "}, "This field is required."),
        ({"word": "77"}, "Write a word of letters."),
        ({"word": "x"}, "One letter alone"),
        ({"names": ""}, "Say where it counts"),
        ({"word": "FUСK"}, "stands in the list already"),
        ({"happens": "laugh"}, "Select a valid choice"),
        ({"reason": ""}, "This field is required."),
    ],
)
def test_a_wrong_entry_is_refused_with_a_sentence(office: Client, data: Any, sentence: str) -> None:
    before = WordEntry.objects.count()
    assert sentence in office.post(word_page(), ENTRY | WHY | data).content.decode()
    assert WordEntry.objects.count() == before and not AuditEntry.objects.exists()


def limit_page(name: str) -> str:
    return reverse("admin:accounts_limitrow_change", args=[LimitRow.objects.get(name=name).pk])


def test_an_operator_changes_a_limit_and_it_holds_at_once(
    office: Client, ann: Any, bob: Any, django_capture_on_commit_callbacks: Any
) -> None:
    data = {"number": 2, "new": 1, "shared": 9, "seconds": 3600} | WHY
    with django_capture_on_commit_callbacks(execute=True):
        assert office.post(limit_page("report"), data).status_code == 302
    assert limits.limit("report") == limits.Limit(2, 9, 3600, 1)
    browser = Client()
    browser.force_login(ann)
    address = reverse("games:report_player", args=["bob"])
    assert [browser.post(address, {"kind": "abuse"}).status_code for _n in range(2)] == [302, 429]
    with django_capture_on_commit_callbacks(execute=True):
        assert office.post(limit_page("new_days"), {"number": 0} | WHY).status_code == 302
    assert limits.number("new_days") == 0
    assert (
        browser.post(address, {"kind": "abuse"}).status_code == 429
    )  # the third, of two for accounts that are not new
    entry = AuditEntry.objects.get(act="change_limit", target_id=LimitRow.objects.get(name="report").pk)
    assert entry.details["was"] == {"number": 20, "new": 5, "shared": 60, "seconds": 86_400}


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("open", {"number": 0}, "At least 1"),
        ("open", {"number": -1}, "greater than or equal to 0"),
        ("open", {"number": "many"}, "Enter a whole number."),
        ("open", {"number": 10, "shared": 5}, "at least as many as for one user"),
        ("open", {"new": 41}, "no more than for all"),
        ("open", {"number": 2_000_000, "shared": 2_000_000}, "too large"),
        ("open", {"seconds": 7}, "Select a valid choice"),
        ("new_days", {"number": 400}, "too large"),
        ("open", {"reason": " "}, "This field is required."),
    ],
)
def test_a_wrong_limit_is_refused_with_a_sentence(office: Client, name: str, data: Any, sentence: str) -> None:
    before = list(LimitRow.objects.values())
    whole = {"number": 40, "new": "", "shared": 120, "seconds": 3600} | WHY | data
    assert sentence in office.post(limit_page(name), whole).content.decode()
    assert list(LimitRow.objects.values()) == before and not AuditEntry.objects.exists()


def test_the_rows_at_first_are_the_limits_that_the_site_knows() -> None:
    rows = {row.name: limits.limit_of(row) for row in LimitRow.objects.all()}
    assert rows == limits.LIMITS | limits.NUMBERS


def test_only_operators_see_and_edit_them_and_nobody_deletes(client: Client, office: Client, ann: Any) -> None:
    row = WordEntry.objects.first()
    pages = [reverse("admin:accounts_wordentry_changelist"), reverse("admin:accounts_limitrow_changelist")]
    for page in (*pages, word_page(), word_page(row), limit_page("open")):
        assert office.get(page).status_code == 200, page
    assert office.post(reverse("admin:accounts_wordentry_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    assert office.get(reverse("admin:accounts_limitrow_add")).status_code == 403
    for user in (staff("junior", roles.MODERATOR), staff("boss", roles.SENIOR)):
        client.force_login(user)
        for page in (*pages, word_page(), limit_page("open")):
            assert client.get(page).status_code == 403, page
        assert client.post(word_page(), ENTRY | WHY).status_code == 403
    assert User.objects.filter(username="ann").exists()


def test_what_is_remembered_is_loaded_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    from rummysite import remembered

    now, loads = [0.0], iter("abc")
    monkeypatch.setattr(remembered.time, "monotonic", lambda: now[0])
    kept = remembered.Remembered(lambda: next(loads), seconds=20)
    assert [kept(), kept()] == ["a", "a"]
    now[0] = 20.0
    assert [kept(), kept()] == ["b", "b"]
    kept.forget()
    assert kept() == "c"


@pytest.mark.parametrize("text", ["@" * 40_000, "a@" * 20_000, "a " * 20_000, "a_" * 20_000, "aA" * 20_000])
def test_a_very_long_text_is_read_in_a_moment(text: str) -> None:
    began = time.process_time()
    words.found(text, words.NAMES)
    assert time.process_time() - began < 5, "not with the square of its length"
