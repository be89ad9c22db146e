"""The generators of devices of type "cuda", one for each: their seeds and states, under PyTorch's names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from lamina_ndarray.creation.generators import generator_of

from .cuda_devices import current_device, device_count, index_of, is_available
from .generator import Generator

if TYPE_CHECKING:
    from lamina_flatarray import Device

    from ..tensor_class import Tensor

__all__ = [
    "default_generators", "get_rng_state", "get_rng_state_all", "initial_seed", "manual_seed", "manual_seed_all", "seed", "seed_all",
    "set_rng_state", "set_rng_state_all",
]  # fmt: skip


def _generator(device: Device | str | int | None = None) -> Generator:
    return Generator.sharing(generator_of(f"cuda:{index_of(device)}"))


class DefaultGenerators(Sequence[Generator]):
    """The generators of the devices of type "cuda", by index: as many as there are devices.

    >>> len(torch.cuda.default_generators) == torch.cuda.device_count()
    True
    """

    def __len__(self) -> int:
        return device_count()

    def __getitem__(self, index: Any) -> Any:
        return tuple(map(_generator, range(len(self))))[index]


default_generators: Final = DefaultGenerators()
"""The generators that ops draw from on these devices when none is given."""


def manual_seed(seed: int) -> None:
    """Seed the generator of the current device. Without one, it does nothing.

    Args:
        seed: the seed.

    >>> torch.cuda.manual_seed(0)
    """
    if is_available():
        _generator().manual_seed(seed)


def manual_seed_all(seed: int) -> None:
    """Seed the generators of all devices of type "cuda" alike.

    Args:
        seed: the seed.

    >>> torch.cuda.manual_seed_all(0)
    """
    for index in range(device_count()):
        _generator(index).manual_seed(seed)


def seed() -> None:
    """Seed the generator of the current device from the operating system's randomness. Without one, it does nothing.

    >>> torch.cuda.seed()
    """
    if is_available():
        _generator().seed()


def seed_all() -> None:
    """Seed the generators of all devices of type "cuda" alike, from the operating system's randomness.

    >>> torch.cuda.seed_all()
    """
    if is_available():
        manual_seed_all(_generator(0).seed())


def initial_seed() -> int:
    """The seed that the generator of the current device started from.

    Returns:
        The seed, a non-negative integer.

    Raises:
        DeviceError: there is no device.

    >>> if torch.cuda.is_available():
    ...     torch.cuda.manual_seed(3)
    ...     assert torch.cuda.initial_seed() == 3
    """
    current_device()
    return _generator().initial_seed()


def get_rng_state(device: int | str | Device = "cuda") -> Tensor:
    """Copy the state of the generator of a device.

    Args:
        device: the device, its name or its index; by default the current one.

    Returns:
        16 bytes: the seed, and how far the stream is.

    Raises:
        DeviceError: there is no such device.

    >>> if torch.cuda.is_available():
    ...     assert torch.cuda.get_rng_state().shape == (16,)
    """
    return _generator(device).get_state()


def set_rng_state(new_state: Tensor, device: int | str | Device = "cuda") -> None:
    """Set the state of the generator of a device.

    Args:
        new_state: what `get_rng_state` returned.
        device: the device, its name or its index; by default the current one.

    Raises:
        DeviceError: there is no such device.
        RandomError: its bytes are no state; the generator stays as it was.

    >>> if torch.cuda.is_available():
    ...     state = torch.cuda.get_rng_state()
    ...     x = torch.rand(2, device="cuda")
    ...     torch.cuda.set_rng_state(state)
    ...     assert torch.equal(torch.rand(2, device="cuda"), x)
    """
    _generator(device).set_state(new_state)


def get_rng_state_all() -> list[Tensor]:
    """Copy the states of the generators of all devices of type "cuda".

    Returns:
        As many states as there are devices.

    >>> len(torch.cuda.get_rng_state_all()) == torch.cuda.device_count()
    True
    """
    return [get_rng_state(index) for index in range(device_count())]


def set_rng_state_all(new_states: Iterable[Tensor]) -> None:
    """Set the states of the generators of all devices of type "cuda".

    Args:
        new_states: what `get_rng_state_all` returned.

    Raises:
        DeviceError: there are more states than devices.

    >>> torch.cuda.set_rng_state_all(torch.cuda.get_rng_state_all())
    """
    for index, state in enumerate(new_states):
        set_rng_state(state, index)
