"""Steps of optimizers: parameters and their state after one step, on every layout, against the reference."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

from lamina_flatarray import OpNotImplemented
from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends import registry
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.contract import Backend
from lamina_flatarray.dtypes import DType
from lamina_flatarray.ops import OPS

from ..closeness import agree
from ..declared import NotDeclared, declares, want
from ..placement import LAYOUTS, place, read, untouched
from ..samples.values import numbers

SHAPES: Final = ((3, 5), (7,), (), (0, 2))
NUMBERS: Final[dict[str, float]] = {
    "lr": 0.1, "momentum": 0.9, "dampening": 0.25, "weight_decay": 0.125, "beta1": 0.9, "beta2": 0.75, "eps": 1e-3, "step": 3,
    "next_momentum": 0.8, "product": 0.5, "alpha": 0.75, "rho": 0.75, "length": 0.1, "lambd": 0.01, "share": 0.5, "shrink": 0.5,
    "grow": 1.2, "shortest": 1e-3, "longest": 2.0, "value": -1.5, "min": -1.0, "max": 0.5,
}  # fmt: skip
SWITCHES: Final = ("nesterov", "maximize", "first", "decoupled")
STEPS: Final = [name for name, row in OPS.items() if row.rule == "update"]


def _run(op: str, backend: Backend, dtype: DType, layout: str, switches: dict[str, bool]) -> list[np.ndarray[Any, Any]]:
    """Every array that the step may write to, as it is afterwards."""
    row = OPS[op]

    def placed(position: int, positive: bool = False, shape: tuple[int, ...] | None = None) -> list[Any]:
        arrays = [numbers(position, s, dtype) for s in ((shape,) if shape is not None else SHAPES)]
        arrays = [(np.abs(a) / 10 + 0.5).astype(a.dtype) if positive else a for a in arrays]
        return [place(a, layout, backend, dtype) for a in arrays]

    out = placed(0)
    inputs = placed(1) if row.inputs == ("*gradients",) else [placed(1, shape=())[0] for _ in row.inputs]
    states = {name: placed(i + 2, positive=True) for i, name in enumerate(row.beside)}
    params = {name: states[name] if name in states else switches[name] if name in SWITCHES else NUMBERS[name] for name in row.params}
    KernelTable.of(backend, 0, dtype)[op](out, *inputs, **params)
    written = [*out, *(array for column in states.values() for array in column)]
    assert all(map(untouched, (*written, *inputs))), f"{op}: memory outside of the parameters was written"
    return [read(array) for array in written]


@pytest.mark.parametrize("layout", [layout for layout in LAYOUTS if layout in ("compact", "transposed", "sliced")])
@pytest.mark.parametrize(
    ("op", "dtype"),
    [
        pytest.param(op, dtype, id=f"{op}-{dtype.name}", marks=pytest.mark.conformance(op, dtype.name))
        for op in STEPS
        for dtype in (dt.float16, dt.bfloat16, dt.float32, dt.float64)
    ],
)
def test_step(op: str, dtype: DType, layout: str, backend: Backend) -> None:
    """All parameters and what is kept beside them move as the reference says, with every switch on and off."""
    want(backend, op, dtype)
    named = [name for name in OPS[op].params if name in SWITCHES]
    for on in [(), *((name,) for name in named)]:
        switches = {name: name in on for name in named}
        expected = _run(op, registry.backend("numpy"), dtype, "compact", switches)
        try:
            observed = _run(op, backend, dtype, layout, switches)
        except OpNotImplemented as refusal:
            if declares(backend, op, dtype):
                raise
            raise NotDeclared(str(refusal).splitlines()[0]) from None
        for a, b in zip(observed, expected, strict=True):
            assert agree(a, b, dtype, 4.0), f"{op} in {dtype.name}, {layout}, {switches}: {a.tolist()} instead of {b.tolist()}"
