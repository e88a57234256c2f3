"""${message}."""

import sqlalchemy as sa
import sqlmodel
from alembic import op
${imports if imports else ""}
revision: str = ${repr(up_revision)}
down_revision: str | None = ${repr(down_revision)}
branch_labels: str | None = ${repr(branch_labels)}
depends_on: str | None = ${repr(depends_on)}


def upgrade() -> None:
    """Goes one step forward."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Goes the same step back."""
    ${downgrades if downgrades else "pass"}
