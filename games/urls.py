"""Addresses of the game's pages. Reading is GET, every change is a POST of its own."""

from django.urls import path, register_converter
from django.urls.converters import IntConverter, StringConverter

from .views import (
    absence,
    acts,
    coming_back,
    disclosing,
    exporting,
    fairness,
    feeds,
    home,
    imported,
    inbox,
    leaderboards,
    learn,
    lobby,
    notices,
    observatory,
    ordering,
    own_data,
    pairs,
    people,
    profile,
    programs,
    quick,
    replaying,
    reporting,
    room,
    sharing,
    table,
    talk,
    time,
    vacation,
)

app_name = "games"


class RowConverter(IntConverter):
    """The number of a row. What no database could hold is no address."""

    regex = "[0-9]{1,18}"


class TokenConverter(StringConverter):
    """A token of a link: no sign that a database could not hold."""

    regex = "[!-.0-~]+"


class NameConverter(StringConverter):
    """A user name, as accounts.names allows it."""

    regex = r"[\w.-]{1,40}"


register_converter(NameConverter, "name")
register_converter(RowConverter, "row")
register_converter(TokenConverter, "token")

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
    path("join/<token:token>/", room.invitation, name="invitation"),
    path("matches/<row:match_id>/join/", room.join, name="join"),
    path("matches/<row:match_id>/leave/", room.leave, name="leave"),
    path("matches/<row:match_id>/start/", room.start, name="start"),
    path("matches/<row:match_id>/rematch/", room.rematch, name="rematch"),
    path("matches/<row:match_id>/answer/", room.answer, name="answer"),
    path("matches/<row:match_id>/invite/", room.invite, name="invite"),
    path("matches/<row:match_id>/seats/<int:seat>/take-back/", room.take_back, name="take_back"),
    path("matches/<row:match_id>/seats/<int:seat>/remove/", room.remove, name="remove"),
    path("matches/<row:match_id>/new-link/", room.new_link, name="new_link"),
    path("matches/<row:match_id>/withdraw/", room.withdraw, name="withdraw"),
    path("matches/<row:match_id>/noted/", room.noted, name="noted"),
    path("play/now/", quick.play_now, name="play_now"),
    path("play/friend/", quick.play_friend, name="play_friend"),
    path("badge/", lobby.badge, name="badge"),
    path("matches/<row:match_id>/talk/", talk.page, name="talk"),
    path("matches/<row:match_id>/talk/news/", talk.news, name="talk_news"),
    path("matches/<row:match_id>/talk/mute/", talk.mute, name="talk_mute"),
    path("reports/", reporting.mine, name="reports"),
    path("reports/players/<name:name>/", reporting.player, name="report_player"),
    path("reports/messages/<row:number>/", reporting.message, name="report_message"),
    path("reports/matches/<row:match_id>/", reporting.match, name="report_match"),
    path("people/", people.people, name="people"),
    path("people/door/", people.door, name="door"),
    path("people/befriend/", people.befriend, name="befriend"),
    path("my-profile/", disclosing.disclosed, name="disclosure"),
    path("players/<name:name>/", profile.player, name="player"),
    path("players/<name:name>/<slug:act_or_name>/", pairs.pair_or_act, name="player_act"),
    path("players/<name:name>/<name:act_or_name>/", pairs.pair_or_act, name="pair"),
    path("leaderboards/", leaderboards.leaderboards, name="leaderboards"),
    path("leaderboards/me/", leaderboards.listed, name="listed"),
    path("notices/", inbox.notices, name="notices"),
    path("notices/read/", inbox.read_all, name="read_all"),
    path("notices/devices/", inbox.places, name="devices"),
    path("notices/devices/on/", inbox.push_on, name="push_on"),
    path("notices/devices/again/", inbox.push_again, name="push_again"),
    path("notices/devices/<row:device>/off/", inbox.push_off, name="push_off"),
    path("notices/address/<str:kind>/", inbox.address, name="address"),
    path("calendar/<token:token>/rummysite.ics", feeds.calendar, name="calendar"),
    path("feed/<token:token>/", feeds.notices, name="feed"),
    path("matches/<row:match_id>/", table.match, name="match"),
    path("matches/<row:match_id>/parts/", table.parts, name="parts"),
    path("matches/<row:match_id>/act/", acts.act, name="act"),
    path("matches/<row:match_id>/undo/", acts.undo, name="undo"),
    path("matches/<row:match_id>/hand/", acts.arrange, name="arrange"),
    path("matches/<row:match_id>/ready/", acts.ready, name="ready"),
    path("matches/<row:match_id>/resign/", acts.resign, name="resign"),
    path("matches/<row:match_id>/since/", coming_back.since, name="since"),
    path("matches/<row:match_id>/caught-up/", coming_back.caught_up, name="caught_up"),
    path("matches/<row:match_id>/known/", coming_back.known, name="known"),
    path("matches/<row:match_id>/note/", coming_back.note, name="note"),
    path("matches/<row:match_id>/later/", coming_back.later, name="later"),
    path("matches/<row:match_id>/orders/", ordering.page, name="orders"),
    path("matches/<row:match_id>/orders/remove/", ordering.remove, name="remove_order"),
    path("matches/<row:match_id>/nudge/", absence.nudge, name="nudge"),
    path("matches/<row:match_id>/away/", absence.while_away, name="away"),
    path("matches/<row:match_id>/seat-back/", absence.take_back, name="seat_back"),
    path("seats/", absence.bench, name="bench"),
    path("seats/<row:offer_id>/", absence.offer, name="seat_offer"),
    path("matches/<row:match_id>/sheet/", table.sheet, name="sheet"),
    path("matches/<row:match_id>/deals/<row:number>/", replaying.deal, name="deal"),
    path("matches/<row:match_id>/match.json", exporting.as_json, name="export"),
    path("matches/<row:match_id>/match.txt", exporting.as_text, name="export_text"),
    path("my-data/", own_data.own_data, name="own_data"),
    path("programs/", programs.explained, name="programs"),
    path("programs/tokens/", programs.mine, name="tokens"),
    path("programs/tokens/<row:number>/revoke/", programs.revoke, name="revoke_token"),
    path("imported/", imported.listed, name="imported_matches"),
    path("imported/<row:number>/", imported.match, name="imported"),
    path("imported/<row:number>/deals/<row:deal>/", imported.deal, name="imported_deal"),
    path("notices/settings/", notices.settings, name="notice_settings"),
    path("notices/off/<token:token>/", notices.unsubscribe, name="unsubscribe"),
    path("matches/<row:match_id>/notices/", notices.of_match, name="notices_of_match"),
    path("matches/<row:match_id>/mute/", notices.mute, name="mute"),
    path("matches/<row:match_id>/time/", time.time, name="time"),
    path("vacation/", vacation.vacation, name="vacation"),
    path("matches/<row:match_id>/fairness/", fairness.fairness, name="fairness"),
    path("matches/<row:match_id>/fairness.json", fairness.proof, name="proof"),
    path("matches/<row:match_id>/preview.png", sharing.preview, name="preview"),
    path("check/", fairness.check, name="check"),
    path("check/check_deal.py", fairness.checker, name="checker"),
    path("observatory/", observatory.observatory, name="observatory"),
]
