"""Addresses of our own account pages; they stand before the library's."""

from allauth.account import views as library
from allauth.mfa.base import views as factors
from allauth.mfa.totp.views import activate_totp
from django.urls import path, re_path

from rummysite.logs import quiet

from . import guest_views, sanction_views, sessions, views
from .guest_views import for_persons

urlpatterns = [
    path("login/", guest_views.sign_in, name="account_login"),
    path("logout/", views.SignOut.as_view(), name="account_logout"),
    path("signup/", for_persons(library.signup), name="account_signup"),
    path("email/", for_persons(library.email), name="account_email"),
    path("password/change/", for_persons(views.change_password), name="account_change_password"),
    path("password/set/", for_persons(library.password_set), name="account_set_password"),
    path("reauthenticate/", for_persons(library.reauthenticate), name="account_reauthenticate"),
    re_path(r"^confirm-email/(?P<key>[-:\w]+)/$", quiet(library.confirm_email), name="account_confirm_email"),
    path("2fa/", for_persons(factors.index), name="mfa_index"),
    path("2fa/authenticate/", guest_views.second_step, name="mfa_authenticate"),
    path("2fa/totp/activate/", for_persons(activate_totp), name="mfa_activate_totp"),
    path("guest/", guest_views.play_at_once, name="guest"),
    path("keep/", guest_views.keep_account, name="keep_account"),
    path("keep/link/", guest_views.link_back, name="link_back"),
    path("move/", guest_views.move_matches, name="move_matches"),
    path("sessions/<int:session_id>/end/", sessions.end_session, name="end_session"),
    path("settings/", views.preferences, name="settings"),
    path("sanctions/", sanction_views.mine, name="sanctions"),
    path("sanctions/<int:sanction_id>/answer/", sanction_views.answer, name="appeal"),
    path("close/", views.close_account, name="close_account"),
]
