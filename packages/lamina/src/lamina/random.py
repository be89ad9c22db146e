"""PyTorch's `torch.random`."""

from lamina_flatarray.random import default_generator
from lamina_tensor.devices.random_state import fork_rng, get_rng_state, initial_seed, seed, set_rng_state
from lamina_tensor.functions.creation import manual_seed

from .absent_names import explained as _explained

_explained(globals())
