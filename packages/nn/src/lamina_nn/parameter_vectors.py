"""Parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError
from lamina_tensor import Tensor

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """Concatenate the items of all parameters; gradients flow through it.

    Args:
        parameters: the parameters, on one device.

    Returns:
        (total number of items,).

    Raises:
        ArgumentTypeError: they are on several devices.
        ShapeError: no view reads one of them as a vector.

    >>> torch.nn.utils.parameters_to_vector([torch.ones(2, 1), torch.zeros(3)])
    tensor([1., 1., 0., 0., 0.])
    """
    listed = list(parameters)
    _check_devices(listed)
    return lt.cat([p.view(-1) for p in listed])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Make parameters views of consecutive items of a vector.

    Args:
        vec: the vector, at least as long as all parameters together.
        parameters: the parameters, on one device.

    Raises:
        ArgumentTypeError: vec is not a tensor, or the parameters are on several devices.
        ShapeError: vec is too short.

    >>> weight = torch.nn.Parameter(torch.zeros(2))
    >>> torch.nn.utils.vector_to_parameters(torch.tensor([1.0, 2.0]), [weight])
    >>> weight.detach()
    tensor([1., 2.])
    """
    if not isinstance(vec, Tensor):
        raise ArgumentTypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    listed = list(parameters)
    _check_devices(listed)
    begin = 0
    for p in listed:
        p.data = vec[begin : begin + p.numel()].view(p.shape).data
        begin += p.numel()


def _check_devices(parameters: list[Tensor]) -> None:
    if len({p.device for p in parameters}) > 1:
        raise ArgumentTypeError("Found two parameters on different devices, this is currently not supported.")
