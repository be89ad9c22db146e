"""Whether anomaly mode is on: in the whole process, as in PyTorch, so that it finds what other threads do."""

from __future__ import annotations

from typing import Final

__all__ = ["AnomalySwitch", "anomaly"]


class AnomalySwitch:
    """What `set_detect_anomaly` said last.

    Attributes:
        on: whether the mode is on.
        check_nan: whether backward passes search gradients for NaN while it is.
    """

    __slots__ = ("check_nan", "on")

    def __init__(self) -> None:
        self.on = False
        self.check_nan = True


anomaly: Final = AnomalySwitch()
"""The one of this process."""
