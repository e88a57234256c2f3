"""Floor 2: bytes and letters. Knows no game."""
