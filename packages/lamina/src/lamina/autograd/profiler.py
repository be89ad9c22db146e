"""PyTorch's `torch.autograd.profiler`."""

from typing import TYPE_CHECKING, NoReturn

from lamina_nn.profiling import (
    EventList,
    FunctionEvent,
    FunctionEventAvg,
    ProfilerActivity,
    record_function,
)  # fmt: skip
from lamina_nn.profiling import whole_profile as profile

from ..absent_names import explained

__all__ = [
    "EventList", "FunctionEvent", "FunctionEventAvg", "ProfilerActivity", "emit_nvtx", "profile", "record_function",
]  # fmt: skip


class emit_nvtx:
    """PyTorch's context whose ops are marked for NVIDIA's profilers, which is refused when it is entered.

    Args:
        enabled: whether ops are to be marked; else nothing is done.
        record_shapes: accepted as in PyTorch.

    >>> with torch.autograd.profiler.emit_nvtx(enabled=False):
    ...     x = torch.ones(2)
    """

    def __init__(self, enabled: bool = True, record_shapes: bool = False) -> None:
        self.enabled, self.record_shapes = enabled, record_shapes

    def __enter__(self) -> None:
        if self.enabled:
            raise NotImplementedError("torch.autograd.profiler.emit_nvtx: ops are not marked for NVIDIA's profilers; use torch.profiler")
        return None

    def __exit__(self, *exception: object) -> None: ...


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
