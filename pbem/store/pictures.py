"""Pictures of boards, kept by the hash of what they show, so that each is drawn once."""

from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, select
from sqlmodel import Session, col

from pbem.store.insertion import core, keep_first
from pbem.store.tables import Picture

# Every letter asks it; building the statement takes longer than running it.
_PNG = select(core(Picture).c.png).where(core(Picture).c.hash == bindparam("hash"))


def find(session: Session, digest: str) -> bytes | None:
    """The PNG with this hash, or None if nobody has drawn it yet."""
    png: bytes | None = session.scalar(_PNG, {"hash": digest})
    return png


def keep(session: Session, digest: str, png: bytes, now: datetime) -> None:
    """Keeps a picture; who drew the same one at the same time is no trouble."""
    keep_first(session, Picture, {"hash": digest, "at": now, "png": png})


def purge(session: Session, now: datetime, older_than: timedelta) -> int:
    """Drops old pictures; how many went. One that is wanted again is drawn again."""
    old = delete(Picture).where(col(Picture.at) <= now - older_than)
    return session.exec(old.execution_options(synchronize_session=False)).rowcount
