"""The history of the tables: one for both databases, run by `pbem.store.migrate`."""
