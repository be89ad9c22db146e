"""One case checked: the backend's kernel on every layout against the reference's on plain copies."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamina_flatarray import Backend, DType
from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends import registry
from lamina_flatarray.backends.kernel_table import KernelTable, origin
from lamina_flatarray.random import Generator

from .cases import Case
from .placement import LAYOUTS, place, read, untouched

__all__ = ["Mismatch", "check"]


class Mismatch(AssertionError):
    """A kernel's result differs from the reference's."""


def tolerance(dtype: DType) -> float:
    """Return the relative error that is allowed between two right kernels: a few units in the last place."""
    return {"float16": 4e-3, "bfloat16": 3e-2, "float32": 4e-6, "complex64": 2e-5}.get(dtype.name, 1e-11)


def check(case: Case, backend: Backend, layouts: tuple[str, ...] = LAYOUTS) -> int:
    """Run a case over layouts, shapes and values, and return how many kernel calls were compared.

    Args:
        case: the op and dtype.
        backend: whose kernel is compared with the reference's.
        layouts: the kinds of layouts that its operands have.

    Returns:
        The number of kernel calls whose results were compared.

    Raises:
        Mismatch: a result differs, or memory outside of the result changed.

    >>> from lamina_flatarray import backends
    >>> from lamina_testkit.cases import cases_of
    >>> case = cases_of("map")[0]
    >>> check(case, backends.backend("numpy"), layouts=("compact",)) > 0
    True
    """
    derived = origin(backend, case.op, case.dtype) == "derived"
    count = 0
    for shape, params in case.variants():
        for kind in ("plain",) if derived else case.kinds():
            for layout in layouts:
                _compare(case, backend, shape, params, kind, layout)
                count += 1
    return count


def _compare(
    case: Case, backend: Backend, shape: tuple[int, ...], params: dict[str, Any], kind: str, layout: str
) -> None:
    reference = registry.backend("numpy")
    values, results = case.sample(shape, params, kind)
    if layout == "broadcast":  # the reference must see what a stride of 0 shows
        values = [np.broadcast_to(v[:1], v.shape) if v is not None and v.ndim and v.size else v for v in values]
    if callable(results):
        results = results(values)
    outcomes = []
    for where, place_as in ((reference, "compact"), (backend, layout)):
        inputs = [None if v is None else place(v, place_as, where, dt.dtype_of(v.dtype)) for v in values]
        place_out = "compact" if place_as == "broadcast" else place_as
        outs = tuple(place(np.zeros(s, d.numpy), place_out, where, d) for s, d in results)
        table = KernelTable.of(where, 0, case.dtype)
        given_as = [inputs] if case.row.signature.startswith("[") else inputs
        drawn = {"generator": Generator("cpu").manual_seed(7)} if "generator" in case.row.params else {}
        table[case.op](outs if len(outs) > 1 else outs[0], *given_as, **params, **drawn)
        for out in outs:
            if not untouched(out):
                raise Mismatch(f"{case} {shape} {params} {kind} {layout}: memory outside of the result was written")
        for given, array in zip(values, inputs, strict=True):
            if array is not None and not np.array_equal(_bits(read(array)), _bits(np.asarray(given))):
                raise Mismatch(f"{case} {shape} {params} {kind} {layout}: an input was changed")
        outcomes.append([read(out) for out in outs])
    for expected, observed in zip(*outcomes, strict=True):
        precision = dt.dtype_of(expected.dtype)
        if precision is dt.float64 and case.dtype.is_floating_point and case.dtype is not dt.float64:
            precision = dt.float32  # computed in it, and kept wider
        if not _close(observed, expected, precision, _scale(case, values)):
            raise Mismatch(
                f"{case} shape {shape} {params} {kind} values, {layout} layout on {backend.name}:\n"
                f"inputs   {[v if v is None else v.tolist() for v in values]}\nexpected {expected.tolist()}\nobserved {observed.tolist()}"
            )


def _bits(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.ascontiguousarray(a).view(np.uint8)


def _scale(case: Case, values: list[np.ndarray[Any, Any]]) -> float:
    """How large the terms of a sum are, where rounding is of their size and not of the result's."""
    if case.row.family in ("map",):
        return 1.0
    finite = [np.abs(np.nan_to_num(v.astype(np.complex128), posinf=0, neginf=0)).max() for v in values if v is not None and v.size]
    return float(max(finite, default=1.0)) * max((v.shape[-1] if v.ndim else 1 for v in values if v is not None), default=1) + 1.0


def _close(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], dtype: DType, scale: float) -> bool:
    if not dtype.is_inexact:
        return bool(np.array_equal(a, b))
    wide = np.complex128 if dtype.is_complex else np.float64
    x, y = a.astype(wide), b.astype(wide)
    with np.errstate(all="ignore"):
        return bool(np.allclose(x, y, rtol=tolerance(dtype), atol=tolerance(dtype) * scale * 0.25, equal_nan=True))
