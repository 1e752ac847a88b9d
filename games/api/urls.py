"""Addresses of the read-only interface, version 1."""

from django.urls import path

from games import urls as pages  # registers the converters

from . import views

app_name = "api"
assert pages.app_name == "games"

urlpatterns = [
    path("openapi.json", views.openapi, name="openapi"),
    path("me", views.me, name="me"),
    path("me/matches", views.my_matches, name="my_matches"),
    path("matches", views.matches, name="matches"),
    path("matches/<row:match_id>", views.match, name="match"),
    path("matches/<row:match_id>/deals/<row:number>", views.deal, name="deal"),
    path("players/<name:name>", views.player, name="player"),
    path("players/<name:name>/matches", views.results, name="results"),
    path("", views.nothing, {"rest": ""}),
    path("<path:rest>", views.nothing, name="nothing"),
]
