"""The tables of lobby."""

revision: str = "0008"
down_revision: str | None = "0007"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    """Goes one step forward."""


def downgrade() -> None:
    """Goes the same step back."""
