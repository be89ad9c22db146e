"""How a kernel behaves beside its result: it leaves the process as it was, keeps nothing, and sees what was written since."""

from __future__ import annotations

import gc
import os
import random
import signal
import sys
import warnings
import weakref
from typing import Any, Final

import numpy as np
import pytest

from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.contract import Backend
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.ops import OPS
from lamina_flatarray.random import Generator

from ..cases import Case
from ..placement import place

OPS_WITH_SAMPLES: Final = [op for op, row in OPS.items() if row.samples != "apart"]
_TINY: Final = 2.0**-1074


def _process(backend: Backend) -> dict[str, Any]:
    """What a kernel has no business with."""
    one = float(len("1"))  # not a constant: the sums are to be rounded now
    return {
        "warning filters": list(warnings.filters),
        "NumPy's error state": np.geterr(),
        "signal handlers": {number: signal.getsignal(number) for number in signal.valid_signals()},
        "the number of threads": backend.get_num_threads(),
        "the rounding mode": (one + 2.0**-54, -one - 2.0**-54, one / 3, -one / 3),
        "subnormal numbers": (one * _TINY, float(np.float32(2.0**-149) * np.float32(one))),
        "NumPy's random stream": np.random.get_state(legacy=False)["state"]["key"].tobytes(),
        "Python's random stream": random.getstate(),
        "the environment": dict(os.environ),
        "the working directory": os.getcwd(),
        "the recursion limit": sys.getrecursionlimit(),
        "the collector of garbage": (gc.isenabled(), gc.get_threshold()),
    }


def _case(op: str, backend: Backend) -> Case:
    """The op in the first dtype that the backend itself serves, float32 if it can be."""
    served = backend.capabilities().get(op, ())
    if not served:
        pytest.skip(f"{backend.name} has no kernel of its own for {op}")
    return Case(op, DTYPES["float32" if "float32" in served else served[0]])


def _call(case: Case, backend: Backend) -> list[Any]:
    """One call on row-major operands; the arrays that took part."""
    shape, params = case.variants()[0]
    values, results = case.sample(shape, params, "plain")
    shapes = results(values) if callable(results) else results
    inputs = [None if v is None else place(v, "compact", backend, dt.dtype_of(v.dtype)) for v in values]
    outs = tuple(place(np.zeros(s, d.numpy), "compact", backend, d) for s, d in shapes)
    random_params = {"generator": Generator("cpu").manual_seed(7)} if "generator" in case.row.params else {}
    operands: list[Any] = [inputs] if case.row.signature.startswith("[") else inputs
    KernelTable.of(backend, 0, case.dtype)[case.op](outs if len(outs) > 1 else outs[0], *operands, **params, **random_params)
    backend.synchronize(0)
    return [*outs, *(x for x in inputs if x is not None)]


@pytest.mark.conformance(level="core")
@pytest.mark.parametrize("op", OPS_WITH_SAMPLES)
def test_the_process_is_left_alone(op: str, backend: Backend) -> None:
    """Filters, handlers, threads, rounding, streams of random numbers: all as before."""
    case = _case(op, backend)
    before = _process(backend)
    _call(case, backend)
    after = _process(backend)
    changed = [name for name in before if before[name] != after[name]]
    assert not changed, f"{op} of {backend.name} changed {', '.join(changed)}"


@pytest.mark.conformance(level="core")
@pytest.mark.parametrize("op", OPS_WITH_SAMPLES)
def test_operands_are_let_go(op: str, backend: Backend) -> None:
    """When a call is done, nothing holds its operands any more."""
    case = _case(op, backend)
    alive = [reference for array in _call(case, backend) for reference in (weakref.ref(array), weakref.ref(array.flat))]
    if any(reference() is not None for reference in alive):
        gc.collect()
    survivors = sum(reference() is not None for reference in alive)
    assert not survivors, f"{op} of {backend.name} keeps {survivors} of its operands"


@pytest.mark.conformance(level="core")
@pytest.mark.parametrize("op", [op for op, row in OPS.items() if row.required and row.samples != "apart"])
def test_a_second_call_sees_what_was_written_since(op: str, backend: Backend) -> None:
    """The same operands with other items give another result."""
    case = _case(op, backend)
    shape, params = case.variants()[0]
    values, results = case.sample(shape, params, "plain")
    shapes = results(values) if callable(results) else results
    others = [np.flip(v).copy() for v in values]
    inputs = [place(v, "compact", backend, dt.dtype_of(v.dtype)) for v in values]
    outs = tuple(place(np.zeros(s, d.numpy), "compact", backend, d) for s, d in shapes)
    kernel = KernelTable.of(backend, 0, case.dtype)[op]
    kernel(outs if len(outs) > 1 else outs[0], *inputs, **params)
    for array, other in zip(inputs, others, strict=True):
        backend.copy_in(array.flat.memory, array.flat.offset, np.ascontiguousarray(other).view(np.uint8).reshape(-1).data)
    kernel(outs if len(outs) > 1 else outs[0], *inputs, **params)
    fresh = [place(v, "compact", backend, dt.dtype_of(v.dtype)) for v in others]
    expected = tuple(place(np.zeros(s, d.numpy), "compact", backend, d) for s, d in shapes)
    kernel(expected if len(expected) > 1 else expected[0], *fresh, **params)
    for a, b in zip(outs, expected, strict=True):
        assert np.array_equal(_bytes(a), _bytes(b)), f"{op} of {backend.name} gives the result of operands as they were before"


def _bytes(array: Any) -> np.ndarray[Any, Any]:
    host = np.zeros(array.flat.nbytes, np.uint8)
    array.backend.copy_out(array.flat.memory, array.flat.offset, host.data)
    return host
