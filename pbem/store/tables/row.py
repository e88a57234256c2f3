"""The base of every table."""

from typing import Any, ClassVar

from sqlalchemy import MetaData
from sqlmodel import SQLModel

Document = dict[str, Any]
"""A JSON object."""

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Row(SQLModel):
    """The base of every table; its metadata names all constraints, so that migrations can."""

    metadata: ClassVar[MetaData] = MetaData(naming_convention=NAMING)
