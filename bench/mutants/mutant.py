"""Small changes of a module's source, each of which makes a mutant of it.

The changes are mutmut's: which ones there are is not for us to choose. Its own runner is not used,
since it leaves out what stands outside of functions and in decorated ones, and the tables of the
rules, properties and cached functions are there.
"""

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from hashlib import sha256
from pathlib import Path

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

RULES = "pbem/rules"

UNTOUCHED = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom)
"""What is not run, or what no test could miss."""

NAMING_CALLS = frozenset({"NewType", "len", "isinstance"})
"""Calls whose arguments only name a type, or whose change cannot but raise (mutmut's own list)."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the module's path within the project, where, and its whole source after it.

    `number` counts the `of` mutants of the module from 0; `function` is the first line of the
    function around the change, 0 for what is run while the module is loaded.
    """

    path: str
    number: int
    of: int
    line: int
    function: int
    source: str
    diff: str

    @property
    def name(self) -> str:
        """The module's name and the number."""
        return f"{self.path.removeprefix(f'{RULES}/').removesuffix('.py')}-{self.number}"

    @property
    def digest(self) -> str:
        """Another one when anything in the module is another."""
        return sha256(f"{self.path}\n{self.source}".encode()).hexdigest()


def mutants(
    root: Path,
    path: str,
    count: int | None = None,
    seed: int = 0,
    *,
    number: int | None = None,
) -> list[Mutant]:
    """Mutants of the module in the order of its source: all, or so many, each as likely.

    Fewer are some of the more for the same seed. With a `number` it is that one, or none.
    """
    before = (root / path).read_text(encoding="utf-8")
    wrapper = MetadataWrapper(cst.parse_module(before))
    changes = _Changes()
    wrapper.visit(changes)
    of = len(changes.found)
    chosen = sorted(random.Random(f"{seed}/{path}").sample(range(of), of)[:count])
    if number is not None:
        chosen = [number] if number in range(of) else []
    functions = _functions(before)
    made = []
    for place in chosen:
        line, old, new = changes.found[place]
        after = wrapper.module.deep_replace(old, new)
        assert isinstance(after, cst.Module)
        diff = "".join(_changed_lines(before, after.code))
        around = max((first for first, last in functions if first <= line <= last), default=0)
        made.append(Mutant(path, place, of, line, around, after.code, diff))
    return made


def _functions(source: str) -> list[tuple[int, int]]:
    """The first and last lines of all functions, as their code objects have them."""
    return [
        (min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]), last)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and (last := node.end_lineno)
    ]


class _Changes(cst.CSTVisitor):
    """Collects what may be exchanged for what, by line."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, cst.CSTNode, cst.CSTNode]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, UNTOUCHED) or _names_only(node):
            return False
        for kind, operator in mutation_operators:
            if isinstance(node, kind):
                line = self.get_metadata(PositionProvider, node).start.line
                self.found += [(line, node, changed) for changed in operator(node)]
        return True


def _names_only(node: cst.CSTNode) -> bool:
    match node:
        case cst.Call(func=cst.Name(value=name)):
            return name in NAMING_CALLS
        case cst.If(test=cst.Name(value="TYPE_CHECKING"), orelse=None):
            return True
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value="__all__"))]):
            return True
    return False


def _changed_lines(before: str, after: str) -> Iterator[str]:
    for line in unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0):
        if not line.startswith(("---", "+++", "@@")):
            yield f"{line[0]} {line[1:].strip()}\n"
