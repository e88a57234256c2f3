"""The map of the classic world, from the globe to paths and places."""
