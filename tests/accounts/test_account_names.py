"""Names and session cookies as people type them: in any script, kept for the site, or none at all."""

import pytest
from django.core.exceptions import ValidationError

from accounts.forms import SignupForm
from accounts.models import User
from accounts.names import not_reserved

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["жана", "ЖАНА"])
def test_a_name_in_another_case_is_taken_in_any_script(db, name):
    User.objects.create_user("Жана")
    form = SignupForm({"username": name, "password1": "long enough 1", "password2": "long enough 1"})

    assert not form.is_valid()
    assert "username" in form.errors


@pytest.mark.parametrize(
    ("name", "free"),
    [
        ("bot_ann", False),
        ("аdmin", False),
        ("Вот-Ann", False),
        ("Botond", True),
        ("bottle", True),
        ("Deletedtwice", True),
    ],
)
def test_names_of_the_site_are_kept_and_names_that_only_begin_like_them_are_free(name, free):
    try:
        not_reserved(name)
    except ValidationError:
        assert not free
    else:
        assert free


@pytest.mark.pg
@pytest.mark.parametrize("key", [r'"aaaaaaaa\000bbbb"', "x" * 300, "'; drop table"])
def test_a_session_cookie_that_is_none_is_no_session_and_no_error(client, ann, key):
    client.cookies["sessionid"] = ""
    answer = client.get("/", headers={"cookie": f"sessionid={key}"})
    assert answer.status_code == 200
    assert not answer.wsgi_request.user.is_authenticated
