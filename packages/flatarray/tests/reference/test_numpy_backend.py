"""The reference backend's memory, views and declared kernels, and that it is quiet in threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from reference_operands import BACKEND, LAYOUTS, READ_ONLY, Layout, filled, operand, run, table

from lamina_flatarray import OPS, FlatArray, Strided
from lamina_flatarray.numpy_backend.view import view

pytestmark = pytest.mark.usefixtures("no_warnings")


def test_it_has_a_kernel_for_every_required_op_and_all_that_it_declares() -> None:
    assert {name for name, row in OPS.items() if row.required} <= set(BACKEND.capabilities()) <= set(OPS)
    for op, served in BACKEND.capabilities().items():
        assert BACKEND.kernel(op).__name__ == op
        assert served


@pytest.mark.parametrize("nbytes", [0, 1, 100, 4096, 10**6])
def test_memory_is_aligned(nbytes: int) -> None:
    memory = BACKEND.allocate(nbytes, 0)
    assert memory.nbytes == nbytes
    assert memory.flags.writeable
    assert memory.ctypes.data % 16 == 0


def test_negative_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        BACKEND.allocate(-1, 0)


def test_kernels_are_quiet_in_threads() -> None:
    def overflows(_: int) -> bool:
        x = operand(np.full(100_000, 3e38), "float32")
        return all(bool(np.isinf(run("add", x, x)).all()) for _ in range(10))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(overflows, range(8)))


@pytest.mark.parametrize("name", [*LAYOUTS, *READ_ONLY])
def test_a_view_reads_what_the_layout_says(name: str) -> None:
    layout, memory = {**LAYOUTS, **READ_ONLY}[name]
    x = filled("int32", layout, memory)
    flat = x.flat.numpy()
    found = view(x)
    assert found.shape == layout.shape
    assert view(x) is found
    for at in np.ndindex(*layout.shape):
        assert found[at] == flat[layout.offset + sum(i * s for i, s in zip(at, layout.strides, strict=True))]


def test_a_view_of_any_buffer_shares_its_memory_and_holds_its_export() -> None:
    memory = bytearray(64)
    x = Strided(FlatArray(memory, 8, 10, table("float32")), Layout((2, 3), (-3, 1), 4))
    view(x)[...] = 2.0
    assert np.frombuffer(memory, np.float32).tolist() == [0, 0, 0] + [2] * 6 + [0] * 7
    with pytest.raises(BufferError):
        memory.extend(b"1")


def test_a_view_leaves_another_backends_handle_alone() -> None:
    x = operand([1.0, 2.0], "float32")
    x.native = handle = object()
    assert view(x).tolist() == [1, 2]
    assert x.native is handle
