"""Column types that read back the same from SQLite and PostgreSQL."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect, Enum
from sqlalchemy.types import TypeDecorator

LONGEST_WORD = 16


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: only aware datetimes go in, UTC-aware ones come out.

    SQLite keeps no zone, so there the moment is written as UTC without it.
    """

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a moment without a zone: {value!r}")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        del dialect  # whichever it is, the value tells whether it has its zone
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Json(TypeDecorator[Any]):
    """Plain JSON values, None as NULL.

    PostgreSQL's `json` and not `jsonb`: it keeps the order of keys, so that a state is read back
    exactly as it was written on both databases.
    """

    impl = JSON(none_as_null=True)
    cache_ok = True


def closed(words: type[StrEnum]) -> Any:
    """The column type of a closed set of words: text in the database, the enum in Python.

    No constraint goes with it, so a new word needs no migration.
    """
    return Enum(
        words,
        native_enum=False,
        create_constraint=False,
        length=LONGEST_WORD,
        values_callable=lambda members: [member.value for member in members],
    )
