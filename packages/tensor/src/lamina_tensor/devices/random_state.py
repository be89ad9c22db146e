"""The default generator's seed and state under PyTorch's names; on the CPU its bytes are PyTorch's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import DTypeError
from lamina_flatarray.random import default_generator

from ..tensor_fields import TensorFields, tensor_of

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["fork_rng", "get_rng_state", "initial_seed", "seed", "set_rng_state"]


def seed() -> int:
    """Start a stream that cannot be foretold, and return its seed."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed that the present stream started from."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the CPU's default generator: 5056 bytes that real PyTorch takes, too."""
    return tensor_of(nd.from_numpy(default_generator.get_state()))


def set_rng_state(new_state: Tensor) -> None:
    """Go on from a state that `get_rng_state` gave, here or in real PyTorch.

    Raises:
        DTypeError: it is not a uint8 tensor.
        RandomError: its bytes are no state; the generator stays as it was.
    """
    if not isinstance(new_state, TensorFields) or new_state.array.dtype is not nd.uint8:
        raise DTypeError("set_rng_state: RNG state must be a torch.ByteTensor (uint8)")
    default_generator.set_state(np.array(new_state.array))


@contextmanager
def fork_rng(devices: Any = None, enabled: bool = True) -> Iterator[None]:
    """What is drawn inside does not move the stream outside: `with fork_rng(): ...`

    Args:
        devices: accepted; the CPU's generator is kept.
        enabled: whether anything is kept at all.
    """
    state = default_generator.get_state()
    try:
        yield
    finally:
        if enabled:
            default_generator.set_state(state)
