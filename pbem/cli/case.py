"""`pbem case`: test cases for the rules, a line each."""

# What a command needs is imported in it: `pbem --version` must not wait for SQLAlchemy.
# ruff: noqa: PLC0415

from pathlib import Path
from typing import Annotated

import typer


def case(
    paths: Annotated[list[Path], typer.Argument(help="Case files, or folders of them.")],
) -> None:
    """Run test cases of the rules, a line each; exit code 1 if one fails.

    A file that holds no cases, or one that is written wrongly, is told before any is played.
    """
    from pbem.cli.refusal import UsageError
    from pbem.judge.cases import case as cases
    from pbem.judge.cases.run import run
    from pbem.store.memory import open_memory

    try:
        found = [one for path in cases.find(paths) for one in cases.read(path)]
    except (cases.CaseError, OSError) as error:
        raise UsageError(str(error)) from error
    engine = open_memory()
    failed = passed = 0
    for one in found:
        verdict = run(one, engine)
        failed += not verdict.passed
        passed += verdict.passed
        typer.echo(f"{'ok  ' if verdict.passed else 'FAIL'} {one.id}")
        if not verdict.passed:
            typer.echo(verdict.report)
    typer.echo(f"{passed} passed, {failed} failed")
    if failed:
        raise typer.Exit(1)
