"""FlatArray, all of it, on the backend of the run and across backends."""

from __future__ import annotations

import array
from typing import Any

import numpy as np
import pytest

from lamina_flatarray import (
    DTYPES,
    ArgumentTypeError,
    ArgumentValueError,
    Device,
    DeviceError,
    DType,
    DTypeError,
    FlatArray,
    IndexOutOfRange,
    ShapeError,
    UnknownBackend,
    backends,
    dtypes,
)

ALL = list(DTYPES.values())
each_dtype = pytest.mark.parametrize("dtype", ALL, ids=list(DTYPES))


def test_empty_and_full() -> None:
    made = FlatArray.empty(5, "int16")
    assert (made.size, len(made), made.dtype, made.nbytes, made.itemsize) == (5, 5, dtypes.int16, 10, 2)
    assert made.device is Device("cpu")
    assert made.backend is backends.backend_for("cpu")
    assert FlatArray.empty(0).tolist() == []
    assert FlatArray.full(3, 2).dtype is dtypes.int64
    assert FlatArray.full(3, 2.5).dtype is dtypes.float32
    assert FlatArray.full(3, True).tolist() == [True] * 3
    assert FlatArray.full(2, 1j).tolist() == [1j] * 2
    with pytest.raises(ShapeError, match="size -1"):
        FlatArray.empty(-1)
    with pytest.raises(UnknownBackend):
        FlatArray.empty(1, device="nowhere")
    with pytest.raises(DTypeError):
        FlatArray.empty(1, "float7")


@each_dtype
def test_items_of_every_dtype(dtype: DType) -> None:
    flat = FlatArray.from_items([1, 0, 1], dtype)
    assert flat.dtype is dtype
    assert flat.tolist() == [1, 0, 1]
    assert flat.numpy().dtype == dtype.numpy
    assert flat.fill(1).tolist() == [1, 1, 1]
    assert [type(item) for item in flat.tolist()] == [
        {"b": bool, "u": int, "i": int, "f": float, "c": complex}[dtype.kind]
    ] * 3


@each_dtype
def test_an_array_without_items(dtype: DType) -> None:
    for flat in (FlatArray.from_items([], dtype), FlatArray.empty(0, dtype), FlatArray.empty(3, dtype)[3:]):
        assert (flat.size, flat.nbytes, flat.tolist()) == (0, 0, [])
        assert flat.numpy().shape == (0,)
        assert flat.fill(1).copy().cast("float32").size == 0


def test_from_items_finds_the_dtype() -> None:
    assert FlatArray.from_items([1, 2]).dtype is dtypes.int64
    assert FlatArray.from_items([1, 2.0]).dtype is dtypes.float32
    assert FlatArray.from_items([True, 2j]).dtype is dtypes.complex64
    assert FlatArray.from_items(iter([True])).dtype is dtypes.bool
    assert FlatArray.from_items([]).dtype is dtypes.float32


def test_from_buffer_shares_memory() -> None:
    source = array.array("d", [1.0, 2.0, 3.0])
    flat = FlatArray.from_buffer(source)
    assert flat.dtype is dtypes.float64
    flat[0] = 9.0
    assert source[0] == 9.0
    raw = bytearray(16)
    FlatArray.from_buffer(raw, "int32").fill(-1)
    assert raw == b"\xff" * 16
    matrix = np.zeros((2, 3), np.float32)
    flat = FlatArray.from_buffer(matrix)
    assert flat.size == 6
    flat.fill(1)
    assert matrix.sum() == 6
    brain = np.zeros(4, np.uint16)
    assert FlatArray.from_buffer(brain, "bfloat16").dtype is dtypes.bfloat16


def test_from_buffer_copies_what_it_may_not_write_or_cannot_align() -> None:
    source = b"\0\0\x80?"
    flat = FlatArray.from_buffer(source, "float32")
    assert flat.tolist() == [1.0]
    flat.fill(2.0)
    assert source == b"\0\0\x80?"
    room = np.zeros(9, np.uint8)
    crooked = room[1:] if room.ctypes.data % 8 == 0 else room[:8]
    if crooked.ctypes.data % 8:
        FlatArray.from_buffer(crooked, "float64").fill(1.0)
        assert not room.any()


def test_from_buffer_refuses() -> None:
    with pytest.raises(ShapeError, match="gaps"):
        FlatArray.from_buffer(np.zeros(6)[::2])
    with pytest.raises(ShapeError, match="7 bytes are not a whole number of float32 items"):
        FlatArray.from_buffer(bytearray(7), "float32")
    with pytest.raises(DTypeError):
        FlatArray.from_buffer(np.array(["a"]))
    with pytest.raises(TypeError):
        FlatArray.from_buffer(3)


def test_numpy_is_a_view() -> None:
    flat = FlatArray.full(3, 1.0)
    flat.numpy()[1] = 5.0
    assert flat.tolist() == [1.0, 5.0, 1.0]
    assert np.asarray(flat).ctypes.data == flat.numpy().ctypes.data
    assert np.asarray(flat, np.float64).dtype == np.float64
    assert np.array(flat, copy=True).ctypes.data != flat.numpy().ctypes.data
    assert flat.bytes_view().nbytes == 12


def test_indexing() -> None:
    flat = FlatArray.from_items([1, 2, 3, 4])
    assert (flat[0], flat[-1], list(flat)) == (1, 4, [1, 2, 3, 4])
    assert isinstance(flat[0], int)
    for outside in (4, -5):
        with pytest.raises(IndexOutOfRange, match="size 4"):
            flat[outside]
        with pytest.raises(IndexError):
            flat[outside] = 0
    flat[1] = 20
    flat[-1] = 40
    assert flat.tolist() == [1, 20, 3, 40]


def test_slices_share_memory_and_version() -> None:
    flat = FlatArray.from_items([0, 1, 2, 3, 4, 5])
    part = flat[2:5]
    inner = part[1:]
    assert (part.tolist(), inner.tolist()) == ([2, 3, 4], [3, 4])
    inner.fill(9)
    assert flat.tolist() == [0, 1, 2, 9, 9, 5]
    assert flat.version == part.version == inner.version == 1
    flat[0] = 7
    assert flat.version == part.version == inner.version == 2
    part.version = 10
    assert flat.version == 10
    assert flat[4:2].size == 0
    assert flat[-2:].tolist() == [9, 5]
    assert flat[:99].size == 6
    with pytest.raises(ArgumentValueError, match="step 1"):
        flat[::2]


def test_setting_slices() -> None:
    flat = FlatArray.from_items([0, 1, 2, 3], "float32")
    flat[1:3] = [10, 20]
    assert flat.tolist() == [0, 10, 20, 3]
    flat[:] = 5
    assert flat.tolist() == [5] * 4
    flat[2:] = FlatArray.from_items([True, False])
    assert flat.tolist() == [5, 5, 1, 0]
    with pytest.raises(ShapeError, match="items given: 3, for a slice of 2"):
        flat[:2] = [1, 2, 3]


def test_the_version_counts_writes() -> None:
    flat = FlatArray.full(3, 1.0)
    before = flat.version
    flat.tolist(), flat.copy(), flat.cast("int32"), flat[0], flat.to("cpu"), repr(flat)
    assert flat.version == before
    flat.fill(2.0)
    flat[0] = 1.0
    flat[:2] = [1.0, 2.0]
    assert flat.version == before + 3
    assert flat.copy().version == 0


@each_dtype
def test_copy_is_apart(dtype: DType) -> None:
    flat = FlatArray.from_items([1, 1], dtype)
    copy = flat.copy()
    copy.fill(0)
    assert flat.tolist() == [1, 1]
    assert copy.dtype is dtype


@each_dtype
@pytest.mark.parametrize("target", ALL, ids=list(DTYPES))
def test_cast_between_all_dtypes(dtype: DType, target: DType) -> None:
    cast = FlatArray.from_items([0, 1, 1], dtype).cast(target)
    assert cast.dtype is target
    assert cast.tolist() == [0, 1, 1]


def test_cast_drops_imaginary_parts_and_truncates() -> None:
    assert FlatArray.from_items([1 + 2j, 3j]).cast("float32").tolist() == [1.0, 0.0]
    assert FlatArray.from_items([1.9, -1.9]).cast("int32").tolist() == [1, -1]
    assert FlatArray.from_items([0.0, 0.5, -2.0]).cast("bool").tolist() == [False, True, True]
    assert FlatArray.from_items([300, -1]).cast("uint8").tolist() == [44, 255]


@each_dtype
def test_between_backends(dtype: DType, remote: Any) -> None:
    here = FlatArray.from_items([1, 0, 1, 1], dtype)
    there = here.to("far:1")
    assert there.device is Device("far:1")
    assert there.backend is remote
    assert there.tolist() == [1, 0, 1, 1]
    assert there[1:3].to("cpu").tolist() == [0, 1]
    assert there.to("far:1") is there
    assert there.to(None) is there
    back = there.to("cpu")
    back.fill(0)
    assert here.tolist() == [1, 0, 1, 1]


def test_to_the_same_place_is_no_copy() -> None:
    flat = FlatArray.full(2, 1.0)
    assert flat.to("cpu") is flat
    assert flat.to(Device("cpu")) is flat
    assert flat.to("cpu:0") is flat


def test_memory_elsewhere_is_not_numpy(remote: Any) -> None:
    there = FlatArray.full(2, 1.0).to("far")
    with pytest.raises(DeviceError, match=r"far:0; copy them with \.to\('cpu'\)"):
        there.numpy()
    assert "device='far:0'" in repr(there)


def test_repr() -> None:
    assert repr(FlatArray.from_items([1, 2])) == "FlatArray([1, 2], size=2, dtype=lamina.int64, device='cpu')"
    assert "[0, 1, 2, 3, 4, 5, ...], size=9" in repr(FlatArray.from_items(range(9)))


def test_devices() -> None:
    assert Device("cuda:1") is Device("cuda", 1)
    assert (str(Device("cuda:1")), str(Device("cpu"))) == ("cuda:1", "cpu")
    assert repr(Device("cuda:1")) == "device(type='cuda', index=1)"
    assert repr(Device("cpu")) == "device(type='cpu')"
    assert Device(Device("cpu")) is Device("cpu")
    for wrong in ("", "cuda:", "cuda:x", "cuda:-1", "a b", 3):
        with pytest.raises(DeviceError):
            Device(wrong)
    for wrong in (None, 1.5, True):
        with pytest.raises(ArgumentTypeError):
            Device(wrong)
    with pytest.raises(DeviceError):
        Device("cuda:1", 2)
