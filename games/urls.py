"""Addresses of the game's pages. Reading is GET, every change is a POST of its own."""

from django.urls import path

from .views import acts, home, learn, lobby, quick, room, table

app_name = "games"

urlpatterns = [
    path("", home.home, name="home"),
    path("tables/", home.tables, name="tables"),
    path("lobby/", lobby.lobby, name="lobby"),
    path("learn/", learn.index, name="learn"),
    path("learn/glossary/", learn.words, name="glossary"),
    path("learn/strategy/", learn.advice, name="strategy"),
    path("learn/<str:name>/", learn.rules, name="rules"),
    path("matches/new/", lobby.new_match, name="new_match"),
    path("matches/new/length/", lobby.length, name="length"),
    path("join/<str:token>/", room.invitation, name="invitation"),
    path("matches/<int:match_id>/join/", room.join, name="join"),
    path("matches/<int:match_id>/leave/", room.leave, name="leave"),
    path("matches/<int:match_id>/start/", room.start, name="start"),
    path("matches/<int:match_id>/rematch/", room.rematch, name="rematch"),
    path("matches/<int:match_id>/answer/", room.answer, name="answer"),
    path("matches/<int:match_id>/invite/", room.invite, name="invite"),
    path("matches/<int:match_id>/seats/<int:seat>/take-back/", room.take_back, name="take_back"),
    path("matches/<int:match_id>/seats/<int:seat>/remove/", room.remove, name="remove"),
    path("matches/<int:match_id>/new-link/", room.new_link, name="new_link"),
    path("matches/<int:match_id>/withdraw/", room.withdraw, name="withdraw"),
    path("matches/<int:match_id>/noted/", room.noted, name="noted"),
    path("play/now/", quick.play_now, name="play_now"),
    path("play/friend/", quick.play_friend, name="play_friend"),
    path("badge/", lobby.badge, name="badge"),
    path("matches/<int:match_id>/", table.match, name="match"),
    path("matches/<int:match_id>/parts/", table.parts, name="parts"),
    path("matches/<int:match_id>/act/", acts.act, name="act"),
    path("matches/<int:match_id>/undo/", acts.undo, name="undo"),
    path("matches/<int:match_id>/hand/", acts.arrange, name="arrange"),
    path("matches/<int:match_id>/ready/", acts.ready, name="ready"),
    path("matches/<int:match_id>/resign/", acts.resign, name="resign"),
    path("matches/<int:match_id>/sheet/", table.sheet, name="sheet"),
]
