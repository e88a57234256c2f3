"""The names of places, as the rules know them."""

from typing import NewType

Code = NewType("Code", str)
"""Three capital letters that name a territory in every language, e.g. ``SIA``."""

ContinentId = NewType("ContinentId", str)
"""The data file's name of a continent, e.g. ``south-america``."""
