"""One module a game, holding only its differences from the shared parts."""
