"""The conformance cases: op x dtype from the op table, each over all layouts, shapes and values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.dtypes import DTYPES, DType
from lamina_flatarray.ops import OPS, Op

__all__ = ["Case", "cases_of"]

SHAPES: Final = ((3, 4), (2, 1, 5), (7,), (1, 1), (), (0, 3), (33, 3))


@dataclass(frozen=True)
class Case:
    """One op in one dtype."""

    op: str
    dtype: DType

    @property
    def row(self) -> Op:
        """The op's row."""
        return OPS[self.op]

    def __str__(self) -> str:
        return f"{self.op}-{self.dtype.name}"

    def variants(self) -> list[tuple[tuple[int, ...], dict[str, Any]]]:
        """Shapes of the first input, with parameters for the kernel."""
        family = self.row.family
        if family == "reduce":
            found: list[tuple[tuple[int, ...], dict[str, Any]]] = []
            for shape in SHAPES:
                every = tuple(range(len(shape)))
                axes = {every, every[:1], every[-1:], *((every[::2],) if len(shape) > 2 else ())}
                if self.op in ("argmax", "argmin"):
                    axes = {a for a in axes if len(a) <= 1 or a == every}
                if 0 in shape and self.op in ("max", "min", "argmax", "argmin"):
                    continue
                for a in sorted(axes):
                    if shape == () or a:
                        found.append((shape, {"axes": a, **({"correction": 1} if self.op == "var" else {})}))
            return found
        if (family in ("scan", "sort") and self.op != "ranked") or self.op in ("softmax", "log_softmax"):
            extra = [{"descending": d} for d in (False, True)] if family == "sort" else [{}]
            return [(shape, {"axis": axis, **more}) for shape in SHAPES for axis in range(len(shape)) for more in extra]
        if self.op == "ranked":
            return [
                (shape, {"axis": axis, "start": n // 4, "stop": n - n // 3, "descending": d})
                for shape in ((*SHAPES, (2, 40)))
                for axis, n in enumerate(shape)
                for d in (False, True)
            ] + [((3, 70), {"axis": 1, "start": k, "stop": k + 1, "descending": d}) for k in (0, 34, 69) for d in (False, True)]
        if self.op == "searchsorted":
            return [(shape, {"right": right}) for shape in SHAPES for right in (False, True)]
        if self.op == "clip":
            return [
                (s, p) for s in SHAPES for p in ({"min": 0, "max": 2}, {"min": None, "max": 2}, {"min": 1, "max": None})
            ]
        return [(shape, {}) for shape in SHAPES]


def cases_of(family: str | None = None) -> list[Case]:
    """All cases, or those of one family, in the order of the table."""
    return [
        Case(row.name, dtype)
        for row in OPS.values()
        if family in (None, row.family)
        for dtype in DTYPES.values()
        if _defined(row, dtype)
    ]


def _defined(row: Op, dtype: DType) -> bool:
    found = DTYPE_RULES[row.rule](dtype)
    return found is not None and found[0] is dtype
