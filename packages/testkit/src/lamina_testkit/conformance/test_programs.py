"""Random whole programs of views, writes in place and gradients: the backend's tensors are the reference's."""

from __future__ import annotations

from pathlib import Path

import pytest

from lamina_flatarray import OpNotImplemented
from lamina_flatarray.contract import Backend

from ..bisecting import bisect
from ..closeness import Mismatch
from ..declared import NotDeclared, dtypes_of
from ..programs import Program, compare, shortest, written


def _difference(program: Program, backend: Backend) -> str | None:
    """What is wrong with the backend; None where it agrees, or where the program does not run."""
    try:
        compare(program, backend=backend)
    except (Mismatch, RuntimeError) as wrong:
        return str(wrong)
    except Exception:
        return None
    return None


@pytest.mark.conformance(level="autograd")
def test_program(program_seed: int, backend: Backend, tmp_path: Path) -> None:
    """A program that differs is made as short as it can be, and kept as a script."""
    stored = [dtype.name for dtype in dtypes_of(backend)]
    floating = [name for name in ("float32", "float64") if name in stored]
    if not floating:
        raise NotDeclared(f"{backend.name} stores neither float32 nor float64")
    program = written(program_seed, floating[program_seed % len(floating)], whole="int64" in stored)
    try:
        compare(program, backend=backend)
        return
    except OpNotImplemented as refusal:
        raise NotDeclared(f"the program is made of what is not declared: {str(refusal).splitlines()[0]}") from None
    except Mismatch as wrong:
        first = str(wrong)
    short = shortest(program, lambda p: _difference(p, backend) is not None)
    script = tmp_path / f"program_{program_seed}.py"
    script.write_text(short.script(backend.name))
    finding = bisect(short, backend=backend)
    pytest.fail(
        f"program {program_seed}: {_difference(short, backend) or first}\nfirst op that differs: {finding or 'none by itself'}\n"
        f"{script}:\n\n{short.script(backend.name)}",
        pytrace=False,
    )
