"""Several maps side by side, each of its own part of a tensor."""

from __future__ import annotations

from collections.abc import Sequence

import lamina_tensor as lt
from lamina_tensor import Tensor

from ..domains import constraints
from ..domains.parameters import sum_rightmost
from .transforms import Transform

__all__ = ["CatTransform", "StackTransform"]


class _Joined(Transform):
    """What both have in common: transforms and a dim.

    Args:
        tseq: the transforms.
        dim: the dim along which their parts lie.
        cache_size: 1 to keep the last pair of input and output, else 0.

    Raises:
        AssertionError: an item of `tseq` is not a Transform; or, when called, a tensor has another number of parts.
    """

    transforms: list[Transform]
    dim: int

    def __init__(self, tseq: Sequence[Transform], dim: int, cache_size: int) -> None:
        if not all(isinstance(t, Transform) for t in tseq):
            raise AssertionError("All elements of tseq must be Transform instances")
        super().__init__(cache_size)
        self.transforms = [t.with_cache(cache_size) for t in tseq] if cache_size else list(tseq)
        self.dim = dim

    @property
    def bijective(self) -> bool:  # type: ignore[override]
        """Whether all transforms are bijective."""
        return all(t.bijective for t in self.transforms)

    def _parts(self, x: Tensor) -> list[Tensor]:
        raise NotImplementedError("each kind of joining has its own parts")

    def _check(self, x: Tensor, length: int) -> None:
        if not -x.ndim <= self.dim < x.ndim:
            raise AssertionError(f"dim {self.dim} out of range for tensor with {x.ndim} dimensions")
        if x.shape[self.dim] != length:
            raise AssertionError(f"x.size({self.dim}) = {x.shape[self.dim]} must equal {length}")


class CatTransform(_Joined):
    """Several transforms side by side, each of its own piece of a tensor along a dim.

    Args:
        tseq: the transforms.
        dim: the dim along which the pieces are concatenated.
        lengths: the lengths of the pieces, each 1 by default.
        cache_size: 1 to keep the last pair of input and output, else 0.

    Raises:
        AssertionError: an item of `tseq` is not a Transform, or there are not as many lengths.

    >>> parts = [torch.distributions.ExpTransform(), torch.distributions.identity_transform]
    >>> transform = torch.distributions.CatTransform(parts, lengths=[1, 2])
    >>> transform(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([0.3679, 0.0000, 2.0000])
    """

    def __init__(
        self, tseq: Sequence[Transform], dim: int = 0, lengths: Sequence[int] | None = None, cache_size: int = 0
    ) -> None:
        super().__init__(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(f"lengths ({len(self.lengths)}) must match transforms ({len(self.transforms)})")

    @property
    def event_dim(self) -> int:
        """The greatest `event_dim` of the transforms."""
        return max(t.event_dim for t in self.transforms)

    @property
    def length(self) -> int:
        """The sum of the lengths of all pieces."""
        return sum(self.lengths)

    @property
    def domain(self) -> constraints.Constraint:  # type: ignore[override]
        """The domains of the transforms, piece by piece."""
        return constraints.cat([t.domain for t in self.transforms], self.dim, self.lengths)

    @property
    def codomain(self) -> constraints.Constraint:  # type: ignore[override]
        """The codomains of the transforms, piece by piece."""
        return constraints.cat([t.codomain for t in self.transforms], self.dim, self.lengths)

    def _parts(self, x: Tensor) -> list[Tensor]:
        self._check(x, self.length)
        return list(lt.split(x, self.lengths, self.dim))

    def _call(self, x: Tensor) -> Tensor:
        return lt.cat([t(part) for t, part in zip(self.transforms, self._parts(x), strict=True)], self.dim)

    def _inverse(self, y: Tensor) -> Tensor:
        return lt.cat([t.inv(part) for t, part in zip(self.transforms, self._parts(y), strict=True)], self.dim)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Concatenate the pieces' log |det dy / dx|, or add them if the dim of the pieces belongs to an event.

        Args:
            x: where the derivative is taken.
            y: what `x` is mapped to.

        Returns:
            A tensor of the shape of `x` without the last `event_dim` dims.
        """
        log_dets = [
            sum_rightmost(t.log_abs_det_jacobian(a, b), self.event_dim - t.event_dim)
            for t, a, b in zip(self.transforms, self._parts(x), self._parts(y), strict=True)
        ]
        dim = self.dim - (x.ndim if self.dim >= 0 else 0) + self.event_dim  # counted from behind, without the event
        return lt.cat(log_dets, dim) if dim < 0 else lt.sum(lt.stack(log_dets), 0)


class StackTransform(_Joined):
    """Several transforms side by side, each of its own slice of a tensor along a dim.

    Args:
        tseq: the transforms, as many as there are slices.
        dim: the dim along which the slices are stacked.
        cache_size: 1 to keep the last pair of input and output, else 0.

    Raises:
        AssertionError: an item of `tseq` is not a Transform.

    >>> parts = [torch.distributions.ExpTransform(), torch.distributions.identity_transform]
    >>> torch.distributions.StackTransform(parts)(torch.tensor([[0.0, 1.0], [0.0, 1.0]]))
    tensor([[1.0000, 2.7183],
            [0.0000, 1.0000]])
    """

    def __init__(self, tseq: Sequence[Transform], dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(tseq, dim, cache_size)

    @property
    def domain(self) -> constraints.Constraint:  # type: ignore[override]
        """The domains of the transforms, slice by slice."""
        return constraints.stack([t.domain for t in self.transforms], self.dim)

    @property
    def codomain(self) -> constraints.Constraint:  # type: ignore[override]
        """The codomains of the transforms, slice by slice."""
        return constraints.stack([t.codomain for t in self.transforms], self.dim)

    def _parts(self, x: Tensor) -> list[Tensor]:
        self._check(x, len(self.transforms))
        return list(lt.unbind(x, self.dim))

    def _call(self, x: Tensor) -> Tensor:
        return lt.stack([t(part) for t, part in zip(self.transforms, self._parts(x), strict=True)], self.dim)

    def _inverse(self, y: Tensor) -> Tensor:
        return lt.stack([t.inv(part) for t, part in zip(self.transforms, self._parts(y), strict=True)], self.dim)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Stack the slices' log |det dy / dx| along the dim.

        Args:
            x: where the derivative is taken.
            y: what `x` is mapped to.

        Returns:
            A tensor of the slices' results, stacked.
        """
        parts = zip(self.transforms, self._parts(x), self._parts(y), strict=True)
        return lt.stack([t.log_abs_det_jacobian(a, b) for t, a, b in parts], self.dim)
