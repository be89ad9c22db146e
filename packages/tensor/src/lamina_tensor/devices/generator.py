"""`Generator` as PyTorch has it: its state is a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, random

from ..tensor_fields import AnyTensor, tensor_of

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["Generator", "default_generator", "manual_seed"]


class Generator(random.Generator):
    """A stream of random numbers, which belongs to a device.

    Args:
        device: `"cpu"` (with or without an index) gives PyTorch's mt19937 stream; any other device gives Philox.

    >>> g = torch.Generator().manual_seed(3)
    >>> state = g.get_state()
    >>> x = torch.rand(2, generator=g)
    >>> torch.equal(torch.rand(2, generator=g.set_state(state)), x)
    True
    """

    __slots__ = ()

    def get_state(self) -> Tensor:  # type: ignore[override]  # the array of the lowest storey, as a tensor
        """Copy the state: on the CPU PyTorch's 5056 bytes, for Philox the 16 bytes of (seed, offset).

        Returns:
            A uint8 tensor with one dim, on the CPU.

        >>> torch.Generator().get_state().shape
        lamina.Size([5056])
        """
        return tensor_of(nd.from_numpy(super().get_state()))

    def set_state(self, new_state: Tensor | np.ndarray[Any, Any]) -> Self:
        """Continue from what `get_state()` gave, here or on the CPU in real PyTorch, and return self.

        Args:
            new_state: the state of a generator of the same kind: a tensor, or a NumPy array, of uint8.

        Returns:
            The generator itself.

        Raises:
            ArgumentTypeError: it is neither a tensor nor an array, or does not hold uint8.
            RandomError: the bytes are not the state of such a generator; the generator stays as it was.

        >>> g = torch.Generator().manual_seed(3)
        >>> torch.Generator().set_state(g.get_state()).initial_seed()
        3
        """
        state = np.array(new_state.array) if isinstance(new_state, AnyTensor) else new_state
        if not isinstance(state, np.ndarray):
            raise ArgumentTypeError(f"set_state: expected a torch.ByteTensor, but got {type(new_state).__name__}")
        if state.dtype != np.uint8:
            raise ArgumentTypeError(f"set_state: RNG state must be a torch.ByteTensor (uint8), but got {state.dtype}")
        super().set_state(state)
        return self


default_generator: Final = Generator.sharing(random.default_generator)
"""The CPU generator that ops use when none is given."""


def manual_seed(seed: int) -> Generator:
    """Seed the random generators of all devices.

    Args:
        seed: any integer within -2**63 ... 2**64 - 1.

    Returns:
        The CPU's generator.

    Raises:
        RandomError: the seed is out of range.

    >>> _ = torch.manual_seed(0)
    >>> first = torch.rand(3)
    >>> _ = torch.manual_seed(0)
    >>> torch.equal(first, torch.rand(3))
    True
    """
    nd.manual_seed(seed)
    return default_generator
