"""Django's development server, which says what it lacks here."""

from typing import Any

from whitenoise.runserver_nostatic.management.commands.runserver import Command as Runserver

from accounts.translations import compile_catalogues


class Command(Runserver):
    """Pages by polling only."""

    def inner_run(self, *args: Any, **options: Any) -> None:
        compile_catalogues()
        self.stdout.write("Sockets are off here: pages learn of moves by asking. `./run` serves with sockets.")
        super().inner_run(*args, **options)
