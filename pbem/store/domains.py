"""Domains whose servers asked for less mail, until when nothing goes there."""

from datetime import datetime

from sqlmodel import Session

from pbem.store.insertion import replace
from pbem.store.tables import SlowDomain


def slow(session: Session, domain: str, until: datetime, said: str = "") -> None:
    """Lets nothing go to the domain until then; `said` is the server's reply."""
    row = SlowDomain(domain=domain.lower(), until=until, said=said)
    replace(session, SlowDomain, row.model_dump())


def slow_until(session: Session, domain: str, now: datetime) -> datetime | None:
    """Until when nothing goes to the domain; None if something may go now."""
    found = session.get(SlowDomain, domain.lower())
    return found.until if found is not None and found.until > now else None
