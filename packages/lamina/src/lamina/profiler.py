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
    """Return the activities that a profiler may be asked for.

    Returns:
        A set of `ProfilerActivity`.

    >>> torch.profiler.ProfilerActivity.CPU in torch.profiler.supported_activities()
    True
    """
    return {ProfilerActivity.CPU, ProfilerActivity.CUDA}
