"""`Generator`: the object that owns a stream of random numbers, its seed and its lock."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from ..errors import DeviceError, RandomError
from ..fork_safety import fork_safe
from .mt19937 import MT19937
from .philox import Philox

if TYPE_CHECKING:
    from typing import Self

    import numpy.typing as npt

__all__ = ["DEFAULT_SEED", "Generator", "default_generator"]

G = TypeVar("G", bound="Generator")

DEFAULT_SEED: Final = 67280421310721
"""What an unseeded generator starts from: PyTorch's constant."""


class Generator:
    """A stream of random numbers, which belongs to a device.

    Args:
        device: `"cpu"` (with or without an index) gives PyTorch's mt19937 stream; any other device gives
            Philox.

    Raises:
        DeviceError: the device is "meta".

    Attributes:
        device: the device's text.
        lock: fills hold it from their first draw to their last, so a fill is one piece of the stream.

    >>> g = Generator().manual_seed(3)
    >>> g.initial_seed(), g
    (3, Generator(device='cpu', seed=3))
    """

    __slots__ = ("_origin", "_source", "device", "lock")

    device: str
    lock: threading.RLock
    _origin: Generator | None
    _source: MT19937 | Philox | None

    def __init__(self, device: object = "cpu") -> None:
        self.device = str(device)
        if self.device.partition(":")[0] == "meta":
            raise DeviceError("Generator: META device type not an accelerator, nothing is drawn on it")
        self.lock = fork_safe(threading.RLock())
        self._origin = None
        self._source = None  # made when first wanted: NumPy's engine takes longer to import than lamina

    @classmethod
    def sharing(cls, origin: Generator) -> Self:
        """Return a generator of this class that draws from the stream of another: what one draws, the other has passed.

        Args:
            origin: the other generator.

        Returns:
            A generator with the device, the lock and the stream of `origin`.

        >>> g = Generator().manual_seed(3)
        >>> Generator.sharing(g).initial_seed()
        3
        """
        result = cls(origin.device)
        result.lock, result._origin = origin.lock, origin
        return result

    @property
    def source(self) -> MT19937 | Philox:
        """The engine, to be used only while `lock` is held."""
        if self._source is None:
            if self._origin is not None:
                return self._origin.source
            with self.lock:
                if self._source is None:
                    on_cpu = self.device.partition(":")[0] == "cpu"
                    self._source = MT19937(DEFAULT_SEED) if on_cpu else Philox(DEFAULT_SEED)
        return self._source

    def __reduce__(self) -> tuple[Any, ...]:
        return _continued, (type(self), self.device, Generator.get_state(self))  # also what `copy.deepcopy` asks

    def __repr__(self) -> str:
        return f"Generator(device={self.device!r}, seed={self.initial_seed()})"

    def manual_seed(self, seed: int) -> Self:
        """Start the stream of `seed` and return self.

        Negative seeds mean `seed + 2**64`, as in PyTorch.

        Args:
            seed: the seed, from -2**63 to 2**64 - 1.

        Returns:
            The generator itself.

        Raises:
            RandomError: the seed is outside -2**63 ... 2**64 - 1.
        """
        seed = int(seed)
        if not -(2**63) <= seed < 2**64:
            raise RandomError(f"manual_seed: seed {seed}; it wants -2**63 <= seed < 2**64")
        with self.lock:
            self.source.seed(seed % 2**64)
        return self

    def seed(self) -> int:
        """Start a stream that cannot be predicted, and return its seed.

        Returns:
            A seed from 0 to 2**64 - 1, taken from the operating system.
        """
        seed = int.from_bytes(os.urandom(8), "little")
        self.manual_seed(seed)
        return seed

    def initial_seed(self) -> int:
        """Return the seed that the present stream started from.

        Returns:
            A number from 0 to 2**64 - 1; `set_state` takes over the one of the other generator.
        """
        return self.source.seed_value

    def get_state(self) -> npt.NDArray[np.uint8]:
        """Return the state as uint8: on the CPU PyTorch's 5056 bytes, for Philox the 16 bytes of (seed, offset).

        Returns:
            A NumPy array of uint8 with one dim, a copy.
        """
        with self.lock:
            return self.source.to_bytes()

    def set_state(self, state: npt.NDArray[np.uint8]) -> Self:
        """Continue from what `get_state()`, or on the CPU `torch.get_rng_state()`, gave, and return self.

        Args:
            state: the state of a generator of the same kind, as uint8.

        Returns:
            The generator itself.

        Raises:
            RandomError: the bytes are not the state of such a generator; the generator stays as it was.
        """
        with self.lock:
            self.source.from_bytes(state)
        return self

    def clone(self) -> Self:
        """Return a new generator of the same device that goes on from the same state.

        Returns:
            A generator that shares nothing with this one.
        """
        return _continued(type(self), self.device, Generator.get_state(self))


def _continued(kind: type[G], device: str, state: npt.NDArray[np.uint8]) -> G:
    result = kind(device)
    Generator.set_state(result, state)
    return result


default_generator: Final = Generator("cpu")
"""The CPU generator that ops use when none is given."""
