"""A mistake that people make: a program, what it is told, and what mends it."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Mistake", "Program", "mistake", "mistakes", "text_of"]

Program = Callable[[Any], object]


@dataclass(frozen=True)
class Mistake:
    """A program that is wrong. Its docstring says what is wrong with it, and then what mends it.

    Attributes:
        program: it takes the module that it calls `torch`.
        says: what our message has to name: the function called, shapes, dtypes, dims, places in a model.
    """

    program: Program
    says: tuple[str, ...]

    @property
    def title(self) -> str:
        """What is wrong, in a few words."""
        return (inspect.getdoc(self.program) or "").partition("\n")[0].removesuffix(".")

    @property
    def mend(self) -> str:
        """What to do."""
        return " ".join((inspect.getdoc(self.program) or "").partition("\n")[2].split())

    @property
    def source(self) -> str:
        """The program's text, as a user would write it."""
        text = textwrap.dedent(inspect.getsource(self.program))
        definition = ast.parse(text).body[0]
        assert isinstance(definition, ast.FunctionDef)
        return textwrap.dedent("\n".join(text.splitlines()[definition.body[1].lineno - 1 :]))

    def told(self, torch: Any) -> Exception | None:
        """Run the program; the error that it ends in, or else its first warning."""
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                self.program(torch)
            except Exception as error:
                return error
        return next((w.message for w in warned if isinstance(w.message, Warning)), None)


def text_of(error: Exception) -> str:
    """Return what an error says, with its notes, without the folders and lines of this machine."""
    said = "\n".join([str(error), *getattr(error, "__notes__", ())])
    said = re.sub(r"\x1b\[\d+m", "", said)
    said = re.sub(r"(?<![:/\w])(/[^\s/]+)+/([^\s/]+)", r"\2", said)
    lines = [line.rstrip() for line in re.sub(r"(\.py):\d+", r"\1", said).strip().splitlines()]
    return "\n".join(lines if len(lines) <= 4 else [lines[0], "...", lines[-1]])


_MADE: dict[str, list[Mistake]] = {}


def mistake(*says: str) -> Callable[[Program], Mistake]:
    """Decorate a program that is wrong; it is listed under the module that it stands in."""

    def listed(program: Program) -> Mistake:
        made = Mistake(program, says)
        _MADE.setdefault(program.__module__, []).append(made)
        return made

    return listed


def mistakes(module: Any) -> list[Mistake]:
    """Return those of a module, in its order."""
    return _MADE[module.__name__]
