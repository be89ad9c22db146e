"""Random tensors in PyTorch's spelling; on the CPU with PyTorch's own stream."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_flatarray import DTypeError
from lamina_flatarray.random import Generator
from lamina_ndarray import NDArray, manual_seed

from ..autograd.recording import recorded
from ..autograd.rules import RULES
from ..methods.sizes import sizes
from ..tensor_fields import TensorFields, tensor_of
from .creation import leaf, options, written

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = [
    "bernoulli", "manual_seed", "multinomial", "normal", "poisson", "rand", "rand_like", "randint", "randint_like",
    "randn", "randn_like", "randperm",
]  # fmt: skip


def _of_shape(make: Callable[..., NDArray]) -> Callable[..., Tensor]:
    op = make.__name__

    def create(
        *shape: Any, size: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False,
        generator: Generator | None = None, out: Tensor | None = None, **more: Any,
    ) -> Tensor:  # fmt: skip
        if size is None:
            lengths = shape if shape and shape[0].__class__ is int else sizes(shape)
        else:
            lengths = tuple(size)
        if out is not None and dtype is None:
            dtype = out.dtype
        if more:
            options(op, more)
        made = make(lengths, dtype=dtype, device=device, generator=generator, **more)
        return written(op, out, made, requires_grad) if out is not None or requires_grad else tensor_of(made)

    create.__name__ = create.__qualname__ = op
    create.__doc__ = make.__doc__
    return create


def _like(make: Callable[..., NDArray]) -> Callable[..., Tensor]:
    op = make.__name__

    def create(
        input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False,
        generator: Generator | None = None, **more: Any,
    ) -> Tensor:  # fmt: skip
        if more:
            options(op, more)
        made = make(input.array, dtype=dtype, device=device, generator=generator, **more)
        return leaf(made, True) if requires_grad else tensor_of(made)

    create.__name__ = create.__qualname__ = op
    create.__doc__ = make.__doc__
    return create


rand, randn = _of_shape(nd.rand), _of_shape(nd.randn)
rand_like, randn_like = _like(nd.rand_like), _like(nd.randn_like)


def randint(
    *bounds_and_size: Any, low: int = 0, high: int | None = None, size: Any = None, dtype: Any = None,
    device: Any = None, requires_grad: bool = False, generator: Generator | None = None, out: Tensor | None = None,
    **more: Any,
) -> Tensor:  # fmt: skip
    """`randint(high, size)` or `randint(low, high, size)`: integers in [low, high), low being 0 if not given.

    Raises:
        ShapeError: the range is empty.
    """
    bounds = list(bounds_and_size)
    lengths = bounds.pop() if size is None else size
    if high is not None:
        bounds.append(high)
    first, last = bounds if len(bounds) == 2 else (low, *bounds)
    dtype = dtype or (nd.int64 if out is None else out.dtype)
    if more:
        options("randint", more)
    made = nd.randint(first, last, tuple(lengths), dtype=dtype, device=device, generator=generator, **more)
    return written("randint", out, made, requires_grad) if out is not None or requires_grad else tensor_of(made)


def randint_like(
    input: Tensor, *bounds: Any, low: int = 0, high: int | None = None, dtype: Any = None, device: Any = None,
    requires_grad: bool = False, generator: Generator | None = None, **more: Any,
) -> Tensor:  # fmt: skip
    """`randint_like(input, high)` or `randint_like(input, low, high)`: integers in [low, high) in input's dtype.

    Raises:
        ShapeError: the range is empty.
    """
    given = [b.item() if isinstance(b, TensorFields) else b for b in (*bounds, *(() if high is None else (high,)))]
    first, last = given if len(given) == 2 else (low, *given)
    made = nd.randint_like(
        input.array, first, last, dtype=dtype, device=device, generator=generator, **options("randint_like", more)
    )
    return leaf(made, requires_grad)


def randperm(
    n: int, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, generator: Generator | None = None,
    out: Tensor | None = None, **more: Any,
) -> Tensor:  # fmt: skip
    """The integers 0 .. n-1 in random order."""
    dtype = dtype or (nd.int64 if out is None else out.dtype)
    made = nd.randperm(n, dtype=dtype, device=device, generator=generator, **options("randperm", more))
    return written("randperm", out, made, requires_grad)


def normal(
    mean: Any, std: Any = 1.0, size: Sequence[int] | None = None, *, dtype: Any = None, device: Any = None,
    requires_grad: bool = False, generator: Generator | None = None, out: Tensor | None = None, **more: Any,
) -> Tensor:  # fmt: skip
    """Normal numbers: around tensors of means, at tensors of deviations, or of two numbers and a size.

    Raises:
        ShapeError: a deviation is negative, or the shapes do not broadcast.
    """
    arrays = [v.array if isinstance(v, TensorFields) else v for v in (mean, std)]
    if size is None:
        made = nd.normal(*arrays, generator=generator)
        if out is None:
            return recorded(RULES["normal"], made, (mean, std))
    else:
        made = nd.empty(tuple(size), dtype=dtype, device=device, **options("normal", more))
        nd.normal_(made, *arrays, generator=generator)
    return written("normal", out, made, requires_grad)


def bernoulli(input: Tensor, p: float | None = None, *, generator: Generator | None = None, out: Any = None) -> Tensor:
    """1 with the probability that each item of the input tells (or `p`), else 0; its gradient is 0.

    Raises:
        ShapeError: a probability is not within [0, 1].
    """
    made = nd.bernoulli(input.array, p, generator=generator)
    return recorded(RULES["bernoulli"], made, (input,)) if out is None else written("bernoulli", out, made)


def poisson(input: Tensor, generator: Generator | None = None) -> Tensor:
    """Poisson numbers, each at the rate that the input's item tells; their gradient is 0.

    Raises:
        RandomError: a rate is negative, infinite or NaN.
    """
    return recorded(RULES["poisson"], nd.poisson(input.array, generator=generator), (input,))


def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Generator | None = None, out: Any = None
) -> Tensor:
    """Indices drawn from each row of weights, which need not add up to 1.

    Raises:
        ShapeError: the input has no row, or there are fewer categories than draws without replacement.
        RandomError: a weight is negative or not finite, or a row has none above 0.
        DTypeError: `out` does not hold int64.
    """
    if out is not None and out.dtype is not nd.int64:
        raise DTypeError(f"multinomial expects Long tensor out, got: {out.dtype.name}")
    return written("multinomial", out, nd.multinomial(input.array, num_samples, replacement, generator=generator))
