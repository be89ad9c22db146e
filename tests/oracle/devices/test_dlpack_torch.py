"""DLPack with PyTorch on the other side: all dtypes, both ways, the same addresses."""

from __future__ import annotations

import gc

import pytest
import torch
from torch.utils import dlpack as legacy

from lamina_flatarray import DTYPES, DType, FlatArray, dlpack

each_dtype = pytest.mark.parametrize("dtype", list(DTYPES.values()), ids=list(DTYPES))


def address(flat: FlatArray) -> int:
    return int(flat.bytes_view().ctypes.data)


@each_dtype
def test_to_torch(dtype: DType) -> None:
    flat = FlatArray.from_items([1, 0, 1], dtype)
    tensor = torch.from_dlpack(flat)
    assert tensor.dtype is getattr(torch, dtype.name)
    assert tensor.data_ptr() == address(flat)
    assert tensor.tolist() == flat.tolist()
    tensor.zero_()
    assert flat.tolist() == [0, 0, 0]


@each_dtype
def test_from_torch(dtype: DType) -> None:
    tensor = torch.ones(3, dtype=getattr(torch, dtype.name))
    flat = FlatArray.from_dlpack(tensor)
    assert flat.dtype is dtype
    assert address(flat) == tensor.data_ptr()
    flat.fill(0)
    assert tensor.tolist() == [0, 0, 0]


@each_dtype
def test_there_and_back(dtype: DType) -> None:
    flat = FlatArray.from_items([1, 0, 1], dtype)
    assert address(FlatArray.from_dlpack(torch.from_dlpack(flat))) == address(flat)


@each_dtype
def test_the_older_capsule(dtype: DType) -> None:
    flat = FlatArray.from_items([1, 0, 1], dtype)
    tensor = legacy.from_dlpack(flat.__dlpack__())
    assert tensor.data_ptr() == address(flat)
    assert tensor.tolist() == flat.tolist()


@pytest.mark.parametrize("name", ["float32", "bfloat16"])
def test_memory_lives_as_long_as_the_last_user(name: str) -> None:
    tensor = torch.from_dlpack(FlatArray.full(1000, 3, name))
    flat = FlatArray.from_dlpack(torch.full((1000,), 3, dtype=getattr(torch, name)))
    gc.collect()
    junk = [torch.full((1000,), 9.0) for _ in range(20)]
    assert bool((tensor == 3).all())
    assert flat.tolist() == [3] * 1000
    del junk


@pytest.mark.parametrize("name", ["float32", "bfloat16", "bool"])
def test_views_with_strides(name: str) -> None:
    tensor = torch.arange(12).reshape(3, 4).to(getattr(torch, name))
    view = dlpack.imported(tensor.T[1:, ::2])
    assert view.shape == (3, 2)
    assert view.ctypes.data == tensor.T[1:].data_ptr()
    assert view.tolist() == tensor.T[1:, ::2].tolist()


def test_copy_on_request() -> None:
    flat = FlatArray.full(3, 1, "bfloat16")
    tensor = torch.from_dlpack(flat, copy=True)
    tensor.zero_()
    assert flat.tolist() == [1, 1, 1]


def test_what_torch_refuses_stays_refused() -> None:
    with pytest.raises(BufferError):
        FlatArray.from_dlpack(torch.ones(3, requires_grad=True))
