"""A game on the table: the pages of its players, and of whoever may watch it."""
