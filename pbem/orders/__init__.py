"""Floor 1, pure: the language of orders, and the plan that a sheet of orders makes."""
