"""The tables of mail out."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    """Goes one step forward."""
    op.create_table(
        "address_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sqlmodel.AutoString(), nullable=False),
        sa.Column("old", sqlmodel.AutoString(), nullable=False),
        sa.Column("new", sqlmodel.AutoString(), nullable=False),
        sa.Column("by_gm", sa.Boolean(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("old_agreed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("new_agreed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name=op.f("fk_address_change_game_id_game")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_address_change")),
    )
    with op.batch_alter_table("address_change", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_address_change_game_id_seat"), ["game_id", "seat"], unique=False
        )

    op.create_table(
        "mail_folder",
        sa.Column("name", sqlmodel.AutoString(), nullable=False),
        sa.Column("validity", sa.BigInteger(), nullable=False),
        sa.Column("last_uid", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_mail_folder")),
    )
    op.create_table(
        "slow_domain",
        sa.Column("domain", sqlmodel.AutoString(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("said", sqlmodel.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("domain", name=op.f("pk_slow_domain")),
    )


def downgrade() -> None:
    """Goes the same step back."""
    op.drop_table("slow_domain")
    op.drop_table("mail_folder")
    op.drop_table("address_change")
