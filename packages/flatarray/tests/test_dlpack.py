"""DLPack with NumPy on the other side, and the protocol's own rules."""

from __future__ import annotations

import gc
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from lamina_flatarray import DTYPES, DType, FlatArray, dlpack

ALL = list(DTYPES.values())
NAMES = [d.name for d in ALL]


class Capsule:
    """A producer of one given capsule."""

    def __init__(self, capsule: Any, device: tuple[int, int] = (1, 0)) -> None:
        self.capsule, self.device = capsule, device

    def __dlpack__(self, **asked: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device


def address(flat: FlatArray) -> int:
    return flat.bytes_view().ctypes.data


@pytest.mark.parametrize("dtype", ALL, ids=NAMES)
def test_a_round_trip_shares_memory(dtype: DType) -> None:
    flat = FlatArray.from_items([1, 0, 1, 1], dtype)
    back = FlatArray.from_dlpack(flat)
    assert back.dtype is dtype
    assert address(back) == address(flat)
    back.fill(0)
    assert flat.tolist() == [0] * 4


@pytest.mark.parametrize("dtype", [d for d in ALL if d.name != "bfloat16"], ids=[n for n in NAMES if n != "bfloat16"])
def test_numpy_reads_it(dtype: DType) -> None:
    flat = FlatArray.from_items([1, 0, 1], dtype)
    array = np.from_dlpack(flat)
    assert array.dtype == dtype.numpy
    assert array.ctypes.data == address(flat)
    assert array.tolist() == flat.tolist()
    back = FlatArray.from_dlpack(array)
    assert address(back) == address(flat)


@pytest.mark.parametrize("dtype", ALL, ids=NAMES)
@pytest.mark.parametrize(("version", "name"), [(None, "dltensor"), ((0, 8), "dltensor"), ((1, 0), "dltensor_versioned"),
                                               ((7, 3), "dltensor_versioned")])  # fmt: skip
def test_the_capsule_is_of_the_version_that_was_asked_for(dtype: DType, version: Any, name: str) -> None:
    capsule = FlatArray.from_items([1, 0], dtype).__dlpack__(max_version=version)
    assert f'"{name}"' in repr(capsule)


def test_an_unused_capsule_frees_what_it_holds() -> None:
    import weakref

    class Memory(np.ndarray):  # type: ignore[type-arg]  # NumPy's own arrays have no weak references
        pass

    memory = np.zeros(8, np.uint8).view(Memory)
    for dtype in ("bfloat16", "uint8"):
        flat = FlatArray.from_buffer(memory.copy().view(Memory), dtype)
        alive = weakref.ref(flat.memory)
        capsule = flat.__dlpack__(max_version=(1, 0))
        del flat
        gc.collect()
        assert alive() is not None
        del capsule
        gc.collect()
        assert alive() is None


def test_the_consumer_keeps_the_memory_alive() -> None:
    for dtype in ("bfloat16", "float32"):
        view = dlpack.imported(FlatArray.full(1000, 3, dtype))
        gc.collect()
        junk = [np.full(1000, 7, np.float32) for _ in range(20)]
        assert (view == 3).all()
        del junk


def test_shapes_strides_and_offsets() -> None:
    flat = FlatArray.from_items(range(12), "float32")
    for shape, strides, offset in [
        ((3, 4), (4, 1), 0), ((4, 3), (1, 4), 0), ((2, 2), (4, 2), 5), ((), (), 7),
        ((3,), (-1,), 2), ((5,), (0,), 1), ((0, 3), (3, 1), 0), ((2, 0), (1, 1), 12),
    ]:  # fmt: skip
        for dtype in ("float32", "bfloat16"):
            cast = flat.cast(dtype)
            view = dlpack.imported(Capsule(dlpack.exported(cast, shape, strides, offset, max_version=(1, 0))))
            expected = np.lib.stride_tricks.as_strided(
                cast.numpy()[offset:], shape, [s * cast.itemsize for s in strides]
            )
            assert view.shape == shape
            assert np.array_equal(view, expected)


def test_copy() -> None:
    for dtype in ("float32", "bfloat16"):
        flat = FlatArray.full(3, 1, dtype)
        shared = dlpack.imported(Capsule(flat.__dlpack__(max_version=(1, 0), copy=False)))
        copied = dlpack.imported(Capsule(flat.__dlpack__(max_version=(1, 0), copy=True)))
        flat.fill(2)
        assert shared.tolist() == [2] * 3
        assert copied.tolist() == [1] * 3


def test_what_the_host_cannot_do_is_a_buffer_error(remote: Any) -> None:
    flat = FlatArray.full(3, 1.0)
    assert flat.__dlpack_device__() == (1, 0)
    with pytest.raises(BufferError, match="wants None"):
        flat.__dlpack__(stream=1)
    with pytest.raises(BufferError, match="device"):
        flat.__dlpack__(dl_device=(2, 0))
    flat.__dlpack__(dl_device=(1, 0))
    there = flat.to("far")
    with pytest.raises(BufferError, match=r"far:0.*\.to\('cpu'\)"):
        there.__dlpack__()
    with pytest.raises(BufferError):
        there.__dlpack_device__()


def test_what_cannot_be_taken_is_a_buffer_error() -> None:
    flat = FlatArray.full(3, 1.0)
    with pytest.raises(BufferError, match=r"\(2, 0\)"):
        FlatArray.from_dlpack(Capsule(flat.__dlpack__(), (2, 0)))
    used = Capsule(flat.__dlpack__(max_version=(1, 0)))
    FlatArray.from_dlpack(used)
    with pytest.raises(BufferError, match="an unused 'dltensor'"):
        FlatArray.from_dlpack(used)


def test_read_only_memory_is_copied() -> None:
    array = np.arange(3.0)
    array.flags.writeable = False
    taken = FlatArray.from_dlpack(array)
    taken.fill(0)
    assert array.tolist() == [0.0, 1.0, 2.0]


def test_a_producer_of_the_older_protocol() -> None:
    class Old(Capsule):
        def __dlpack__(self, stream: Any = None) -> Any:  # type: ignore[override]
            return self.capsule

    for dtype in ("float32", "bfloat16"):
        flat = FlatArray.from_items([1, 2], dtype)
        assert FlatArray.from_dlpack(Old(flat.__dlpack__())).tolist() == [1, 2]


def test_arrays_that_outlive_the_interpreter() -> None:
    program = """
import numpy as np, sys
from lamina_flatarray import FlatArray, dlpack
sys.kept = [np.from_dlpack(FlatArray.full(9, 1.0)), dlpack.imported(FlatArray.full(9, 1, "bfloat16")),
            FlatArray.full(9, 1, "bfloat16").__dlpack__(max_version=(1, 0))]
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
