"""The lock on every `grad`: passes of several threads add to the same tensors."""

import threading
from typing import Final

from lamina_flatarray.fork_safety import fork_safe

__all__ = ["accumulating"]

accumulating: Final = fork_safe(threading.RLock())
"""Held from reading a `grad` to writing the sum; not while hooks run."""
