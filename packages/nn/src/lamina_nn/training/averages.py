"""Means over the samples of an epoch, added up batch by batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["Averages"]


class Averages:
    """Means of several quantities, of which each batch gives its own mean.

    Attributes:
        samples: how many were seen.
        sums: of each quantity over them.
    """

    def __init__(self) -> None:
        self.samples = 0
        self.sums: dict[str, float] = {}

    def add(self, means: Mapping[str, float], samples: int) -> None:
        """Take in a batch."""
        self.samples += samples
        for name, mean in means.items():
            self.sums[name] = self.sums.get(name, 0.0) + mean * samples

    def means(self) -> dict[str, float]:
        """Each quantity's mean over all samples."""
        return {name: total / self.samples for name, total in self.sums.items()}

    def state_dict(self) -> dict[str, Any]:
        """What was added up."""
        return {"samples": self.samples, "sums": dict(self.sums)}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from what was added up."""
        self.samples, self.sums = state_dict["samples"], dict(state_dict["sums"])
