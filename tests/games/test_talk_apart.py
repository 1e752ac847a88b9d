"""The talk of those who were muted or blocked, of guests who moved, and of accounts that are closed."""

import pytest
from django.urls import reverse

from accounts.closing import close
from accounts.guests import make_guest
from games import merging, nudge, people
from games.models import Message, Notice
from rummysite import limits

from .playing import opened
from .sitting import ended
from .talking import HX, chat_notices, client, page, say, waits

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


@pytest.fixture(autouse=True)
def old_accounts(monkeypatch):
    """All may write, where nothing else is said."""
    monkeypatch.setitem(limits.NUMBERS, "new_days", 0)
    monkeypatch.setitem(limits.NUMBERS, "new_matches", 0)


def test_of_the_muted_i_read_phrases_only_and_get_no_notice(ann, bob):
    match = opened(ann, bob)
    people.mute(bob, ann)
    Notice.objects.all().delete()

    say(ann, match, text="free words")
    say(ann, match, phrase="hello")

    shown = page(bob, match)
    assert "free words" not in shown and "Hello!" in shown
    assert "You do not read what ann writes." in shown
    assert chat_notices(bob) == 0
    assert "free words" in page(ann, match)
    people.unmute(bob, ann)
    assert "free words" in page(bob, match)


def test_of_the_blocked_i_read_nothing_and_no_number_tells_of_him(
    ann, bob, monkeypatch, django_capture_on_commit_callbacks
):
    match = opened(ann, bob)
    people.block(bob, ann)
    sent = []
    monkeypatch.setattr(nudge, "_send", lambda groups, message: sent.append(groups))

    with django_capture_on_commit_callbacks(execute=True):
        say(ann, match, phrase="hello")

    assert "Hello!" not in page(bob, match).split('id="talk-form"')[0]
    assert waits(bob, match) == 0
    assert chat_notices(bob) == 0
    assert [f"user-{bob.pk}"] not in sent
    # and what he says himself is read by all, so that nobody notices
    say(bob, match, text="good luck to you")
    assert "good luck to you" in page(ann, match)


def test_the_talk_of_one_match_is_muted_and_heard_again(ann, bob):
    quiet, other = opened(ann, bob), opened(ann, bob)
    mute = reverse("games:talk_mute", args=[quiet.pk])
    assert client(bob).post(mute, {"mute": "yes"}).status_code == 302
    Notice.objects.all().delete()
    for match in (quiet, other):
        say(ann, match, text="word")

    assert (waits(bob, quiet), waits(bob, other)) == (0, 1)
    assert chat_notices(bob) == 1
    assert "This talk is muted" in page(bob, quiet)
    assert "Mute this talk" in client(bob).post(mute, {"mute": "no"}, headers=HX).content.decode()


def test_what_a_closed_account_said_stays_by_a_deleted_player(ann, bob):
    match = ended(ann, bob)
    say(ann, match, text="good bye")

    close(ann)

    shown = page(bob, match)
    assert "good bye" in shown and "deleted player" in shown
    assert "/players/ann/" not in shown.split('id="talk-list"')[1].split("</ol>")[0]


def test_what_a_guest_said_moves_with_the_seat(ann, bob):
    guest = make_guest("en", "UTC")
    match = opened(guest, bob)
    say(guest, match, phrase="hello")
    page(guest, match)

    merging.move(guest, ann)

    assert Message.objects.get().user == ann
    assert "Hello!" in page(ann, match)


def test_moderators_read_what_was_said_and_change_nothing(ann, bob, mod):
    say(ann, opened(ann, bob), text="a rude word")

    office = client(mod)
    listed = office.get(reverse("admin:games_message_changelist")).content.decode()
    assert "a rude word" in listed
    assert office.get(reverse("admin:games_message_add")).status_code == 403
    assert office.post(reverse("admin:games_message_delete", args=[Message.objects.get().pk])).status_code == 403
