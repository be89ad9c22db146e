"""Maps of vectors and matrices: onto the simplex, onto Cholesky factors, and from one shape to another."""

from __future__ import annotations

import math
from collections.abc import Sequence

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, finfo
from lamina_tensor import Size, Tensor
from lamina_tensor.dispatch.tensor_functions import af

from ..domains import constraints
from .elementwise import clipped_sigmoid
from .transforms import Transform

__all__ = [
    "CorrCholeskyTransform", "LowerCholeskyTransform", "PositiveDefiniteTransform", "ReshapeTransform", "SoftmaxTransform",
    "StickBreakingTransform",
]  # fmt: skip


def _with_one(x: Tensor, front: bool) -> Tensor:
    """A 1 before or behind the last dim."""
    ones = lt.ones((*x.shape[:-1], 1), dtype=x.dtype, device=x.device)
    return lt.cat([ones, x] if front else [x, ones], -1)


class _OfVectors(Transform):
    """Without parameters: all of a class are equal."""

    domain = constraints.real_vector

    def forward_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        if len(shape) < self.domain.event_dim:
            raise ArgumentValueError("Too few dimensions on input")
        return tuple(shape)

    def inverse_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        if len(shape) < self.codomain.event_dim:
            raise ArgumentValueError("Too few dimensions on input")
        return tuple(shape)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


class SoftmaxTransform(_OfVectors):
    """The map of vectors to the simplex by softmax: exp(x), divided by its sum.

    It is not bijective, as a shift of x changes nothing: the inverse returns log(y), one of all vectors that are mapped to y.

    Args:
        cache_size: 1 to keep the last pair of input and output, else 0.

    >>> transform = torch.distributions.SoftmaxTransform()
    >>> transform(torch.zeros(4)), transform.inv(torch.tensor([0.5, 0.5]))
    (tensor([0.2500, 0.2500, 0.2500, 0.2500]), tensor([-0.6931, -0.6931]))
    """

    codomain = constraints.simplex

    def _call(self, x: Tensor) -> Tensor:
        return lt.softmax(x, -1)

    def _inverse(self, y: Tensor) -> Tensor:
        return af.log(y)


class StickBreakingTransform(_OfVectors):
    """The bijective map of n numbers to n + 1 shares: each number tells, by a sigmoid, what share of the rest of a stick is broken off.

    Offsets make zeros equal shares: x[i] - log(n - i), with i counted from 0, enters the sigmoid.

    Args:
        cache_size: 1 to keep the last pair of input and output, else 0.

    >>> transform = torch.distributions.StickBreakingTransform()
    >>> transform(torch.zeros(2)), transform.inv(torch.tensor([0.2, 0.3, 0.5]))
    (tensor([0.3333, 0.3333, 0.3333]), tensor([-0.6931, -0.5108]))
    """

    codomain = constraints.simplex
    bijective = True

    @staticmethod
    def _offset(x: Tensor) -> Tensor:
        """Logarithms of how many further shares there are after each."""
        return af.log(lt.arange(x.shape[-1], 0, -1, dtype=x.dtype, device=x.device))

    def _call(self, x: Tensor) -> Tensor:
        broken = clipped_sigmoid(x - self._offset(x))
        return _with_one(broken, False) * _with_one(lt.cumprod(1 - broken, -1), True)

    def _inverse(self, y: Tensor) -> Tensor:
        shares = y[..., :-1]
        rest = lt.clamp(1 - lt.cumsum(shares, -1), min=finfo(y.dtype).tiny)
        return af.log(shares) - af.log(rest) + self._offset(shares)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Compute log |det dy / dx| of the first n shares.

        Args:
            x: where the derivative is taken.
            y: what `x` is mapped to.

        Returns:
            (*batch,), for `x` (*batch, n).
        """
        x = x - self._offset(x)
        return lt.sum(-x - af.softplus(-x) + af.log(y[..., :-1]), -1)

    def forward_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Compute the shape of the shares, whose last dim is longer by 1.

        Args:
            shape: of the input, batch dims in front.

        Returns:
            The shape of the output.

        Raises:
            ValueError: `shape` has no dims.
        """
        shape = super().forward_shape(shape)
        return (*shape[:-1], shape[-1] + 1)

    def inverse_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Compute the shape of the numbers, whose last dim is shorter by 1.

        Args:
            shape: of the output, batch dims in front.

        Returns:
            The shape of the input.

        Raises:
            ValueError: `shape` has no dims.
        """
        shape = super().inverse_shape(shape)
        return (*shape[:-1], shape[-1] - 1)


class LowerCholeskyTransform(_OfVectors):
    """The map of square matrices to lower Cholesky factors: the part above the diagonal is dropped, the diagonal is exponentiated.

    Args:
        cache_size: 1 to keep the last pair of input and output, else 0.

    >>> transform = torch.distributions.LowerCholeskyTransform()
    >>> transform(torch.tensor([[0.0, 5.0], [3.0, 0.0]]))
    tensor([[1., 0.],
            [3., 1.]])
    """

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.lower_cholesky

    def _call(self, x: Tensor) -> Tensor:
        return lt.tril(x, -1) + lt.diag_embed(af.exp(lt.diagonal(x, dim1=-2, dim2=-1)))

    def _inverse(self, y: Tensor) -> Tensor:
        return lt.tril(y, -1) + lt.diag_embed(af.log(lt.diagonal(y, dim1=-2, dim2=-1)))


class PositiveDefiniteTransform(_OfVectors):
    """The map of square matrices to positive definite ones: L @ L.T, with L from `LowerCholeskyTransform`.

    Args:
        cache_size: 1 to keep the last pair of input and output, else 0.

    >>> transform = torch.distributions.PositiveDefiniteTransform()
    >>> transform(torch.tensor([[0.0, 5.0], [3.0, 0.0]]))
    tensor([[ 1.,  3.],
            [ 3., 10.]])
    """

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.positive_definite

    def _call(self, x: Tensor) -> Tensor:
        lower = LowerCholeskyTransform()(x)
        return lower @ lt.transpose(lower, -2, -1)

    def _inverse(self, y: Tensor) -> Tensor:
        return LowerCholeskyTransform().inv(af.linalg.cholesky(y))


def _below(matrix: Tensor, diagonal: int) -> Tensor:
    """The items of a matrix up to a diagonal, row by row."""
    n = matrix.shape[-1]
    mask = lt.tril(lt.ones((n, n), dtype=matrix.dtype, device=matrix.device), diagonal).reshape(n * n)
    places = lt.nonzero(mask)[:, 0]
    return lt.index_select(matrix.reshape((*matrix.shape[:-2], n * n)), -1, places)


class CorrCholeskyTransform(_OfVectors):
    """The bijective map of n * (n - 1) / 2 numbers to the lower Cholesky factor of an n x n correlation matrix.

    Numbers are mapped to (-1, 1) by tanh. Along each row their squares then break off shares of a stick of length 1, so that each row
    has length 1 (https://mc-stan.org/docs/reference-manual/transforms.html#cholesky-factors-of-correlation-matrices).

    Args:
        cache_size: 1 to keep the last pair of input and output, else 0.

    >>> transform = torch.distributions.CorrCholeskyTransform()
    >>> transform(torch.tensor([0.5]))
    tensor([[1.0000, 0.0000],
            [0.4621, 0.8868]])
    """

    codomain = constraints.corr_cholesky
    bijective = True

    def _call(self, x: Tensor) -> Tensor:
        eps = finfo(x.dtype).eps
        x = lt.clamp(af.tanh(x), min=-1 + eps, max=1 - eps)
        n = self.forward_shape(x.shape)[-1]
        mask = lt.tril(lt.ones((n, n), dtype=x.dtype, device=x.device), -1).reshape(n * n)
        flat = lt.zeros((*x.shape[:-1], n * n), dtype=x.dtype, device=x.device)
        rows = lt.index_add(flat, -1, lt.nonzero(mask)[:, 0], x).reshape((*x.shape[:-1], n, n))
        rest = lt.cumprod(af.sqrt(1 - rows**2), -1)
        return (rows + lt.eye(n, dtype=x.dtype, device=x.device)) * _with_one(rest[..., :-1], True)

    def _inverse(self, y: Tensor) -> Tensor:
        rest = _with_one((1 - lt.cumsum(y * y, -1))[..., :-1], True)
        return af.atanh(_below(y, -1) / af.sqrt(_below(rest, -1)))

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Compute log |det dy / dx| of the map to the items below the diagonal.

        Args:
            x: where the derivative is taken.
            y: what `x` is mapped to.

        Returns:
            (*batch,), for `x` (*batch, n * (n - 1) / 2).
        """
        breaking = 0.5 * lt.sum(af.log(_below(1 - lt.cumsum(y * y, -1), -2)), -1)
        return breaking - 2 * lt.sum(x + af.softplus(-2 * x) - math.log(2.0), -1)

    def forward_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Compute the shape (*batch, n, n) of the factors from (*batch, n * (n - 1) / 2).

        Args:
            shape: of the input, batch dims in front.

        Returns:
            The shape of the output.

        Raises:
            ValueError: `shape` has no dims, or its last one is not n * (n - 1) / 2 for any n.
        """
        shape = super().forward_shape(shape)
        n = round((0.25 + 2 * shape[-1]) ** 0.5 + 0.5)
        if n * (n - 1) // 2 != shape[-1]:
            raise ArgumentValueError("Input is not a flattened lower-diagonal number")
        return (*shape[:-1], n, n)

    def inverse_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Compute the shape (*batch, n * (n - 1) / 2) of the numbers from (*batch, n, n).

        Args:
            shape: of the output, batch dims in front.

        Returns:
            The shape of the input.

        Raises:
            ValueError: `shape` has less than two dims, or its last two differ.
        """
        shape = super().inverse_shape(shape)
        if shape[-2] != shape[-1]:
            raise ArgumentValueError("Input is not square")
        return (*shape[:-2], shape[-1] * (shape[-1] - 1) // 2)


class ReshapeTransform(Transform):
    """The map of events to another shape of as many items.

    Args:
        in_shape: the shape of an event of the input.
        out_shape: the shape of an event of the output.
        cache_size: 1 to keep the last pair of input and output, else 0.

    Raises:
        ValueError: the numbers of items differ.

    Attributes:
        domain, codomain: real numbers in events of the two shapes.

    >>> transform = torch.distributions.ReshapeTransform((4,), (2, 2))
    >>> transform(torch.arange(8.0).reshape(2, 4)).shape
    lamina.Size([2, 2, 2])
    """

    bijective = True

    def __init__(self, in_shape: Sequence[int], out_shape: Sequence[int], cache_size: int = 0) -> None:
        self.in_shape, self.out_shape = Size(in_shape), Size(out_shape)
        if math.prod(in_shape) != math.prod(out_shape):
            raise ArgumentValueError("in_shape, out_shape have different numbers of elements")
        super().__init__(cache_size)
        self.domain = constraints.independent(constraints.real, len(in_shape))
        self.codomain = constraints.independent(constraints.real, len(out_shape))

    def _call(self, x: Tensor) -> Tensor:
        return x.reshape((*x.shape[: x.ndim - len(self.in_shape)], *self.out_shape))

    def _inverse(self, y: Tensor) -> Tensor:
        return y.reshape((*y.shape[: y.ndim - len(self.out_shape)], *self.in_shape))

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Return zeros, as the map only moves items.

        Args:
            x: where the derivative is taken.
            y: what `x` is mapped to.

        Returns:
            (*batch,), in the dtype of `x`.
        """
        return lt.zeros(x.shape[: x.ndim - len(self.in_shape)], dtype=x.dtype, device=x.device)

    def forward_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Replace `in_shape` at the end of a shape by `out_shape`.

        Args:
            shape: of the input, batch dims in front.

        Returns:
            The shape of the output.

        Raises:
            ValueError: `shape` does not end with `in_shape`.
        """
        return _exchanged(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Replace `out_shape` at the end of a shape by `in_shape`.

        Args:
            shape: of the output, batch dims in front.

        Returns:
            The shape of the input.

        Raises:
            ValueError: `shape` does not end with `out_shape`.
        """
        return _exchanged(shape, self.out_shape, self.in_shape)


def _exchanged(shape: Sequence[int], old: Sequence[int], new: Sequence[int]) -> tuple[int, ...]:
    cut = len(shape) - len(old)
    if cut < 0:
        raise ArgumentValueError("Too few dimensions on input")
    if tuple(shape[cut:]) != tuple(old):
        raise ArgumentValueError(f"Shape mismatch: expected {tuple(old)} but got {tuple(shape[cut:])}")
    return (*shape[:cut], *new)
