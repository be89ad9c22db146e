"""Which transform leads from all real numbers to where a constraint wants its parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamina_flatarray import ArgumentTypeError

from ..maps.elementwise import AffineTransform, ExpTransform, SigmoidTransform
from ..maps.joined import CatTransform, StackTransform
from ..maps.transforms import ComposeTransform, IndependentTransform, Transform, identity_transform
from ..maps.vectors import (
    CorrCholeskyTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
    SoftmaxTransform,
    StickBreakingTransform,
)
from . import constraints
from .constraints import Constraint

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]

_Factory = Callable[[Any], Transform]


class ConstraintRegistry:
    """A registry of transforms: called with a constraint, it returns a transform from unconstrained tensors to the constraint's values.

    `biject_to` has bijective transforms, whose log determinants are known. `transform_to` has transforms that may map several inputs
    to one value, but treat items alike, which suits optimizers.

    >>> torch.distributions.biject_to(torch.distributions.constraints.simplex)
    StickBreakingTransform()
    >>> above_one = torch.distributions.transform_to(torch.distributions.constraints.greater_than(1.0))
    >>> above_one(torch.tensor([-1.0, 0.0]))
    tensor([1.3679, 2.0000])
    """

    def __init__(self) -> None:
        self._factories: dict[type, _Factory] = {}

    def register(self, constraint: Any, factory: _Factory | None = None) -> Any:
        """Register the transform of a constraint or of a class of constraints; without a factory, as a decorator.

        Args:
            constraint: a constraint, which stands for its class, or the class itself.
            factory: a function that returns the transform for a constraint of the class.

        Returns:
            The factory, or a decorator that registers one.

        Raises:
            TypeError: `constraint` is neither a constraint nor a class of constraints.
        """
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        kind = type(constraint) if isinstance(constraint, Constraint) else constraint
        if not (isinstance(kind, type) and issubclass(kind, Constraint)):
            raise ArgumentTypeError(f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}")
        self._factories[kind] = factory
        return factory

    def __call__(self, constraint: Constraint) -> Transform:
        """Return the transform onto the values of a constraint.

        Args:
            constraint: the constraint that outputs have to satisfy.

        Returns:
            A Transform from real numbers.

        Raises:
            NotImplementedError: no transform is registered for its class.
        """
        if type(constraint) not in self._factories:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return self._factories[type(constraint)](constraint)


biject_to = ConstraintRegistry()
"""One to one."""

transform_to = ConstraintRegistry()
"""Perhaps not one to one, but item by item as far as can be, which suits optimizers."""


def _interval(c: Any) -> Transform:
    low, high = c.lower_bound, c.upper_bound
    if isinstance(low, (int, float)) and isinstance(high, (int, float)) and (low, high) == (0, 1):
        return SigmoidTransform()
    return ComposeTransform([SigmoidTransform(), AffineTransform(low, high - low)])


def _above(c: Any) -> Transform:
    return ComposeTransform([ExpTransform(), AffineTransform(c.lower_bound, 1)])


for _registry in (biject_to, transform_to):

    def _independent(c: Any, registry: ConstraintRegistry = _registry) -> Transform:
        return IndependentTransform(registry(c.base_constraint), c.reinterpreted_batch_ndims)

    def _cat(c: Any, registry: ConstraintRegistry = _registry) -> Transform:
        return CatTransform([registry(part) for part in c.cseq], c.dim, c.lengths)

    def _stack(c: Any, registry: ConstraintRegistry = _registry) -> Transform:
        return StackTransform([registry(part) for part in c.cseq], c.dim)

    _registry.register(constraints.real, lambda c: identity_transform)
    _registry.register(constraints.independent, _independent)
    _registry.register(constraints.greater_than, _above)
    _registry.register(constraints.greater_than_eq, _above)
    _registry.register(
        constraints.less_than, lambda c: ComposeTransform([ExpTransform(), AffineTransform(c.upper_bound, -1)])
    )
    _registry.register(constraints.interval, _interval)
    _registry.register(constraints.half_open_interval, _interval)
    _registry.register(constraints.corr_cholesky, lambda c: CorrCholeskyTransform())
    _registry.register(constraints.cat, _cat)
    _registry.register(constraints.stack, _stack)

biject_to.register(constraints.simplex, lambda c: StickBreakingTransform())
transform_to.register(constraints.simplex, lambda c: SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda c: LowerCholeskyTransform())
transform_to.register(constraints.positive_definite, lambda c: PositiveDefiniteTransform())
transform_to.register(constraints.positive_semidefinite, lambda c: PositiveDefiniteTransform())
