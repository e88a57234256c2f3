"""Why a command does not do what it was asked for: each becomes a line and an exit code."""

from pbem.settings import StartError


class RefusedError(StartError):
    """What was asked for cannot be done, or turned out false; the line says why."""

    exit_code = 1


class UsageError(StartError):
    """What was asked for makes no sense as written."""
