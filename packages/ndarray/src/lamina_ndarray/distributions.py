"""Random arrays whose distribution is given item by item, drawn on the host: one distribution for each item of x.

Each draws from the generator of x's device, in the row-major order of the result, and goes back to that device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lamina_flatarray import DTypeError, OpNotImplemented, ShapeError, random
from lamina_flatarray.random import Generator

from .array import NDArray
from .broadcast import broadcast_shapes
from .creation import empty, from_numpy
from .elementwise import FUNCTIONS
from .operands import cast
from .random import bernoulli_, generator_of, normal_
from .views import contiguous

__all__ = ["bernoulli", "cauchy_", "exponential_", "geometric_", "log_normal_", "multinomial", "normal", "poisson"]

Array = np.ndarray[Any, Any]


def _on_host(x: NDArray) -> Array:
    return contiguous(x.to_device("cpu")).numpy()


def _floating(op: str, x: NDArray) -> None:
    if not x.dtype.is_floating_point:
        raise OpNotImplemented(f"{op}: not implemented for {x.dtype.name}; it wants a floating dtype")


def bernoulli(x: NDArray, p: float | None = None, *, generator: Generator | None = None) -> NDArray:
    """1 with the probability that x's item tells, else 0, in x's dtype; with `p`, x gives only shape and dtype.

    Raises:
        ShapeError: a probability is not within [0, 1].
        OpNotImplemented: x holds no floats, and p is not given.
    """
    if p is not None:
        return bernoulli_(empty(x.shape, dtype=x.dtype, device=x.device), p, generator=generator)
    _floating("bernoulli", x)
    chances = _on_host(x)
    if not ((chances >= 0) & (chances <= 1)).all():
        raise ShapeError("bernoulli: expects all probabilities to be in [0, 1], but an item of the input is not")
    made = np.empty(chances.size, chances.dtype)
    random.bernoulli(made, generator or generator_of(x.device), chances.reshape(-1))
    return from_numpy(made.reshape(x.shape)).to_device(x.device)


def poisson(x: NDArray, *, generator: Generator | None = None) -> NDArray:
    """Poisson numbers, each at the rate that x's item tells, in x's dtype.

    Raises:
        RandomError: a rate is negative, infinite or NaN.
        OpNotImplemented: x holds no floats.
    """
    from lamina_flatarray.random.poisson import poisson as fill

    _floating("poisson", x)
    rates = _on_host(x)
    made = np.empty(rates.size, rates.dtype)
    fill(made, generator or generator_of(x.device), rates.reshape(-1))
    return from_numpy(made.reshape(x.shape)).to_device(x.device)


def multinomial(
    x: NDArray, num_samples: int, replacement: bool = False, *, generator: Generator | None = None
) -> NDArray:
    """Indices drawn from each row of weights, which need not add up to 1.

    Args:
        x: weights, (categories,) or (rows, categories).
        num_samples: how many draws per row.
        replacement: whether an index may come again.
        generator: by default that of x's device.

    Returns:
        int64, (num_samples,) or (rows, num_samples).

    Raises:
        ShapeError: x has other axes, or there are fewer categories than draws without replacement.
        DTypeError: x holds no floats.
        RandomError: a weight is negative or not finite, or a row has none above 0.
    """
    if x.ndim not in (1, 2) or x.shape[-1] == 0:
        raise ShapeError(f"multinomial: weights of shape {x.shape}; prob_dist must be 1 or 2 dim, with a category or more")
    if not x.dtype.is_floating_point:
        raise DTypeError(f"multinomial: only supports floating-point dtypes for input, got {x.dtype.name}")
    if num_samples <= 0:
        raise ShapeError(f"multinomial: cannot sample n_sample <= 0 samples, got {num_samples}")
    if not replacement and num_samples > x.shape[-1]:
        raise ShapeError(
            f"multinomial: cannot sample n_sample > prob_dist.size(-1) samples without replacement: {num_samples} of "
            f"{x.shape[-1]} categories"
        )
    weights = np.atleast_2d(_on_host(x))
    drawn = random.multinomial(weights, num_samples, replacement, generator or generator_of(x.device))
    return from_numpy(drawn if x.ndim == 2 else drawn[0]).to_device(x.device)


def normal(mean: Any, std: Any, *, generator: Generator | None = None) -> NDArray:
    """Normal numbers around each mean at each deviation, of which one may be a number: mean + std * a standard one.

    The shape is that to which both broadcast; the dtype that of `mean`, or of `std` where the mean is a number.

    Raises:
        ShapeError: a deviation is negative, or the shapes do not broadcast.
        OpNotImplemented: the dtype holds integers.
    """
    arrays = [v for v in (mean, std) if isinstance(v, NDArray)]
    if not arrays:
        raise DTypeError(f"normal: {mean} and {std} given; it wants an array among them, or use normal_")
    first = arrays[0]
    if isinstance(std, NDArray):
        if std.dtype.is_complex:
            raise DTypeError("normal: expects standard deviation to be non-complex")
        negative = std.size > 0 and bool(FUNCTIONS["less"](std, 0).numpy().any() if std.device.type == "cpu" else
                                         FUNCTIONS["less"](std, 0).to_device("cpu").numpy().any())  # fmt: skip
    else:
        negative = std < 0
    if negative:
        raise ShapeError("normal: expects all elements of std >= 0.0")
    shape = broadcast_shapes(*(a.shape for a in arrays), op="normal")
    made = normal_(empty(shape, dtype=first.dtype, device=first.device), generator=generator)
    scaled = FUNCTIONS["multiply"](made, std)
    return cast(FUNCTIONS["add"](cast(scaled, made.flat.kernels), mean), made.flat.kernels)


def _filled(op: str, x: NDArray, generator: Generator | None, fill: Callable[..., None], *params: float) -> NDArray:
    """Overwrite x with what a fill of flat host memory gives."""
    made = np.empty(x.size, x.dtype.numpy)
    fill(made, generator or generator_of(x.device), *params)
    x.flat.version += 1
    source = from_numpy(made.reshape(x.shape)).to_device(x.device)
    source.flat.kernels["copy"](x, source)
    return x


def exponential_(x: NDArray, lambd: float = 1.0, *, generator: Generator | None = None) -> NDArray:
    """Overwrite x with numbers of the exponential distribution at a rate above 0.

    Raises:
        RandomError: the rate is not above 0.
        OpNotImplemented: x holds no floats.
    """
    _floating("exponential_", x)
    return _filled("exponential_", x, generator, random.exponential, lambd)


def cauchy_(x: NDArray, median: float = 0.0, sigma: float = 1.0, *, generator: Generator | None = None) -> NDArray:
    """Overwrite x with numbers of the Cauchy distribution.

    Raises:
        RandomError: sigma is not above 0.
        OpNotImplemented: x holds no floats.
    """
    _floating("cauchy_", x)
    return _filled("cauchy_", x, generator, random.cauchy, median, sigma)


def geometric_(x: NDArray, p: float, *, generator: Generator | None = None) -> NDArray:
    """Overwrite x with how many trials the first success takes, each at probability p.

    Raises:
        RandomError: p is not within 0 < p < 1.
    """
    return _filled("geometric_", x, generator, random.geometric, p)


def log_normal_(x: NDArray, mean: float = 1.0, std: float = 2.0, *, generator: Generator | None = None) -> NDArray:
    """Overwrite x with exponentials of normal numbers.

    Raises:
        RandomError: the deviation is not above 0.
        OpNotImplemented: x holds no floats.
    """
    _floating("log_normal_", x)
    return _filled("log_normal_", x, generator, random.log_normal, mean, std)
