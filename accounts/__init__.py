"""Who plays: users, preferences, signing up and in. Never imports games; pages meet by their addresses."""
