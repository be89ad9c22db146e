"""One event of a profile: a kernel, a region or a module's call, from when to when, and what took place within."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["FunctionEvent"]

_NANO: Final = 1e-3
"""Microseconds in a nanosecond."""


class FunctionEvent:
    """What was seen of one call. Times are in microseconds.

    Args:
        name: the name of the kernel, region or module.
        kind: "op", "region" or "module".
        begin: when it began, in nanoseconds of the machine's clock; also its end until that is set.
        thread: the identifier of its thread.
        parent: the event that it is within, whose `cpu_children` it joins; None for an outermost one.

    Attributes:
        name, key: of the kernel (`aten::add`), region or module.
        kind: "op", "region" or "module".
        begin, end: in nanoseconds of the machine's clock.
        thread: its identifier.
        cpu_parent, cpu_children: the event that it is within, and those within it.
        input_shapes: of the operands, if they were asked for.
        stack: the user's calls, the innermost first, if they were asked for.
        self_cpu_memory_usage: bytes allocated for it, whether or not they were freed since, without its children's.
        flops: floating-point operations of a matrix product or convolution.
        device: the type of the device that it ran on.

    >>> outer = FunctionEvent("loss", "region", 0, 1, None)
    >>> inner = FunctionEvent("aten::add", "op", 1_000, 1, outer)
    >>> outer.end, inner.end = 5_000, 3_000
    >>> outer.cpu_time_total, outer.self_cpu_time_total
    (5.0, 3.0)
    """

    __slots__ = (
        "begin", "cpu_children", "cpu_parent", "device", "end", "flops", "input_shapes", "kind", "name",
        "self_cpu_memory_usage", "stack", "thread",
    )  # fmt: skip

    def __init__(self, name: str, kind: str, begin: int, thread: int, parent: FunctionEvent | None) -> None:
        self.name, self.kind, self.begin, self.end, self.thread = name, kind, begin, begin, thread
        self.cpu_parent = parent
        self.cpu_children: list[FunctionEvent] = []
        self.input_shapes: list[list[int]] = []
        self.stack: list[str] = []
        self.self_cpu_memory_usage = 0
        self.flops = 0
        self.device = "cpu"
        if parent is not None:
            parent.cpu_children.append(self)

    @property
    def key(self) -> str:
        """Return the name, by which events are summed."""
        return self.name

    @property
    def count(self) -> int:
        """Return 1: an event is one call."""
        return 1

    @property
    def is_user_annotation(self) -> bool:
        """Tell whether the event is a region that the program named."""
        return self.kind == "region"

    @property
    def cpu_time_total(self) -> float:
        """The time from begin to end, with what it calls, in microseconds."""
        return (self.end - self.begin) * _NANO

    @property
    def device_time_total(self) -> float:
        """As `cpu_time_total`, on the device."""
        return 0.0 if self.device == "cpu" else self.cpu_time_total

    @property
    def self_cpu_time_total(self) -> float:
        """Without the time of what is within it."""
        return self.cpu_time_total - sum(child.cpu_time_total for child in self.cpu_children)

    @property
    def self_device_time_total(self) -> float:
        """As `self_cpu_time_total`, on the device."""
        return 0.0 if self.device == "cpu" else self.self_cpu_time_total

    @property
    def cpu_memory_usage(self) -> int:
        """With what is within it."""
        total, stack = 0, [self]
        while stack:
            event = stack.pop()
            total += event.self_cpu_memory_usage
            stack.extend(event.cpu_children)
        return total

    def __repr__(self) -> str:
        return f"<FunctionEvent {self.name} {self.cpu_time_total:.3f}us>"

    def traced(self, process: int, origin: int) -> dict[str, Any]:
        """Return the event as an entry of Chrome's trace format.

        Args:
            process: the number of the process.
            origin: the nanosecond at which the trace begins.

        Returns:
            A dict of what JSON can hold.
        """
        args = {"Input Dims": self.input_shapes, "Call stack": ";".join(self.stack), "Bytes": self.self_cpu_memory_usage}
        categories = {"op": "cpu_op", "region": "user_annotation", "module": "python_function"}
        return {
            "ph": "X", "cat": categories[self.kind], "name": self.name, "pid": process, "tid": self.thread,
            "ts": (self.begin - origin) * _NANO, "dur": (self.end - self.begin) * _NANO,
            "args": {name: value for name, value in args.items() if value},
        }  # fmt: skip
