"""Where parameters and samples may lie: each constraint checks a tensor, item by item or event by event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, finfo
from lamina_flatarray import bool as bool_
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

__all__ = [
    "Constraint", "MixtureSameFamilyConstraint", "boolean", "cat", "corr_cholesky", "dependent", "dependent_property",
    "greater_than", "greater_than_eq", "half_open_interval", "independent", "integer_interval", "interval", "is_dependent",
    "less_than", "lower_cholesky", "lower_triangular", "multinomial", "nonnegative", "nonnegative_integer", "one_hot", "positive",
    "positive_definite", "positive_integer", "positive_semidefinite", "real", "real_vector", "simplex", "square", "stack",
    "symmetric", "unit_interval",
]  # fmt: skip


class Constraint:
    """The base class of constraints, each the set of values that a parameter or a sample may take.

    Attributes:
        is_discrete: whether the values are isolated points, as integers are.
        event_dim: how many of the last dims make up one value: 0 for numbers, 1 for vectors, 2 for matrices.

    >>> simplex = torch.distributions.constraints.simplex
    >>> simplex.event_dim, simplex.check(torch.tensor([[0.2, 0.8], [0.5, 0.6]]))
    (1, tensor([ True, False]))
    """

    is_discrete: bool = False
    event_dim: int = 0

    def check(self, value: Tensor) -> Tensor:
        """Check which values satisfy the constraint; subclasses define it, as in PyTorch.

        Args:
            value: (*batch, *event), with `event_dim` dims in the event.

        Returns:
            (*batch,), of dtype bool.

        Raises:
            NotImplementedError: the subclass does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} has no check")

    def __repr__(self) -> str:
        bounds = ", ".join(f"{k}={v}" for k, v in vars(self).items() if k not in ("is_discrete", "event_dim"))
        return f"{type(self).__name__.removeprefix('_')}({bounds})"


class _Dependent(Constraint):
    """Depends on other parameters; it is not checked."""

    def check(self, value: Tensor) -> Tensor:
        raise ArgumentValueError("Cannot determine validity of dependent constraint")

    def __call__(self, *, is_discrete: bool = False, event_dim: int = 0) -> _Dependent:
        """One that tells what is known of it beforehand."""
        result = _Dependent()
        result.is_discrete, result.event_dim = is_discrete, event_dim
        return result


class dependent_property(property, _Dependent):
    """A property of a distribution that returns a constraint which depends on its parameters, such as a support; it decorates a method.

    Args:
        fn: the method; None to give the other arguments first, as in `@dependent_property(event_dim=1)`.
        is_discrete: whether the values are isolated points, known without an instance.
        event_dim: how many of the last dims make up one value, likewise.

    >>> constraints = torch.distributions.constraints
    >>> class Above(torch.distributions.Distribution):
    ...     low = torch.tensor(2.0)
    ...     @constraints.dependent_property(is_discrete=False, event_dim=0)
    ...     def support(self):
    ...         return constraints.greater_than(self.low)
    >>> Above().support.check(torch.tensor([1.0, 3.0])), constraints.is_dependent(Above.support)
    (tensor([False,  True]), True)
    """

    def __init__(self, fn: Any = None, *, is_discrete: bool = False, event_dim: int = 0) -> None:
        super().__init__(fn)
        self.is_discrete, self.event_dim = is_discrete, event_dim

    def __call__(self, fn: Any) -> dependent_property:  # type: ignore[override]
        return dependent_property(fn, is_discrete=self.is_discrete, event_dim=self.event_dim)


def is_dependent(constraint: Any) -> bool:
    """Return whether a constraint depends on parameters, so that it cannot be checked by itself.

    Args:
        constraint: any object.

    Returns:
        True for `dependent` and for a `dependent_property`.

    >>> constraints = torch.distributions.constraints
    >>> constraints.is_dependent(constraints.dependent), constraints.is_dependent(constraints.real)
    (True, False)
    """
    return isinstance(constraint, _Dependent)


class _Boolean(Constraint):
    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        return af.logical_or(value == 0, value == 1)


class _OneHot(Constraint):
    is_discrete, event_dim = True, 1

    def check(self, value: Tensor) -> Tensor:
        return lt.all((value == 0) | (value == 1), -1) & (lt.sum(value, -1) == 1)


class _Real(Constraint):
    def check(self, value: Tensor) -> Tensor:
        return ~af.isnan(value)


class _Bounded(Constraint):
    """Between two bounds, of which either may be missing, and either may belong to it."""

    _open_below = _open_above = False
    _integers = False

    def check(self, value: Tensor) -> Tensor:
        inside = ~af.isnan(value)
        low, high = self.__dict__.get("lower_bound"), self.__dict__.get("upper_bound")
        if low is not None:
            inside = inside & (value > low if self._open_below else value >= low)
        if high is not None:
            inside = inside & (value < high if self._open_above else value <= high)
        return inside & (value % 1 == 0) if self._integers else inside


class _From(_Bounded):
    """Above a bound."""

    def __init__(self, lower_bound: Tensor | float) -> None:
        self.lower_bound = lower_bound
        self.is_discrete = self._integers


class _UpTo(_Bounded):
    """Below a bound."""

    def __init__(self, upper_bound: Tensor | float) -> None:
        self.upper_bound = upper_bound


class _Between(_Bounded):
    """Between two bounds."""

    def __init__(self, lower_bound: Tensor | float, upper_bound: Tensor | float) -> None:
        self.lower_bound, self.upper_bound = lower_bound, upper_bound
        self.is_discrete = self._integers


class _IntegerInterval(_Between):
    """Integers from `lower_bound` to `upper_bound`, both included.

    Args:
        lower_bound, upper_bound: numbers, or tensors that broadcast with what is checked.

    >>> torch.distributions.constraints.integer_interval(0, 2).check(torch.tensor([0.0, 1.5, 3.0]))
    tensor([ True, False, False])
    """

    _integers = True


class _IntegerGreaterThan(_From):
    _integers = True


class _GreaterThan(_From):
    """Numbers above `lower_bound`.

    Args:
        lower_bound: a number, or a tensor that broadcasts with what is checked.

    >>> torch.distributions.constraints.greater_than(0.0).check(torch.tensor([0.0, 1.5]))
    tensor([False,  True])
    """

    _open_below = True


class _GreaterThanEq(_From):
    """Numbers of `lower_bound` or more.

    Args:
        lower_bound: a number, or a tensor that broadcasts with what is checked.

    >>> torch.distributions.constraints.greater_than_eq(0.0).check(torch.tensor([0.0, -1.5]))
    tensor([ True, False])
    """


class _LessThan(_UpTo):
    """Numbers below `upper_bound`.

    Args:
        upper_bound: a number, or a tensor that broadcasts with what is checked.

    >>> torch.distributions.constraints.less_than(0.0).check(torch.tensor([0.0, -1.5]))
    tensor([False,  True])
    """

    _open_above = True


class _Interval(_Between):
    """Numbers from `lower_bound` to `upper_bound`, both included.

    Args:
        lower_bound, upper_bound: numbers, or tensors that broadcast with what is checked.

    >>> torch.distributions.constraints.interval(0.0, 1.0).check(torch.tensor([0.5, 1.0, 2.0]))
    tensor([ True,  True, False])
    """


class _HalfOpenInterval(_Between):
    """Numbers from `lower_bound`, included, to `upper_bound`, not included.

    Args:
        lower_bound, upper_bound: numbers, or tensors that broadcast with what is checked.

    >>> torch.distributions.constraints.half_open_interval(0.0, 1.0).check(torch.tensor([0.0, 1.0]))
    tensor([ True, False])
    """

    _open_above = True


class _Simplex(Constraint):
    event_dim = 1

    def check(self, value: Tensor) -> Tensor:
        return lt.all(value >= 0, -1) & (af.abs(lt.sum(value, -1) - 1) < 1e-6)


class _Multinomial(Constraint):
    """Rows of counts whose sum is at most `upper_bound`.

    Args:
        upper_bound: how many trials there are.

    >>> torch.distributions.constraints.multinomial(3).check(torch.tensor([[1.0, 2.0], [2.0, 2.0]]))
    tensor([ True, False])
    """

    is_discrete, event_dim = True, 1

    def __init__(self, upper_bound: int | Tensor) -> None:
        self.upper_bound = upper_bound

    def check(self, value: Tensor) -> Tensor:
        return lt.all(value >= 0, -1) & (lt.sum(value, -1) <= self.upper_bound)


class _LowerTriangular(Constraint):
    event_dim = 2

    def check(self, value: Tensor) -> Tensor:
        return lt.all(lt.all(lt.tril(value) == value, -1), -1)


class _LowerCholesky(_LowerTriangular):
    def check(self, value: Tensor) -> Tensor:
        return super().check(value) & lt.all(lt.diagonal(value, dim1=-2, dim2=-1) > 0, -1)


class _CorrCholesky(_LowerCholesky):
    def check(self, value: Tensor) -> Tensor:
        slack = finfo(value.dtype).eps * value.shape[-1] * 10
        length = af.sqrt(lt.sum(value.detach() ** 2, -1))
        return super().check(value) & lt.all(af.abs(length - 1) <= slack, -1)


class _Square(Constraint):
    event_dim = 2

    def check(self, value: Tensor) -> Tensor:
        return lt.full(value.shape[:-2], value.shape[-2] == value.shape[-1], dtype=bool_, device=value.device)


class _Symmetric(_Square):
    def check(self, value: Tensor) -> Tensor:
        if value.shape[-2] != value.shape[-1]:
            return super().check(value)
        return lt.all(lt.all(af.abs(value - lt.transpose(value, -2, -1)) <= 1e-6, -1), -1)


class _PositiveSemidefinite(_Symmetric):
    def check(self, value: Tensor) -> Tensor:
        result = super().check(value)
        if value.shape[-2] != value.shape[-1]:
            return result
        return result & lt.all(af.linalg.eigvalsh(value.detach()) >= 0, -1)


class _PositiveDefinite(_Symmetric):
    def check(self, value: Tensor) -> Tensor:
        return super().check(value) & (af.linalg.cholesky_ex(value.detach())[1] == 0)


class _IndependentConstraint(Constraint):
    """A constraint of whole vectors, matrices and so on: all items of the last dims have to hold.

    Args:
        base_constraint: the constraint of one item.
        reinterpreted_batch_ndims: how many of the last dims make up one value.

    >>> constraints = torch.distributions.constraints
    >>> constraints.independent(constraints.positive, 1).check(torch.tensor([[1.0, 2.0], [1.0, -1.0]]))
    tensor([ True, False])
    """

    def __init__(self, base_constraint: Constraint, reinterpreted_batch_ndims: int) -> None:
        self.base_constraint, self.reinterpreted_batch_ndims = base_constraint, reinterpreted_batch_ndims
        self.is_discrete = base_constraint.is_discrete
        self.event_dim = base_constraint.event_dim + reinterpreted_batch_ndims

    def check(self, value: Tensor) -> Tensor:
        result = self.base_constraint.check(value)
        for _ in range(self.reinterpreted_batch_ndims):
            result = lt.all(result, -1)
        return result

    def __repr__(self) -> str:
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


class MixtureSameFamilyConstraint(Constraint):
    """The support of a mixture: the values that satisfy the constraint of every component.

    Args:
        base_constraint: the support of the components, whose last batch dim is the one of the components.

    >>> own = torch.distributions.constraints.MixtureSameFamilyConstraint(torch.distributions.constraints.unit_interval)
    >>> own.check(torch.tensor([0.5, 2.0]))
    tensor([ True, False])
    """

    def __init__(self, base_constraint: Constraint) -> None:
        self.base_constraint = base_constraint
        self.is_discrete, self.event_dim = base_constraint.is_discrete, base_constraint.event_dim

    def check(self, value: Tensor) -> Tensor:
        """Check which values lie within the support of all components.

        Args:
            value: (*batch, *event), without a dim of components.

        Returns:
            (*batch,), of dtype bool.

        Raises:
            ValueError: `value` has fewer dims than an event.
        """
        lead = value.ndim - self.event_dim
        if lead < 0:
            raise ArgumentValueError(f"Expected value.dim() >= {self.event_dim} but got {value.ndim}")
        satisfied = self.base_constraint.check(lt.unsqueeze(value, -1 - self.event_dim))
        return lt.all(satisfied.reshape((*satisfied.shape[:lead], -1)), -1)

    def __repr__(self) -> str:
        return f"MixtureSameFamilyConstraint({self.base_constraint!r})"


class _Cat(Constraint):
    """Several constraints, each of a piece along a dim.

    Args:
        cseq: the constraints, in order.
        dim: the dim that is divided.
        lengths: of the pieces; 1 each by default.

    >>> constraints = torch.distributions.constraints
    >>> constraints.cat([constraints.positive, constraints.real]).check(torch.tensor([-1.0, -1.0]))
    tensor([False,  True])
    """

    def __init__(self, cseq: Sequence[Constraint], dim: int = 0, lengths: Sequence[int] | None = None) -> None:
        self.cseq, self.dim = list(cseq), dim
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        self.is_discrete = any(c.is_discrete for c in self.cseq)
        self.event_dim = max(c.event_dim for c in self.cseq)

    def check(self, value: Tensor) -> Tensor:
        parts = zip(self.cseq, lt.split(value, self.lengths, self.dim), strict=True)
        return lt.cat([c.check(part) for c, part in parts], self.dim)


class _Stack(Constraint):
    """Several constraints, each of a slice along a dim.

    Args:
        cseq: the constraints, one for each slice.
        dim: the dim whose slices are checked.

    >>> constraints = torch.distributions.constraints
    >>> constraints.stack([constraints.positive, constraints.real]).check(torch.tensor([-1.0, -1.0]))
    tensor([False,  True])
    """

    def __init__(self, cseq: Sequence[Constraint], dim: int = 0) -> None:
        self.cseq, self.dim = list(cseq), dim
        self.is_discrete = any(c.is_discrete for c in self.cseq)
        inner = max(c.event_dim for c in self.cseq)
        self.event_dim = inner + 1 if dim + inner < 0 else inner

    def check(self, value: Tensor) -> Tensor:
        return lt.stack(
            [c.check(part) for c, part in zip(self.cseq, lt.unbind(value, self.dim), strict=True)], self.dim
        )


dependent = _Dependent()
boolean, one_hot = _Boolean(), _OneHot()
integer_interval, interval, half_open_interval = _IntegerInterval, _Interval, _HalfOpenInterval
greater_than, greater_than_eq, less_than = _GreaterThan, _GreaterThanEq, _LessThan
nonnegative_integer, positive_integer = _IntegerGreaterThan(0), _IntegerGreaterThan(1)
real, positive, nonnegative, unit_interval = _Real(), _GreaterThan(0.0), _GreaterThanEq(0.0), _Interval(0.0, 1.0)
simplex, multinomial, independent = _Simplex(), _Multinomial, _IndependentConstraint
real_vector = _IndependentConstraint(real, 1)
corr_cholesky, square, positive_semidefinite = _CorrCholesky(), _Square(), _PositiveSemidefinite()
cat, stack = _Cat, _Stack
lower_triangular, lower_cholesky, symmetric, positive_definite = (
    _LowerTriangular(),
    _LowerCholesky(),
    _Symmetric(),
    _PositiveDefinite(),
)
