"""How tests press the buttons of the lobby."""

from django.test import Client
from django.urls import reverse

HEX = "cd" * 16


def client(user=None):
    browser = Client()
    if user is not None:
        browser.force_login(user)
    return browser


def do(user, name, match, **data):
    return client(user).post(reverse(f"games:{name}", args=[match.pk]), data)


def drivers(match):
    return [(seat.driver, seat.user_id) for seat in match.seats.all()]


def room(user, match):
    return client(user).get(reverse("games:match", args=[match.pk])).content.decode()
