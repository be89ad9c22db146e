"""Memory comes, holds what was copied in, gives it back, and is aligned; copies cast between all dtypes that are stored."""

from collections.abc import Iterable

import numpy as np
import pytest

from lamina_flatarray import FlatArray
from lamina_flatarray.backends import registry
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.contract import Backend
from lamina_flatarray.dtypes import DTYPES

from ..declared import NotDeclared, declares, dtypes_of, want
from ..placement import LAYOUTS, place, read


def _each_dtype(op: str, names: Iterable[str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.conformance(op, n)) for n in names])


def _want(backend: Backend, op: str, name: str) -> None:
    if not declares(backend, op, DTYPES[name]):
        raise NotDeclared(f"{backend.name} declares no {op} in {name}")

@pytest.mark.conformance(level="core")
@pytest.mark.parametrize("nbytes", [0, 1, 64, 1000, 1 << 20])
def test_round_trip(backend: Backend, nbytes: int) -> None:
    """Bytes that were copied in come back as they were."""
    flat = FlatArray.of(KernelTable.of(backend, 0, DTYPES["uint8"]), nbytes)
    source = np.arange(nbytes).astype(np.uint8)
    backend.copy_in(flat.memory, 0, source.data)
    back = np.zeros(nbytes, np.uint8)
    backend.copy_out(flat.memory, 0, back.data)
    assert (source == back).all()
    part = np.zeros(nbytes - nbytes // 3, np.uint8)
    backend.copy_out(flat.memory, nbytes // 3, part.data)
    assert (part == source[nbytes // 3 :]).all()
    backend.copy_in(flat.memory, nbytes // 2, source[: nbytes // 4].data)
    backend.copy_out(flat.memory, 0, back.data)
    source[nbytes // 2 :][: nbytes // 4] = source[: nbytes // 4].copy()
    assert (source == back).all()


@pytest.mark.conformance(level="core")
def test_host_memory_is_aligned(backend: Backend) -> None:
    """Host memory is as large as asked for, and begins at a multiple of 16 bytes."""
    if not backend.host:
        pytest.skip("device memory has no address on the host")
    for nbytes in (1, 40, 4096, 1 << 20):
        memory = np.frombuffer(backend.allocate(nbytes, 0), np.uint8)
        assert memory.size >= nbytes
        assert memory.ctypes.data % 16 == 0


@pytest.mark.parametrize("layout", LAYOUTS)
@_each_dtype("copy", DTYPES)
def test_copy_between_dtypes(backend: Backend, layout: str, name: str) -> None:
    """`copy` casts from every dtype to every dtype, under every layout."""
    _want(backend, "copy", name)
    values = np.array([[0, 1, 2], [3, 100, 5]])
    source = place(values.astype(DTYPES[name].numpy), layout, backend, DTYPES[name])
    for target in dtypes_of(backend):
        if target.kind == "b":
            continue
        out = place(np.zeros((2, 3), target.numpy), "compact" if layout == "broadcast" else layout, backend, target)
        source.flat.kernels["copy"](out, source)
        original = read(source)
        expected = original.real if original.dtype.kind == "c" else original
        assert (read(out).astype(complex) == expected.astype(target.numpy).astype(complex)).all()


FLOATS = ("float16", "bfloat16", "float32", "float64")


@_each_dtype("copy", FLOATS)
def test_copy_rounds_to_nearest_even(backend: Backend, name: str) -> None:
    """Between floating dtypes by rounding to nearest, ties to even, signs of zeros kept; to whole numbers towards zero."""
    _want(backend, "copy", name)
    source = DTYPES[name]
    steps = np.array([1 + k * 2.0**-p for p in (8, 9, 10, 11, 12, 24, 25) for k in (1, 2, 3, 5)])
    values = np.concatenate([steps, -steps, steps * 2.0**-14, [0.0, -0.0, np.inf, -np.inf, np.nan, 65519.0, 65520.0, 2.0**-25]])
    with np.errstate(all="ignore"):
        values = values.astype(source.numpy)
        x = place(values, "compact", backend, source)
        for target in (DTYPES[n] for n in FLOATS if DTYPES[n] in dtypes_of(backend)):
            out = place(np.zeros(values.size, target.numpy), "compact", backend, target)
            x.flat.kernels["copy"](out, x)
            observed, expected = read(out).astype(np.float64), values.astype(target.numpy).astype(np.float64)
            assert np.array_equal(observed, expected, equal_nan=True), f"{name} to {target.name}"
            assert (np.signbit(observed) == np.signbit(expected))[~np.isnan(expected)].all(), f"{name} to {target.name}"
    parts = np.array([0.5, 1.5, 1.75, 2.5, 9.875, -0.5, -1.75, -2.5]).astype(source.numpy)
    x = place(parts, "compact", backend, source)
    for target in (d for d in dtypes_of(backend) if d.kind == "i"):
        out = place(np.zeros(parts.size, target.numpy), "compact", backend, target)
        x.flat.kernels["copy"](out, x)
        assert read(out).tolist() == [0, 1, 1, 2, 9, 0, -1, -2], f"{name} to {target.name}"


@_each_dtype("fill", DTYPES)
def test_fill_and_arange(backend: Backend, name: str) -> None:
    """Constants on several layouts, and progressions with gaps between their items."""
    _want(backend, "fill", name)
    dtype = DTYPES[name]
    for layout in ("compact", "transposed", "sliced", "reversed"):
        out = place(np.zeros((3, 4), dtype.numpy), layout, backend, dtype)
        out.flat.kernels["fill"](out, value=1)
        assert (read(out) == 1).all()
    if dtype.kind != "b" and declares(backend, "arange", dtype):
        out = place(np.zeros(7, dtype.numpy), "sliced", backend, dtype)
        out.flat.kernels["arange"](out, start=2, step=3)
        assert (read(out).astype(complex) == 2 + 3 * np.arange(7)).all()


@_each_dtype("linspace", [name for name, dtype in DTYPES.items() if dtype.kind != "b"])
def test_linspace(backend: Backend, name: str) -> None:
    """Evenly spaced numbers equal the reference's, and end exactly where they should."""
    want(backend, "linspace", DTYPES[name])
    dtype = DTYPES[name]
    whole = dtype.kind in "ui"
    for n in (0, 1, 2, 7, 64):
        for start, stop in ((1, 100), (5, 5)) if whole else ((0.1, 0.7), (2.5, -1.5), (0.0, -3.0)):
            items = np.zeros(n, dtype.numpy)
            out = place(items, "sliced", backend, dtype)
            expected = place(items, "compact", registry.backend("numpy"), dtype)
            for array in (out, expected):
                array.flat.kernels["linspace"](array, start=start, stop=stop)
            assert (read(out) == read(expected)).all()
            if n > 1:
                assert read(out)[0] == np.array(start).astype(dtype.numpy) and read(out)[-1] == np.array(stop).astype(dtype.numpy)
