"""Floor 0, pure: the game itself. No clock, chance, file of the outside, log or framework."""
