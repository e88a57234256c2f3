"""The tables of mail out."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    """Goes one step forward."""
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
