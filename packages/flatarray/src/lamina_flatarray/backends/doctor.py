"""The doctor: a report for people on every backend, what is wrong with it, and the command to run next."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import metadata
from io import StringIO
from itertools import repeat
from traceback import format_exception
from types import ModuleType
from typing import Final, TextIO

from .. import fusing_engines, process_groups, twins
from ..contract import PROTOCOL
from ..dtypes import DTYPES, NAMED
from ..errors import BackendError
from ..ops import OPS
from ..plugin_points.loading import told
from . import fallback, plugins, registry
from .kernel_table import origin
from .probing import probe
from .status import STATES, BackendStatus

__all__ = ["broken", "examine", "main", "shortcomings"]

_ABSENT: Final = ("derived", "missing")


def examine(to: TextIO | None = None, *, traces: bool = True, limit: float = 60.0) -> list[BackendStatus]:
    """Load every installed backend, each on its own, and write what came of it.

    Each is loaded in a child process first; one that ends or hangs that is not loaded here.

    Args:
        to: where to; standard output by default.
        traces: whether whole tracebacks follow.
        limit: how many seconds loading one may take.

    Returns:
        The state of each.
    """
    out = sys.stdout if to is None else to
    for line in _surroundings():
        print(line, file=out)
    waiting = [status.name for status in registry.status() if status.state == "not loaded"]
    changes: dict[str, tuple[str, ...]] = {}
    with ThreadPoolExecutor(8) as pool:  # one that hangs lets others be looked at
        for name, outcome in zip(waiting, pool.map(probe, waiting, repeat(limit)), strict=True):
            changes[name] = outcome.changes
            if outcome.failure:
                plugins.PLUGINS.give_up(name, outcome.failure)
    for name in waiting:
        try:
            registry.backend(name)
        except BackendError:
            continue  # its state tells
    statuses = [status._replace(changes=changes.get(status.name, ())) for status in registry.status()]
    for status in statuses:
        distribution = f"{status.distribution} {status.version}".strip()
        print(f"\n{status.name}: {status.state} ({STATES[status.state]})", file=out)
        print(f"  serves {status.device_type}; {distribution}", file=out)
        if status.reason:
            print(f"  {status.reason}", file=out)
        if status.overridden:
            print(f"  overridden here: {'; '.join(status.overridden)}", file=out)
        if traces and status.error is not None:
            trace = "".join(format_exception(status.error.__cause__ or status.error))  # what we raised of it says no more
            print("    " + trace.rstrip().replace("\n", "\n    "), file=out)
        for line in shortcomings(status):
            print(f"  {line}", file=out)
        for line in status.changes:
            print(f"  loading it changes {line}", file=out)
        if status.state in ("failed", "refused") or (status.state == "no hardware" and status.device_type == "cpu"):
            print(f"  to do without it: LAMINA_BACKENDS=-{status.name}, or pip uninstall {status.distribution}", file=out)
    for line in (*_plugged("process groups", process_groups, process_groups.transport),
                 *_plugged("fusing engines", fusing_engines, fusing_engines.engine)):  # fmt: skip
        print(line, file=out)
    if twins.MISSING:
        print(f"\nlamina-compiled: its place is taken by Python\n  {twins.MISSING}", file=out)
    print(file=out)
    print("\n".join(_summary(statuses)), file=out)
    return statuses


def _summary(statuses: Sequence[BackendStatus]) -> list[str]:
    """What serves the CPU, in the place of what, and whether anything is wrong."""
    try:
        cpu = registry.backend_for("cpu")
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        fallen = [status.name for status in statuses if status.device_type == "cpu" and _failed(status)]
        instead = f", in the place of {', '.join(fallen)}" if fallen else ""
        served = f"cpu is served by {cpu.name}{instead}, with {cpu.get_num_threads()} of {cores} threads"
    except BackendError as failure:
        served = f"cpu is not served: {failure}"
    failing = broken(statuses)
    return [served, f"wrong with {', '.join(failing)}: see above" if failing else "nothing is wrong"]


def broken(found: Sequence[BackendStatus]) -> list[str]:
    """The names of what is installed and wanted, and does not work for a reason that can be mended: of a backend for the CPU, which is
    there, any reason, such as a native part that was not compiled; of the compiled twins, the same. And of backends that change the
    process when they are loaded."""
    failed = [status.name for status in found if _failed(status)]
    changing = [status.name for status in found if shortcomings(status) or status.changes]
    return list(dict.fromkeys([*failed, *changing, *(["lamina-compiled"] if twins.MISSING else [])]))


def _plugged(kind: str, point: ModuleType, load: Callable[[str], object]) -> list[str]:
    """What there is of another kind of plug-in, and what is wrong with it; nothing is started."""
    for status in point.status():
        if status.state == "not loaded":
            with suppress(BackendError):  # its state tells
                load(status.name)
    lines = [f"\n{kind}:"]
    for status in point.status():
        distribution = f"{status.distribution} {status.version}".strip()
        reason = f": {status.reason}" if status.reason else ""
        lines.append(f"  {status.name}: {status.state} ({distribution}){reason}")
    return lines if len(lines) > 1 else []


def _failed(found: BackendStatus) -> bool:
    """Whether a backend does not work for a reason that can be mended."""
    return found.state in ("failed", "refused", "duplicate") or (found.state == "no hardware" and found.device_type == "cpu")


def shortcomings(found: BackendStatus) -> list[str]:
    """Return what is wrong with the declarations of a backend that can run, a line for each.

    Args:
        found: its status.

    Returns:
        Lines about required ops without a kernel, and about ops and dtypes that do not exist; none for other states.
    """
    if found.state != "available":
        return []
    try:
        backend = registry.loaded(found.name)
        declared = dict(backend.capabilities())
        lacking = [op for op, row in OPS.items() if row.required and all(origin(backend, op, d) in _ABSENT for d in DTYPES.values())]
    except Exception as failure:
        return [f"its capabilities() failed: {told(failure)}"]
    unknown = [op for op in declared if op not in OPS]
    dtypes = dict.fromkeys(name for names in declared.values() for name in names if name not in NAMED)
    return [
        *([f"it has no kernel of {', '.join(lacking)}, which every backend brings or inherits"] if lacking else []),
        *([f"it declares {', '.join(unknown)}, which the op table does not have"] if unknown else []),
        *([f"it declares {', '.join(dtypes)}, which are no dtypes"] if dtypes else []),
    ]


def _surroundings() -> list[str]:
    """What runs here: versions, and what the environment changes."""
    versions = _versions()
    lines = ["  ".join(f"{name} {version}" for name, version in sorted(versions.items()))] if versions else []
    lines.append(
        f"Python {platform.python_version()}, NumPy {metadata.version('numpy')}, on {platform.system()} {platform.machine()}"
    )
    lines.append(f"backends must speak protocol {PROTOCOL[0]}.0 to {PROTOCOL[0]}.{PROTOCOL[1]}")
    lines.append(f"an op that a backend cannot run: {fallback.get_fallback_policy()} (set_fallback_policy)")
    lines += [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("LAMINA_")]
    return lines


def _versions() -> dict[str, str]:
    """Lamina's distributions; those of damaged metadata are passed over, as they are where plug-ins are looked for."""
    versions = {}
    for distribution in metadata.distributions():
        try:
            description = distribution.metadata
            versions[description["Name"].lower().replace("_", "-")] = description["Version"]
        except Exception:
            continue
    return {name: version for name, version in versions.items() if name.startswith("lamina")}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: `python -m lamina_flatarray [--brief] [--strict]`; brief tells only what is wrong and what serves the CPU, strict
    exits with 1 if anything is wrong."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if set(words) - {"--brief", "--strict"}:
        print("usage: python -m lamina_flatarray [--brief] [--strict]", file=sys.stderr)
        return 2
    if "--brief" in words:
        statuses = examine(StringIO(), traces=False)
        reasons = {status.name: "; ".join([status.reason, *shortcomings(status), *status.changes]) for status in statuses}
        reasons["lamina-compiled"] = twins.MISSING or ""
        print("\n".join([*(f"{name}: {reasons[name].lstrip('; ')}" for name in broken(statuses)), *_summary(statuses)]))
    else:
        statuses = examine()
    return 1 if broken(statuses) and "--strict" in words else 0
