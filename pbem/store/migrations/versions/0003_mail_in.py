"""The tables of mail in."""

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    """Goes one step forward."""


def downgrade() -> None:
    """Goes the same step back."""
