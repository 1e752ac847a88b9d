"""./run manage forget_factor NAME: for somebody who has lost the phone and the recovery codes as well."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts import audit, factors
from accounts.models import User
from accounts.names import plain


class Command(BaseCommand):
    """Signing in asks for the password only; who works in the administration sets the second step up anew."""

    help = "Take the second step of signing in away from an account. Make sure first that it is the owner who asks."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the user name")
        parser.add_argument("--reason", required=True, help="who asked, and how you know; kept in the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic():
            user = User.objects.filter(name_key=plain(options["name"])).first()
            if user is None or not factors.forget(user):
                raise CommandError(f"No account called {options['name']} has a second step.")
            audit.enter(None, "forget_factor", reason=options["reason"], user=user, target=user)
        self.stdout.write(f"{user.username} signs in with the password only.")
