"""Invertible maps of samples, with the logarithm of how much they stretch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import Any

import lamina_tensor as lt
import lamina_tensor.array_functions as af
from lamina_flatarray import finfo
from lamina_tensor import Tensor

from . import constraints
from .parameters import sum_rightmost

__all__ = [
    "AffineTransform", "ComposeTransform", "ExpTransform", "SigmoidTransform", "TanhTransform", "Transform",
    "identity_transform",
]  # fmt: skip


class Transform:
    """An invertible map.

    Attributes:
        domain, codomain: where it leads from and to.
        bijective: whether it is one to one.
        sign: 1 where it rises, -1 where it falls.
    """

    domain: constraints.Constraint = constraints.real
    codomain: constraints.Constraint = constraints.real
    bijective: bool = True
    sign: Any = 1

    def __init__(self, cache_size: int = 0) -> None:
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size = cache_size

    @property
    def event_dim(self) -> int:
        """How many last dims make one value."""
        return self.domain.event_dim

    @property
    def inv(self) -> Transform:
        """The map back."""
        return _Inverse(self)

    def __call__(self, x: Tensor) -> Tensor:
        raise NotImplementedError

    def _inverse(self, y: Tensor) -> Tensor:
        raise NotImplementedError

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """log |dy / dx|."""
        raise NotImplementedError

    def forward_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The shape that a shape is mapped to."""
        return tuple(shape)

    def inverse_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The shape that is mapped to a shape."""
        return tuple(shape)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class _Inverse(Transform):
    """Another transform, the other way."""

    def __init__(self, transform: Transform) -> None:
        super().__init__()
        self._inv = transform
        self.domain, self.codomain = transform.codomain, transform.domain
        self.bijective, self.sign = transform.bijective, transform.sign

    @property
    def inv(self) -> Transform:
        return self._inv

    def __call__(self, x: Tensor) -> Tensor:
        return self._inv._inverse(x)

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
    """Transforms one after the other."""

    def __init__(self, parts: list[Transform], cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.parts = parts

    @property
    def domain(self) -> constraints.Constraint:  # type: ignore[override]
        if not self.parts:
            return constraints.real
        dims = self.parts[-1].codomain.event_dim
        for part in reversed(self.parts):
            dims = max(dims + part.domain.event_dim - part.codomain.event_dim, part.domain.event_dim)
        first = self.parts[0].domain
        return constraints.independent(first, dims - first.event_dim) if dims > first.event_dim else first

    @property
    def codomain(self) -> constraints.Constraint:  # type: ignore[override]
        if not self.parts:
            return constraints.real
        dims = self.parts[0].domain.event_dim
        for part in self.parts:
            dims = max(dims + part.codomain.event_dim - part.domain.event_dim, part.codomain.event_dim)
        last = self.parts[-1].codomain
        return constraints.independent(last, dims - last.event_dim) if dims > last.event_dim else last

    @property
    def sign(self) -> Any:  # type: ignore[override]
        return reduce(lambda a, part: a * part.sign, self.parts, 1)

    @property
    def inv(self) -> Transform:
        return ComposeTransform([part.inv for part in reversed(self.parts)])

    def __call__(self, x: Tensor) -> Tensor:
        return reduce(lambda value, part: part(value), self.parts, x)

    def _inverse(self, y: Tensor) -> Tensor:
        return self.inv(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        total, dims = lt.zeros_like(x), self.domain.event_dim
        total = sum_rightmost(total, dims)
        for part in self.parts:
            reached = part(x)
            total = total + sum_rightmost(part.log_abs_det_jacobian(x, reached), dims - part.domain.event_dim)
            dims += part.codomain.event_dim - part.domain.event_dim
            x = reached
        return total

    def forward_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        return reduce(lambda s, part: part.forward_shape(s), self.parts, tuple(shape))

    def inverse_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        return reduce(lambda s, part: part.inverse_shape(s), reversed(self.parts), tuple(shape))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(tuple(self.parts))

    def __repr__(self) -> str:
        return "ComposeTransform(\n    " + ",\n    ".join(map(repr, self.parts)) + "\n)"


identity_transform = ComposeTransform([])


class _Simple(Transform):
    """Without parameters: all of a class are equal."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


class ExpTransform(_Simple):
    """exp(x)."""

    codomain = constraints.positive

    def __call__(self, x: Tensor) -> Tensor:
        return af.exp(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return af.log(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return x


class SigmoidTransform(_Simple):
    """1 / (1 + exp(-x)), held off 0 and 1."""

    codomain = constraints.unit_interval

    def __call__(self, x: Tensor) -> Tensor:
        limits = finfo(x.dtype)
        return lt.clamp(af.sigmoid(x), min=limits.tiny, max=1.0 - limits.eps)

    def _inverse(self, y: Tensor) -> Tensor:
        limits = finfo(y.dtype)
        y = lt.clamp(y, min=limits.tiny, max=1.0 - limits.eps)
        return af.log(y) - af.log1p(-y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -af.softplus(-x) - af.softplus(x)


class TanhTransform(_Simple):
    """tanh(x)."""

    codomain = constraints.interval(-1.0, 1.0)

    def __call__(self, x: Tensor) -> Tensor:
        return af.tanh(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return af.atanh(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return 2.0 * (math.log(2.0) - x - af.softplus(-2.0 * x))


class AffineTransform(Transform):
    """loc + scale * x.

    Args:
        loc, scale: numbers, or tensors that broadcast.
        event_dim: how many last dims make one value.
    """

    def __init__(self, loc: Any, scale: Any, event_dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim
        self.domain = self.codomain = constraints.independent(constraints.real, event_dim) if event_dim else constraints.real

    @property
    def event_dim(self) -> int:
        return self._event_dim

    @property
    def sign(self) -> Any:  # type: ignore[override]
        if isinstance(self.scale, Tensor):
            return af.sign(self.scale)
        return (self.scale > 0) - (self.scale < 0)

    def __call__(self, x: Tensor) -> Tensor:
        return self.loc + self.scale * x

    def _inverse(self, y: Tensor) -> Tensor:
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        scale = self.scale
        found = af.log(af.abs(scale)) if isinstance(scale, Tensor) else lt.full_like(x, math.log(abs(scale)))
        if isinstance(scale, Tensor):
            found = af.broadcast_arrays(found, x)[0]
        return sum_rightmost(found, self._event_dim)

    def forward_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        sizes = [v.shape for v in (self.loc, self.scale) if isinstance(v, Tensor)]
        return tuple(af.broadcast_arrays(*(lt.empty(tuple(s)) for s in (shape, *sizes)))[0].shape)

    inverse_shape = forward_shape

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AffineTransform):
            return False
        pairs = ((self.loc, other.loc), (self.scale, other.scale))
        return all(bool((lt.as_tensor(a) == lt.as_tensor(b)).all().item()) for a, b in pairs)

    def __hash__(self) -> int:
        return id(self)
