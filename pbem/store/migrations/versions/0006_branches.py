"""The tables of branches: where a game went back to, and what was undone by it."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision: str = "0006"
down_revision: str | None = "0005"
branch_labels: str | None = None
depends_on: str | None = None

_LISTS = "setup_list"


def upgrade() -> None:
    """Goes one step forward."""
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.add_column(sa.Column("resume_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("branches", sa.JSON(), nullable=False, server_default="[]"))
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.add_column(sa.Column("undone_in", sa.Integer(), nullable=True))
    with op.batch_alter_table(_LISTS, schema=None) as batch_op:
        batch_op.add_column(sa.Column("branch", sa.Integer(), nullable=False, server_default="0"))
        batch_op.drop_constraint(op.f("pk_setup_list"), type_="primary")
        batch_op.create_primary_key(op.f("pk_setup_list"), ["game_id", "branch", "seat", "kind"])
    op.create_table(
        "standstill",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sqlmodel.AutoString(), nullable=False),
        sa.Column("reason", sqlmodel.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_standstill")),
    )


def downgrade() -> None:
    """Goes the same step back: lists of later branches are dropped."""
    op.drop_table("standstill")
    op.execute(sa.text("DELETE FROM setup_list WHERE branch > 0"))
    with op.batch_alter_table(_LISTS, schema=None) as batch_op:
        batch_op.drop_constraint(op.f("pk_setup_list"), type_="primary")
        batch_op.create_primary_key(op.f("pk_setup_list"), ["game_id", "seat", "kind"])
        batch_op.drop_column("branch")
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.drop_column("undone_in")
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.drop_column("branches")
        batch_op.drop_column("resume_at")
