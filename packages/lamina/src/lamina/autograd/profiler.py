"""PyTorch's `torch.autograd.profiler`."""

from typing import TYPE_CHECKING

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
    "EventList", "FunctionEvent", "FunctionEventAvg", "ProfilerActivity", "profile", "record_function",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
