"""The tables of desk."""

revision: str = "0006"
down_revision: str | None = "0005"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    """Goes one step forward."""


def downgrade() -> None:
    """Goes the same step back."""
