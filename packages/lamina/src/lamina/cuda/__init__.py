"""PyTorch's `torch.cuda`."""

from typing import TYPE_CHECKING

from lamina_flatarray import (
    Device,
    OutOfMemoryError,
)  # fmt: skip
from lamina_tensor.devices.cuda_devices import (
    current_device,
    device,
    device_count,
    get_device_capability,
    get_device_name,
    get_device_properties,
    is_available,
    is_bf16_supported,
    set_device,
    synchronize,
)  # fmt: skip
from lamina_tensor.devices.cuda_memory import (
    empty_cache,
    max_memory_allocated,
    max_memory_reserved,
    memory_allocated,
    memory_reserved,
    memory_stats,
    reset_peak_memory_stats,
)  # fmt: skip
from lamina_tensor.devices.cuda_random import (
    get_rng_state,
    get_rng_state_all,
    initial_seed,
    manual_seed,
    manual_seed_all,
    seed,
    seed_all,
    set_rng_state,
    set_rng_state_all,
)  # fmt: skip
from lamina_tensor.devices.cuda_streams import (
    Event,
    Stream,
    StreamContext,
    current_stream,
    default_stream,
    set_stream,
    stream,
)

from ..absent_names import explained
from .graphs import CUDAGraph, graph

__all__ = [
    "CUDAGraph", "Device", "Event", "OutOfMemoryError", "Stream", "StreamContext", "amp", "current_device",
    "current_stream", "default_stream", "device", "device_count", "empty_cache", "get_device_capability",
    "get_device_name", "get_device_properties", "get_rng_state", "get_rng_state_all", "graph", "graphs", "initial_seed",
    "is_available", "is_bf16_supported", "manual_seed", "manual_seed_all", "max_memory_allocated",
    "max_memory_reserved", "memory", "memory_allocated", "memory_reserved", "memory_stats", "random",
    "reset_peak_memory_stats", "seed", "seed_all", "set_device", "set_rng_state", "set_rng_state_all", "set_stream",
    "stream", "streams", "synchronize",
]  # fmt: skip

if TYPE_CHECKING:
    from . import amp, graphs, memory, random, streams
else:
    __getattr__, __dir__ = explained(__name__, __all__)
