"""The random generator that each device draws from where none is given."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from lamina_flatarray import Device
from lamina_flatarray.devices import current_index
from lamina_flatarray.random import Generator, default_generator
from lamina_flatarray.random.generator import DEFAULT_SEED

__all__ = ["GENERATORS", "DefaultStates", "generator_of", "manual_seed"]

GENERATORS: Final[dict[Any, Generator]] = {"cpu": default_generator}
"""By the names of devices, and by those that have drawn: each draw looks here first, without a call."""

_last_seed: int | None = None  # of all devices, also those that have not drawn yet


def generator_of(device: Any) -> Generator:
    """The generator that a device draws from where none is given; "cuda" is the current device of that type."""
    result = GENERATORS.get(device)
    if result is None:
        place = Device(device)
        name = "cpu" if place.type == "meta" else place.type  # nothing is drawn on meta
        if name != "cpu":
            name = f"{name}:{current_index(name) if place.index is None else place.index}"
        result = GENERATORS.get(name)
        if result is None:
            result = Generator(name)
            if _last_seed is not None:
                result.manual_seed(_last_seed)
            result = GENERATORS.setdefault(name, result)
        if place.index is not None or name == "cpu":  # of devices with numbers, what is meant without one may change
            GENERATORS[device] = result
    return result


def manual_seed(seed: int) -> Generator:
    """Seed the random generators of all devices.

    Args:
        seed: any integer within -2**63 ... 2**64 - 1.

    Returns:
        The CPU's generator.

    Raises:
        RandomError: the seed is out of range.

    >>> _ = nd.manual_seed(0)
    >>> first = nd.rand((3,))
    >>> _ = nd.manual_seed(0)
    >>> nd.array_equal(first, nd.rand((3,)))
    True
    """
    global _last_seed
    for generator in set(GENERATORS.values()):
        generator.manual_seed(seed)
    _last_seed = seed
    return default_generator


class DefaultStates:
    """How far the generators of devices are, to go on from there later.

    Args:
        devices: the names of devices beside the CPU, such as "cuda:0"; None for all, also those that have not drawn yet.

    >>> states = DefaultStates()
    >>> first = nd.rand((3,))
    >>> states.restore()
    >>> nd.array_equal(first, nd.rand((3,)))
    True
    """

    def __init__(self, devices: Collection[str] | None = None) -> None:
        self._devices = devices
        self._states = {generator: generator.get_state() for generator in self._kept()}
        self._last_seed = _last_seed

    def restore(self) -> None:
        """Go on from there."""
        global _last_seed
        for generator in self._kept():
            if generator in self._states:
                generator.set_state(self._states[generator])
            else:  # it had not drawn
                generator.manual_seed(DEFAULT_SEED if self._last_seed is None else self._last_seed)
        if self._devices is None:
            _last_seed = self._last_seed

    def _kept(self) -> set[Generator]:
        every = set(GENERATORS.values())
        return every if self._devices is None else {x for x in every if x is default_generator or x.device in self._devices}
