"""Bots: a TableView and a random.Random in, an Action out. Pure, like the rules; a bot never gets a Table."""
