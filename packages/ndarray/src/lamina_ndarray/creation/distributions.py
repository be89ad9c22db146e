"""Random arrays whose distribution is given item by item, one for each item of x, and fills of rarer distributions.

Each draws from the generator of x's device, in the row-major order of the result, and goes back to that device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina_flatarray import DTypeError, OpNotImplemented, ShapeError, random
from lamina_flatarray import dtypes as dt
from lamina_flatarray.errors import RandomError
from lamina_flatarray.random import Generator

from ..array_fields import ArrayFields, empty_of, is_array, view_of
from ..batching import all_slices, check_randomness, enter, innermost, leave, levels_of, on_all_slices
from ..dispatch.operands import cast, copy_to
from ..elementwise import arithmetic, choosing, comparison
from ..elementwise.closeness import array_equal
from ..layouts.broadcast import broadcast_shapes
from ..layouts.layout import Layout
from ..reductions.logic import any as any_of
from ..shapes.joining import stack
from ..shapes.views import broadcast_to, contiguous
from .array_likes import from_numpy
from .conversion import astype, numpy, to_device
from .generators import generator_of
from .sampling import bernoulli_, blank, in_memory_order, in_order, rand, randn

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "bernoulli", "binomial", "cauchy_", "exponential_", "geometric_", "log_normal_", "multinomial", "normal", "poisson",
    "standard_gamma",
]  # fmt: skip


def _drawn_for(x: NDArray, generator: Generator | None, draw: Callable[[NDArray, Generator], NDArray]) -> NDArray:
    """What is drawn for the items of x; for each slice where x is a batch, or random ops are to differ."""
    level = innermost()
    if level is not None:
        check_randomness(level)
        if level.randomness == "different" and level not in levels_of(x.flat.kernels):
            x = enter(leave(x, 0, level), 0, level)
    return on_all_slices(lambda every: draw(every, generator or generator_of(every.device)), x)


def _by_kernel(op: str, x: NDArray, generator: Generator | None, pairs: bool = False) -> NDArray:
    """An item for each parameter in x, in its dtype; for each pair of them along the last axis, where an op takes two."""

    def draw(every: NDArray, source: Generator) -> NDArray:
        kernels = every.flat.kernels
        parameters = [contiguous(p) for p in ([every[..., 0], every[..., 1]] if pairs else [every])]
        samples = empty_of(kernels, Layout.dense(parameters[0].shape))
        kernels[op](samples, *parameters, generator=source)
        return samples

    return _drawn_for(x, generator, draw)


def _floating(op: str, x: NDArray) -> None:
    if not x.dtype.is_floating_point:
        raise OpNotImplemented(f"{op}: not implemented for {x.dtype.name}; it wants a floating dtype")


def bernoulli(x: NDArray, p: float | None = None, *, generator: Generator | None = None) -> NDArray:
    """Draw 1 with the probability that x's item tells, else 0.

    Args:
        x: probabilities within [0, 1]; with `p`, only its shape and dtype count.
        p: one probability for all items, instead of x's.
        generator: by default that of x's device.

    Returns:
        An array of x's shape and dtype.

    Raises:
        ShapeError: a probability is not within [0, 1].
        OpNotImplemented: x holds no floats, and p is not given.

    >>> nd.bernoulli(nd.asarray([0.0, 1.0, 1.0]))
    NDArray([0., 1., 1.])
    """
    if p is not None:
        return bernoulli_(blank("bernoulli", x.shape, x.dtype, x.device), p, generator=generator)
    _floating("bernoulli", x)

    probabilities = all_slices(x)
    if probabilities.flat.backend.holds_items and not array_equal(choosing.clip(probabilities, 0, 1), probabilities):
        raise ShapeError("bernoulli: expects all probabilities to be in [0, 1], but an item of the input is not")
    uniforms = rand(x.shape, dtype=x.dtype if x.dtype is dt.float64 else dt.float32, device=x.device, generator=generator)
    return astype(comparison.less(uniforms, x), x.dtype)


def poisson(x: NDArray, *, generator: Generator | None = None) -> NDArray:
    """Draw from Poisson distributions, each at the rate that x's item tells.

    Args:
        x: the rates, 0 or more.
        generator: by default that of x's device.

    Returns:
        Counts as floats, in x's shape and dtype.

    Raises:
        RandomError: a rate is negative, infinite or NaN.
        OpNotImplemented: x holds no floats.

    >>> _ = nd.manual_seed(0)
    >>> nd.poisson(nd.asarray([0.0, 1.0, 100.0]))
    NDArray([  0.,   2., 117.])
    """
    _floating("poisson", x)
    return _by_kernel("random_poisson", x, generator)


def standard_gamma(x: NDArray, *, generator: Generator | None = None) -> NDArray:
    """Draw from gamma distributions of scale 1, each of the concentration that x's item tells.

    Args:
        x: the concentrations (shape parameters), 0 or more.
        generator: by default that of x's device.

    Returns:
        An array of x's shape and dtype.

    Raises:
        RandomError: a concentration is negative or NaN.
        OpNotImplemented: x holds no floats.

    >>> _ = nd.manual_seed(0)
    >>> draws = nd.standard_gamma(nd.full((1000,), 3.0))
    >>> bool(abs(draws.mean() - 3) < 0.2)
    True
    """
    _floating("standard_gamma", x)
    return _by_kernel("random_gamma", x, generator)


def binomial(count: NDArray, prob: NDArray, *, generator: Generator | None = None) -> NDArray:
    """Draw how many of `count` trials succeed, each at probability `prob`.

    Args:
        count: the numbers of trials, as floats.
        prob: the probabilities of success, in the same floating dtype; both broadcast.
        generator: by default that of prob's device.

    Returns:
        Counts of successes, in the shape to which both broadcast and in prob's dtype.

    Raises:
        ShapeError: the shapes do not broadcast.
        OpNotImplemented: they hold no floats.

    >>> nd.binomial(nd.asarray([5.0, 8.0]), nd.asarray([0.0, 1.0]))
    NDArray([0., 8.])
    """
    _floating("binomial", count)
    _floating("binomial", prob)
    shape = broadcast_shapes(count.shape, prob.shape, op="binomial")
    both = stack([cast(broadcast_to(v, shape), prob.flat.kernels) for v in (count, prob)], -1)
    return _by_kernel("random_binomial", both, generator, pairs=True)


def multinomial(
    x: NDArray, num_samples: int, replacement: bool = False, *, generator: Generator | None = None
) -> NDArray:
    """Draw category indices from each row of weights, which need not add up to 1.

    Args:
        x: weights, `(categories,)` or `(rows, categories)`.
        num_samples: how many draws per row.
        replacement: whether an index may come again.
        generator: by default that of x's device.

    Returns:
        int64 indices, `(num_samples,)` or `(rows, num_samples)`.

    Raises:
        ShapeError: x has other axes, or there are fewer categories than draws without replacement.
        DTypeError: x holds no floats.
        RandomError: a weight is negative or not finite, or a row has none above 0.

    >>> nd.multinomial(nd.asarray([[0.0, 3.0, 0.0], [0.0, 0.0, 1.0]]), 2, replacement=True)
    NDArray([[1, 1],
             [2, 2]])
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

    order = x.layout.result
    column_major = x.ndim == 2 and not order.contiguous and order.strides[0] < order.strides[1]

    def draw(every: NDArray, source: Generator) -> NDArray:
        shape = (*every.shape[:-1], num_samples)
        if not every.flat.kernels.backend.holds_items:
            return empty_of(every.flat.kernels.sibling(dt.int64), Layout.dense(shape))
        weights = numpy(contiguous(to_device(every, "cpu")))
        table = weights.reshape(-1, weights.shape[-1])
        samples = random.multinomial(table, num_samples, replacement, source, column_major=column_major)
        return to_device(from_numpy(samples.reshape(shape)), every.device)

    return _drawn_for(x, generator, draw)


def normal(mean: Any, std: Any, *, generator: Generator | None = None) -> NDArray:
    """Draw from normal distributions, one for each mean and deviation: `mean + std * z`, z being standard normal.

    Args:
        mean: the means, an array, or a number where `std` is an array.
        std: the standard deviations, 0 or more, likewise; both broadcast.
        generator: by default that of the array's device.

    Returns:
        An array of the shape to which both broadcast, in the dtype of `mean`, or of `std` where the mean is a number.

    Raises:
        ShapeError: a deviation is negative, or the shapes do not broadcast.
        DTypeError: neither is an array, or a deviation is complex.
        OpNotImplemented: the dtype holds integers.

    >>> nd.normal(nd.asarray([1.0, 2.0]), 0.0)
    NDArray([1., 2.])
    """
    arrays = [v for v in (mean, std) if isinstance(v, ArrayFields)]
    if not arrays:
        raise DTypeError(f"normal: {mean} and {std} given; it wants an array among them, or use normal_")
    first = arrays[0]
    if is_array(std):
        if std.dtype.is_complex:
            raise DTypeError("normal: expects standard deviation to be non-complex")
        negative = std.size > 0 and std.flat.backend.holds_items and bool(any_of(comparison.less(all_slices(std), 0)))
    else:
        negative = std < 0
    if negative:
        raise ShapeError("normal: expects all elements of std >= 0.0")
    shape = broadcast_shapes(*(a.shape for a in arrays), op="normal")
    noise = randn(shape, dtype=first.dtype, device=first.device, generator=generator)
    scaled = arithmetic.multiply(noise, std)
    return cast(arithmetic.add(cast(scaled, noise.flat.kernels), mean), noise.flat.kernels)


def _filled(op: str, x: NDArray, generator: Generator | None, fill: Callable[..., None], *params: float) -> NDArray:
    """Overwrite x with what a fill of flat host memory gives."""
    level = innermost()
    if level is not None:
        check_randomness(level, x)
    target = x if level is None or level.randomness == "same" else all_slices(x)
    if not x.flat.backend.holds_items:
        x.flat.version += 1
        return x
    target = view_of(target, in_memory_order(target.layout))
    samples = np.empty(target.size, x.dtype.numpy)
    fill(samples, generator or generator_of(x.device), *params)
    x.flat.version += 1
    copy_to(target, to_device(from_numpy(samples.reshape(target.shape)), x.device))
    return x


def exponential_(x: NDArray, lambd: float = 1.0, *, generator: Generator | None = None) -> NDArray:
    """Overwrite x with draws from the exponential distribution.

    Args:
        x: the array to fill.
        lambd: the rate, above 0; the mean is its inverse.
        generator: by default that of x's device.

    Returns:
        x itself.

    Raises:
        RandomError: the rate is not above 0.
        OpNotImplemented: x holds no floats.

    >>> _ = nd.manual_seed(0)
    >>> draws = nd.exponential_(nd.empty(1000), 4.0)
    >>> bool(abs(draws.mean() - 0.25) < 0.02)
    True
    """
    _floating("exponential_", x)
    return _filled("exponential_", x, generator, random.exponential, lambd)


def cauchy_(x: NDArray, median: float = 0.0, sigma: float = 1.0, *, generator: Generator | None = None) -> NDArray:
    """Overwrite x with draws from the Cauchy distribution.

    Args:
        x: the array to fill.
        median: the middle of the distribution.
        sigma: half of its width at half height, above 0.
        generator: by default that of x's device.

    Returns:
        x itself.

    Raises:
        RandomError: sigma is not above 0.
        OpNotImplemented: x holds no floats.

    >>> _ = nd.manual_seed(0)
    >>> draws = nd.cauchy_(nd.empty(1001), median=5.0)
    >>> bool(abs(nd.median(draws) - 5) < 0.2)
    True
    """
    _floating("cauchy_", x)
    return _filled("cauchy_", x, generator, random.cauchy, median, sigma)


def geometric_(x: NDArray, p: float, *, generator: Generator | None = None) -> NDArray:
    """Overwrite x with how many trials the first success takes.

    Args:
        x: the array to fill, of floats or integers.
        p: the probability of success of one trial, strictly between 0 and 1.
        generator: by default that of x's device.

    Returns:
        x itself; every item is 1 or more.

    Raises:
        RandomError: p is not within 0 < p < 1.

    >>> _ = nd.manual_seed(0)
    >>> draws = nd.geometric_(nd.empty((1000,), dtype=nd.int64), 0.5)
    >>> draws.min().item(), bool(abs(nd.mean(draws, dtype=nd.float32) - 2) < 0.2)
    (1, True)
    """
    return _filled("geometric_", x, generator, random.geometric, p)


def log_normal_(x: NDArray, mean: float = 1.0, std: float = 2.0, *, generator: Generator | None = None) -> NDArray:
    """Overwrite x with exponentials of normal numbers.

    Args:
        x: the array to fill.
        mean: the mean of the logarithm.
        std: the standard deviation of the logarithm, above 0.
        generator: by default that of x's device.

    Returns:
        x itself.

    Raises:
        RandomError: the deviation is not above 0.
        OpNotImplemented: x holds no floats.

    >>> _ = nd.manual_seed(0)
    >>> logs = nd.log(nd.log_normal_(nd.empty(1000), mean=1.0, std=0.5))
    >>> bool(abs(logs.mean() - 1) < 0.1), bool(abs(logs.std() - 0.5) < 0.1)
    (True, True)
    """
    _floating("log_normal_", x)
    if not std > 0:
        raise RandomError(f"log_normal_: expects std > 0.0, but found std={std}")
    room = in_order(x)
    room.flat.kernels["random_log_normal"](room, generator=generator or generator_of(x.device), mean=mean, std=std)
    x.flat.version += 1
    return x
