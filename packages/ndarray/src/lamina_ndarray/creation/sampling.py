"""Random arrays. On the CPU, `manual_seed(s)` gives the stream of PyTorch's CPU generator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lamina_flatarray import OpNotImplemented, ShapeError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.random import Generator, normal

from ..array_fields import array_of, view_of
from ..batching import OPEN, check_randomness, drawn_into
from ..layouts.layout import Layout
from .constructors import dense, empty_like
from .generators import GENERATORS, generator_of

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "bernoulli_",
    "normal_",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
    "randn",
    "randn_like",
    "random_integers_",
    "randperm",
    "uniform_",
]


def _of_slices(x: NDArray) -> NDArray:
    """A new array for random numbers: one for each slice where a function is mapped and they are to differ."""
    return drawn_into(x, OPEN.levels[-1]) if OPEN.levels else x


def blank(op: str, shape: Sequence[int], dtype: Any, device: Any) -> NDArray:
    """An uninitialised array for random numbers."""
    result = dense(op, shape, dtype, device)
    return _of_slices(result) if OPEN.levels else result


def _new(x: NDArray) -> NDArray:
    """A new array, of version 0, as nobody saw it before its items were drawn."""
    x.flat.version = 0
    return x


def in_order(x: NDArray) -> NDArray:
    """x as a kernel fills it, in the order in which PyTorch draws."""
    if OPEN.levels:
        check_randomness(OPEN.levels[-1], x)
    return x if x.layout.contiguous else view_of(x, in_memory_order(x.layout))


def in_memory_order(layout: Layout) -> Layout:
    """The axes as they lie in memory, the order in which PyTorch draws for what is transposed."""
    return layout.permute(sorted(range(layout.ndim), key=lambda axis: -layout.strides[axis]))


def _parts(op: str, x: NDArray) -> NDArray:
    """The real and imaginary parts of a complex array as a last axis of two, over the same memory."""
    layout = x.layout
    if not x.dtype.is_complex:
        raise OpNotImplemented(f"{op}: not implemented for {x.dtype.name}; it wants a floating or complex dtype")
    pairs = Layout.of((*layout.shape, 2), (*(2 * s for s in layout.strides), 1), 2 * layout.offset)
    return array_of(x.flat.reinterpret(x.dtype.to_real()), pairs)


def uniform_(x: NDArray, low: float = 0.0, high: float = 1.0, *, generator: Generator | None = None) -> NDArray:
    """Overwrite x with numbers uniform in [low, high); of a complex x, both parts.

    Args:
        x: the array to fill, floating or complex.
        low: the lower end.
        high: the upper end, which is left out.
        generator: by default that of x's device.

    Returns:
        x itself.

    Raises:
        ShapeError: the interval is empty.
        OpNotImplemented: x holds integers.

    >>> x = nd.uniform_(nd.empty((1000,)), 2.0, 3.0)
    >>> bool(x.min() >= 2), bool(x.max() < 3)
    (True, True)
    """
    if low > high:
        raise ShapeError(f"uniform_: expects to return a [from, to) range, but found from={low} > to={high}")
    room = x if x.flat.dtype.is_floating_point else _parts("uniform_", x)
    if OPEN.levels or not room.layout.contiguous:
        room = in_order(room)
    kernels = room.flat.kernels
    source = generator or GENERATORS.get(kernels.device) or generator_of(kernels.device)
    kernels["random_uniform"](room, generator=source, low=low, high=high)
    x.flat.version += 1  # afterwards: what a kernel refuses is not written
    return x


def normal_(x: NDArray, mean: float = 0.0, std: float = 1.0, *, generator: Generator | None = None) -> NDArray:
    """Overwrite x with draws from a normal distribution; the parts of a complex x have half of the variance each.

    Args:
        x: the array to fill, floating or complex.
        mean: the mean of the distribution; of a complex x, that of both parts.
        std: the standard deviation, 0 or more.
        generator: by default that of x's device.

    Returns:
        x itself.

    Raises:
        ShapeError: the deviation is negative.
        OpNotImplemented: x holds integers.

    >>> _ = nd.manual_seed(0)
    >>> x = nd.normal_(nd.empty((1000,)), mean=10.0, std=2.0)
    >>> bool(abs(x.mean() - 10) < 0.3), bool(abs(x.std() - 2) < 0.3)
    (True, True)
    """
    if std < 0:
        raise ShapeError(f"normal_: expects std >= 0.0, but found std {std}")
    room = x
    if not x.flat.dtype.is_floating_point:
        room, std = _parts("normal_", x), std / math.sqrt(2.0)
    kernels = room.flat.kernels
    source = generator or GENERATORS.get(kernels.device) or generator_of(kernels.device)
    if OPEN.levels or not x.layout.contiguous:
        if room.layout.size >= _DRAWN_TOGETHER and kernels.backend.host and not OPEN.levels:
            _drawn_one_by_one(room, source, mean, std)
            x.flat.version += 1
            return x
        room = in_order(room)
    kernels["random_normal"](room, generator=source, mean=mean, std=std)
    x.flat.version += 1
    return x


_DRAWN_TOGETHER: Final = 16
"""So many normal numbers or more are drawn otherwise than one by one, if they lie in row-major order, as in PyTorch."""


def _drawn_one_by_one(x: NDArray, generator: Generator, mean: float, std: float) -> None:
    """Normal numbers for an array that is not row-major."""
    samples = np.empty(x.layout.size, x.flat.dtype.numpy)
    normal(samples, generator, mean, std, serial=True)
    room = view_of(x, in_memory_order(x.layout))
    room.numpy()[...] = samples.reshape(room.layout.shape)


def random_integers_(
    x: NDArray, low: int = 0, high: int | None = None, *, generator: Generator | None = None
) -> NDArray:
    """Overwrite x with integers uniform in [low, high); without bounds, with all that its dtype can count up to.

    Args:
        x: the array to fill, of any dtype but complex.
        low: the lowest integer.
        high: the end, which is left out; None for the end of what the dtype holds exactly.
        generator: by default that of x's device.

    Returns:
        x itself.

    Raises:
        ShapeError: the range is empty.
        RandomError: it is outside of what the dtype holds.

    >>> x = nd.random_integers_(nd.empty((1000,), dtype=nd.int64), 1, 7)
    >>> x.min().item(), x.max().item()
    (1, 6)
    """
    if high is not None and low >= high:
        raise ShapeError(f"random_: expects 'from' to be less than 'to', but got from={low} >= to={high}")
    room, kernels = x, x.flat.kernels
    if OPEN.levels or not x.layout.contiguous:
        room = in_order(x)
    source = generator or GENERATORS.get(kernels.device) or generator_of(kernels.device)
    kernels["random_integers"](room, generator=source, low=low, high=high)
    x.flat.version += 1
    return x


def bernoulli_(x: NDArray, probability: float = 0.5, *, generator: Generator | None = None) -> NDArray:
    """Overwrite x with 1 at this probability, else 0.

    Args:
        x: the array to fill.
        probability: of a 1, within [0, 1].
        generator: by default that of x's device.

    Returns:
        x itself.

    Raises:
        ShapeError: the probability is not within [0, 1].

    >>> nd.bernoulli_(nd.empty((3,)), 1.0)
    NDArray([1., 1., 1.])
    """
    if not 0 <= probability <= 1:
        raise ShapeError(f"bernoulli_: expects p to be in [0, 1], but got p={probability}")
    kernels = x.flat.kernels
    source = generator or GENERATORS.get(kernels.device) or generator_of(kernels.device)
    kernels["random_bernoulli"](in_order(x), generator=source, probability=probability)
    x.flat.version += 1
    return x


def rand(shape: Sequence[int], *, dtype: Any = None, device: Any = None, generator: Generator | None = None) -> NDArray:
    """Create an array of random numbers uniform in [0, 1).

    Args:
        shape: a length or several.
        dtype: a floating or complex one; by default, the default dtype.
        device: by default, the default device.
        generator: by default that of the device.

    Returns:
        An array of the shape.

    >>> _ = nd.manual_seed(0)
    >>> nd.rand((2,))
    NDArray([0.4963, 0.7682])
    """
    return _new(uniform_(blank("rand", shape, dtype, device), generator=generator))


def randn(
    shape: Sequence[int], *, dtype: Any = None, device: Any = None, generator: Generator | None = None
) -> NDArray:
    """Create an array of random numbers of the standard normal distribution.

    Args:
        shape: a length or several.
        dtype: a floating or complex one; by default, the default dtype.
        device: by default, the default device.
        generator: by default that of the device.

    Returns:
        An array of the shape.

    >>> _ = nd.manual_seed(0)
    >>> nd.randn((2,))
    NDArray([ 1.5410, -0.2934])
    """
    return _new(normal_(blank("randn", shape, dtype, device), generator=generator))


def randint(
    low: int,
    high: int,
    shape: Sequence[int],
    *,
    dtype: Any = dt.int64,
    device: Any = None,
    generator: Generator | None = None,
) -> NDArray:
    """Create an array of random integers uniform in [low, high).

    Args:
        low: the lowest integer.
        high: the end, which is left out.
        shape: a length or several.
        dtype: int64 by default; floats are allowed.
        device: by default, the default device.
        generator: by default that of the device.

    Returns:
        An array of the shape.

    >>> x = nd.randint(0, 10, (2, 3))
    >>> x.shape, bool(((x >= 0) & (x < 10)).all())
    ((2, 3), True)
    """
    return _new(random_integers_(blank("randint", shape, dtype, device), low, high, generator=generator))


def randperm(n: int, *, dtype: Any = dt.int64, device: Any = None, generator: Generator | None = None) -> NDArray:
    """Shuffle the integers 0 .. n-1.

    Args:
        n: how many.
        dtype: int64 by default.
        device: by default, the default device.
        generator: by default that of the device.

    Returns:
        An array of shape `(n,)`, each integer once.

    >>> nd.sort(nd.randperm(5))
    NDArray([0, 1, 2, 3, 4])
    """
    x = blank("randperm", (n,), dtype, device)
    kernels = x.flat.kernels
    source = generator or GENERATORS.get(kernels.device) or generator_of(kernels.device)
    kernels["random_permutation"](in_order(x) if OPEN.levels else x, generator=source)
    return x


def rand_like(x: NDArray, *, generator: Generator | None = None, **options: Any) -> NDArray:
    """Create random numbers uniform in [0, 1) in an array like another one.

    Args:
        x: whose shape, dtype, device and order of axes to take.
        generator: by default that of the device.
        options: `dtype`, `device` and `memory_format`, as `empty_like` takes them.

    Returns:
        An array of x's shape.

    >>> nd.rand_like(nd.zeros((2, 3)), dtype=nd.float64).dtype
    lamina.float64
    """
    return _new(uniform_(_of_slices(empty_like(x, **options)), generator=generator))


def randn_like(x: NDArray, *, generator: Generator | None = None, **options: Any) -> NDArray:
    """Create random numbers of the standard normal distribution in an array like another one.

    Args:
        x: whose shape, dtype, device and order of axes to take.
        generator: by default that of the device.
        options: `dtype`, `device` and `memory_format`, as `empty_like` takes them.

    Returns:
        An array of x's shape.

    >>> nd.randn_like(nd.zeros((2, 3))).shape
    (2, 3)
    """
    return _new(normal_(_of_slices(empty_like(x, **options)), generator=generator))


def randint_like(x: NDArray, low: int, high: int, *, generator: Generator | None = None, **options: Any) -> NDArray:
    """Create random integers uniform in [low, high) in an array like another one.

    Args:
        x: whose shape, dtype, device and order of axes to take.
        low: the lowest integer.
        high: the end, which is left out.
        generator: by default that of the device.
        options: `dtype`, `device` and `memory_format`, as `empty_like` takes them.

    Returns:
        An array of x's shape.

    >>> nd.randint_like(nd.zeros((3,)), 4, 5)
    NDArray([4., 4., 4.])
    """
    return _new(random_integers_(_of_slices(empty_like(x, **options)), low, high, generator=generator))
