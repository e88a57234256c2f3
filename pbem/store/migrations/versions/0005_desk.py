"""The tables of desk."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    """Goes one step forward."""
    op.create_table(
        "appointment",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("address", sqlmodel.AutoString(), nullable=False),
        sa.Column("office", sa.String(length=16), nullable=False),
        sa.Column("by", sqlmodel.AutoString(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_appointment_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", "address", name=op.f("pk_appointment")),
    )
    op.create_index(op.f("ix_appointment_address"), "appointment", ["address"])
    op.create_table(
        "login_link",
        sa.Column("hash", sqlmodel.AutoString(length=64), nullable=False),
        sa.Column("address", sqlmodel.AutoString(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_login_link")),
    )
    op.create_index(op.f("ix_login_link_address"), "login_link", ["address"])
    op.create_index(op.f("ix_login_link_expires_at"), "login_link", ["expires_at"])
    op.create_table(
        "visit",
        sa.Column("hash", sqlmodel.AutoString(length=64), nullable=False),
        sa.Column("address", sqlmodel.AutoString(), nullable=False),
        sa.Column("language", sqlmodel.AutoString(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_visit")),
    )
    op.create_index(op.f("ix_visit_address"), "visit", ["address"])
    op.create_index(op.f("ix_visit_expires_at"), "visit", ["expires_at"])
    op.create_index(op.f("ix_seat_unreachable_at"), "seat", ["unreachable_at"])


def downgrade() -> None:
    """Goes the same step back."""
    op.drop_index(op.f("ix_seat_unreachable_at"), "seat")
    op.drop_table("visit")
    op.drop_table("login_link")
    op.drop_table("appointment")
