"""`torch.autograd.profiler.profile`: the older spelling, which records a whole block and is asked afterwards."""

from __future__ import annotations

import json
from typing import Any, Self

from . import profiler
from .averages import EventList, FunctionEventAvg

__all__ = ["profile"]


class profile:
    """Record all of a `with` block; with `enabled=False`, nothing.

    Args:
        enabled: whether anything is recorded.
        record_shapes, with_flops, profile_memory, with_stack, with_modules: as of `torch.profiler.profile`.
        use_cuda, use_device, use_kineto, use_cpu, experimental_config: accepted.
        acc_events, custom_trace_id_callback, post_processing_timeout_s, activity_filters: accepted.

    Attributes:
        function_events: what was recorded; None before, and where it is not enabled.

    >>> with torch.autograd.profiler.profile() as prof:
    ...     _ = torch.ones(2).exp()
    >>> [event.name for event in prof.function_events if event.name == "aten::exp"]
    ['aten::exp']
    """

    def __init__(
        self, enabled: bool = True, *, use_cuda: bool = False, use_device: Any = None, record_shapes: bool = False,
        with_flops: bool = False, profile_memory: bool = False, with_stack: bool = False, with_modules: bool = False,
        use_kineto: bool = False, use_cpu: bool = True, experimental_config: Any = None, acc_events: bool = False,
        custom_trace_id_callback: Any = None, post_processing_timeout_s: float | None = None, activity_filters: Any = None,
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

    def key_averages(
        self, group_by_input_shape: bool = False, group_by_stack_n: int = 0, group_by_overload_name: bool = False
    ) -> EventList:
        """Sum the events by name; also by shapes, and by the innermost calls of the stack, if these are to tell events apart.

        Args:
            group_by_input_shape: whether events with operands of other shapes are summed apart.
            group_by_stack_n: how many of the innermost calls tell events apart; 0 for none.
            group_by_overload_name: accepted as in PyTorch; there are no overloads here.

        Returns:
            A list of sums.
        """
        return self._recorded().key_averages(group_by_input_shape, group_by_stack_n)

    def total_average(self) -> FunctionEventAvg:
        """Sum over all events.

        Returns:
            One sum, with the key "Total".
        """
        return self._recorded().total_average()

    def table(
        self, sort_by: str | None = None, row_limit: int = 100, max_src_column_width: int = 75, max_name_column_width: int = 55,
        max_shapes_column_width: int = 80, header: str | None = None, top_level_events_only: bool = False,
    ) -> str:  # fmt: skip
        """Draw the events as a table in text.

        Args:
            sort_by: a name of a sum, such as "self_cpu_time_total" or "cpu_memory_usage": the greatest come first.
            row_limit: how many rows there are; -1 for all.
            max_src_column_width, max_name_column_width, max_shapes_column_width: where texts are cut.
            header: a line above.
            top_level_events_only: whether only events within no other are shown.

        Returns:
            The table.

        Raises:
            ValueError: there is no such sum.
        """
        return self._recorded().table(
            sort_by, row_limit, max_src_column_width, max_name_column_width, max_shapes_column_width, header, top_level_events_only
        )

    def export_chrome_trace(self, path: str, metadata: dict[str, Any] | None = None, use_python_export: bool = False) -> None:
        """Write what was recorded as a trace for chrome://tracing or Perfetto.

        Args:
            path: the file, in JSON; packed where its name ends with `.gz`.
            metadata: further values for the trace, of what JSON can hold.
            use_python_export: accepted: there is one way to write it.
        """
        for key, value in (metadata or {}).items():
            self._profiler.add_metadata_json(key, json.dumps(value))
        self._profiler.export_chrome_trace(path)

    def export_stacks(self, path: str, metric: str = "self_cpu_time_total") -> None:
        """Write the stacks, and the time spent in each, as tools for flame graphs read them.

        Args:
            path: the file.
            metric: "self_cpu_time_total" or "self_device_time_total".
        """
        self._profiler.export_stacks(path, metric)
