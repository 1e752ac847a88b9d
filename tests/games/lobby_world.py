"""How tests look at pages of the lobby and open matches by the form."""

from django.test import Client


def page(user=None):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client
