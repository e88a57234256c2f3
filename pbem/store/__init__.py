"""Floor 2: rows. The only room of SQLModel, SQLAlchemy and Alembic."""
