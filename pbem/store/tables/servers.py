"""What is known of the mail servers of others."""

from datetime import datetime

from sqlalchemy import BigInteger
from sqlmodel import Field

from pbem.store.columns import UtcDateTime
from pbem.store.tables.row import Row


class MailFolder(Row, table=True):
    """How far an IMAP folder was read: `last_uid` is of the newest mail that is in the inbox.

    `validity` is the folder's UIDVALIDITY; with another one all its numbers mean other mails.
    """

    __tablename__ = "mail_folder"

    name: str = Field(primary_key=True)
    validity: int = Field(sa_type=BigInteger)
    last_uid: int = Field(default=0, sa_type=BigInteger)
    at: datetime = Field(sa_type=UtcDateTime)


class SlowDomain(Row, table=True):
    """A domain whose servers asked for less mail: nothing goes there before `until`."""

    __tablename__ = "slow_domain"

    domain: str = Field(primary_key=True)
    until: datetime = Field(sa_type=UtcDateTime)
    said: str = ""
