"""The board's picture in a letter: drawn once by whoever needs it first, outside any lock."""

from collections.abc import Callable
from datetime import datetime

from pbem.mail.letter import Attachment
from pbem.render.picture import board
from pbem.render.picture.scene import Scene
from pbem.store import pictures
from pbem.store.engine import Engine
from pbem.store.engine import reading as open_reading
from pbem.store.engine import session as open_session

Artist = Callable[[Scene], bytes]
"""Gives the PNG of a scene."""


def artist(engine: Engine, now: datetime) -> Artist:
    """Takes what was drawn before from the store, and keeps there what it draws.

    It has at hand what it gave before: one for all letters that are composed in one go.
    """
    at_hand: dict[str, bytes] = {}

    def drawn(scene: Scene) -> bytes:
        key = scene.key
        if key not in at_hand:
            at_hand[key] = found_or_drawn(scene, key)
        return at_hand[key]

    def found_or_drawn(scene: Scene, key: str) -> bytes:
        with open_reading(engine) as session:
            kept = pictures.find(session, key)
        if kept is not None:
            return kept
        png = board.draw(scene)
        with open_session(engine) as session:
            pictures.keep(session, key, png, now)
        return png

    return drawn


def enclosed(scene: Scene | None, artist: Artist) -> Attachment | None:
    """The picture as the HTML part shows it, None for a letter without one."""
    if scene is None:
        return None
    return Attachment("image/png", "board.png", artist(scene), cid=f"board.{scene.key[:16]}@pbem")
