"""Seats: places at the table, known by letters (design.md, "Letters and processes")."""

from typing import NewType

Seat = NewType("Seat", str)
"""A letter, ``A`` to ``F``, in the order in which the game was made."""

NEUTRAL = Seat("N")
"""The army that nobody plays."""

LETTERS: tuple[Seat, ...] = tuple(Seat(letter) for letter in "ABCDEF")

COLOURS = ("red", "blue", "yellow", "green", "purple", "black")
"""The colours of the pieces; black is drawn as slate."""
