"""What each letter says: from the facts of a recipe to the value that its templates are told."""
