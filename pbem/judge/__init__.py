"""Floor 3: holds the thread. Plain functions that take a session and `now`."""
