"""Lengths that loops stumble over: just above whole vectors, more items than one grid or block has, and long sums."""

import numpy as np
import pytest

from lamina_flatarray.backends import registry
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.contract import Backend
from lamina_flatarray.dtypes import DTYPES, DType

from ..cases import Case, cases_of
from ..closeness import agree, scale_of
from ..declared import NotDeclared, declares
from ..placement import place, read
from ..samples.values import numbers

MAPS = [case for case in cases_of("map") if case.row.samples == "elementwise"]
LARGE = [case for case in MAPS if case.row.required and case.dtype.name in ("float32", "int32")]


def _marked(case: Case) -> object:
    return pytest.param(case, id=str(case), marks=pytest.mark.conformance(case.op, case.dtype.name))


def _compare(case: Case, backend: Backend, n: int) -> None:
    """A kernel on n items in a row."""
    if not declares(backend, case.op, case.dtype):
        pytest.skip(f"{backend.name} has no kernel of its own for {case}: what it is made of is asked")
    sample = case.sample((n,), {}, "plain")
    assert not callable(sample.outputs)
    results = []
    for where in (registry.backend("numpy"), backend):
        out = place(np.zeros(n, sample.outputs[0][1].numpy), "compact", where, sample.outputs[0][1])
        inputs = [place(v, "compact", where, case.dtype) for v in sample.inputs]
        KernelTable.of(where, 0, case.dtype)[case.op](out, *inputs)
        results.append(read(out))
    expected, observed = results
    same = agree(observed, expected, case.dtype, scale_of(case.op, sample.inputs))
    assert same, f"{case} of {n} items: wrong from item {int(np.argmax(observed != expected))} on"


@pytest.mark.parametrize("case", [_marked(case) for case in MAPS])
def test_remainders(case: Case, backend: Backend) -> None:
    """What is left over after whole vectors of 4, 8, 16 or 32 items."""
    for n in (9, 17, 31, 46):
        _compare(case, backend, n)


@pytest.mark.parametrize("case", [_marked(case) for case in LARGE])
def test_many_items(case: Case, backend: Backend) -> None:
    """More than 2**16 items."""
    _compare(case, backend, (1 << 16) + 13)


@pytest.mark.parametrize(
    "dtype", [pytest.param(DTYPES[n], id=n, marks=pytest.mark.conformance("sum", n)) for n in ("int8", "float16", "bfloat16", "float32")]
)
def test_long_sums(dtype: DType, backend: Backend) -> None:
    """Sums are kept wider than 16 bits until the end, whole numbers in int64; and a part of the items is not lost."""
    if not declares(backend, "sum", dtype):
        raise NotDeclared(f"{backend.name} declares no sum in {dtype.name}")
    wide = DTYPES["int64"] if dtype.kind == "i" else dtype
    for shape, axes in (((8192,), (0,)), ((3, 4096), (1,)), ((4096, 3), (0,)), ((2, 64, 64), (0, 1, 2))):
        x = place(np.ones(shape, dtype.numpy), "compact", backend, dtype)
        result_shape = tuple(n for axis, n in enumerate(shape) if axis not in axes)
        out = place(np.zeros(result_shape, wide.numpy), "compact", backend, wide)
        x.flat.kernels["sum"](out, x, axes=axes)
        assert (read(out).astype(np.float64) == np.prod([shape[axis] for axis in axes])).all()


@pytest.mark.parametrize(
    "dtype", [pytest.param(DTYPES[n], id=n, marks=pytest.mark.conformance("max", n)) for n in ("int32", "float32", "bfloat16")]
)
@pytest.mark.parametrize("at", [0, 8190, 8191])
def test_long_extremes(dtype: DType, at: int, backend: Backend) -> None:
    """The greatest of a long row is found wherever it stands, and so is a NaN."""
    if not declares(backend, "max", dtype) or not declares(backend, "argmax", dtype):
        raise NotDeclared(f"{backend.name} declares no max and argmax in {dtype.name}")
    for greatest in (100, np.nan) if dtype.is_inexact else (100,):
        values = numbers(0, (8192,), dtype)
        values[at] = greatest
        x = place(values, "compact", backend, dtype)
        most, where = (place(np.zeros((), d.numpy), "compact", backend, d) for d in (dtype, DTYPES["int64"]))
        x.flat.kernels["max"](most, x, axes=(0,))
        x.flat.kernels["argmax"](where, x, axes=(0,))
        assert np.array_equal(read(most).astype(np.float64), np.float64(greatest), equal_nan=True) and read(where) == at
