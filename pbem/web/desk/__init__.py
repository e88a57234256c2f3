"""The game master's desk: what needs somebody, and the pages to look at it and mend it."""
