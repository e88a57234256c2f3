"""The tables of branches."""

revision: str = "0007"
down_revision: str | None = "0006"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    """Goes one step forward."""


def downgrade() -> None:
    """Goes the same step back."""
