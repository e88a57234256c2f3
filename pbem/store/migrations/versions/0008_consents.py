"""The tables of consents."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision: str = "0008"
down_revision: str | None = "0007"
branch_labels: str | None = None
depends_on: str | None = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Goes one step forward."""
    op.create_table(
        "consent",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("who", sqlmodel.AutoString(), nullable=False),
        sa.Column("of", sqlmodel.AutoString(), nullable=False),
        sa.Column("act", sqlmodel.AutoString(), nullable=False),
        sa.Column("reason", sqlmodel.AutoString(), nullable=False),
        sa.Column("position_hash", sqlmodel.AutoString(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("asked_at", _MOMENT, nullable=False),
        sa.Column("lapses_at", _MOMENT, nullable=False),
        sa.Column("settled_at", _MOMENT, nullable=True),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_consent_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_consent")),
    )
    op.create_index(op.f("ix_consent_game_id_status"), "consent", ["game_id", "status"])
    op.create_index(op.f("ix_consent_status_lapses_at"), "consent", ["status", "lapses_at"])
    op.create_table(
        "voice",
        sa.Column("consent_id", sa.Integer(), nullable=False),
        sa.Column("address", sqlmodel.AutoString(), nullable=False),
        sa.Column("seat", sqlmodel.AutoString(), nullable=False),
        sa.Column("agrees", sa.Boolean(), nullable=True),
        sa.Column("at", _MOMENT, nullable=True),
        sa.ForeignKeyConstraint(
            ["consent_id"], ["consent.id"], name=op.f("fk_voice_consent_id_consent")
        ),
        sa.PrimaryKeyConstraint("consent_id", "address", "seat", name=op.f("pk_voice")),
    )
    op.create_index(op.f("ix_voice_address"), "voice", ["address"])


def downgrade() -> None:
    """Goes the same step back: acts that wait are forgotten."""
    op.drop_table("voice")
    op.drop_table("consent")
