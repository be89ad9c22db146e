"""A plug-in loaded in a child process first: one that ends its process, hangs, prints or changes what all share is named, and does no
harm here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["Probe", "probe"]

_PROGRAM: Final = "import sys; from lamina_flatarray.backends.probing import _load_and_tell; _load_and_tell(*sys.argv[1:])"
_MOST_SHOWN: Final = 200


class Probe(NamedTuple):
    """What loading a plug-in does.

    Attributes:
        failure: how it ended the child, or that it did not come to an end; empty where it came to one, loaded or not.
        changes: what it changed that belongs to the whole process, and what it printed.
    """

    failure: str
    changes: tuple[str, ...]


def probe(name: str, limit: float = 60.0) -> Probe:
    """Load a plug-in in a child process, and end that if it takes longer than `limit` seconds.

    Args:
        name: the backend's name.
        limit: seconds.

    Returns:
        A `Probe`.

    >>> probe("numpy")
    Probe(failure='', changes=())
    """
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "told.json"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        child = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, name, str(told)], env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
        )  # fmt: skip
        try:
            printed = child.communicate(timeout=limit)[0]
        except subprocess.TimeoutExpired:
            child.kill()
            if child.stdout is not None:
                child.stdout.close()  # a process that it has started may hold the other end
            child.wait()
            return Probe(f"loading it does not come to an end within {limit:g} seconds", ())
        if not told.exists():
            return Probe(f"loading it ends the process, with {_ending(child.returncode)}", ())
        if child.returncode:
            return Probe(f"a process that has loaded it ends with {_ending(child.returncode)}", ())
        changes = json.loads(told.read_text())
        if printed.strip():
            changes.append(f"the output: it prints {printed.strip()[:_MOST_SHOWN]!r}")
        return Probe("", tuple(changes))


def _ending(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"status {status}"


def _load_and_tell(name: str, told: str) -> None:
    """The child's part: load, compare what all share, and write down what is different."""
    from ..errors import BackendError
    from . import registry

    registry.status()  # finding plug-ins imports modules of Python's own, which are nobody's changes
    before = _shared()
    with suppress(BackendError):  # whoever asks for it gets to know
        registry.backend(name)
    after = _shared()
    Path(told).write_text(json.dumps([what for what in before if before[what] != after[what]]))


def _shared() -> Mapping[str, object]:
    """What belongs to the whole process, and a plug-in has to leave alone."""
    import builtins
    import locale
    import random
    import signal
    import threading
    import warnings

    import numpy as np

    from ..promotion import get_default_dtype

    return {
        "sys.path": list(sys.path),
        "the filters of warnings": [str(entry) for entry in warnings.filters],
        "the handlers of signals": [str(signal.getsignal(number)) for number in sorted(signal.valid_signals())],
        "the locale": locale.setlocale(locale.LC_ALL),
        "the state of random": hash(random.getstate()),
        "the state of numpy.random": np.random.get_state()[1].tobytes().hex(),  # type: ignore[index]
        "how NumPy treats errors": np.geterr(),
        "sys.stdout": id(sys.stdout),
        "sys.stderr": id(sys.stderr),
        "sys.excepthook": id(sys.excepthook),
        "the working directory": os.getcwd(),
        "the environment": dict(os.environ),
        "the recursion limit": sys.getrecursionlimit(),
        "the built-in names": sorted(map(str, vars(builtins))),
        "the default dtype": get_default_dtype().name,
        "the running threads": threading.active_count(),
    }
