"""The picture of the board in a letter."""
