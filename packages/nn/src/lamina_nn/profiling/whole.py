"""`torch.autograd.profiler.profile`: the older spelling, which records a whole block and is asked afterwards."""

from __future__ import annotations

from typing import Any, Self

from . import profiler
from .averages import EventList, FunctionEventAvg

__all__ = ["profile"]


class profile:
    """Record all of a `with` block; with `enabled=False`, nothing.

    Args:
        enabled: whether anything is recorded.
        record_shapes, with_flops, profile_memory, with_stack, with_modules: as of `torch.profiler.profile`.
        use_cuda, use_device, use_kineto, use_cpu, experimental_config, more: accepted.

    Attributes:
        function_events: what was recorded; None before, and where it is not enabled.
    """

    def __init__(
        self, enabled: bool = True, *, use_cuda: bool = False, use_device: Any = None, record_shapes: bool = False,
        with_flops: bool = False, profile_memory: bool = False, with_stack: bool = False, with_modules: bool = False,
        use_kineto: bool = False, use_cpu: bool = True, experimental_config: Any = None, **more: Any,
    ) -> None:  # fmt: skip
        self.enabled = enabled
        self.function_events: EventList | None = None
        self._profiler = profiler.profile(
            record_shapes=record_shapes, with_flops=with_flops, profile_memory=profile_memory, with_stack=with_stack,
            with_modules=with_modules,
        )  # fmt: skip

    def __enter__(self) -> Self:
        if self.enabled:
            self._profiler.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.enabled:
            self._profiler.stop()
            self.function_events = self._profiler.events()

    def _recorded(self) -> EventList:
        if self.function_events is None:
            raise RuntimeError("profile: nothing has been recorded; ask after the `with` block of an enabled profiler")
        return self.function_events

    @property
    def self_cpu_time_total(self) -> float:
        """Of all together, in microseconds."""
        return self._recorded().self_cpu_time_total

    def key_averages(self, group_by_input_shape: bool = False, group_by_stack_n: int = 0) -> EventList:
        """The sums by name."""
        return self._recorded().key_averages(group_by_input_shape, group_by_stack_n)

    def total_average(self) -> FunctionEventAvg:
        """The sum over everything."""
        return self._recorded().total_average()

    def table(self, *args: Any, **params: Any) -> str:
        """The events as a table."""
        return self._recorded().table(*args, **params)

    def export_chrome_trace(self, path: str) -> None:
        """Write what was recorded for chrome://tracing or Perfetto."""
        self._profiler.export_chrome_trace(path)

    def export_stacks(self, path: str, metric: str = "self_cpu_time_total") -> None:
        """Write the stacks, as tools for flame graphs read them."""
        self._profiler.export_stacks(path, metric)
