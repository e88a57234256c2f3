"""The static check, one file an order kind: what cannot be meant in this position."""
