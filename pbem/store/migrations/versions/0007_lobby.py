"""The tables of lobby."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision: str = "0007"
down_revision: str | None = "0006"
branch_labels: str | None = None
depends_on: str | None = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Goes one step forward."""
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("listed", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    op.create_index("ix_game_listed", "game", ["listed", "over_at", "id"])
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.add_column(sa.Column("luck", sqlmodel.AutoString(), nullable=True))
    op.create_table(
        "spectator",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("address", sqlmodel.AutoString(), nullable=False),
        sa.Column("language", sqlmodel.AutoString(), nullable=False),
        sa.Column("since", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_spectator_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_spectator")),
        sa.UniqueConstraint("game_id", "address", name=op.f("uq_spectator_game_id_address")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_spectator_address"), "spectator", ["address"])
    op.create_table(
        "caller",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("address", sqlmodel.AutoString(), nullable=False),
        sa.Column("what", sqlmodel.AutoString(), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_caller")),
    )
    op.create_index(op.f("ix_caller_address"), "caller", ["address"])
    op.create_index(op.f("ix_caller_at"), "caller", ["at"])
    op.create_table(
        "api_key",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hash", sqlmodel.AutoString(length=64), nullable=False),
        sa.Column("address", sqlmodel.AutoString(), nullable=False),
        sa.Column("name", sqlmodel.AutoString(), nullable=False),
        sa.Column("made_at", _MOMENT, nullable=False),
        sa.Column("used_at", _MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_key")),
        sa.UniqueConstraint("hash", name=op.f("uq_api_key_hash")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_api_key_address"), "api_key", ["address"])
    _create_webhooks()


def _create_webhooks() -> None:
    op.create_table(
        "webhook",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("url", sqlmodel.AutoString(), nullable=False),
        sa.Column("secret", sqlmodel.AutoString(), nullable=False),
        sa.Column("by", sqlmodel.AutoString(), nullable=False),
        sa.Column("since", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_webhook_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook")),
        sa.UniqueConstraint("game_id", "url", name=op.f("uq_webhook_game_id_url")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "webhook_call",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sqlmodel.AutoString(), nullable=False),
        sa.Column("webhook_id", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", _MOMENT, nullable=False),
        sa.Column("made_at", _MOMENT, nullable=False),
        sa.Column("done_at", _MOMENT, nullable=True),
        sa.Column("last_error", sqlmodel.AutoString(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["webhook_id"], ["webhook.id"], name=op.f("fk_webhook_call_webhook_id_webhook")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_call")),
        sa.UniqueConstraint("key", name=op.f("uq_webhook_call_key")),
    )
    op.create_index(op.f("ix_webhook_call_webhook_id"), "webhook_call", ["webhook_id"])
    op.create_index(
        op.f("ix_webhook_call_status_next_try_at"), "webhook_call", ["status", "next_try_at"]
    )


def downgrade() -> None:
    """Goes the same step back."""
    op.drop_table("webhook_call")
    op.drop_table("webhook")
    op.drop_table("api_key")
    op.drop_table("caller")
    op.drop_table("spectator")
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_column("luck")
    op.drop_index("ix_game_listed", "game")
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.drop_column("listed")
