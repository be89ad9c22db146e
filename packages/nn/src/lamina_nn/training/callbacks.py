"""What is called while a trainer trains: nothing, a line for each epoch, an early end."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TextIO

from lamina_flatarray import ArgumentValueError

if TYPE_CHECKING:
    from .trainer import Trainer

__all__ = ["Callback", "EarlyStopping", "PrintEpochs"]


class Callback:
    """Something that a trainer calls on its way. A subclass defines the methods that it needs.

    One whose decisions depend on what it has seen gives that in `state_dict`, at all times, and is saved with the run.

    >>> class CountSteps(torch.training.Callback):
    ...     steps = 0
    ...     def on_step(self, trainer):
    ...         self.steps += 1
    >>> counter = CountSteps()
    >>> model = torch.nn.Linear(1, 1)
    >>> trainer = torch.training.Trainer(model, torch.optim.SGD(model.parameters()), torch.nn.MSELoss(), callbacks=[counter])
    >>> _ = trainer.fit([(torch.ones(4, 1), torch.ones(4, 1))], epochs=3)
    >>> counter.steps
    3
    """

    def on_begin(self, trainer: Trainer) -> None:
        """Is called when `fit` begins.

        Args:
            trainer: who calls.
        """

    def on_step(self, trainer: Trainer) -> None:
        """Is called after each step of the optimizer.

        Args:
            trainer: who calls; `trainer.last_loss` is the step's loss.
        """

    def on_epoch(self, trainer: Trainer) -> None:
        """Is called after each epoch and its validation.

        Args:
            trainer: who calls; `trainer.history[-1]` tells of the epoch.
        """

    def on_end(self, trainer: Trainer) -> None:
        """Is called when `fit` ends without an error.

        Args:
            trainer: who calls.
        """

    def state_dict(self) -> dict[str, Any]:
        """Return what is saved with a run.

        Returns:
            Plain values and tensors; here nothing.
        """
        return {}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a saved state.

        Args:
            state_dict: what `state_dict` returned.
        """


class PrintEpochs(Callback):
    """Print a line after each epoch.

    Args:
        file: where to; by default, standard output.

    >>> model = torch.nn.Linear(1, 1)
    >>> _ = torch.nn.init.zeros_(model.weight), torch.nn.init.zeros_(model.bias)
    >>> optimizer = torch.optim.SGD(model.parameters(), lr=0.25)
    >>> trainer = torch.training.Trainer(model, optimizer, torch.nn.MSELoss(), callbacks=[torch.training.PrintEpochs()])
    >>> _ = trainer.fit([(torch.ones(4, 1), torch.ones(4, 1))], epochs=2)
    epoch 1: loss 1.0000
    epoch 2: loss 0.0000
    """

    def __init__(self, file: TextIO | None = None) -> None:
        self.file = file

    def on_epoch(self, trainer: Trainer) -> None:
        """Print what the latest epoch came to.

        Args:
            trainer: who calls.
        """
        record = trainer.history[-1]
        told = ", ".join(f"{name} {value:.4f}" for name, value in record.items() if name not in ("epoch", "lr"))
        print(f"epoch {record['epoch']}: {told}", file=self.file, flush=True)


class EarlyStopping(Callback):
    """End the training when a quantity has not become better for some epochs, with the parameters of its best epoch.

    Args:
        watched: its name in an epoch's record, as "validation_loss".
        patience: how many epochs in a row without improvement are too many.
        larger_is_better: whether it is to grow, as an accuracy is.
        min_delta: the change that counts as an improvement is greater than this.

    Attributes:
        best: its best value.
        best_epoch: the epoch of that, counted from 1; 0 before the first.
        waited: how many epochs have gone by since.

    Raises:
        ValueError: `patience` is below 1, or `min_delta` below 0.

    >>> model = torch.nn.Linear(1, 1)
    >>> optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    >>> stopping = torch.training.EarlyStopping("loss", patience=2)
    >>> trainer = torch.training.Trainer(model, optimizer, torch.nn.MSELoss(), callbacks=[stopping])
    >>> len(trainer.fit([(torch.ones(4, 1), torch.ones(4, 1))], epochs=100))
    3
    """

    def __init__(self, watched: str = "validation_loss", *, patience: int, larger_is_better: bool = False, min_delta: float = 0.0) -> None:
        if patience < 1:
            raise ArgumentValueError(f"EarlyStopping: patience must be at least 1, got {patience}")
        if not min_delta >= 0:
            raise ArgumentValueError(f"EarlyStopping: min_delta must not be negative, got {min_delta}")
        self.watched, self.patience, self.larger_is_better, self.min_delta = watched, patience, larger_is_better, min_delta
        self.best, self.best_epoch, self.waited = -math.inf if larger_is_better else math.inf, 0, 0
        self._best_state: dict[str, Any] | None = None

    def on_begin(self, trainer: Trainer) -> None:
        """Stop at once, if the run was loaded after it had been stopped.

        Args:
            trainer: who calls.
        """
        if self.waited >= self.patience:
            trainer.stop()

    def on_epoch(self, trainer: Trainer) -> None:
        """Compare the epoch with the best one, and stop the training if that is too long ago.

        Args:
            trainer: who calls.

        Raises:
            ValueError: the epoch's record has no such quantity.
        """
        record = trainer.history[-1]
        if self.watched not in record:
            raise ArgumentValueError(f"EarlyStopping: there is no {self.watched!r} in an epoch's record; it has {', '.join(record)}")
        gain = record[self.watched] - self.best if self.larger_is_better else self.best - record[self.watched]
        if gain > self.min_delta:
            self.best, self.best_epoch, self.waited = record[self.watched], int(record["epoch"]), 0
            self._best_state = {name: value.detach().clone() for name, value in trainer.model.state_dict().items()}
            return
        self.waited += 1
        if self.waited >= self.patience:
            if self._best_state is not None:
                trainer.model.load_state_dict(self._best_state)
            trainer.stop()

    def state_dict(self) -> dict[str, Any]:
        """Return what has been seen, with the best parameters.

        Returns:
            Plain values and tensors.
        """
        return {"best": self.best, "best_epoch": self.best_epoch, "waited": self.waited, "best_state": self._best_state}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a saved state.

        Args:
            state_dict: what `state_dict` returned.
        """
        self.best, self.best_epoch, self.waited = state_dict["best"], state_dict["best_epoch"], state_dict["waited"]
        self._best_state = state_dict["best_state"]
