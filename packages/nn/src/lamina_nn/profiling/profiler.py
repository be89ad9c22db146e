"""`profile`: recording by a schedule of steps, and what can be made of what was recorded.

https://docs.pytorch.org/docs/stable/profiler.html
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, Self

from lamina_flatarray import ArgumentValueError

from .averages import EventList
from .recorder import Recorder
from .regions import record_function
from .schedules import ProfilerAction
from .timeline import Collective, Timeline, gathered_timeline
from .traces import write_stacks, write_trace

__all__ = ["ProfilerActivity", "profile", "tensorboard_trace_handler"]

_RECORDING = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)


class ProfilerActivity(Enum):
    """Kinds of devices that a profiler may be asked to watch; kernels are recorded wherever they run.

    >>> torch.profiler.ProfilerActivity.CPU.name
    'CPU'
    """

    CPU = 0
    XPU = 1
    MTIA = 2
    CUDA = 3
    HPU = 4
    PrivateUse1 = 5


class profile:
    """Record kernels, regions and modules in a `with` block, or from `start` to `stop`.

    Every kernel is recorded, on all devices and in all threads; a device is waited for after each, to tell them apart. An op
    that is composed of others is an event around theirs. While no profiler is on, nothing of it runs.

    Args:
        activities: accepted: all kernels are recorded.
        schedule: from the number of a step to what is done in it; without one, all is recorded. See `step`.
        on_trace_ready: called with the profiler when a recording is complete.
        record_shapes: whether the shapes of operands are noted.
        profile_memory: whether memory is: the bytes allocated for an event, whether or not they were freed since.
        with_stack: whether the user's calls are.
        with_flops: whether the floating-point operations of matrix products and convolutions are.
        with_modules: whether calls of modules are events, named by their paths.
        acc_events: whether the recordings of a schedule add up; else each takes the place of the last.
        experimental_config, execution_trace_observer, use_cuda, custom_trace_id_callback, post_processing_timeout_s: accepted.

    >>> with torch.profiler.profile(record_shapes=True) as prof:
    ...     _ = torch.ones(2, 3) @ torch.ones(3, 4)
    >>> [event.input_shapes for event in prof.events() if event.name == "aten::matmul"]
    [[[2, 3], [3, 4]]]
    """

    def __init__(
        self, *, activities: Iterable[Any] | None = None, schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[[Any], Any] | None = None, record_shapes: bool = False, profile_memory: bool = False,
        with_stack: bool = False, with_flops: bool = False, with_modules: bool = False, experimental_config: Any = None,
        execution_trace_observer: Any = None, acc_events: bool = False, use_cuda: bool | None = None,
        custom_trace_id_callback: Any = None, post_processing_timeout_s: float | None = None,
    ) -> None:  # fmt: skip
        self.activities = set(activities) if activities is not None else {ProfilerActivity.CPU}
        self.schedule = schedule
        self.on_trace_ready = on_trace_ready
        self.record_shapes, self.profile_memory, self.acc_events = record_shapes, profile_memory, acc_events
        self.with_stack, self.with_flops, self.with_modules = with_stack, with_flops, with_modules
        self.step_num = 0
        self.current_action = self._action()
        self._recorder: Recorder | None = None
        self._step: record_function | None = None
        self._events: list[Any] | None = None
        self._collectives: list[Collective] = []
        self._metadata: dict[str, Any] = {}

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin to record, or whatever the schedule says of the present step."""
        self._enter(self._action())

    def stop(self) -> None:
        """Stop recording; what was recorded until now is complete."""
        self._leave(ready=True)
        self.current_action = ProfilerAction.NONE

    def step(self) -> None:
        """Begin the next step, for example of a training loop. Its number is `step_num`."""
        self.step_num += 1
        after = self._action()
        if self.current_action is ProfilerAction.RECORD_AND_SAVE or after not in _RECORDING:
            self._leave(ready=self.current_action is ProfilerAction.RECORD_AND_SAVE)
        self._enter(after)

    def _action(self) -> ProfilerAction:
        return ProfilerAction.RECORD if self.schedule is None else self.schedule(self.step_num)

    def _enter(self, action: ProfilerAction) -> None:
        self._end_step()
        self.current_action = action
        if action not in _RECORDING:
            return
        if self._recorder is None:
            self._recorder = Recorder(
                shapes=self.record_shapes, memory=self.profile_memory, stack=self.with_stack, flops=self.with_flops,
                modules=self.with_modules,
            )  # fmt: skip
            self._recorder.start()
        if self.schedule is not None:
            self._step = record_function(f"ProfilerStep#{self.step_num}")
            self._step.__enter__()

    def _end_step(self) -> None:
        if self._step is not None:
            self._step.__exit__()
            self._step = None

    def _leave(self, ready: bool) -> None:
        self._end_step()
        recorder, self._recorder = self._recorder, None
        if recorder is None:
            return
        recorder.stop()
        self._events = [*((self._events or ()) if self.acc_events else ()), *recorder.events]
        self._collectives = [*(self._collectives if self.acc_events else ()), *recorder.collectives]
        if ready and self.on_trace_ready is not None:
            self.on_trace_ready(self)

    # -- results ----------------------------------------------------------------------------------------------------------

    def events(self) -> EventList:
        """Return everything that was recorded, in the order in which it began.

        Returns:
            A list of events, with methods to sum and to draw them.

        Raises:
            RuntimeError: nothing has been recorded yet.
        """
        if self._events is None:
            raise RuntimeError("profile: nothing has been recorded yet; ask after the `with` block, or in on_trace_ready")
        return EventList(self._events, memory=self.profile_memory, flops=self.with_flops)

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

        Raises:
            RuntimeError: nothing has been recorded yet.
        """
        return self.events().key_averages(group_by_input_shape, group_by_stack_n)

    def timeline(self) -> Timeline:
        """Put together what all processes of the default group recorded, on one clock. All of them call it, after the recording.

        Clocks are compared as all leave a barrier, which is as exact as that is short: some microseconds within a machine.

        Returns:
            A `Timeline`, the same in all processes: a trace with a row for each rank, and a table of collectives.

        Raises:
            RuntimeError: nothing has been recorded yet.
            ArgumentValueError: there is no process group.
            RankLost: a process was killed, is stopped or does not come.

        >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
        >>> with torch.profiler.profile() as prof:
        ...     torch.distributed.all_reduce(torch.ones(256))
        >>> prof.timeline().export_chrome_trace("trace.json")
        >>> torch.distributed.destroy_process_group()
        """
        return gathered_timeline(self.events(), self._collectives)

    def export_chrome_trace(self, path: str) -> None:
        """Write what was recorded as a trace for chrome://tracing or Perfetto.

        Args:
            path: the file, in JSON; packed where its name ends with `.gz`.

        Raises:
            RuntimeError: nothing has been recorded yet.
        """
        more = {"record_shapes": int(self.record_shapes), "profile_memory": int(self.profile_memory), **self._metadata}
        write_trace(path, self.events(), more)

    def export_stacks(self, path: str, metric: str = "self_cpu_time_total") -> None:
        """Write the stacks, and how much of a metric is spent in each, as tools for flame graphs read them.

        Args:
            path: the file.
            metric: "self_cpu_time_total" or "self_device_time_total".

        Raises:
            RuntimeError: nothing has been recorded yet.
            ValueError: stacks were not recorded, or there is no such metric.
        """
        if not self.with_stack:
            raise ArgumentValueError("export_stacks: stacks were not recorded; make the profiler with with_stack=True")
        if metric not in ("self_cpu_time_total", "self_device_time_total", "self_cuda_time_total"):
            raise ArgumentValueError(f"export_stacks: there is no metric {metric!r}")
        write_stacks(path, self.events(), metric.replace("cuda", "device"))

    def add_metadata(self, key: str, value: str) -> None:
        """Add a text to the trace.

        Args:
            key: its name.
            value: the text.
        """
        self._metadata[key] = str(value)

    def add_metadata_json(self, key: str, value: str) -> None:
        """Add a value to the trace.

        Args:
            key: its name.
            value: the value, in JSON.
        """
        self._metadata[key] = json.loads(value)


def tensorboard_trace_handler(
    dir_name: str, worker_name: str | None = None, use_gzip: bool = False, use_python_export: bool = False
) -> Callable[[profile], None]:
    """Return a function for `on_trace_ready` that writes each trace to a file of its own, named as TensorBoard's plug-in wants them.

    Args:
        dir_name: the folder, which is created if need be.
        worker_name: the beginning of the files' names; by default the host's name and the number of the process.
        use_gzip: whether files are packed.
        use_python_export: accepted as in PyTorch; it changes nothing.

    Returns:
        A function of the profiler.

    >>> import os
    >>> with torch.profiler.profile(on_trace_ready=tensorboard_trace_handler("traces", "worker0")):
    ...     _ = torch.ones(2).exp()
    >>> [name.split(".")[0] for name in os.listdir("traces")]
    ['worker0']
    """

    def write(profiler: profile) -> None:
        os.makedirs(dir_name, exist_ok=True)
        worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        name = f"{worker}.{time.time_ns()}.pt.trace.json{'.gz' if use_gzip else ''}"
        profiler.export_chrome_trace(os.path.join(dir_name, name))

    return write
