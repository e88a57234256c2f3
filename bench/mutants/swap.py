"""Exchanging the code of functions in a running process for that of a mutant.

A test process that has loaded everything can be forked and changed in a moment. What ran while the
modules were loaded, tables and whatever fills them, cannot be exchanged so: `changes` says None
and the module has to be loaded anew.
"""

import gc
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import NamedTuple


class Key(NamedTuple):
    """A function's code by its place in the source, alike in every process."""

    file: str
    name: str
    line: int


def key(code: CodeType) -> Key:
    """The place of that code."""
    return Key(code.co_filename, code.co_qualname, code.co_firstlineno)


def changes(before: CodeType, after: CodeType) -> list[tuple[Key, CodeType]] | None:
    """The functions that differ between two compiled modules, by their place in the first one."""
    try:
        return list(_changes(before, after))
    except _LoadedError:
        return None


class _LoadedError(Exception):
    """Something differs that is run while the module is loaded."""


def _changes(before: CodeType, after: CodeType) -> Iterator[tuple[Key, CodeType]]:
    if before.co_flags & inspect.CO_OPTIMIZED:
        if _shape(before, deep=True) != _shape(after, deep=True):
            yield key(before), after
        return
    if _shape(before, deep=False) != _shape(after, deep=False):
        raise _LoadedError
    for old, new in zip(_inner(before), _inner(after), strict=True):
        yield from _changes(old, new)


def _inner(code: CodeType) -> list[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _shape(code: CodeType, *, deep: bool) -> tuple[object, ...]:
    """What the code does, without the lines on which it stands."""

    def constant(value: object) -> object:
        if not isinstance(value, CodeType):
            # 1, 1.0 and True are equal, and not the same.
            return repr(value)
        return _shape(value, deep=True) if deep else value.co_name

    return (
        code.co_code,
        tuple(map(constant, code.co_consts)),
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_argcount,
    )


def swap(changed: list[tuple[Key, CodeType]]) -> bool:
    """Gives the functions of these places their new code; False where that cannot be told apart."""
    wanted = dict(changed)
    found = [
        value
        for value in gc.get_objects()
        if isinstance(value, FunctionType) and key(value.__code__) in wanted
    ]
    # Two lambdas on one line have one place.
    if len(found) != len(wanted):
        return False
    for function in found:
        new = wanted[key(function.__code__)]
        if len(new.co_freevars) != len(function.__code__.co_freevars):
            return False
        function.__code__ = new
    return True
