"""PyTorch's `torch.profiler`."""

from typing import TYPE_CHECKING

from lamina_nn.profiling import (
    ProfilerAction,
    ProfilerActivity,
    profile,
    record_function,
    schedule,
    tensorboard_trace_handler,
)

from .absent_names import explained

__all__ = [
    "ProfilerAction", "ProfilerActivity", "kineto_available", "profile", "record_function", "schedule", "supported_activities",
    "tensorboard_trace_handler",
]  # fmt: skip


def kineto_available() -> bool:
    """Return False: Kineto, which PyTorch's profiler is made with, is not here; `profile` works without it.

    Returns:
        False.

    >>> torch.profiler.kineto_available()
    False
    """
    return False


def supported_activities() -> set[ProfilerActivity]:
    """Return the activities that a profiler may be asked for.

    Returns:
        A set of `ProfilerActivity`.

    >>> torch.profiler.ProfilerActivity.CPU in torch.profiler.supported_activities()
    True
    """
    return {ProfilerActivity.CPU, ProfilerActivity.CUDA}


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
