"""Alembic's entry: takes the connection that `pbem.store.migrate` has opened and locked."""

from typing import Any, Literal

import sqlalchemy as sa
from alembic import context

from pbem.store.columns import Json, UtcDateTime
from pbem.store.tables import Row


def render_plainly(kind: str, item: Any, _autogenerate: object) -> str | Literal[False]:
    """Writes our types as what they are in the database: an old migration needs none of our code.

    False leaves the rendering to Alembic.
    """
    if kind != "type":
        return False
    match item:
        case UtcDateTime():
            return "sa.DateTime(timezone=True)"
        case Json():
            return "sa.JSON()"
        case sa.Enum():
            return f"sa.String(length={item.length})"
        case _:
            return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Row.metadata,
    render_as_batch=True,
    render_item=render_plainly,
    # SQLite keeps its tables whole too when a migration fails half-way.
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
