"""What the desk asks: games and mail in lines, without the states and bytes that they hold.

Games and their mail grow without end, so that every list is cut, and no question looks at all rows.
"""

from sqlmodel import Session, select

from pbem.store.tables import Game


def exists(session: Session, game_id: int) -> bool:
    """Whether there is a game with this id."""
    return session.exec(select(Game.id).where(Game.id == game_id)).first() is not None
