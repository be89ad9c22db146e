"""PyTorch's `torch.cuda`."""

from typing import TYPE_CHECKING, Any

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

__all__ = [
    "CUDAGraph", "Event", "Stream", "StreamContext", "amp", "current_device", "current_stream", "default_stream", "device", "device_count",
    "empty_cache", "get_device_capability", "get_device_name", "get_device_properties", "get_rng_state", "get_rng_state_all", "graph",
    "initial_seed", "is_available", "is_bf16_supported", "manual_seed", "manual_seed_all", "max_memory_allocated",
    "max_memory_reserved", "memory_allocated", "memory_reserved", "memory_stats", "reset_peak_memory_stats", "seed", "seed_all",
    "set_device", "set_rng_state", "set_rng_state_all", "set_stream", "stream", "synchronize",
]  # fmt: skip


class CUDAGraph:
    """PyTorch's record of kernels to be launched again, for annotations: none can be made here.

    Args:
        keep_graph: as in PyTorch.

    Raises:
        RuntimeError: whenever one is to be made.

    >>> torch.cuda.CUDAGraph()
    Traceback (most recent call last):
    ...
    RuntimeError: torch.cuda.CUDAGraph: kernels are launched one by one here; they are not captured to be launched again
    """

    def __init__(self, keep_graph: bool = False) -> None:
        raise RuntimeError("torch.cuda.CUDAGraph: kernels are launched one by one here; they are not captured to be launched again")


class graph:
    """PyTorch's context in which kernels are recorded, for annotations: none can be made here.

    Args:
        cuda_graph, pool, stream, capture_error_mode, enable_annotations, check_input_liveness: as in PyTorch.

    Raises:
        RuntimeError: whenever one is to be made.

    >>> torch.cuda.graph(None)
    Traceback (most recent call last):
    ...
    RuntimeError: torch.cuda.graph: kernels are launched one by one here; they are not captured to be launched again
    """

    def __init__(
        self, cuda_graph: CUDAGraph, pool: Any = None, stream: Any = None, capture_error_mode: str = "global",
        enable_annotations: bool = False, check_input_liveness: bool = False,
    ) -> None:  # fmt: skip
        raise RuntimeError("torch.cuda.graph: kernels are launched one by one here; they are not captured to be launched again")


if TYPE_CHECKING:
    from . import amp
else:
    __getattr__, __dir__ = explained(__name__, __all__)
