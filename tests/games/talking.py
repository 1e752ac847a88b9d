"""How tests talk at a match and read what was said."""

from django.test import Client
from django.urls import reverse

from games import talk
from games.models import Match, Notice

HX = {"HX-Request": "true"}


def client(user=None):
    browser = Client()
    if user is not None:
        browser.force_login(user)
    return browser


def say(user, match, htmx=False, **data):
    return client(user).post(reverse("games:talk", args=[match.pk]), data, headers=HX if htmx else {})


def page(user, match):
    return client(user).get(reverse("games:talk", args=[match.pk])).content.decode()


def waits(user, match):
    """The number on the tab."""
    return Match.objects.annotate(n=talk.unheard(user)).get(pk=match.pk).n


def chat_notices(user):
    return Notice.objects.filter(user=user, kind="chat", read_at=None).count()
