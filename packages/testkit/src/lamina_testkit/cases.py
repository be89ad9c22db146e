"""The conformance cases: op x dtype from the op table, each over all layouts, shapes and values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.dtypes import DTYPES, DType
from lamina_flatarray.ops import OPS, Op

from .fused import FUSED
from .sliding import SLIDING

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
        if self.op in ("median", "mode"):
            along = [(shape, {"axis": axis}) for shape in SHAPES for axis in range(len(shape)) if shape[axis]]
            skips: list[dict[str, Any]] = [{"skip_nan": skip} for skip in (False, True)] if self.op == "median" else [{}]
            return [(shape, {**params, **skip}) for shape, params in along for skip in skips]
        if (family in ("scan", "sort") and self.op != "ranked") or self.op.startswith(("softmax", "log_softmax")):
            extra = [{"descending": d} for d in (False, True)] if family == "sort" else [{}]
            return [(shape, {"axis": axis, **more}) for shape in SHAPES for axis in range(len(shape)) for more in extra]
        if self.op == "ranked":
            return list(self._ranks())
        if self.op == "searchsorted":
            return [(shape, {"right": right}) for shape in SHAPES for right in (False, True)]
        if family == "fft":
            return list(self._transforms())
        if self.op in SLIDING:
            return list(SLIDING[self.op]())
        if self.op in FUSED:
            return list(FUSED[self.op]())
        if self.op == "clip":
            return [
                (s, p) for s in SHAPES for p in ({"min": 0, "max": 2}, {"min": None, "max": 2}, {"min": 1, "max": None})
            ]
        if self.op in ("addcmul", "addcdiv"):
            return [(shape, {"value": value}) for shape in SHAPES for value in (1, -2)]
        if self.op == "polygamma":
            return [(shape, {"n": n}) for shape in SHAPES for n in (0, 1, 4)]
        return [(shape, {}) for shape in SHAPES]

    def _ranks(self) -> Iterator[tuple[tuple[int, ...], dict[str, Any]]]:
        """Some ranks of short rows, which a kernel may order whole, and few of long ones, where that is waste."""
        parts = [(shape, axis, n // 4, n - n // 3) for shape in SHAPES for axis, n in enumerate(shape)]
        for shape, axis, start, stop in (*parts, *(((3, 70), 1, k, k + n) for k, n in ((0, 1), (34, 1), (69, 1), (5, 9), (9, 0)))):
            for descending in (False, True):
                yield shape, {"axis": axis, "start": start, "stop": stop, "descending": descending}

    def _transforms(self) -> Iterator[tuple[tuple[int, ...], dict[str, Any]]]:
        for shape in (*SHAPES, (2, 30), (16, 2), (41,)):  # small factors, a power of two, a prime
            for axis, length in enumerate(shape):
                if not length:
                    continue
                common = {"axis": axis, "scale": 1.0 if axis else 0.5}
                if self.op == "fft_c2c":
                    yield from ((shape, {**common, "inverse": inverse}) for inverse in (False, True))
                elif self.op == "fft_r2c":
                    yield shape, common
                else:
                    yield from ((shape, {**common, "n": n}) for n in (2 * length - 2, 2 * length - 1) if n)


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
