"""./run manage appoint NAME ROLE: makes somebody moderator, senior moderator or operator, or takes every role away."""

from typing import Any

from django.contrib.auth.models import Group
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts import audit, roles
from accounts.models import User
from accounts.names import plain

NONE = "none"


class Command(BaseCommand):
    """Gives a role, and takes the others away. It stands in the audit log as done at the server."""

    help = "Give somebody one role of the staff: moderator, senior, operator; or none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the user name")
        parser.add_argument("role", choices=[roles.MODERATOR, "senior", roles.OPERATOR, NONE])
        parser.add_argument("--reason", default="Appointed at the server.", help="why; kept in the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        role = roles.SENIOR if options["role"] == "senior" else options["role"]
        with transaction.atomic():
            rows = User.objects.select_for_update().filter(is_active=True, is_guest=False)
            user = rows.filter(name_key=plain(options["name"])).first()
            if user is None:
                raise CommandError(f"There is no account called {options['name']}.")
            before = sorted(user.groups.filter(name__in=roles.ROLES).values_list("name", flat=True))
            user.groups.remove(*Group.objects.filter(name__in=roles.ROLES))
            if role != NONE:
                user.groups.add(Group.objects.get(name=role))
            user.is_staff = role != NONE or user.is_superuser
            user.save(update_fields=["is_staff"])
            details = {"before": before, "role": role}
            audit.enter(None, "appoint", reason=options["reason"], user=user, target=user, details=details)
        self.stdout.write(f"{user.username}: {role}.")
        if role != NONE:
            self.stdout.write("The administration opens with a second step: Settings, Second step of signing in.")
