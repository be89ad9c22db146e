"""PyTorch's `torch.random`."""

from typing import TYPE_CHECKING

from lamina_tensor.devices.generator import Generator, default_generator
from lamina_tensor.devices.random_state import fork_rng, get_rng_state, initial_seed, seed, set_rng_state
from lamina_tensor.functions.creation import manual_seed

from .absent_names import explained

__all__ = [
    "Generator", "default_generator", "fork_rng", "get_rng_state", "initial_seed", "manual_seed", "seed",
    "set_rng_state",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
