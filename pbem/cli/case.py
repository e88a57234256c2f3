"""`pbem case`: test cases for the rules, a line each."""

# What a command needs is imported in it: `pbem --version` must not wait for SQLAlchemy.
# ruff: noqa: PLC0415

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.files import STANDARD_INPUT, read_text

if TYPE_CHECKING:
    from pbem.judge.cases.case import Case


def case(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH ...", help="Case files, or folders of them; - for standard input."
        ),
    ],
) -> None:
    """Run test cases of the rules, a line each; exit code 1 if one fails.

    A file that holds no cases, or one that is written wrongly, is told before any is played; so is
    an id that is not unique.
    """
    from pbem.cli.refusal import UsageError
    from pbem.judge.cases import case as cases
    from pbem.judge.cases.run import run
    from pbem.store.memory import open_memory

    try:
        found = [one for path in paths for one in _cases(path)]
    except (cases.CaseError, OSError) as error:
        raise UsageError(str(error)) from error
    for name in _twice(one.id for one in found):
        typer.echo(f"pbem: more than one case has the id {name}", err=True)
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


def _twice(names: Iterable[str]) -> list[str]:
    return [name for name, times in Counter(names).items() if times > 1]


def _cases(path: str) -> "Iterator[Case]":
    from pbem.judge.cases import case as cases

    if path == STANDARD_INPUT:
        yield from cases.parse("standard input", read_text(path))
        return
    for file in cases.find([Path(path)]):
        yield from cases.read(file)
