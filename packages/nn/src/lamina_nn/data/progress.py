"""How far a loader is within an epoch, and all that it takes to go on from there in another process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .random_states import DrawnWith

__all__ = ["Progress", "Share"]


@dataclass
class Share:
    """What was taken of one worker's batches.

    Attributes:
        taken: how many.
        ended: whether its iterable data set is at its end.
        states: what the last one left its random numbers at.
    """

    taken: int = 0
    ended: bool = False
    states: DrawnWith | None = None


@dataclass
class Progress:
    """One epoch.

    Attributes:
        start: the states of all generators before anything was drawn for it.
        sampler: the sampler's own state then, if it has one.
        base_seed: what the workers' random numbers started from.
        draws_seed: whether the epoch drew that seed, as all do but the later ones of persistent workers.
        done: how many batches were given, without a gap.
        ahead: the numbers of those given beyond a gap.
        next_worker: who is asked first when the epoch is taken up again.
        shares: one for each worker.
        finished: whether it came to its end.
    """

    start: dict[str, Any]
    sampler: Any = None
    base_seed: int = 0
    draws_seed: bool = True
    done: int = 0
    ahead: set[int] = field(default_factory=set)
    next_worker: int = 0
    shares: list[Share] = field(default_factory=list)
    finished: bool = False

    def given(self, place: int) -> None:
        """Note that the batch of this number was given."""
        self.ahead.add(place)
        while self.done in self.ahead:
            self.ahead.remove(self.done)
            self.done += 1

    def told(self) -> dict[str, Any]:
        """As numbers, text, lists and dicts."""
        return {
            "start": self.start,
            "sampler": self.sampler,
            "base_seed": self.base_seed,
            "draws_seed": self.draws_seed,
            "done": self.done,
            "ahead": sorted(self.ahead),
            "next_worker": self.next_worker,
            "workers": [
                {"taken": s.taken, "ended": s.ended, "states": s.states and s.states.told()} for s in self.shares
            ],
        }  # fmt: skip

    @classmethod
    def from_told(cls, told: dict[str, Any]) -> Progress:
        """From what `told` gave."""
        shares = [
            Share(w["taken"], w["ended"], w["states"] and DrawnWith.from_told(w["states"])) for w in told["workers"]
        ]  # fmt: skip
        fields = {name: told[name] for name in ("start", "sampler", "base_seed", "draws_seed", "done", "next_worker")}
        return cls(**fields, ahead=set(told["ahead"]), shares=shares)

    def places(self, indices: Iterator[Any]) -> Iterator[tuple[int, Any]]:
        """Number and index of the batches still to be given, out of the indices of all; those given are drawn, too."""
        for place, index in enumerate(indices):
            if place >= self.done and place not in self.ahead:
                yield place, index
