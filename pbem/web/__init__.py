"""Door: the pages of the game master, the players and the spectators."""
