"""How tests ask, block and meet people."""

from django.test import Client
from django.urls import reverse

NOT_OPEN = "This table is not open to you."


def client(user=None):
    browser = Client()
    if user is not None:
        browser.force_login(user)
    return browser


def do(user, act, whom, **data):
    return client(user).post(reverse("games:player_act", args=[whom.username, act]), data)


def ask(user, name):
    return client(user).post(reverse("games:befriend"), {"name": name})


def page(user):
    return client(user).get(reverse("games:people")).content.decode()


def player(user, whom):
    return client(user).get(reverse("games:player", args=[whom.username])).content.decode()
