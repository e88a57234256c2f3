"""Readers of clauses, one file an order kind: from the words behind its order word to its value."""
