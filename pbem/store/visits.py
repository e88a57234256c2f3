"""Links that log a person in, and the browsers that are logged in. Rows hold hashes only."""

from datetime import datetime, timedelta

from sqlalchemy import delete, func, update
from sqlmodel import Session, col, select

from pbem.store.tables import LoginLink, Visit


def add_link(
    session: Session, token_hash: str, address: str, now: datetime, life: timedelta
) -> None:
    """Keeps a link for an address."""
    link = LoginLink(hash=token_hash, address=address, made_at=now, expires_at=now + life)
    session.add(link)
    session.flush()


def links_since(session: Session, address: str, moment: datetime) -> int:
    """How many links were made for an address since then."""
    statement = select(func.count()).where(
        LoginLink.address == address, col(LoginLink.made_at) > moment
    )
    return session.exec(statement).one()


def good_link(session: Session, token_hash: str, now: datetime) -> LoginLink | None:
    """The link, if it can still be used."""
    statement = select(LoginLink).where(
        LoginLink.hash == token_hash,
        col(LoginLink.used_at).is_(None),
        col(LoginLink.expires_at) > now,
    )
    return session.exec(statement).one_or_none()


def use_link(session: Session, token_hash: str, now: datetime) -> str | None:
    """Uses the link up; its address, or None. Of two who come at once only one gets it."""
    statement = (
        update(LoginLink)
        .where(
            col(LoginLink.hash) == token_hash,
            col(LoginLink.used_at).is_(None),
            col(LoginLink.expires_at) > now,
        )
        .values(used_at=now)
        .returning(col(LoginLink.address))
        .execution_options(synchronize_session=False)
    )
    return session.exec(statement).scalar_one_or_none()


def begin(session: Session, visit: Visit) -> None:
    """Keeps a new visit."""
    session.add(visit)
    session.flush()


def find(session: Session, key_hash: str, now: datetime) -> Visit | None:
    """The visit, if it goes on."""
    statement = select(Visit).where(Visit.hash == key_hash, col(Visit.expires_at) > now)
    return session.exec(statement).one_or_none()


def seen(session: Session, key_hash: str, now: datetime, expires_at: datetime) -> None:
    """Notes that the visit goes on, and until when it may then rest."""
    statement = update(Visit).where(col(Visit.hash) == key_hash)
    session.exec(statement.values(seen_at=now, expires_at=expires_at))


def speak(session: Session, key_hash: str, language: str) -> None:
    """Sets the language of the visit's pages."""
    session.exec(update(Visit).where(col(Visit.hash) == key_hash).values(language=language))


def end(session: Session, key_hash: str) -> None:
    """Ends one visit."""
    session.exec(delete(Visit).where(col(Visit.hash) == key_hash))


def end_all(session: Session, address: str, now: datetime) -> None:
    """Ends all visits of an address, and uses up its links."""
    session.exec(delete(Visit).where(col(Visit.address) == address))
    links = update(LoginLink).where(
        col(LoginLink.address) == address, col(LoginLink.used_at).is_(None)
    )
    session.exec(links.values(used_at=now))


def count(session: Session, address: str, now: datetime) -> int:
    """How many visits of an address go on."""
    statement = select(func.count()).where(Visit.address == address, col(Visit.expires_at) > now)
    return session.exec(statement).one()


def forget(session: Session, before: datetime) -> None:
    """Drops links and visits that ended before a moment."""
    session.exec(delete(LoginLink).where(col(LoginLink.expires_at) < before))
    session.exec(delete(Visit).where(col(Visit.expires_at) < before))
