"""Bytes and letters: what comes in by mail and what goes out. Knows no game, store or words."""
