"""PyTorch's module path `torch.utils.checkpoint`, kept for programs that import it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lamina_tensor import Tensor
from lamina_tensor.devices.cuda_random import get_rng_state, set_rng_state
from lamina_tensor.transforms.checkpoint import checkpoint, checkpoint_sequential
from lamina_tensor.transforms.trees import flattened

from ..absent_names import explained

__all__ = ["checkpoint", "checkpoint_sequential", "get_device_states", "set_device_states"]


def get_device_states(*args: Any) -> tuple[list[int], list[Tensor]]:
    """Return the states of the random numbers of the CUDA devices on which tensors are.

    Args:
        *args: tensors, containers of them, and other things.

    Returns:
        The indices of the devices, and a state for each.

    >>> torch.utils.checkpoint.get_device_states(torch.ones(2), 3)
    ([], [])
    """
    tensors = [x for x in flattened(args) if isinstance(x, Tensor)]
    indices = list(dict.fromkeys(x.get_device() for x in tensors if x.device.type == "cuda"))
    return indices, [get_rng_state(index) for index in indices]


def set_device_states(devices: Sequence[int], states: Sequence[Tensor], *, device_type: str | None = None) -> None:
    """Put back states of the random numbers of CUDA devices.

    Args:
        devices: the indices of the devices.
        states: a state for each, of `get_device_states`.
        device_type: accepted; "cuda" is the only type that has any.

    >>> torch.utils.checkpoint.set_device_states([], [])
    """
    for index, state in zip(devices, states, strict=True):
        set_rng_state(state, index)

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
