"""How far the folders of mail servers were read."""

from datetime import datetime

from sqlmodel import Session

from pbem.store.insertion import replace
from pbem.store.tables import MailFolder


def read_up_to(session: Session, name: str, validity: int) -> int | None:
    """The number of the newest mail that is in the inbox; None if the folder is new to us, or its
    numbers mean other mails now."""
    found = session.get(MailFolder, name)
    return found.last_uid if found is not None and found.validity == validity else None


def keep(session: Session, name: str, validity: int, last_uid: int, now: datetime) -> None:
    """Note how far a folder was read, with what was taken in."""
    row = MailFolder(name=name, validity=validity, last_uid=last_uid, at=now)
    replace(session, MailFolder, row.model_dump())
