"""The first tables."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision: str = "0001"
down_revision: str | None = None
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    """Goes one step forward."""
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ruleset", sqlmodel.AutoString(), nullable=False),
        sa.Column("language", sqlmodel.AutoString(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("branch", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("on_turn", sqlmodel.AutoString(), nullable=True),
        sa.Column("phase", sqlmodel.AutoString(), nullable=False),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_reminder_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("over_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("chain_last", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sqlmodel.AutoString(), nullable=False),
        sa.Column("deck_seed", sa.LargeBinary(), nullable=False),
        sa.Column("deck_commitment", sqlmodel.AutoString(), nullable=False),
        sa.Column("luck", sqlmodel.AutoString(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.create_index(
            "ix_game_deadline", ["over_at", "paused_at", "deadline"], unique=False
        )
        batch_op.create_index(
            "ix_game_on_turn", ["over_at", "paused_at", "on_turn", "turn", "step"], unique=False
        )
        batch_op.create_index(
            "ix_game_reminder", ["over_at", "paused_at", "next_reminder_at"], unique=False
        )

    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sqlmodel.AutoString(), nullable=False),
        sa.Column("what", sqlmodel.AutoString(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("reason", sqlmodel.AutoString(), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_audit_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_audit_game_id"), ["game_id"], unique=False)

    op.create_table(
        "inbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(length=16), nullable=False),
        sa.Column("dedupe_key", sqlmodel.AutoString(), nullable=False),
        sa.Column("recipient", sqlmodel.AutoString(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sqlmodel.AutoString(), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("step", sa.Integer(), nullable=True),
        sa.Column("mail_from", sqlmodel.AutoString(), nullable=True),
        sa.Column("peer", sqlmodel.AutoString(), nullable=False),
        sa.Column("helo", sqlmodel.AutoString(), nullable=False),
        sa.Column("body_hash", sqlmodel.AutoString(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_hint_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("hints", sa.Integer(), nullable=False),
        sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("handled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("result", sqlmodel.AutoString(), nullable=True),
        sa.Column("reading", sa.JSON(), nullable=True),
        sa.Column("last_error", sqlmodel.AutoString(), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_inbox_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox")),
        sa.UniqueConstraint("dedupe_key", name=op.f("uq_inbox_dedupe_key")),
    )
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_inbox_game_id_status_received_at"),
            ["game_id", "status", "received_at"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_inbox_received_at"), ["received_at"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_inbox_status_next_hint_at"), ["status", "next_hint_at"], unique=False
        )

    op.create_table(
        "position",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("hash", sqlmodel.AutoString(length=64), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_position_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", "hash", name=op.f("pk_position")),
    )
    with op.batch_alter_table("position", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_position_at"), ["at"], unique=False)

    op.create_table(
        "picture",
        sa.Column("hash", sqlmodel.AutoString(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("png", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_picture")),
    )
    with op.batch_alter_table("picture", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_picture_at"), ["at"], unique=False)

    op.create_table(
        "bounce",
        sa.Column("source", sqlmodel.AutoString(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sqlmodel.AutoString(), nullable=False),
        sa.Column("hard", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("said", sqlmodel.AutoString(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_bounce_game_id_game")),
        sa.PrimaryKeyConstraint("source", name=op.f("pk_bounce")),
    )
    with op.batch_alter_table("bounce", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_bounce_game_id_seat_at"), ["game_id", "seat", "at"], unique=False
        )

    op.create_table(
        "proposal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sqlmodel.AutoString(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("kind", sqlmodel.AutoString(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("message_id", sqlmodel.AutoString(), nullable=True),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_proposal_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proposal")),
    )
    with op.batch_alter_table("proposal", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_proposal_game_id_seat_status"),
            ["game_id", "seat", "status"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_proposal_message_id"), ["message_id"], unique=False)

    op.create_table(
        "seat",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("letter", sqlmodel.AutoString(length=1), nullable=False),
        sa.Column("colour", sqlmodel.AutoString(), nullable=False),
        sa.Column("name", sqlmodel.AutoString(), nullable=False),
        sa.Column("address", sqlmodel.AutoString(), nullable=True),
        sa.Column("language", sqlmodel.AutoString(), nullable=False),
        sa.Column("zone", sqlmodel.AutoString(), nullable=False),
        sa.Column("computer", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("key_epoch", sa.Integer(), nullable=False),
        sa.Column("unreachable_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_letter_address", sqlmodel.AutoString(), nullable=True),
        sa.Column("thread_message_id", sqlmodel.AutoString(), nullable=True),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("misses", sa.JSON(), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_seat_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", "letter", name=op.f("pk_seat")),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_address"), ["address"], unique=False)

    op.create_table(
        "snapshot",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("branch", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_snapshot_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", "branch", "turn", name=op.f("pk_snapshot")),
    )
    op.create_table(
        "event",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("branch", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("kind", sqlmodel.AutoString(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("inbox_id", sa.Integer(), nullable=True),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("rules_version", sqlmodel.AutoString(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_event_game_id_game")),
        sa.ForeignKeyConstraint(["inbox_id"], ["inbox.id"], name=op.f("fk_event_inbox_id_inbox")),
        sa.PrimaryKeyConstraint("game_id", "seq", name=op.f("pk_event")),
        sa.UniqueConstraint("inbox_id", "part", name=op.f("uq_event_inbox_id_part")),
    )
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_event_game_id_turn"), ["game_id", "turn"], unique=False
        )

    op.create_table(
        "handled_orders",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sqlmodel.AutoString(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("orders_hash", sqlmodel.AutoString(length=64), nullable=False),
        sa.Column("inbox_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name=op.f("fk_handled_orders_game_id_game")
        ),
        sa.ForeignKeyConstraint(
            ["inbox_id"], ["inbox.id"], name=op.f("fk_handled_orders_inbox_id_inbox")
        ),
        sa.PrimaryKeyConstraint(
            "game_id", "seat", "turn", "step", "orders_hash", name=op.f("pk_handled_orders")
        ),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sqlmodel.AutoString(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sqlmodel.AutoString(), nullable=True),
        sa.Column("kind", sqlmodel.AutoString(), nullable=False),
        sa.Column("position_hash", sqlmodel.AutoString(), nullable=True),
        sa.Column("message_id", sqlmodel.AutoString(), nullable=False),
        sa.Column("in_reply_to", sqlmodel.AutoString(), nullable=True),
        sa.Column("inbox_id", sa.Integer(), nullable=True),
        sa.Column("to_address", sqlmodel.AutoString(), nullable=False),
        sa.Column("envelope_from", sqlmodel.AutoString(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("subject", sqlmodel.AutoString(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_hint_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("hints", sa.Integer(), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sqlmodel.AutoString(), nullable=True),
        sa.Column("recipe", sa.JSON(), nullable=False),
        sa.Column("composed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_outbox_game_id_game")),
        sa.ForeignKeyConstraint(["inbox_id"], ["inbox.id"], name=op.f("fk_outbox_inbox_id_inbox")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_outbox_key")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_message_id")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_outbox_game_id_seat_created_at"),
            ["game_id", "seat", "created_at"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_outbox_inbox_id"), ["inbox_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_outbox_status_next_hint_at"), ["status", "next_hint_at"], unique=False
        )

    op.create_table(
        "setup_list",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sqlmodel.AutoString(), nullable=False),
        sa.Column("kind", sqlmodel.AutoString(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("normal", sa.JSON(), nullable=False),
        sa.Column("inbox_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_setup_list_game_id_game")),
        sa.ForeignKeyConstraint(
            ["inbox_id"], ["inbox.id"], name=op.f("fk_setup_list_inbox_id_inbox")
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", "kind", name=op.f("pk_setup_list")),
    )


def downgrade() -> None:
    """Goes the same step back."""
    op.drop_table("setup_list")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_outbox_status_next_hint_at"))
        batch_op.drop_index(batch_op.f("ix_outbox_inbox_id"))
        batch_op.drop_index(batch_op.f("ix_outbox_game_id_seat_created_at"))

    op.drop_table("outbox")
    op.drop_table("handled_orders")
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_event_game_id_turn"))

    op.drop_table("event")
    op.drop_table("snapshot")
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seat_address"))

    op.drop_table("seat")
    with op.batch_alter_table("proposal", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_proposal_message_id"))
        batch_op.drop_index(batch_op.f("ix_proposal_game_id_seat_status"))

    op.drop_table("proposal")
    with op.batch_alter_table("bounce", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_bounce_game_id_seat_at"))

    op.drop_table("bounce")
    with op.batch_alter_table("picture", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_picture_at"))

    op.drop_table("picture")
    with op.batch_alter_table("position", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_position_at"))

    op.drop_table("position")
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_inbox_status_next_hint_at"))
        batch_op.drop_index(batch_op.f("ix_inbox_received_at"))
        batch_op.drop_index(batch_op.f("ix_inbox_game_id_status_received_at"))

    op.drop_table("inbox")
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_audit_game_id"))

    op.drop_table("audit")
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.drop_index("ix_game_reminder")
        batch_op.drop_index("ix_game_on_turn")
        batch_op.drop_index("ix_game_deadline")

    op.drop_table("game")
