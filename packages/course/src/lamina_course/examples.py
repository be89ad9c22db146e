"""The example in a task's docstring, run with the learner's code: the first thing that is asked of a function."""

from __future__ import annotations

import contextlib
import doctest
import io
from types import ModuleType

from .chapters import Task
from .expecting import NOTHING, Wrong

__all__ = ["example"]

_CHECKER = doctest.OutputChecker()


def example(task: Task, module: ModuleType) -> None:
    """Run it line by line.

    Args:
        task: whose docstring it is in.
        module: the learner's.

    Raises:
        Wrong: a line shows something else than the docstring does.
    """
    names = dict(vars(module))
    written: list[str] = []
    for line in doctest.DocTestParser().get_examples(task.says):
        written.append(line.source.strip())
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            exec(compile(line.source, "<example>", "single"), names)
        if not _CHECKER.check_output(line.want, shown.getvalue(), 0):
            came = shown.getvalue().strip()
            raise Wrong("; ".join(written), came or "nothing", line.want.strip(), "" if came else NOTHING)
