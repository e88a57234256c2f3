"""Programs that make what the project ships: run from the checkout, never by the service."""
