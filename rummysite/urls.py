"""Addresses of the site."""

from django.contrib import admin
from django.urls import include, path

from accounts.guest_views import come_back
from accounts.views import choose_language

from . import views

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("back/<str:token>/", come_back, name="come_back"),
    path("i18n/setlang/", choose_language, name="set_language"),
    path("healthz", views.healthz, name="healthz"),
    path("robots.txt", views.robots, name="robots"),
    path("favicon.ico", views.favicon, name="favicon"),
    path("offline/", views.offline, name="offline"),
    path("sw.js", views.worker, name="worker"),
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("privacy/", views.privacy, name="privacy"),
    path("terms/", views.terms, name="terms"),
    path("contact/", views.contact, name="contact"),
    path("api/v1/", include("games.api.urls")),
    path("", include("games.urls")),
]
