"""Tensors made from nothing, from Python numbers, and from other libraries' arrays, in PyTorch's spelling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import AutogradError
from lamina_flatarray.random import Generator
from lamina_ndarray import NDArray, manual_seed

from .functions import sizes
from .tensor import Tensor, tensor_of

__all__ = [
    "arange", "as_tensor", "empty", "empty_like", "eye", "from_numpy", "full", "full_like", "linspace", "manual_seed",
    "ones", "ones_like", "rand", "rand_like", "randint", "randn", "randn_like", "randperm", "tensor", "zeros",
    "zeros_like",
]  # fmt: skip


def _leaf(array: NDArray, requires_grad: bool) -> Tensor:
    made = tensor_of(array)
    if requires_grad:
        if not array.dtype.is_inexact:
            raise AutogradError("Only Tensors of floating point and complex dtype can require gradients")
        made.requires_grad = True
    return made


def tensor(data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """A new tensor with a copy of `data`: numbers, nested sequences, NumPy arrays or tensors.

    Args:
        data: Python floats take the default dtype, integers int64.
        dtype: what to cast to.
        device: where to put it; by default, the default device.
        requires_grad: whether gradients are wanted.

    Raises:
        DTypeError: the items are not numbers, or do not fit.
        ShapeError: nested sequences differ in length.
    """
    source = data.array if isinstance(data, Tensor) else _without_tensors(data)
    return _leaf(nd.asarray(source, dtype=dtype, device=device, copy=True), requires_grad)


def _without_tensors(data: Any) -> Any:
    if isinstance(data, Tensor):
        return data.array
    return [_without_tensors(item) for item in data] if isinstance(data, (list, tuple)) else data


def as_tensor(data: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """`data` as a tensor, sharing memory where it can; a tensor that fits is itself."""
    if isinstance(data, Tensor):
        return data.to(device=device, dtype=dtype)  # type: ignore[attr-defined,no-any-return]
    return tensor_of(nd.asarray(_without_tensors(data), dtype=dtype, device=device))


def from_numpy(ndarray: np.ndarray[Any, Any]) -> Tensor:
    """A tensor over the same memory as a NumPy array."""
    return tensor_of(nd.from_numpy(ndarray))


def _of_shape(make: Callable[..., NDArray]) -> Callable[..., Tensor]:
    def create(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **more: Any) -> Tensor:
        return _leaf(make(sizes(size), dtype=dtype, device=device, **more), requires_grad)

    create.__name__ = create.__qualname__ = make.__name__
    create.__doc__ = make.__doc__
    return create


def _like(make: Callable[..., NDArray]) -> Callable[..., Tensor]:
    def create(input: Tensor, *args: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
        return _leaf(make(input.array, *args, dtype=dtype, device=device), requires_grad)

    create.__name__ = create.__qualname__ = make.__name__
    create.__doc__ = make.__doc__
    return create


empty, zeros, ones = _of_shape(nd.empty), _of_shape(nd.zeros), _of_shape(nd.ones)
rand, randn = _of_shape(nd.rand), _of_shape(nd.randn)
empty_like, zeros_like, ones_like, full_like = (
    _like(nd.empty_like), _like(nd.zeros_like), _like(nd.ones_like), _like(nd.full_like)
)  # fmt: skip


def full(
    size: Any, fill_value: complex, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of one value."""
    return _leaf(nd.full(tuple(size), fill_value, dtype=dtype, device=device), requires_grad)


def arange(*bounds: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """`arange(end)`, `arange(start, end)` or `arange(start, end, step)`."""
    return _leaf(nd.arange(*bounds, dtype=dtype, device=device), requires_grad)


def linspace(
    start: float, end: float, steps: int, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """`steps` values from `start` to `end`, both included."""
    return _leaf(nd.linspace(start, end, steps, dtype=dtype, device=device), requires_grad)


def eye(n: int, m: int | None = None, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """A matrix with ones on its diagonal."""
    return _leaf(nd.eye(n, m, dtype=dtype, device=device), requires_grad)


def randint(
    *bounds_and_size: Any, dtype: Any = nd.int64, device: Any = None, generator: Generator | None = None
) -> Tensor:
    """`randint(high, size)` or `randint(low, high, size)`: integers in [low, high), low being 0 if not given."""
    *bounds, size = bounds_and_size
    low, high = bounds if len(bounds) == 2 else (0, bounds[0])
    return tensor_of(nd.randint(low, high, tuple(size), dtype=dtype, device=device, generator=generator))


def randperm(n: int, *, dtype: Any = nd.int64, device: Any = None, generator: Generator | None = None) -> Tensor:
    """The integers 0 .. n-1 in random order."""
    return tensor_of(nd.randperm(n, dtype=dtype, device=device, generator=generator))


def rand_like(input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Numbers uniform in [0, 1), in the shape of another tensor."""
    return _leaf(nd.uniform_(nd.empty_like(input.array, dtype=dtype, device=device)), requires_grad)


def randn_like(input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Numbers of the standard normal distribution, in the shape of another tensor."""
    return _leaf(nd.normal_(nd.empty_like(input.array, dtype=dtype, device=device)), requires_grad)
