"""Level 0: memory comes, holds what was copied in, gives it back, and is aligned; declarations are plain data."""

import json

import numpy as np
import pytest

from lamina_flatarray import FlatArray
from lamina_flatarray.backends import registry
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.contract import PROTOCOL, Backend
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.ops import OPS

from .placement import LAYOUTS, place, read

pytestmark = pytest.mark.conformance(0, None, None)


def test_protocol(backend: Backend) -> None:
    """The backend speaks this contract's major version and no newer minor one."""
    assert backend.protocol[0] == PROTOCOL[0]
    assert backend.protocol <= PROTOCOL


def test_capabilities_are_plain_data_about_known_ops(backend: Backend) -> None:
    """Declarations go into JSON, and name only ops and dtypes of the tables."""
    declared = dict(backend.capabilities())
    json.dumps({op: list(names) for op, names in declared.items()})
    assert set(declared) <= set(OPS)
    for names in declared.values():
        assert set(names) <= set(DTYPES)


def test_every_declared_kernel_is_there(backend: Backend) -> None:
    """Every op that is declared has a kernel that can be called."""
    for op in backend.capabilities():
        assert callable(backend.kernel(op))


@pytest.mark.parametrize("nbytes", [0, 1, 64, 1000, 1 << 20])
def test_round_trip(backend: Backend, nbytes: int) -> None:
    """Bytes that were copied in come back as they were."""
    flat = FlatArray.of(KernelTable.of(backend, 0, DTYPES["uint8"]), nbytes)
    source = np.arange(nbytes).astype(np.uint8)
    backend.copy_in(flat.memory, 0, source.data)
    back = np.zeros(nbytes, np.uint8)
    backend.copy_out(flat.memory, 0, back.data)
    assert (source == back).all()


def test_host_memory_is_aligned(backend: Backend) -> None:
    """Host memory is as large as asked for, and begins at a multiple of 16 bytes."""
    if not backend.host:
        pytest.skip("device memory has no address on the host")
    for nbytes in (1, 40, 4096, 1 << 20):
        memory = np.frombuffer(backend.allocate(nbytes, 0), np.uint8)
        assert memory.size >= nbytes
        assert memory.ctypes.data % 16 == 0


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", DTYPES)
def test_copy_between_dtypes(backend: Backend, layout: str, name: str) -> None:
    """`copy` casts from every dtype to every dtype, under every layout."""
    values = np.array([[0, 1, 2], [3, 100, 5]])
    source = place(values.astype(DTYPES[name].numpy), layout, backend, DTYPES[name])
    for target in DTYPES.values():
        if target.kind == "b":
            continue
        out = place(np.zeros((2, 3), target.numpy), "compact" if layout == "broadcast" else layout, backend, target)
        source.flat.kernels["copy"](out, source)
        original = read(source)
        expected = original.real if original.dtype.kind == "c" else original
        assert (read(out).astype(complex) == expected.astype(target.numpy).astype(complex)).all()


@pytest.mark.parametrize("name", DTYPES)
def test_fill_and_arange(backend: Backend, name: str) -> None:
    """Constants on several layouts, and progressions with gaps between their items."""
    dtype = DTYPES[name]
    for layout in ("compact", "transposed", "sliced", "reversed"):
        out = place(np.zeros((3, 4), dtype.numpy), layout, backend, dtype)
        out.flat.kernels["fill"](out, value=1)
        assert (read(out) == 1).all()
    if dtype.kind != "b":
        out = place(np.zeros(7, dtype.numpy), "sliced", backend, dtype)
        out.flat.kernels["arange"](out, start=2, step=3)
        assert (read(out).astype(complex) == 2 + 3 * np.arange(7)).all()


@pytest.mark.parametrize("name", [name for name, dtype in DTYPES.items() if dtype.kind != "b"])
def test_linspace(backend: Backend, name: str) -> None:
    """Evenly spaced numbers equal the reference's, and end exactly where they should."""
    dtype = DTYPES[name]
    whole = dtype.kind in "ui"
    for n in (0, 1, 2, 7, 64):
        for start, stop in ((1, 100), (5, 5)) if whole else ((0.1, 0.7), (2.5, -1.5), (0.0, -3.0)):
            items = np.zeros(n, dtype.numpy)
            out = place(items, "sliced", backend, dtype)
            expected = place(items, "compact", registry.backend("numpy"), dtype)
            for made in (out, expected):
                made.flat.kernels["linspace"](made, start=start, stop=stop)
            assert (read(out) == read(expected)).all()
            if n > 1:
                assert read(out)[0] == np.array(start).astype(dtype.numpy) and read(out)[-1] == np.array(stop).astype(dtype.numpy)
