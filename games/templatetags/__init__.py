"""Template libraries of the game's pages."""
