"""The conformance cases: op x dtype from the op table, each over all layouts, shapes and values."""

from __future__ import annotations

from dataclasses import dataclass

from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.dtypes import DTYPES, DType
from lamina_flatarray.ops import OPS, Op

from .samples import MAKERS, Sample

__all__ = ["Case", "cases_of"]


@dataclass(frozen=True)
class Case:
    """One op in one dtype.

    Args:
        op: the op's name; its record must name a maker of inputs.
        dtype: what it is computed in.

    Attributes:
        op: the op's name; its record must name a maker of inputs.
        dtype: what it is computed in.

    >>> case = cases_of("map")[0]
    >>> print(case)
    add-bool
    >>> case.kinds()
    ('plain',)
    """

    op: str
    dtype: DType

    @property
    def row(self) -> Op:
        """The op's record."""
        return OPS[self.op]

    def __str__(self) -> str:
        return f"{self.op}-{self.dtype.name}"

    def variants(self) -> list[tuple[tuple[int, ...], dict[str, object]]]:
        """Return shapes that stand for those of the inputs, each with parameters for the kernel.

        Returns:
            A list of pairs of shape and parameters.
        """
        return list(MAKERS[self.row.samples].variants())

    def kinds(self) -> tuple[str, ...]:
        """Return the kinds of values that are tried: extremes where the dtype has some, and an item of the result is that of few inputs.

        Returns:
            ("plain",) or ("plain", "special").
        """
        extremes = self.dtype.kind != "b" and self.row.family in ("copy", "map", "reduce", "scan", "sort")
        return ("plain", "special") if extremes else ("plain",)

    def sample(self, shape: tuple[int, ...], params: dict[str, object], kind: str) -> Sample:
        """Return the operands of a variant, with values of this kind.

        Args:
            shape: the shape, one of `variants()`.
            params: the parameters that go with it.
            kind: the kind of values, one of `kinds()`.

        Returns:
            A `Sample`: the inputs as NumPy arrays, and the shapes and dtypes of the results.
        """
        return MAKERS[self.row.samples].sample(self.op, shape, params, self.dtype, kind)


def cases_of(family: str | None = None) -> list[Case]:
    """Return the cases that makers have inputs for, all or those of one family, in the order of the table.

    Args:
        family: a family of ops, such as "map" or "reduce"; None for all.

    Returns:
        A list of cases.

    >>> [str(case) for case in cases_of("scan")][:2]
    ['cumsum-bool', 'cumsum-uint8']
    >>> {case.row.family for case in cases_of("reduce")}
    {'reduce'}
    """
    return [
        Case(row.name, dtype)
        for row in OPS.values()
        if family in (None, row.family) and row.samples in MAKERS
        for dtype in DTYPES.values()
        if _defined(row, dtype)
    ]


def _defined(row: Op, dtype: DType) -> bool:
    dtypes = DTYPE_RULES[row.rule](dtype)
    return dtypes is not None and dtypes[0] is dtype
