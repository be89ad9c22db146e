"""PyTorch's `torch.profiler`."""

from lamina_nn.profiling import (
    ProfilerAction,
    ProfilerActivity,
    profile,
    record_function,
    schedule,
    tensorboard_trace_handler,
)

from .absent_names import explained as _explained

__getattr__ = _explained(globals())


def supported_activities() -> set[ProfilerActivity]:
    """Those that a profiler may be asked for."""
    return {ProfilerActivity.CPU, ProfilerActivity.CUDA}
