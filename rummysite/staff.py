"""Django's admin, with our site as the one at which everything registers."""

from django.contrib.admin.apps import AdminConfig


class Config(AdminConfig):
    """Stands apart from the site itself, since apps are named before there are models."""

    default_site = "games.office.Site"
