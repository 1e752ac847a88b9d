"""The site's addresses and the bare view that a move is compared with."""

from django.urls import include, path

from .bare import bare

urlpatterns = [path("bench/bare/<int:match_id>/", bare), path("", include("rummysite.urls"))]
