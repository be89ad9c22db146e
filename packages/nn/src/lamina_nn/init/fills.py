"""One value for all items, or one distribution."""

from __future__ import annotations

from typing import Any

from lamina_tensor import Tensor, no_grad

__all__ = ["constant_", "normal_", "ones_", "uniform_", "zeros_"]


@no_grad()
def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Fill a tensor with numbers that are uniform in [a, b).

    Args:
        tensor: the tensor to overwrite.
        a, b: the bounds.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    >>> torch.nn.init.uniform_(torch.empty(2), 1.0, 1.0)
    tensor([1., 1.])
    """
    return tensor.uniform_(a, b, generator=generator)


@no_grad()
def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Fill a tensor with normally distributed numbers.

    Args:
        tensor: the tensor to overwrite.
        mean: their mean.
        std: their standard deviation.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    >>> torch.nn.init.normal_(torch.empty(2), mean=1.0, std=0.0)
    tensor([1., 1.])
    """
    return tensor.normal_(mean, std, generator=generator)


@no_grad()
def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill a tensor with one value.

    Args:
        tensor: the tensor to overwrite.
        val: the value.

    Returns:
        The tensor itself.

    >>> torch.nn.init.constant_(torch.empty(2), 0.5)
    tensor([0.5000, 0.5000])
    """
    return tensor.fill_(val)


def zeros_(tensor: Tensor) -> Tensor:
    """Fill a tensor with zeros.

    Args:
        tensor: the tensor to overwrite.

    Returns:
        The tensor itself.

    >>> torch.nn.init.zeros_(torch.empty(2))
    tensor([0., 0.])
    """
    return constant_(tensor, 0.0)


def ones_(tensor: Tensor) -> Tensor:
    """Fill a tensor with ones.

    Args:
        tensor: the tensor to overwrite.

    Returns:
        The tensor itself.

    >>> torch.nn.init.ones_(torch.empty(2))
    tensor([1., 1.])
    """
    return constant_(tensor, 1.0)


def _no_grad_uniform_(tensor: Tensor, a: float, b: float, generator: Any = None) -> Tensor:
    """Do what `uniform_` does; published code calls it by this name."""
    return uniform_(tensor, a, b, generator)


def _no_grad_normal_(tensor: Tensor, mean: float, std: float, generator: Any = None) -> Tensor:
    """Do what `normal_` does; published code calls it by this name."""
    return normal_(tensor, mean, std, generator)


def _no_grad_fill_(tensor: Tensor, val: float) -> Tensor:
    """Do what `constant_` does; published code calls it by this name."""
    return constant_(tensor, val)


def _no_grad_zero_(tensor: Tensor) -> Tensor:
    """Do what `zeros_` does; published code calls it by this name."""
    return zeros_(tensor)
