"""The initialisers' first names, without an underscore, which PyTorch keeps: each warns, and calls its successor."""

from __future__ import annotations

import warnings
from typing import Any

from lamina_tensor import Tensor

from .. import init

__all__ = [
    "constant", "dirac", "eye", "kaiming_normal", "kaiming_uniform", "normal", "orthogonal", "sparse", "uniform", "xavier_normal",
    "xavier_uniform",
]  # fmt: skip


def _warn(old: str) -> None:
    warnings.warn(f"`nn.init.{old}` is now deprecated in favor of `nn.init.{old}_`.", FutureWarning, stacklevel=3)


def constant(tensor: Tensor, val: float) -> Tensor:
    """Overwrite a tensor as `constant_` does: deprecated, use that.

    Args:
        tensor: the tensor to overwrite.
        val: the value.

    Returns:
        The tensor itself.

    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     x = torch.nn.init.constant(torch.empty(2), 0.5)
    >>> said[0].category.__name__
    'FutureWarning'
    """
    _warn("constant")
    return init.constant_(tensor, val)


def dirac(tensor: Tensor, groups: int = 1) -> Tensor:
    """Overwrite a tensor as `dirac_` does: deprecated, use that.

    Args:
        tensor: the tensor to overwrite: (out, in / groups, ...), 3-D to 5-D.
        groups: the groups of the convolution.

    Returns:
        The tensor itself.

    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     x = torch.nn.init.dirac(torch.empty(1, 1, 3))
    >>> said[0].category.__name__
    'FutureWarning'
    """
    _warn("dirac")
    return init.dirac_(tensor, groups)


def eye(tensor: Tensor) -> Tensor:
    """Overwrite a tensor as `eye_` does: deprecated, use that.

    Args:
        tensor: the tensor to overwrite, 2-D.

    Returns:
        The tensor itself.

    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     x = torch.nn.init.eye(torch.empty(2, 2))
    >>> said[0].category.__name__
    'FutureWarning'
    """
    _warn("eye")
    return init.eye_(tensor)


def kaiming_normal(tensor: Tensor, a: float = 0, mode: str = 'fan_in', nonlinearity: str = 'leaky_relu', generator: Any = None) -> Tensor:
    """Overwrite a tensor as `kaiming_normal_` does: deprecated, use that.

    Args:
        tensor: the tensor to overwrite: (out, in, ...).
        a: the negative slope, for the nonlinearity "leaky_relu".
        mode: "fan_in" to keep the variance of the forward pass, or "fan_out" for the backward pass.
        nonlinearity: the function that follows; it sets the gain (see `calculate_gain`).
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     x = torch.nn.init.kaiming_normal(torch.empty(2, 3))
    >>> said[0].category.__name__
    'FutureWarning'
    """
    _warn("kaiming_normal")
    return init.kaiming_normal_(tensor, a, mode, nonlinearity, generator)


def kaiming_uniform(tensor: Tensor, a: float = 0, mode: str = 'fan_in', nonlinearity: str = 'leaky_relu', generator: Any = None) -> Tensor:
    """Overwrite a tensor as `kaiming_uniform_` does: deprecated, use that.

    Args:
        tensor: the tensor to overwrite: (out, in, ...).
        a: the negative slope, for the nonlinearity "leaky_relu".
        mode: "fan_in" to keep the variance of the forward pass, or "fan_out" for the backward pass.
        nonlinearity: the function that follows; it sets the gain (see `calculate_gain`).
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     x = torch.nn.init.kaiming_uniform(torch.empty(2, 3))
    >>> said[0].category.__name__
    'FutureWarning'
    """
    _warn("kaiming_uniform")
    return init.kaiming_uniform_(tensor, a, mode, nonlinearity, generator)


def normal(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Overwrite a tensor as `normal_` does: deprecated, use that.

    Args:
        tensor: the tensor to overwrite.
        mean: their mean.
        std: their standard deviation.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     x = torch.nn.init.normal(torch.empty(2, 3))
    >>> said[0].category.__name__
    'FutureWarning'
    """
    _warn("normal")
    return init.normal_(tensor, mean, std, generator)


def orthogonal(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Overwrite a tensor as `orthogonal_` does: deprecated, use that.

    Args:
        tensor: the tensor to overwrite, at least 2-D; the dims behind the first count as one.
        gain: the factor.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     x = torch.nn.init.orthogonal(torch.empty(2, 3))
    >>> said[0].category.__name__
    'FutureWarning'
    """
    _warn("orthogonal")
    return init.orthogonal_(tensor, gain, generator)


def sparse(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Overwrite a tensor as `sparse_` does: deprecated, use that.

    Args:
        tensor: the tensor to overwrite, 2-D.
        sparsity: the fraction of each column that is zero, rounded up to whole items.
        std: the standard deviation of the others.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     x = torch.nn.init.sparse(torch.empty(4, 2), 0.5)
    >>> said[0].category.__name__
    'FutureWarning'
    """
    _warn("sparse")
    return init.sparse_(tensor, sparsity, std, generator)


def uniform(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Overwrite a tensor as `uniform_` does: deprecated, use that.

    Args:
        tensor: the tensor to overwrite.
        a, b: the bounds.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     x = torch.nn.init.uniform(torch.empty(2, 3))
    >>> said[0].category.__name__
    'FutureWarning'
    """
    _warn("uniform")
    return init.uniform_(tensor, a, b, generator)


def xavier_normal(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Overwrite a tensor as `xavier_normal_` does: deprecated, use that.

    Args:
        tensor: the tensor to overwrite: (out, in, ...).
        gain: the factor of the deviation; see `calculate_gain`.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     x = torch.nn.init.xavier_normal(torch.empty(2, 3))
    >>> said[0].category.__name__
    'FutureWarning'
    """
    _warn("xavier_normal")
    return init.xavier_normal_(tensor, gain, generator)


def xavier_uniform(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Overwrite a tensor as `xavier_uniform_` does: deprecated, use that.

    Args:
        tensor: the tensor to overwrite: (out, in, ...).
        gain: the factor of the bound; see `calculate_gain`.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     x = torch.nn.init.xavier_uniform(torch.empty(2, 3))
    >>> said[0].category.__name__
    'FutureWarning'
    """
    _warn("xavier_uniform")
    return init.xavier_uniform_(tensor, gain, generator)
