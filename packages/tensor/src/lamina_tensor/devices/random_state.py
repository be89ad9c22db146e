"""The default generator's seed and state under PyTorch's names; on the CPU its bytes are PyTorch's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, Device, DTypeError
from lamina_flatarray.devices import current_index
from lamina_ndarray.creation.generators import DefaultStates

from ..tensor_fields import AnyTensor
from .generator import default_generator

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["fork_rng", "get_rng_state", "initial_seed", "seed", "set_rng_state"]


def seed() -> int:
    """Seed the default generator from the operating system's randomness.

    Returns:
        The seed.

    >>> torch.seed() == torch.initial_seed()
    True
    """
    return default_generator.seed()


def initial_seed() -> int:
    """The seed that the default generator started from.

    Returns:
        The seed, a non-negative integer.

    >>> _ = torch.manual_seed(3)
    >>> torch.initial_seed()
    3
    """
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """Copy the state of the CPU's default generator.

    Returns:
        5056 bytes, which real PyTorch takes, too.

    >>> torch.get_rng_state().shape
    lamina.Size([5056])
    """
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Set the state of the CPU's default generator.

    Args:
        new_state: what `get_rng_state` returned, here or in real PyTorch.

    Raises:
        ArgumentTypeError: it is no tensor.
        DTypeError: it does not hold uint8.
        RandomError: its bytes are no state; the generator stays as it was.

    >>> state = torch.get_rng_state()
    >>> x = torch.rand(2)
    >>> torch.set_rng_state(state)
    >>> torch.equal(torch.rand(2), x)
    True
    """
    if not isinstance(new_state, AnyTensor):
        raise ArgumentTypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
    if new_state.array.dtype is not nd.uint8:
        raise DTypeError("set_rng_state: RNG state must be a torch.ByteTensor (uint8)")
    default_generator.set_state(new_state)


@contextmanager
def fork_rng(
    devices: Iterable[Device | str | int] | None = None, enabled: bool = True, _caller: str = "fork_rng", _devices_kw: str = "devices",
    device_type: str | None = None,
) -> Iterator[None]:  # fmt: skip
    """Keep the states of devices' default generators over a block.

    Args:
        devices: those whose generators are kept beside the CPU's; numbers are of `device_type`. By default all are.
        enabled: whether they are kept at all.
        _caller, _devices_kw: accepted; PyTorch words a warning by them.
        device_type: of devices that are given as numbers, by default "cuda".

    Returns:
        A context manager.

    >>> before = torch.get_rng_state()
    >>> with torch.random.fork_rng():
    ...     _ = torch.rand(2)
    >>> torch.equal(torch.get_rng_state(), before)
    True
    """
    if not enabled:
        yield
        return
    states = DefaultStates(None if devices is None else {_numbered(x, device_type or "cuda") for x in devices})
    try:
        yield
    finally:
        states.restore()


def _numbered(device: Device | str | int, device_type: str) -> str:
    place = Device(f"{device_type}:{device}") if isinstance(device, int) else Device(device)
    index = 0 if place.type == "cpu" else current_index(place.type) if place.index is None else place.index
    return f"{place.type}:{index}"
