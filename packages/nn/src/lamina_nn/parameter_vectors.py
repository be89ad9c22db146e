"""Parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError
from lamina_tensor import Tensor

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """The items of all parameters in one vector; gradients flow through it.

    Raises:
        TypeError: they are on several devices.
    """
    listed = list(parameters)
    _check_devices(listed)
    return lt.cat([p.reshape(-1) for p in listed])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Make the parameters stretches of a vector, whose memory they share from then on.

    Raises:
        TypeError: `vec` is no tensor, or the parameters are on several devices.
        ShapeError: the vector is too short.
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
