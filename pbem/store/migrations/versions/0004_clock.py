"""The tables of the clock: what is due besides deadlines, the sweep's heartbeat, and outages."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: str | None = None
depends_on: str | None = None

_MOMENT = sa.DateTime(timezone=True)
_OF_GAME = ("fallen_due", "warning_at", "stale_at")
_DUE = {"ix_game_warning": "warning_at", "ix_game_stale": "stale_at", "ix_game_outage": "outage"}


def upgrade() -> None:
    """Goes one step forward."""
    with op.batch_alter_table("game", schema=None) as batch_op:
        for name in _OF_GAME:
            batch_op.add_column(sa.Column(name, _MOMENT, nullable=True))
        batch_op.add_column(
            sa.Column("stale_warned", sa.Boolean(), nullable=False, server_default=sa.false())
        )
        batch_op.add_column(sa.Column("outage", sa.Integer(), nullable=False, server_default="0"))
    for name, column in _DUE.items():
        op.create_index(name, "game", ["over_at", "paused_at", column])
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.add_column(sa.Column("open_since", _MOMENT, nullable=True))
        batch_op.add_column(
            sa.Column("time_saved", sa.Integer(), nullable=False, server_default="0")
        )
        batch_op.add_column(sa.Column("news_at", _MOMENT, nullable=True))
        batch_op.add_column(sa.Column("news_from", sa.Integer(), nullable=True))
    op.create_index(op.f("ix_seat_open_since"), "seat", ["open_since"])
    op.create_index(op.f("ix_seat_news_at"), "seat", ["news_at"])
    op.create_table(
        "clock",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("swept_at", _MOMENT, nullable=False),
        sa.Column("lag", sa.Integer(), nullable=False),
        sa.Column("held_at", _MOMENT, nullable=True),
        sa.Column("trusted_until", _MOMENT, nullable=True),
        sa.Column("held_for", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clock")),
    )
    op.create_table(
        "outage",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("began_at", _MOMENT, nullable=False),
        sa.Column("ended_at", _MOMENT, nullable=False),
        sa.Column("cause", sqlmodel.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outage")),
        sa.UniqueConstraint("began_at", name=op.f("uq_outage_began_at")),
    )


def downgrade() -> None:
    """Goes the same step back."""
    op.drop_table("outage")
    op.drop_table("clock")
    op.drop_index(op.f("ix_seat_news_at"), "seat")
    op.drop_index(op.f("ix_seat_open_since"), "seat")
    with op.batch_alter_table("seat", schema=None) as batch_op:
        for name in ("news_from", "news_at", "time_saved", "open_since"):
            batch_op.drop_column(name)
    for name in _DUE:
        op.drop_index(name, "game")
    with op.batch_alter_table("game", schema=None) as batch_op:
        for name in ("outage", "stale_warned", *reversed(_OF_GAME)):
            batch_op.drop_column(name)
