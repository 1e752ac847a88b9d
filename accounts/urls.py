"""Addresses of our own account pages; they stand before the library's."""

from django.urls import path

from . import views

urlpatterns = [
    path("logout/", views.SignOut.as_view(), name="account_logout"),
    path("guest/", views.play_at_once, name="guest"),
    path("settings/", views.preferences, name="settings"),
    path("close/", views.close_account, name="close_account"),
]
