"""Maps of samples, with the logarithm of how much they stretch; several one after the other, and one of several dims."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import reduce
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from ..domains import constraints
from ..domains.parameters import sum_rightmost

__all__ = ["ComposeTransform", "IndependentTransform", "Transform", "identity_transform"]


class Transform:
    """The base class of differentiable maps of samples, which tell how they change densities.

    As in PyTorch, a subclass defines `_call`, and `_inverse` and `log_abs_det_jacobian` where they are known.

    Args:
        cache_size: 1 to keep the last pair of input and output, so that the inverse of the same tensor is exact; else 0.

    Attributes:
        domain: the constraint of inputs.
        codomain: the constraint of outputs.
        bijective: whether the map is one to one.
        sign: 1 where it rises, -1 where it falls.

    Raises:
        ValueError: `cache_size` is neither 0 nor 1.

    >>> class Log1p(torch.distributions.Transform):
    ...     domain = codomain = torch.distributions.constraints.nonnegative
    ...     bijective = True
    ...     def _call(self, x):
    ...         return torch.log1p(x)
    ...     def _inverse(self, y):
    ...         return torch.expm1(y)
    ...     def log_abs_det_jacobian(self, x, y):
    ...         return -y
    >>> transform, x = Log1p(), torch.tensor(1.0)
    >>> transform(x), transform.inv(transform(x)), transform.log_abs_det_jacobian(x, transform(x))
    (tensor(0.6931), tensor(1.), tensor(-0.6931))
    """

    domain: constraints.Constraint = constraints.real
    codomain: constraints.Constraint = constraints.real
    bijective: bool = False
    _cached: tuple[Any, Any] = (None, None)

    def __init__(self, cache_size: int = 0) -> None:
        if cache_size not in (0, 1):
            raise ArgumentValueError("cache_size must be 0 or 1")
        self._cache_size = cache_size

    @property
    def sign(self) -> Any:
        """Whether the map rises (1) or falls (-1).

        Raises:
            NotImplementedError: the transform does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} has no sign")

    def with_cache(self, cache_size: int = 1) -> Transform:
        """Return the same transform with a cache of another size.

        Args:
            cache_size: 0 or 1.

        Returns:
            The transform itself if its cache has this size, else a copy with an empty cache.
        """
        if self._cache_size == cache_size:
            return self
        result = copy(self)
        result._cache_size, result._cached = cache_size, (None, None)
        return result

    @property
    def event_dim(self) -> int:
        """How many of the last dims make up one value.

        Raises:
            ValueError: they differ between inputs and outputs; `domain.event_dim` and `codomain.event_dim` tell both.
        """
        if self.domain.event_dim != self.codomain.event_dim:
            raise ArgumentValueError("Please use either .domain.event_dim or .codomain.event_dim")
        return self.domain.event_dim

    @property
    def inv(self) -> Transform:
        """The inverse transform, whose inverse is this one."""
        return _Inverse(self)

    def __call__(self, x: Tensor) -> Tensor:
        """Map samples, or return the last output for the very tensor that was mapped last, if there is a cache.

        Args:
            x: (*batch, *event), within the domain.

        Returns:
            (*batch, *event) of the output, within the codomain.
        """
        if not self._cache_size:
            return self._call(x)
        if x is not self._cached[0]:
            self._cached = (x, self._call(x))
        return self._cached[1]  # type: ignore[no-any-return]

    def _back(self, y: Tensor) -> Tensor:
        """What is mapped to `y`."""
        if not self._cache_size:
            return self._inverse(y)
        if y is not self._cached[1]:
            self._cached = (self._inverse(y), y)
        return self._cached[0]  # type: ignore[no-any-return]

    def _call(self, x: Tensor) -> Tensor:
        """The map: subclasses define it, as in PyTorch."""
        raise NotImplementedError(f"{type(self).__name__} has no _call")

    def _inverse(self, y: Tensor) -> Tensor:
        """The way back: subclasses define it, as in PyTorch, where there is one."""
        raise NotImplementedError(f"{type(self).__name__} has no _inverse")

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Compute the logarithm of the absolute value of the Jacobian's determinant, log |det dy / dx|; subclasses define it.

        Args:
            x: (*batch, *event) of the input.
            y: what `x` is mapped to.

        Returns:
            (*batch,).

        Raises:
            NotImplementedError: the class does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} has no log_abs_det_jacobian")

    def forward_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Compute the shape of the output from that of the input; the same, unless a subclass says otherwise.

        Args:
            shape: of the input, batch dims in front.

        Returns:
            The shape of the output.
        """
        return tuple(shape)

    def inverse_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Compute the shape of the input from that of the output; the same, unless a subclass says otherwise.

        Args:
            shape: of the output, batch dims in front.

        Returns:
            The shape of the input.
        """
        return tuple(shape)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class _Inverse(Transform):
    """Another transform, the other way."""

    def __init__(self, transform: Transform) -> None:
        super().__init__()
        self._inv = transform
        self.domain, self.codomain, self.bijective = transform.codomain, transform.domain, transform.bijective

    @property
    def sign(self) -> Any:
        return self._inv.sign

    @property
    def inv(self) -> Transform:
        return self._inv

    def with_cache(self, cache_size: int = 1) -> Transform:
        return self._inv.with_cache(cache_size).inv

    def _call(self, x: Tensor) -> Tensor:
        return self._inv._back(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return self._inv(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        return self._inv.forward_shape(shape)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Inverse) and self._inv == other._inv

    def __hash__(self) -> int:
        return hash((_Inverse, self._inv))

    def __repr__(self) -> str:
        return f"_InverseTransform({self._inv!r})"


class ComposeTransform(Transform):
    """Several transforms in a row, the first one applied first.

    Args:
        parts: the transforms; none for the identity.
        cache_size: 1 to keep the last pair of input and output of every part, else 0.

    >>> scaled = torch.distributions.AffineTransform(0.0, 2.0)
    >>> transform = torch.distributions.ComposeTransform([scaled, torch.distributions.ExpTransform()])
    >>> x = torch.tensor([-1.0, 0.0])
    >>> transform(x), transform.log_abs_det_jacobian(x, transform(x))
    (tensor([0.1353, 1.0000]), tensor([-1.3069,  0.6931]))
    """

    def __init__(self, parts: list[Transform], cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.parts = [part.with_cache(cache_size) for part in parts] if cache_size else parts

    def with_cache(self, cache_size: int = 1) -> Transform:
        """Return the same composition with caches of another size in all parts.

        Args:
            cache_size: 0 or 1.

        Returns:
            The transform itself if its cache has this size, else a new one.
        """
        return self if self._cache_size == cache_size else ComposeTransform(self.parts, cache_size)

    @property
    def bijective(self) -> bool:  # type: ignore[override]
        """Whether all parts are bijective."""
        return all(part.bijective for part in self.parts)

    @property
    def domain(self) -> constraints.Constraint:  # type: ignore[override]
        """The domain of the first part, with as many event dims as the later parts call for."""
        if not self.parts:
            return constraints.real
        dims = self.parts[-1].codomain.event_dim
        for part in reversed(self.parts):
            dims = max(dims + part.domain.event_dim - part.codomain.event_dim, part.domain.event_dim)
        first = self.parts[0].domain
        return constraints.independent(first, dims - first.event_dim) if dims > first.event_dim else first

    @property
    def codomain(self) -> constraints.Constraint:  # type: ignore[override]
        """The codomain of the last part, with as many event dims as the earlier parts call for."""
        if not self.parts:
            return constraints.real
        dims = self.parts[0].domain.event_dim
        for part in self.parts:
            dims = max(dims + part.codomain.event_dim - part.domain.event_dim, part.codomain.event_dim)
        last = self.parts[-1].codomain
        return constraints.independent(last, dims - last.event_dim) if dims > last.event_dim else last

    @property
    def sign(self) -> Any:
        """The product of the signs of all parts."""
        return reduce(lambda a, part: a * part.sign, self.parts, 1)

    @property
    def inv(self) -> Transform:
        """The inverses of the parts in reverse order."""
        return ComposeTransform([part.inv for part in reversed(self.parts)])

    def _call(self, x: Tensor) -> Tensor:
        return reduce(lambda value, part: part(value), self.parts, x)

    def _inverse(self, y: Tensor) -> Tensor:
        return self.inv(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Add log |det dy / dx| of all parts, each summed over the dims of an event that are not its own.

        Args:
            x: where the derivative is taken.
            y: what `x` is mapped to.

        Returns:
            (*batch,), the shape of `x` without the dims of an event.
        """
        total, dims = lt.zeros_like(x), self.domain.event_dim
        total = sum_rightmost(total, dims)
        for part in self.parts:
            reached = part(x)
            total = total + sum_rightmost(part.log_abs_det_jacobian(x, reached), dims - part.domain.event_dim)
            dims += part.codomain.event_dim - part.domain.event_dim
            x = reached
        return total

    def forward_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Compute the shape of the output, part by part.

        Args:
            shape: of the input, batch dims in front.

        Returns:
            The shape of the output.
        """
        return reduce(lambda s, part: part.forward_shape(s), self.parts, tuple(shape))

    def inverse_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Compute the shape of the input, part by part from the last one.

        Args:
            shape: of the output, batch dims in front.

        Returns:
            The shape of the input.
        """
        return reduce(lambda s, part: part.inverse_shape(s), reversed(self.parts), tuple(shape))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(tuple(self.parts))

    def __repr__(self) -> str:
        return "ComposeTransform(\n    " + ",\n    ".join(map(repr, self.parts)) + "\n)"


identity_transform = ComposeTransform([])


class IndependentTransform(Transform):
    """A transform of which several more of the last dims make up one value.

    Args:
        base_transform: the transform.
        reinterpreted_batch_ndims: how many dims more than those of its own events.
        cache_size: 1 to keep the last pair of input and output, else 0.

    Attributes:
        domain, codomain: those of the transform, checked for whole values.

    >>> transform = torch.distributions.IndependentTransform(torch.distributions.ExpTransform(), 1)
    >>> x = torch.tensor([-1.0, 0.0, 2.0])
    >>> transform.event_dim, transform.log_abs_det_jacobian(x, transform(x))
    (1, tensor(1.))
    """

    def __init__(self, base_transform: Transform, reinterpreted_batch_ndims: int, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        self.bijective = base_transform.bijective
        self.domain = constraints.independent(base_transform.domain, reinterpreted_batch_ndims)
        self.codomain = constraints.independent(base_transform.codomain, reinterpreted_batch_ndims)

    @property
    def sign(self) -> Any:
        """The sign of the base transform."""
        return self.base_transform.sign

    def _call(self, x: Tensor) -> Tensor:
        if x.ndim < self.domain.event_dim:
            raise ArgumentValueError("Too few dimensions on input")
        return self.base_transform(x)

    def _inverse(self, y: Tensor) -> Tensor:
        if y.ndim < self.codomain.event_dim:
            raise ArgumentValueError("Too few dimensions on input")
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Sum the base transform's log |det dy / dx| over the dims that make up one value.

        Args:
            x: where the derivative is taken.
            y: what `x` is mapped to.

        Returns:
            (*batch,), without these dims.
        """
        return sum_rightmost(self.base_transform.log_abs_det_jacobian(x, y), self.reinterpreted_batch_ndims)

    def forward_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Compute the shape of the output by the base transform.

        Args:
            shape: of the input, batch dims in front.

        Returns:
            The shape of the output.
        """
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Compute the shape of the input by the base transform.

        Args:
            shape: of the output, batch dims in front.

        Returns:
            The shape of the input.
        """
        return self.base_transform.inverse_shape(shape)

    def __repr__(self) -> str:
        return f"IndependentTransform({self.base_transform!r}, {self.reinterpreted_batch_ndims})"
