"""Pages of the game: lobby.py around the table, table.py at it. They see what tables.py gives, never a Table."""
