"""The game: rules, matches, tables."""
