"""What a game master may do to a game: values with typed fields, played under the game's lock."""
