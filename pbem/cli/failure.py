"""An expected failure is a line on standard error and an exit code, never a traceback."""

from typing import Any

import typer
from typer.core import TyperGroup


class OneLineErrors(TyperGroup):
    """The command group that turns a StartError of any command into its lines and exit code."""

    def invoke(self, ctx: Any) -> Any:  # the class of a context is private to Typer
        """Run the command."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            # Imported here, since reading settings takes longer than all of `pbem --version`.
            from pbem.settings import StartError  # noqa: PLC0415

            if not isinstance(error, StartError):
                raise
            for line in str(error).splitlines():
                typer.echo(f"pbem: {line}", err=True)
            raise typer.Exit(error.exit_code) from None
