"""Timeline: what all processes of a group recorded, on one clock, with who waited for whom."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter_ns
from typing import Any, Final, NamedTuple

from lamina_ndarray.files.replacing import replacing

from ..process_groups.barriers import barrier
from ..process_groups.objects import all_gather_object
from ..process_groups.process_group import default_group
from ..process_groups.progress import Operation
from .averages import drawn, in_bytes, in_time
from .events import FunctionEvent

__all__ = ["Collective", "CollectiveAverage", "Timeline", "gathered_timeline", "noted"]

_MEETINGS: Final = 15
"""How often processes meet to compare their clocks."""


class Collective(NamedTuple):
    """One operation of a group, as one process saw it.

    Attributes:
        name: the function that was called, or the module or optimizer that called it.
        group: the number of the group.
        number: of the operation within its group, the same in all its processes; -1 for a message, which goes between two.
        ranks: the processes that take part, by their indices among all.
        nbytes: how much data of this process took part.
        begin, end: from when the process was ready for it until it was finished, in nanoseconds.

    >>> Collective("all_reduce", 1, 7, (0, 1), 4096, 100, 300).nbytes
    4096
    """

    name: str
    group: int
    number: int
    ranks: tuple[int, ...]
    nbytes: int
    begin: int
    end: int


def noted(operation: Operation) -> Collective:
    """Return what is kept of an operation that is finished.

    Args:
        operation: the operation.
    """
    group = operation.group
    number = -1 if operation.message else operation.count
    return Collective(operation.name, group.number, number, group.ranks, operation.nbytes, operation.began, operation.ended)


@dataclass
class CollectiveAverage:
    """Sum all operations of one name in one process. Times are in microseconds.

    Args:
        rank: of the process.
        key: the name.

    Attributes:
        rank, key: as given.
        count: how many there were.
        nbytes: how much data of the process took part in them.
        waiting_time_total: how long the process was ready before the last one was.
        moving_time_total: how long they then took.

    >>> CollectiveAverage(0, "all_reduce").count
    0
    """

    rank: int
    key: str
    count: int = 0
    nbytes: int = 0
    waiting_time_total: float = 0.0
    moving_time_total: float = 0.0


class Recording(NamedTuple):
    """What one process recorded: kernels' time in microseconds, collectives, and entries of a trace."""

    computing: float
    collectives: list[Collective]
    traced: list[dict[str, Any]]


class Timeline:
    """What all processes recorded, on the clock of rank 0. `profile.timeline` makes it, and all processes have the same.

    Args:
        recordings: of each rank, with times on its clock.
        offsets: nanoseconds that each clock is ahead of rank 0's.

    Attributes:
        collectives: of each rank, in the order in which they ended.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> with torch.profiler.profile() as prof:
    ...     torch.distributed.all_reduce(torch.ones(256))
    >>> timeline = prof.timeline()
    >>> [(average.rank, average.key, average.nbytes) for average in timeline.key_averages()]
    [(0, 'all_reduce', 1024)]
    >>> torch.distributed.destroy_process_group()
    """

    def __init__(self, recordings: Sequence[Recording], offsets: Sequence[int]) -> None:
        self._recordings, self._offsets = recordings, offsets
        self.collectives = [
            [c._replace(begin=c.begin - offset, end=c.end - offset) for c in recording.collectives]
            for recording, offset in zip(recordings, offsets, strict=True)
        ]
        came: dict[tuple[int, int], dict[int, int]] = {}
        for rank, ended in enumerate(self.collectives):
            for c in ended:
                came.setdefault((c.group, c.number), {})[rank] = c.begin
        self._came = came

    def last(self, collective: Collective) -> tuple[int, int]:
        """Return who was the last to be ready for an operation, and when.

        Args:
            collective: one of `collectives`.

        Returns:
            A rank, and nanoseconds; for a message, and where not all processes recorded it, -1 and the begin.
        """
        came = self._came[collective.group, collective.number]
        if collective.number < 0 or set(came) != set(collective.ranks):
            return -1, collective.begin
        rank = max(came, key=lambda rank: came[rank])
        return rank, min(max(came[rank], collective.begin), collective.end)

    def key_averages(self) -> list[CollectiveAverage]:
        """Sum the operations by rank and name.

        Returns:
            A list of `CollectiveAverage`, rank by rank.
        """
        sums: dict[tuple[int, str], CollectiveAverage] = {}
        for rank, ended in enumerate(self.collectives):
            for c in ended:
                average = sums.setdefault((rank, c.name), CollectiveAverage(rank, c.name))
                _, ready = self.last(c)
                average.count += 1
                average.nbytes += c.nbytes
                average.waiting_time_total += (ready - c.begin) * 1e-3
                average.moving_time_total += (c.end - ready) * 1e-3
        return list(sums.values())

    def table(self) -> str:
        """Draw the sums as a table in text.

        Returns:
            A line for each rank and name, and below, how long kernels of each rank computed, those that add up for others included.
        """
        rows = self.key_averages()
        columns = [
            ("Rank", [str(row.rank) for row in rows]),
            ("Name", [row.key for row in rows]),
            ("# of Calls", [str(row.count) for row in rows]),
            ("Bytes", [in_bytes(row.nbytes) for row in rows]),
            ("Waiting", [in_time(row.waiting_time_total) for row in rows]),
            ("Moving", [in_time(row.moving_time_total) for row in rows]),
        ]
        computing = ", ".join(f"rank {rank} {in_time(recording.computing)}" for rank, recording in enumerate(self._recordings))
        return drawn(columns, None, f"Computing: {computing}")

    def export_chrome_trace(self, path: str | os.PathLike[str]) -> None:
        """Write all as one trace for chrome://tracing or Perfetto, with a row for each rank. One process calls it.

        Args:
            path: the file, in JSON; packed where its name ends with `.gz`.
        """
        entries: list[dict[str, Any]] = []
        for rank, (recording, offset) in enumerate(zip(self._recordings, self._offsets, strict=True)):
            entries.append({"ph": "M", "name": "process_name", "pid": rank, "args": {"name": f"rank {rank}"}})
            entries.append({"ph": "M", "name": "process_sort_index", "pid": rank, "args": {"sort_index": rank}})
            entries += ({**entry, "pid": rank, "ts": entry["ts"] - offset * 1e-3} for entry in recording.traced)
            rows = {_row(c): f"{'messages' if c.number < 0 else 'collectives'} of group {c.group}" for c in self.collectives[rank]}
            entries += ({"ph": "M", "name": "thread_name", "pid": rank, "tid": row, "args": {"name": name}} for row, name in rows.items())
            entries += (entry for c in self.collectives[rank] for entry in self._traced(rank, c))
        origin = min((entry["ts"] for entry in entries if "ts" in entry), default=0.0)
        for entry in entries:
            if "ts" in entry:
                entry["ts"] -= origin
        text = json.dumps({"schemaVersion": 1, "displayTimeUnit": "ms", "traceEvents": entries}).encode()
        with replacing(path) as file:
            file.write(gzip.compress(text) if os.fsdecode(path).endswith(".gz") else text)

    def _traced(self, rank: int, c: Collective) -> list[dict[str, Any]]:
        """An operation as entries of a trace: the whole, and within it how long who was waited for."""
        by, ready = self.last(c)
        place = {"ph": "X", "cat": "collective", "pid": rank, "tid": _row(c)}
        about = {"Bytes": c.nbytes, "Group": list(c.ranks), "Waiting (us)": (ready - c.begin) * 1e-3, "Moving (us)": (c.end - ready) * 1e-3}
        entries = [{**place, "name": c.name, "ts": c.begin * 1e-3, "dur": (c.end - c.begin) * 1e-3, "args": about}]
        if ready > c.begin:
            entries.append({**place, "name": f"waiting for rank {by}", "ts": c.begin * 1e-3, "dur": (ready - c.begin) * 1e-3})
        return entries


def _row(c: Collective) -> int:
    """The row that an operation is drawn in: those of a group come one after the other, its messages beside them."""
    return 2 * c.group + (c.number < 0)


def gathered_timeline(events: Sequence[FunctionEvent], collectives: Sequence[Collective]) -> Timeline:
    """Put together what all processes of the default group recorded; all of them call it.

    Args:
        events: what this process recorded.
        collectives: likewise.

    Returns:
        A `Timeline`, the same in all processes.
    """
    group = default_group()
    stamps = []
    for _ in range(_MEETINGS):
        barrier(group)
        stamps.append(perf_counter_ns())
    computing = sum(event.self_cpu_time_total for event in events if event.kind == "op")
    mine = json.dumps([stamps, computing, collectives, [event.traced(0, 0) for event in events]]).encode()
    told: list[Any] = [None] * group.size()
    all_gather_object(told, mine)
    found = [json.loads(one) for one in told]
    offsets = [round(median(a - b for a, b in zip(one[0], found[0][0], strict=True))) for one in found]
    return Timeline([Recording(one[1], [_read(fields) for fields in one[2]], one[3]) for one in found], offsets)


def _read(fields: Sequence[Any]) -> Collective:
    name, group, number, ranks, nbytes, begin, end = fields  # JSON has lists only
    return Collective(name, group, number, tuple(ranks), nbytes, begin, end)
