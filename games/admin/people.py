"""Who has an account."""

from django.contrib import admin
from django.contrib.auth import get_user_model

from .acting import Acted

User = get_user_model()


@admin.register(User)
class UserAdmin(Acted):
    """Who has an account. Neither password nor sessions."""

    list_display = ("username", "display_name", "email", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser", "language")
    search_fields = ("username", "display_name", "email")
    ordering = ("-date_joined", "-pk")
    date_hierarchy = "date_joined"
    fields = (
        *("username", "display_name", "email", "is_active", "is_staff", "is_superuser", "date_joined", "last_login"),
        *("closed_at", "language", "time_zone"),
    )
