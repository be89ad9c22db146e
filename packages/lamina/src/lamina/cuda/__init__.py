"""PyTorch's `torch.cuda`."""

from typing import TYPE_CHECKING

from lamina_tensor.devices.cuda_devices import (
    current_device,
    device_count,
    empty_cache,
    get_device_name,
    get_device_properties,
    is_available,
    is_bf16_supported,
    manual_seed,
    manual_seed_all,
    max_memory_allocated,
    memory_allocated,
    memory_reserved,
    reset_peak_memory_stats,
    set_device,
    synchronize,
)  # fmt: skip
from lamina_tensor.devices.cuda_streams import Event, Stream, current_stream

from ..absent_names import explained

__all__ = [
    "Event", "Stream", "amp", "current_device", "current_stream", "device_count", "empty_cache", "get_device_name",
    "get_device_properties", "is_available", "is_bf16_supported", "manual_seed", "manual_seed_all",
    "max_memory_allocated", "memory_allocated", "memory_reserved", "reset_peak_memory_stats", "set_device",
    "synchronize",
]  # fmt: skip

if TYPE_CHECKING:
    from . import amp
else:
    __getattr__, __dir__ = explained(__name__, __all__)
