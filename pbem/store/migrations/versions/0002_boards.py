"""The tables of boards."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    """Goes one step forward."""
    op.create_table(
        "board",
        sa.Column("checksum", sqlmodel.AutoString(length=16), nullable=False),
        sa.Column("name", sqlmodel.AutoString(), nullable=True),
        sa.Column("by", sqlmodel.AutoString(), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("checksum", name=op.f("pk_board")),
        sa.UniqueConstraint("name", name=op.f("uq_board_name")),
    )


def downgrade() -> None:
    """Goes the same step back."""
    op.drop_table("board")
