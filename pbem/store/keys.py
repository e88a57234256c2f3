"""Keys of programs. Rows hold hashes only."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, update
from sqlmodel import Session, col, select

from pbem.store.tables import ApiKey


def add(session: Session, key: ApiKey) -> ApiKey:
    """Keeps a key."""
    session.add(key)
    session.flush()
    return key


def find(session: Session, key_hash: str) -> ApiKey | None:
    """The key with this hash."""
    return session.exec(select(ApiKey).where(ApiKey.hash == key_hash)).one_or_none()


def of_address(session: Session, address: str) -> Sequence[ApiKey]:
    """The keys of an address, oldest first."""
    statement = select(ApiKey).where(ApiKey.address == address).order_by(col(ApiKey.id))
    return session.exec(statement).all()


def used(session: Session, number: int, now: datetime) -> None:
    """Notes that a key was used."""
    session.exec(update(ApiKey).where(col(ApiKey.id) == number).values(used_at=now))


def drop(session: Session, number: int, address: str) -> bool:
    """Revokes a key of an address; whether it had that key."""
    mine = (col(ApiKey.id) == number, col(ApiKey.address) == address)
    return session.exec(delete(ApiKey).where(*mine)).rowcount == 1
