"""Events as files: Chrome's trace format, and stacks as flame graphs read them.

https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from lamina_ndarray.files.replacing import replacing

from .events import FunctionEvent

__all__ = ["write_stacks", "write_trace"]


def write_trace(path: str | os.PathLike[str], events: Iterable[FunctionEvent], more: Mapping[str, Any] | None = None) -> None:
    """Write events as JSON; packed where the path ends with `.gz`.

    Args:
        path: of the file.
        events: what was recorded.
        more: entries beside the events.
    """
    recorded = list(events)
    origin = min((event.begin for event in recorded), default=0)
    trace = {
        "schemaVersion": 1,
        "displayTimeUnit": "ms",
        **(more or {}),
        "traceEvents": [
            {"ph": "M", "name": "process_name", "pid": os.getpid(), "args": {"name": "lamina"}},
            *(event.traced(os.getpid(), origin) for event in recorded),
        ],
    }
    text = json.dumps(trace).encode()
    with replacing(path) as file:
        file.write(gzip.compress(text) if os.fsdecode(path).endswith(".gz") else text)


def write_stacks(path: str | os.PathLike[str], events: Iterable[FunctionEvent], metric: str) -> None:
    """Write a line per stack, the outermost call first, with the sum of a metric in whole numbers."""
    sums: Counter[str] = Counter()
    for event in events:
        if event.stack:
            sums[";".join([*(call.replace(" ", "_") for call in reversed(event.stack)), event.name])] += int(getattr(event, metric))
    with replacing(path) as file:
        file.writelines(f"{stack} {value}\n".encode() for stack, value in sums.items() if value > 0)
