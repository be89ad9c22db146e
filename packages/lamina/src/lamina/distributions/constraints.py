"""PyTorch's `torch.distributions.constraints`."""

from typing import TYPE_CHECKING

from lamina_nn.distributions.domains.constraints import (
    Constraint,
    MixtureSameFamilyConstraint,
    boolean,
    cat,
    corr_cholesky,
    dependent,
    dependent_property,
    greater_than,
    greater_than_eq,
    half_open_interval,
    independent,
    integer_interval,
    interval,
    is_dependent,
    less_than,
    lower_cholesky,
    lower_triangular,
    multinomial,
    nonnegative,
    nonnegative_integer,
    one_hot,
    positive,
    positive_definite,
    positive_integer,
    positive_semidefinite,
    real,
    real_vector,
    simplex,
    square,
    stack,
    symmetric,
    unit_interval,
)  # fmt: skip

from ..absent_names import explained

__all__ = [
    "Constraint", "MixtureSameFamilyConstraint", "boolean", "cat", "corr_cholesky", "dependent", "dependent_property",
    "greater_than", "greater_than_eq", "half_open_interval", "independent", "integer_interval", "interval",
    "is_dependent", "less_than", "lower_cholesky", "lower_triangular", "multinomial", "nonnegative",
    "nonnegative_integer", "one_hot", "positive", "positive_definite", "positive_integer", "positive_semidefinite",
    "real", "real_vector", "simplex", "square", "stack", "symmetric", "unit_interval",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
