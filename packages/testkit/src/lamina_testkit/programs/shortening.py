"""A program made shorter: lines that its difference does not need are left out."""

from __future__ import annotations

from collections.abc import Callable

from .program import Program

__all__ = ["shortest"]


def shortest(program: Program, differs: Callable[[Program], bool]) -> Program:
    """Return a part of a program that still differs, none of whose lines can be left out.

    Args:
        program: it differs.
        differs: whether another one does; a program that does not run at all must count as one that does not.

    Returns:
        The shorter program.

    >>> shortest(Program(("a", "b", "c", "d")), lambda p: "b" in p.lines and "d" in p.lines).lines
    ('b', 'd')
    """
    lines = program.lines
    shorter = True
    while shorter:
        shorter = False
        for i in reversed(range(len(lines))):
            fewer = lines[:i] + lines[i + 1 :]
            if fewer and differs(Program(fewer)):
                lines, shorter = fewer, True
    return Program(lines)
