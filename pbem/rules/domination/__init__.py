"""Boards of the Domination program: its `.map` and `.cards` texts made to the data of a board."""
