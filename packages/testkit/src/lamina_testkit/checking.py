"""One case checked: the backend's kernel on every layout against the reference's on plain copies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np

from lamina_flatarray import Backend, DType, OpNotImplemented
from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends import registry
from lamina_flatarray.backends.kernel_table import KernelTable, origin
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.multiply_adds import multiply_adds
from lamina_flatarray.random import Generator

from .cases import Case
from .closeness import Mismatch, agree, scale_of
from .declared import NotDeclared, declares, want
from .placement import LAYOUTS, layout_for, place, read, untouched
from .samples import Sample
from .samples.maker import Array, Params, Shape

__all__ = ["check", "serves"]

_INTO = "in place of"


def check(case: Case, backend: Backend, layouts: tuple[str, ...] = LAYOUTS) -> int:
    """Run a case over layouts, shapes and values, each combination once, and return how many kernel calls were compared.

    Args:
        case: the op and dtype.
        backend: whose kernel is compared with the reference's.
        layouts: the kinds of layouts that its operands have.

    Returns:
        The number of kernel calls whose results were compared.

    Raises:
        Mismatch: a result differs, or memory outside of the result changed.
        NotDeclared: the backend neither declares the op in this dtype nor what its decomposition is made of.

    >>> from lamina_flatarray import backends
    >>> from lamina_testkit.cases import cases_of
    >>> case = cases_of("map")[0]
    >>> check(case, backends.backend("numpy"), layouts=("compact",)) > 0
    True
    """
    count = 0
    derived = origin(backend, case.op, case.dtype) == "derived"
    for shape, params in case.variants():
        for kind in ("plain",) if derived else case.kinds():
            sample = case.sample(shape, params, kind)
            if kind == "special" and not any(v is not None and v.size for v in sample.inputs):
                continue  # no items: no extremes
            shown = [np.broadcast_to(v[:1], v.shape) if v is not None and v.ndim and v.size else v for v in sample.inputs]
            call = _Call(case, shape, params, kind, sample)
            broadcast = _Call(case, shape, params, kind, sample._replace(inputs=shown))  # the reference sees what a stride of 0 shows
            want(backend, case.op, case.dtype, call.operands)
            for layout in (*call.told_apart(layouts), *(_in_place(case) if kind == "plain" else ())):
                _compare(broadcast if layout == "broadcast" else call, backend, layout)
                count += 1
    return count


def _in_place(case: Case) -> list[str]:
    """For ops item by item whose result is of the inputs' kind: `out` is one of the inputs."""
    if case.row.family != "map" or result_dtypes(case.op, case.dtype)[1] is not case.dtype:
        return []
    return [f"{_INTO} {name}" for name in case.row.inputs if name != "condition"]


def _of_results(layout: str) -> str:
    return "compact" if layout == "broadcast" else layout


@dataclass(frozen=True)
class _Call:
    """A call of a case's kernel, and what the reference, on plain copies, gives: asked once for all layouts."""

    case: Case
    shape: Shape
    params: Params
    kind: str
    sample: Sample

    def __str__(self) -> str:
        return f"{self.case} shape {self.shape} {self.params} {self.kind} values"

    @property
    def values(self) -> list[Array | None]:
        """Those of the inputs."""
        return self.sample.inputs

    @cached_property
    def results(self) -> list[tuple[Shape, DType]]:
        """The shapes and dtypes of the results."""
        outputs = self.sample.outputs
        return outputs(self.values) if callable(outputs) else outputs

    @cached_property
    def expected(self) -> list[Array]:
        """The reference's results."""
        return self.made_by(registry.backend("numpy"), "compact")

    @cached_property
    def scale(self) -> float:
        """How large the terms of a sum are: of a sum of products, those of one result together."""
        outs = [SimpleNamespace(layout=np.broadcast_to(0, shape)) for shape, _ in self.results]
        inputs = (None if v is None else SimpleNamespace(layout=v) for v in self.values)
        products = multiply_adds(self.case.op, outs if len(outs) > 1 else outs[0], tuple(inputs))
        one = scale_of(self.case.op, self.values)
        if not products or not outs[0].layout.size:
            return one
        finite = [np.abs(v[np.isfinite(v)]) for v in self.values if v is not None]
        return one + float(products / outs[0].layout.size * max(v.max(initial=0) for v in finite) ** 2)

    @cached_property
    def operands(self) -> list[DType]:
        """The dtypes of inputs and results."""
        return [dt.dtype_of(v.dtype) for v in self.values if v is not None] + [dtype for _, dtype in self.results]

    def told_apart(self, layouts: tuple[str, ...]) -> list[str]:
        """The first of those layouts that are one and the same for these shapes, as a transposed row is a compact one."""
        placed: dict[tuple[Any, ...], str] = {}
        for layout in layouts:
            shapes = [v.shape for v in self.values if v is not None]
            results = [layout_for(_of_results(layout), shape) for shape, _ in self.results]
            repeated = layout == "broadcast" and any(shape and shape[0] > 1 for shape in shapes)  # such values are others, too
            placed.setdefault((repeated, *(layout_for(layout, shape) for shape in shapes), *results), layout)
        return list(placed.values())

    def made_by(self, backend: Backend, layout: str) -> list[Array]:
        """A backend's results on a layout; neither inputs nor guard items may change."""
        case, reference = self.case, registry.backend("numpy")
        target = case.row.inputs.index(layout.removeprefix(_INTO).strip()) if layout.startswith(_INTO) else None
        place_as = layout if target is None else "compact"
        inputs = [None if v is None else place(v, place_as, backend, dt.dtype_of(v.dtype)) for v in self.values]
        place_out = _of_results(place_as)
        outs: tuple[Any, ...] = tuple(place(np.zeros(shape, dtype.numpy), place_out, backend, dtype) for shape, dtype in self.results)
        if target is not None:
            outs = (inputs[target],)
        table = KernelTable.of(backend, 0, case.dtype)
        given_as = [inputs] if case.row.signature.startswith("[") else inputs
        random_params = {"generator": Generator("cpu").manual_seed(7)} if "generator" in case.row.params else {}
        try:
            table[case.op](outs if len(outs) > 1 else outs[0], *given_as, **self.params, **random_params)
        except OpNotImplemented as refusal:
            if backend is reference or declares(backend, case.op, case.dtype):
                raise
            raise NotDeclared(f"{case} is made of what is not declared: {str(refusal).splitlines()[0]}") from None
        for out in outs:
            if not untouched(out):
                raise Mismatch(f"{self}, {layout} layout on {backend.name}: memory outside of the result was written")
        for value, array in zip(self.values, inputs, strict=True):
            if array is not None and array is not outs[0] and not np.array_equal(_bits(read(array)), _bits(np.asarray(value))):
                raise Mismatch(f"{self}, {layout} layout on {backend.name}: an input was changed")
        return [read(out) for out in outs]


def _compare(call: _Call, backend: Backend, layout: str) -> None:
    case = call.case
    itself = layout == "compact" and backend is registry.backend("numpy")  # has made just what is expected, and is not asked again
    for expected, observed in zip(call.expected, call.expected if itself else call.made_by(backend, layout), strict=True):
        precision = dt.dtype_of(expected.dtype)
        if precision is dt.float64 and case.dtype.is_floating_point and case.dtype is not dt.float64:
            precision = dt.float32  # computed in it, and kept wider
        zeros = _signs_of_zeros(case, call.kind) and not np.array_equal(_negative_zeros(observed), _negative_zeros(expected))
        if zeros or not agree(observed, expected, precision, call.scale):
            raise Mismatch(
                f"{call}, {layout} layout on {backend.name}:\n"
                f"inputs   {[v if v is None else v.tolist() for v in call.values]}\n"
                f"expected {expected.tolist()}\nobserved {observed.tolist()}"
            )


def _signs_of_zeros(case: Case, kind: str) -> bool:
    """Whether -0.0 is not 0.0: in odd functions of real numbers. Of others that choose between zeros, either is right."""
    return kind == "special" and case.row.family == "map" and case.row.arity == 1 and case.dtype.is_floating_point and _odd(case)


@cache  # one for each op and dtype
def _odd(case: Case) -> bool:
    """Whether the reference gives f(-x) = -f(x) for some x."""
    _, params = case.variants()[0]
    results = []
    for sign in (1, -1):
        x = place(sign * np.array([0.25, 0.5, 0.75]), "compact", registry.backend("numpy"), case.dtype)
        out = place(np.zeros(3), "compact", registry.backend("numpy"), result_dtypes(case.op, case.dtype)[1])
        x.flat.kernels[case.op](out, x, **params)
        results.append(read(out))
    return bool((results[0] == -results[1]).all() and results[0].all()) if results[0].dtype.kind != "b" else False


def _negative_zeros(a: Array) -> Array:
    wide = a.astype(np.complex128) if a.dtype.kind == "c" else a.astype(np.float64)
    zeros: Array = (wide.real == 0) & np.signbit(wide.real)
    return zeros


def _bits(a: Array) -> Array:
    return np.ascontiguousarray(a).view(np.uint8)


def serves(case: Case, backend: Backend) -> bool:
    """Return whether a backend's own kernel does a case right that it does not declare: the first variant, row-major.

    Args:
        case: the op and dtype.
        backend: the backend, which declares the op for other dtypes.
    """
    shape, params = case.variants()[0]
    values, results = case.sample(shape, params, "plain")
    shapes = results(values) if callable(results) else results
    random_params = {"generator": Generator("cpu").manual_seed(7)} if "generator" in case.row.params else {}
    written = []
    for where in (registry.backend("numpy"), backend):
        inputs: list[Any] = [None if v is None else place(v, "compact", where, dt.dtype_of(v.dtype)) for v in values]
        outs = tuple(place(np.zeros(s, d.numpy), "compact", where, d) for s, d in shapes)
        operands = [inputs] if case.row.signature.startswith("[") else inputs
        try:
            kernel = backend.kernel(case.op) if where is backend else KernelTable.of(where, 0, case.dtype)[case.op]
            kernel(outs if len(outs) > 1 else outs[0], *operands, **params, **random_params)
        except Exception:  # it says itself that it does not serve this, in whatever words
            return False
        written.append([read(out) for out in outs])
    return all(agree(b, a, case.dtype, scale_of(case.op, values)) for a, b in zip(*written, strict=True))
