"""An expected failure is a line on standard error and an exit code, never a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException


class OneLineErrors(TyperGroup):
    """The command group that turns a StartError of any command into its lines and exit code.

    So it does with wrong usage: what is wrong, and the command that shows how it is written.
    """

    def make_context(self, *args: Any, **extra: Any) -> Any:  # contexts are private to Typer
        """Read the options of the group itself."""
        with _in_one_line():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with _in_one_line():
            return super().invoke(ctx)


@contextmanager
def _in_one_line() -> Iterator[None]:
    try:
        yield
    except (typer.Exit, typer.Abort):
        raise
    except TyperException as error:
        raise _told([_usage(error)], 2) from None
    except Exception as error:
        # Imported here, since reading settings takes longer than all of `pbem --version`.
        from pbem.settings import StartError  # noqa: PLC0415

        if not isinstance(error, StartError):
            raise
        raise _told(str(error).splitlines(), error.exit_code) from None


def _told(lines: list[str], code: int) -> typer.Exit:
    for line in filter(None, lines):
        typer.echo(f"pbem: {line}", err=True)
    return typer.Exit(code)


def _usage(error: Any) -> str:
    """What is wrong with how a command was written; empty where its help was printed instead."""
    said = " ".join(error.format_message().split()).removesuffix(".")
    if not said or error.ctx is None:
        return said
    mark = " " if said.endswith("?") else "; "
    return f"{said}{mark}`{error.ctx.command_path} --help` shows how it is written"
