"""Events by name: how often, how long, how much memory; and the table of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from lamina_flatarray import ArgumentValueError

from .events import FunctionEvent

__all__ = ["EventList", "FunctionEventAvg"]

_SUMMED: Final = (
    "count", "cpu_time_total", "self_cpu_time_total", "device_time_total", "self_device_time_total", "cpu_memory_usage",
    "self_cpu_memory_usage", "flops",
)  # fmt: skip
_OLDER: Final = {"cuda": "device"}
"""PyTorch's older names: `cuda_time_total` is `device_time_total`."""


class FunctionEventAvg:
    """The sums over all events of one name (and shapes, and stack, if these tell them apart). Times are in microseconds.

    Args:
        first: an event whose name, shapes and stack are taken over; it is not counted yet.

    Attributes:
        key: the name.
        count: how many there were.
        cpu_time_total, self_cpu_time_total: with and without what ran within them.
        device_time_total, self_device_time_total: of those that ran on another device than the CPU.
        cpu_memory_usage, self_cpu_memory_usage: bytes allocated, whether or not they were freed since.
        flops: floating-point operations.
        input_shapes, stack: of the first.
        is_user_annotation: whether it is a region.

    >>> with torch.profiler.profile() as prof:
    ...     for _ in range(3):
    ...         _ = torch.ones(2) + torch.ones(2)
    >>> [(average.key, average.count) for average in prof.key_averages() if average.key == "aten::add"]
    [('aten::add', 3)]
    """

    count: int
    cpu_time_total: float
    device_time_total: float

    def __init__(self, first: FunctionEvent) -> None:
        self.key = first.name
        self.input_shapes, self.stack, self.is_user_annotation = first.input_shapes, first.stack, first.is_user_annotation
        for name in _SUMMED:
            setattr(self, name, 0)

    def add(self, event: Any) -> FunctionEventAvg:
        """Add an event, or another sum, in place.

        Args:
            event: a `FunctionEvent` or `FunctionEventAvg`.

        Returns:
            This sum itself.
        """
        within = getattr(event, "cpu_parent", None)
        while within is not None and within.name != self.key:
            within = within.cpu_parent
        for name in _SUMMED:
            if within is None or name not in ("cpu_time_total", "device_time_total", "cpu_memory_usage"):  # not twice
                setattr(self, name, getattr(self, name) + getattr(event, name))
        return self

    @property
    def cpu_time(self) -> float:
        """Return the microseconds of the processor for one call, on average."""
        return self.cpu_time_total / self.count if self.count else 0.0

    @property
    def device_time(self) -> float:
        """Return the microseconds of the device for one call, on average."""
        return self.device_time_total / self.count if self.count else 0.0

    def __repr__(self) -> str:
        return f"<FunctionEventAvg {self.key} x{self.count} {self.cpu_time_total:.3f}us>"


def in_time(microseconds: float) -> str:
    """Return a time with the unit that suits it."""
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= size:
            return f"{microseconds / size:.3f}{unit}"
    return f"{microseconds:.3f}us"


def in_bytes(nbytes: float) -> str:
    """Return a number of bytes with the unit that suits it."""
    for unit, size in (("GB", 2**30), ("MB", 2**20), ("KB", 2**10)):
        if abs(nbytes) >= size:
            return f"{nbytes / size:.2f} {unit}"
    return f"{int(nbytes)} B"


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.2f}%" if whole else "--"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


class EventList(list[Any]):
    """A list of events, or of sums of events by name, which can be summed, drawn as a table and written to a file.

    Args:
        events: events or sums.
        memory: whether tables have columns of memory.
        flops: whether they have one of floating-point operations.

    >>> with torch.profiler.profile() as prof:
    ...     _ = torch.ones(2).exp()
    >>> isinstance(prof.events(), EventList)
    True
    >>> "aten::exp" in prof.key_averages().table(sort_by="self_cpu_time_total", row_limit=5)
    True
    """

    def __init__(self, events: Iterable[Any], *, memory: bool = False, flops: bool = False) -> None:
        super().__init__(events)
        self._memory, self._flops = memory, flops

    @property
    def self_cpu_time_total(self) -> float:
        """Of all together, in microseconds."""
        return float(sum(event.self_cpu_time_total for event in self))

    def key_averages(
        self, group_by_input_shapes: bool = False, group_by_stack_n: int = 0, group_by_overload_name: bool = False
    ) -> EventList:
        """Sum the events by name; also by shapes, and by the innermost calls of the stack, if these are to tell events apart.

        Args:
            group_by_input_shapes: whether events with operands of other shapes are summed apart.
            group_by_stack_n: how many of the innermost calls tell events apart; 0 for none.
            group_by_overload_name: accepted as in PyTorch; there are no overloads here.

        Returns:
            A list of `FunctionEventAvg`.
        """
        averages: dict[Any, FunctionEventAvg] = {}
        for event in self:
            shapes = tuple(map(tuple, event.input_shapes)) if group_by_input_shapes else ()
            name = "ProfilerStep*" if event.name.startswith("ProfilerStep#") else event.name  # all steps together
            key = (name, event.kind, shapes, tuple(event.stack[:group_by_stack_n]))
            if key not in averages:
                averages[key] = FunctionEventAvg(event)
                averages[key].key = name
                averages[key].stack = event.stack[:group_by_stack_n]
                if not group_by_input_shapes:
                    averages[key].input_shapes = []
            averages[key].add(event)
        return EventList(averages.values(), memory=self._memory, flops=self._flops)

    def total_average(self) -> FunctionEventAvg:
        """Sum over all events.

        Returns:
            One sum, with the key "Total".
        """
        total = FunctionEventAvg(FunctionEvent("Total", "op", 0, 0, None))
        for event in self:
            total.add(event)
        return total

    def table(
        self, sort_by: str | None = None, row_limit: int = 100, max_src_column_width: int = 75, max_name_column_width: int = 55,
        max_shapes_column_width: int = 80, header: str | None = None, top_level_events_only: bool = False,
        time_unit: str | None = None,
    ) -> str:  # fmt: skip
        """Draw the events as a table in text.

        Args:
            sort_by: a name of a sum, such as "self_cpu_time_total" or "cpu_memory_usage": the greatest come first.
            row_limit: how many rows there are; -1 for all.
            max_src_column_width, max_name_column_width, max_shapes_column_width: where texts are cut.
            header: a line above.
            top_level_events_only: of events, whether only those within no other are shown.
            time_unit: "s", "ms" or "us"; by default each time has the one that suits it.

        Returns:
            The table, with a line for the total time below.

        Raises:
            ValueError: there is no such sum, or unit.
        """
        if time_unit not in (None, "s", "ms", "us"):
            raise ArgumentValueError(f"table: time_unit is {time_unit!r}; it is 's', 'ms' or 'us'")
        rows = [row for row in self if not top_level_events_only or getattr(row, "cpu_parent", None) is None]
        if sort_by is not None:
            name = sort_by.replace("cuda", _OLDER["cuda"])
            if name not in (*_SUMMED, "cpu_time", "device_time"):
                raise ArgumentValueError(f"table: there is nothing to sort by {sort_by!r}; there are {', '.join(_SUMMED)}, cpu_time")
            rows.sort(key=lambda row: -getattr(row, name))
        rows = rows if row_limit < 0 else rows[:row_limit]

        def time(value: float) -> str:
            return in_time(value) if time_unit is None else f"{value / {'s': 1e6, 'ms': 1e3, 'us': 1}[time_unit]:.3f}{time_unit}"

        total = self.self_cpu_time_total
        columns: list[tuple[str, list[str]]] = [
            ("Name", [_cut(row.key, max_name_column_width) for row in rows]),
            ("Self CPU %", [_share(row.self_cpu_time_total, total) for row in rows]),
            ("Self CPU", [time(row.self_cpu_time_total) for row in rows]),
            ("CPU total %", [_share(row.cpu_time_total, total) for row in rows]),
            ("CPU total", [time(row.cpu_time_total) for row in rows]),
            ("CPU time avg", [time(row.cpu_time_total / row.count) for row in rows]),
        ]
        if any(row.device_time_total for row in rows):
            columns.append(("Self device", [time(row.self_device_time_total) for row in rows]))
            columns.append(("Device total", [time(row.device_time_total) for row in rows]))
        if self._memory:
            columns.append(("CPU Mem", [in_bytes(row.cpu_memory_usage) for row in rows]))
            columns.append(("Self CPU Mem", [in_bytes(row.self_cpu_memory_usage) for row in rows]))
        columns.append(("# of Calls", [str(row.count) for row in rows]))
        if self._flops:
            columns.append(("Total MFLOPs", [f"{row.flops * 1e-6:.3f}" if row.flops else "--" for row in rows]))
        if any(row.input_shapes for row in rows):
            columns.append(("Input Shapes", [_cut(str(row.input_shapes), max_shapes_column_width) for row in rows]))
        if any(row.stack for row in rows):
            columns.append(("Source Location", [_cut(row.stack[0] if row.stack else "", max_src_column_width) for row in rows]))
        return drawn(columns, header, f"Self CPU time total: {time(total)}")

    def export_chrome_trace(self, path: str) -> None:
        """Write the events as a trace for chrome://tracing or Perfetto.

        Args:
            path: the file, in JSON; packed where its name ends with `.gz`.
        """
        from .traces import write_trace

        write_trace(path, self)

    __str__ = table


def drawn(columns: Sequence[tuple[str, list[str]]], header: str | None, footer: str) -> str:
    """Return columns, each with its heading, as a table in text."""
    widths = [max(map(len, (name, *cells))) for name, cells in columns]
    rule = "  ".join("-" * width for width in widths)
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        for cells in ([name for name, _ in columns], *zip(*(cells for _, cells in columns), strict=True))
    ]
    return "\n".join([*([header] if header else []), rule, lines[0], rule, *lines[1:], rule, footer, ""])
