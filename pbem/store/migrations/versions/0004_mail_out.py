"""The tables of mail out."""

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    """Goes one step forward."""


def downgrade() -> None:
    """Goes the same step back."""
