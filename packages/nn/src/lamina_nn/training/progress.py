"""How far a trainer is: what its file holds beside the states of model, optimizer and generators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from lamina_flatarray import ArgumentValueError

from .averages import Averages
from .callbacks import Callback

__all__ = ["Progress"]


class Progress:
    """Where a run is, to the batch.

    Attributes:
        parts: the names of what is saved beside it: a file with others is refused.
        callbacks: whose states are saved with it.
        epoch: how many epochs are done.
        step: how many steps of the optimizer.
        batch: how many batches of the epoch under way.
        averages: the means of the epoch under way.
        history: the records of the epochs that are done.
        loader: the state of the loader, where it is taken up by the next pass.
    """

    def __init__(self, parts: Iterable[str], callbacks: Sequence[Callback]) -> None:
        self.parts, self.callbacks = sorted(parts), callbacks
        self.epoch = self.step = 0
        self.begin_epoch()
        self.history: list[dict[str, float]] = []
        self.loader: dict[str, Any] | None = None

    def taken_up(self, batches: Iterable[Any]) -> Iterable[Any]:
        """An iterator over what is left of the epoch: a loader goes on by its state; of others, batches that are done are skipped."""
        if self.loader is None:
            return islice(batches, self.batch, None)
        if not hasattr(batches, "load_state_dict"):
            raise ArgumentValueError(f"Trainer.fit: the run was left within a loader with a state; {type(batches).__name__} has none")
        batches.load_state_dict(self.loader)
        self.loader = None
        return iter(batches)

    def begin_epoch(self) -> None:
        """Nothing of the epoch under way is done."""
        self.batch, self.averages = 0, Averages()

    def state_dict(self) -> dict[str, Any]:
        """All of it, as plain values."""
        return {
            "parts": self.parts, "epoch": self.epoch, "step": self.step, "batch": self.batch, "averages": self.averages.state_dict(),
            "history": [dict(record) for record in self.history], "loader": self.loader,
            "callbacks": self._callback_states(),
        }  # fmt: skip

    def _callback_states(self) -> list[list[Any]]:
        """Name and state of each that has one."""
        states = ([type(callback).__name__, callback.state_dict()] for callback in self.callbacks)
        return [named for named in states if named[1]]

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from there.

        Raises:
            ValueError: it was saved beside other parts, or with other callbacks that have a state.
        """
        callbacks = [name for name, _ in self._callback_states()]
        for what, saved, own in (
            ("parts", state_dict["parts"], self.parts),
            ("callbacks with a state", [name for name, _ in state_dict["callbacks"]], callbacks),
        ):  # fmt: skip
            if saved != own:
                raise ArgumentValueError(f"the run was saved with the {what} {saved}, and this trainer has {own}")
        self.epoch, self.step, self.batch = state_dict["epoch"], state_dict["step"], state_dict["batch"]
        self.averages.load_state_dict(state_dict["averages"])
        self.history[:] = [dict(record) for record in state_dict["history"]]
        self.loader = state_dict["loader"]
        stateful = [callback for callback in self.callbacks if callback.state_dict()]
        for callback, (_, state) in zip(stateful, state_dict["callbacks"], strict=True):
            callback.load_state_dict(state)
