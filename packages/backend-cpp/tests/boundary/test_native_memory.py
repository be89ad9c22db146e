"""The pool of memory, threads and forks, and what bad input does: an exception, never a crash or a write outside."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from struct import pack
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

native = pytest.importorskip(
    "lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)"
)

from native_operands import BACKEND, Layout, empty, numpy_view, operand, run

from lamina_backend_cpp import CppBackend, get_num_threads, set_num_threads
from lamina_flatarray import FlatArray, Strided, float32
from lamina_flatarray.backends.kernel_table import KernelTable

# -- the pool --------------------------------------------------------------------------------------------------------


@pytest.fixture
def pool() -> Any:
    native.empty_cache()
    before = native.memory_stats()["limit"]
    yield native
    native.set_limit(before)


def test_the_backend_tells_what_the_pool_holds(pool: Any) -> None:
    before = BACKEND.memory_stats()
    memory = BACKEND.allocate(10**6, 0)
    held = BACKEND.memory_stats(0)
    assert held.allocated - before.allocated >= 10**6 and held.reserved >= held.allocated
    assert (held.blocks, held.allocations) == (before.blocks + 1, before.allocations + 1)
    assert held.peak_allocated is held.peak_reserved is None  # nobody keeps them
    del memory
    assert BACKEND.memory_stats().allocated == before.allocated
    BACKEND.empty_cache()
    assert BACKEND.memory_stats().reserved == BACKEND.memory_stats().allocated


def test_memory_is_a_writable_aligned_buffer(pool: Any) -> None:
    for nbytes in (0, 1, 63, 64, 65, 1000, 1025, 4097, 10**6, 5 * 2**20):
        memory = BACKEND.allocate(nbytes, 0)
        assert memory.nbytes == len(memory) == nbytes and memory.address % 64 == 0
        view = memoryview(memory)
        assert not view.readonly and view.nbytes == nbytes and view.contiguous
        np.frombuffer(view, np.uint8)[...] = 255
        np.frombuffer(view, np.uint8)[...] = 0


def test_freed_blocks_come_back(pool: Any) -> None:
    first = pool.allocate(10_000)
    address = first.address
    before = pool.memory_stats()
    del first
    between = pool.memory_stats()
    assert between["cached_blocks"] == before["cached_blocks"] + 1
    assert between["live_blocks"] == before["live_blocks"] - 1
    again = pool.allocate(9_999)
    after = pool.memory_stats()
    assert again.address == address and after["hits"] == before["hits"] + 1
    assert after["cached_bytes"] == before["cached_bytes"]
    del again
    pool.empty_cache()
    assert pool.memory_stats()["cached_bytes"] == 0


def test_classes_waste_at_most_a_quarter(pool: Any) -> None:
    for nbytes in [*range(1, 3000, 7), *(2**k + d for k in range(11, 26) for d in (-1, 0, 1, 2 ** (k - 1)))]:
        before = pool.memory_stats()["live_bytes"]
        memory = pool.allocate(nbytes)
        taken = pool.memory_stats()["live_bytes"] - before
        assert nbytes <= taken <= max(nbytes * 1.25, nbytes + 64), nbytes
        del memory


def test_the_pool_is_bounded(pool: Any) -> None:
    pool.set_limit(100_000)
    kept = [pool.allocate(30_000) for _ in range(10)]
    del kept
    assert 0 < pool.memory_stats()["cached_bytes"] <= 100_000
    pool.set_limit(0)
    assert pool.memory_stats()["cached_bytes"] == 0
    with pytest.raises(ValueError, match="set_limit"):
        pool.set_limit(-1)


def test_a_view_keeps_memory(pool: Any) -> None:
    view = np.frombuffer(pool.allocate(4000), np.float32)
    view[...] = 7
    others = [pool.allocate(4000) for _ in range(20)]
    for other in others:
        np.frombuffer(other, np.float32)[...] = 1
    assert (view == 7).all()


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        (-1, ValueError),
        (2**62, MemoryError),
        (2**70, MemoryError),
        ("3", TypeError),
        (1.5, TypeError),
        (2**50, MemoryError),
    ],
)
def test_impossible_sizes(pool: Any, asked: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        pool.allocate(asked)


def test_many_python_threads(pool: Any) -> None:
    x = np.random.default_rng(0).standard_normal(60_000).astype(np.float32)
    wanted, wrong = x * 2, []

    def work() -> None:
        for _ in range(30):
            found = run("add", empty(x.shape, "float32"), operand(x), operand(x))
            if not (found == wanted).all():
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_forked_child_computes() -> None:
    program = """
import os, sys, numpy as np
sys.path.insert(0, sys.argv[1])
from native_operands import run, operand, empty
x = np.ones(1_000_000, np.float32)
assert run("sum", empty((), "float32"), operand(x), axes=(0,)) == 1_000_000
child = os.fork()
if child == 0:
    ok = run("sum", empty((), "float32"), operand(x), axes=(0,)) == 1_000_000
    os._exit(0 if ok else 1)
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status))
"""
    done = subprocess.run([sys.executable, "-c", program, os.path.dirname(os.path.dirname(__file__))], timeout=60)
    assert done.returncode == 0


@pytest.mark.parametrize("level", ["baseline", "avx2"])
def test_other_instruction_sets(level: str) -> None:
    """The kernels compiled for older processors pass the same tests."""
    environment = {**os.environ, "LAMINA_CPP_ISA": level}
    tests = os.path.join(os.path.dirname(__file__), "test_native.py")
    probe = subprocess.run(
        [sys.executable, "-c", "from lamina_backend_cpp import _native; print(_native.instruction_set)"],
        env=environment, capture_output=True, text=True,
    )  # fmt: skip
    if "compiled for another processor" in probe.stderr:
        pytest.skip(f"the {level} kernels were left out: LAMINA_CPP_BUILD=all ./run kernels compiles them")
    assert probe.returncode == 0, probe.stderr
    if probe.stdout.strip() != level or native.instruction_set == level:
        pytest.skip(f"this processor has no {level} kernels beside those that the other tests run")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", tests], env=environment, capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]


def test_the_backend_tells_its_instructions() -> None:
    told = CppBackend().device_properties(0).vector_instructions
    assert told == {"baseline": "", "avx2": "AVX2", "avx512": "AVX512"}[native.instruction_set]


def test_thread_setting() -> None:
    before = get_num_threads()
    assert 1 <= native.default_threads() <= (os.cpu_count() or 1)
    try:
        set_num_threads(1)
        assert get_num_threads() == 1
    finally:
        set_num_threads(before)
    with pytest.raises(ValueError, match="set_num_threads"):
        set_num_threads(0)


# -- bad input -------------------------------------------------------------------------------------------------------

add = BACKEND.kernel("add")


def ones(*shape: int) -> Strided:
    return operand(np.ones(shape, np.float32))


def on(memory: Any, layout: Any, offset: int = 0) -> Strided:
    return Strided(FlatArray(memory, offset, 4, KernelTable.of(BACKEND, 0, float32)), layout)


@pytest.mark.parametrize(
    ("shape", "strides", "offset"),
    [((4,), (1,), 1), ((5,), (1,), 0), ((4,), (-1,), 0), ((2, 3), (3, 1), 0), ((1,), (1,), 4), ((1,), (1,), -1),
     ((2**40,), (0,), 9), ((2**62, 2**62), (0, 0), 0), ((2,), (2**62,), 0), ((2,), (-(2**62),), 2**62), ((-1,), (1,), 0)],
)  # fmt: skip
def test_layouts_outside_of_memory(shape: Any, strides: Any, offset: int) -> None:
    bad = SimpleNamespace(packed=pack(f"={2 + 2 * len(shape)}q", len(shape), offset, *shape, *strides))
    inside = ones(4)
    for out, a in [(on(BACKEND.allocate(16, 0), bad), inside), (inside, on(BACKEND.allocate(16, 0), bad)),
                   (on(np.ones(16, np.uint8), bad), inside), (on(bytearray(16), bad), on(bytearray(16), bad))]:  # fmt: skip
        for op in ("add", "exp", "copy", "sum", "softmax", "matmul"):
            call: list[Any] = [out, a, a] if op in ("add", "matmul") else [out, a]
            params = {"sum": {"axes": (0,)}, "softmax": {"axis": 0}}.get(op, {})
            with pytest.raises((ValueError, TypeError)):
                BACKEND.kernel(op)(*call, **params)


@pytest.mark.parametrize("packed", [b"", b"123", pack("=q", 1), pack("=2q", 1, 0), pack("=2q", 99, 0), None, "text", 5,
                                    pack("=2q", -1, 0), pack(f"={2 + 2 * 70}q", 70, 0, *[1] * 140)])  # fmt: skip
def test_packed_that_is_no_layout(packed: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        add(ones(4), on(BACKEND.allocate(16, 0), SimpleNamespace(packed=packed)), ones(4))


def test_missing_attributes() -> None:
    flat = ones(4).flat
    unfilled = object.__new__(Strided)
    for bad in (SimpleNamespace(), SimpleNamespace(flat=flat), SimpleNamespace(flat=None, layout=None), unfilled, None,
                "text", object(), Strided(object.__new__(FlatArray), Layout((4,))), Strided(flat, object())):  # fmt: skip
        with pytest.raises((AttributeError, TypeError)):
            add(bad, ones(4), ones(4))
        with pytest.raises((AttributeError, TypeError)):
            add(ones(4), bad, ones(4))
        with pytest.raises((AttributeError, TypeError)):
            add(ones(4), ones(4), bad)


def test_other_classes_with_the_right_attributes() -> None:
    x = ones(4)
    same = SimpleNamespace(
        flat=SimpleNamespace(memory=x.flat.memory, offset=0, dtype=x.flat.dtype, size=4),
        layout=SimpleNamespace(packed=x.layout.packed),
    )
    assert run("add", empty((4,), "float32"), same, x).tolist() == [2] * 4
    foreign = on(np.ones(16, np.uint8).view(np.float32).view(np.uint8), Layout((4,)))
    assert run("add", empty((4,), "float32"), foreign, foreign).shape == (4,)


def test_read_only_memory() -> None:
    read_only = np.zeros(16, np.uint8)
    read_only.flags.writeable = False
    for memory in (bytes(16), read_only):
        assert run("add", empty((4,), "float32"), on(memory, Layout((4,))), 1.0).tolist() == [1] * 4
        with pytest.raises((BufferError, ValueError)):
            add(on(memory, Layout((4,))), ones(4), ones(4))
    with pytest.raises((BufferError, ValueError, TypeError)):
        add(on(object(), Layout((4,))), ones(4), ones(4))


def test_unaligned_items_and_offsets() -> None:
    for offset in (1, 2, 3, -4, 2**62, 8):
        with pytest.raises(ValueError):
            add(ones(4), on(BACKEND.allocate(20, 0), Layout((4,)), offset), ones(4))
    with pytest.raises((OverflowError, ValueError)):
        add(ones(4), on(BACKEND.allocate(20, 0), Layout((4,)), 2**80), ones(4))
    with pytest.raises(TypeError):
        add(ones(4), on(BACKEND.allocate(20, 0), Layout((4,)), "0"), ones(4))  # type: ignore[arg-type]


def test_dtypes_and_shapes_that_do_not_fit() -> None:
    whole, double = operand(np.ones(4, np.int64)), operand(np.ones(4))
    for call in [(ones(4), ones(4), double), (double, ones(4), ones(4)), (ones(4), ones(5), ones(4)), (whole, whole, 1.5),
                 (ones(4), ones(4), 1j), (ones(4), 1.0, 2.0), (ones(4), ones(4)), (ones(4), ones(4), ones(4), ones(4)), (),
                 (ones(4),), (ones(2, 2), ones(4), ones(4)), (ones(4), ones(4), "1")]:  # fmt: skip
        with pytest.raises((TypeError, ValueError)):
            add(*call)
    with pytest.raises(TypeError):
        add(ones(4), ones(4), other=1)
    for op, call, params in [
        ("sum", (ones(4), ones(4)), {"axes": (0,)}), ("sum", (ones(), ones(4)), {"axes": (1,)}),
        ("sum", (ones(), ones(4)), {"axes": (-1,)}), ("sum", (ones(), ones(4)), {"axes": [0]}),
        ("sum", (ones(), ones(4)), {}), ("max", (ones(), ones(0)), {"axes": (0,)}),
        ("sum", (ones(), ones(4, 4)), {"axes": (0, 0)}), ("softmax", (ones(4), ones(4)), {"axis": 1}),
        ("softmax", (ones(4), ones(4)), {"axis": None}), ("matmul", (ones(2, 2), ones(2, 3), ones(2, 2)), {}),
        ("matmul", (ones(2), ones(2, 2), ones(2)), {}), ("linear", (ones(2, 3), ones(2, 2), ones(2, 2), None), {}),
        ("linear", (ones(2, 2), ones(2, 2), ones(2, 2), ones(3)), {}), ("fill", (ones(2),), {}),
        ("arange", (ones(2),), {"start": "a", "step": 1}),
        ("linspace", (ones(2),), {"start": 0, "stop": "a"}), ("where", (ones(2), ones(2), ones(2), ones(2)), {}),
        ("adam_step", ([ones(2)], ones(2)), {}), ("sgd_step", (None, ones(2)), {}),
    ]:  # fmt: skip
        with pytest.raises((TypeError, ValueError)):
            BACKEND.kernel(op)(*call, **params)
    with pytest.raises(KeyError):
        BACKEND.kernel("no such op")


def test_bool_memory_of_others_counts_as_truth() -> None:
    """A byte that is neither 0 nor 1 must not get out of a logical op."""
    odd = Strided(
        FlatArray(np.array([0, 1, 2, 255], np.uint8), 0, 4, KernelTable.of(BACKEND, 0, dtype_bool())), Layout((4,))
    )
    assert numpy_view(odd).view(np.uint8).tolist() == [0, 1, 2, 255]
    for op in ("logical_and", "logical_or"):
        found = run(op, empty((4,), "bool"), odd, odd)
        assert found.view(np.uint8).tolist() == [0, 1, 1, 1]


def dtype_bool() -> Any:
    from lamina_flatarray import dtypes

    return dtypes.bool
