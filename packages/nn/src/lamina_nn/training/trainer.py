"""Trainer: the loop over batches and epochs, which can be left and taken up again bit for bit."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import Any, Literal

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError, ArgumentValueError, DType, float16
from lamina_flatarray.random import Generator, default_generator
from lamina_ndarray.creation.generators import generator_of
from lamina_tensor import Tensor, no_grad
from lamina_tensor.precision.autocasting import autocast
from lamina_tensor.precision.gradient_scaling import GradScaler

from ..files import load_run, save_run
from ..gradient_clipping import clip_grad_norm_
from ..module import Module
from ..optim import Optimizer
from ..optim.lr_scheduler import LRScheduler, ReduceLROnPlateau
from .averages import Averages
from .batches import answers_of, moved, pair_of, samples_in
from .callbacks import Callback
from .progress import Progress

__all__ = ["Trainer"]


class Trainer:
    """Trains a model on batches of inputs and targets, epoch by epoch.

    A batch is a pair. Its inputs are a tensor, or a list, tuple or dict of them, which become the model's arguments; they are moved to
    where the model is. What a step computes is what the loop written by hand computes, bit for bit: `zero_grad`, the model, the loss,
    `backward`, `step`.

    Args:
        model: what is trained.
        optimizer: of its parameters.
        loss: from the model's answers and the targets to one number, the mean over the batch.
        metrics: by name, functions of the answers and the targets to the mean over a batch of something else that is told.
        scheduler: of the optimizer's learning rates; ReduceLROnPlateau sees the validation's loss, or else the training's.
        schedule_by: whether the scheduler is stepped after each "epoch" or after each "step".
        accumulate: how many batches go into one step, each weighted by its samples; to be taken up within an epoch, `fit`'s batches then
            need a length.
        max_norm: what the norm of all gradients is clipped to before a step; None does not clip.
        precision: the dtype of `autocast` around model and loss, float16 or bfloat16; for float16 losses are scaled, too.
        callbacks: what is called on the way, in this order.

    Attributes:
        epoch: how many epochs are done.
        step: how many steps of the optimizer are done.
        last_loss: the loss of the latest step.
        history: a record of each epoch that is done: "epoch", "lr", "loss", the metrics, and the validation's under "validation_...".

    Raises:
        ValueError: `accumulate` is below 1, `schedule_by` is neither, `max_norm` is not positive, or a metric is called "loss".

    >>> _ = torch.manual_seed(0)
    >>> x = torch.randn(64, 2)
    >>> batches = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, (x[:, 0] > 0).long()), batch_size=16, shuffle=True)
    >>> model = torch.nn.Linear(2, 2)
    >>> optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    >>> trainer = torch.training.Trainer(model, optimizer, torch.nn.CrossEntropyLoss(), metrics={"accuracy": torch.training.accuracy})
    >>> history = trainer.fit(batches, epochs=10)
    >>> history[-1]["loss"] < history[0]["loss"], history[-1]["accuracy"] > 0.9
    (True, True)
    """

    def __init__(
        self,
        model: Module,
        optimizer: Optimizer,
        loss: Callable[[Any, Any], Tensor],
        *,
        metrics: Mapping[str, Callable[[Any, Any], Tensor | float]] | None = None,
        scheduler: LRScheduler | None = None,
        schedule_by: Literal["epoch", "step"] = "epoch",
        accumulate: int = 1,
        max_norm: float | None = None,
        precision: DType | None = None,
        callbacks: Sequence[Callback] = (),
    ) -> None:
        if accumulate < 1:
            raise ArgumentValueError(f"Trainer: accumulate must be at least 1, got {accumulate}")
        if schedule_by not in ("epoch", "step"):
            raise ArgumentValueError(f"Trainer: schedule_by must be 'epoch' or 'step', got {schedule_by!r}")
        if max_norm is not None and not max_norm > 0:
            raise ArgumentValueError(f"Trainer: max_norm must be positive, got {max_norm}")
        if metrics and "loss" in metrics:
            raise ArgumentValueError("Trainer: a metric is called 'loss', which is the name of the loss itself")
        self.model, self.optimizer, self.loss, self.metrics = model, optimizer, loss, dict(metrics or {})
        self.scheduler, self.schedule_by = scheduler, schedule_by
        self.accumulate, self.max_norm, self.precision, self.callbacks = accumulate, max_norm, precision, list(callbacks)
        self.last_loss = float("nan")
        self._scaler = GradScaler(self._device().type) if precision is float16 else None
        self._parts: dict[str, Any] = {"model": model, "optimizer": optimizer, "random": default_generator}
        self._left: dict[Generator, Any] = {}  # the state of the device's generator where a run was left within an epoch
        if scheduler is not None:
            self._parts["scheduler"] = scheduler
        if self._scaler is not None:
            self._parts["scaler"] = self._scaler
        self._progress = Progress(self._parts, self.callbacks)
        self._batches: Iterable[Any] = ()
        self._stopped = False

    @property
    def epoch(self) -> int:
        """How many epochs are done."""
        return self._progress.epoch

    @property
    def step(self) -> int:
        """How many steps of the optimizer are done."""
        return self._progress.step

    @property
    def history(self) -> list[dict[str, float]]:
        """A record of each epoch that is done."""
        return self._progress.history

    # -- what is called ------------------------------------------------------------------------------------------------------

    def fit(
        self,
        batches: Iterable[Any],
        epochs: int,
        *,
        validation: Iterable[Any] | None = None,
        checkpoint: Any = None,
        checkpoint_steps: int | None = None,
    ) -> list[dict[str, float]]:
        """Train until so many epochs are done in all, those of a loaded run counted; or until `stop` is called.

        After an error, or Ctrl-C, the epoch under way is begun anew by the next call. `load` goes on from the last checkpoint.

        Args:
            batches: pairs (inputs, targets), iterated over in each epoch: a DataLoader, a list.
            epochs: how many are done at the end.
            validation: batches that are evaluated after each epoch; not in a random order of their own, which no file keeps.
            checkpoint: the file to `save` to after each epoch and its callbacks.
            checkpoint_steps: after how many steps it is saved, too.

        Returns:
            The history.

        Raises:
            TypeError: a batch is no pair, or its inputs are no tensors.
            ValueError: `epochs` is negative, `checkpoint_steps` below 1 or without `checkpoint`, an epoch has no batch, or the loss
                is not one number.
        """
        if epochs < 0:
            raise ArgumentValueError(f"Trainer.fit: epochs must not be negative, got {epochs}")
        if checkpoint_steps is not None and (checkpoint is None or checkpoint_steps < 1):
            raise ArgumentValueError(f"Trainer.fit: checkpoint_steps needs a checkpoint and is at least 1, got {checkpoint_steps}")
        self._batches, self._stopped = batches, False
        for generator, state in self._left.items():
            generator.set_state(state)
        self._left.clear()
        self._call("on_begin")
        try:
            while self.epoch < epochs and not self._stopped:
                for _ in self._steps():
                    self._call("on_step")
                    if checkpoint_steps is not None and self.step % checkpoint_steps == 0:
                        self.save(checkpoint)
                    if self._stopped:
                        break
                else:
                    self._end_epoch(validation)
                    if checkpoint is not None:
                        self.save(checkpoint)
        except BaseException:
            self._progress.begin_epoch()
            raise
        if self._progress.batch:
            self._progress.loader = self._state_of_batches()  # the next call goes on within the epoch
            self._left = {generator: generator.get_state() for generator in self._random_of_device().values()}
        self._call("on_end")
        return self.history

    def evaluate(self, batches: Iterable[Any]) -> dict[str, float]:
        """Compute the means of the loss and of the metrics in evaluation mode, without gradients.

        Args:
            batches: pairs (inputs, targets).

        Returns:
            By name, the mean over all samples.

        Raises:
            TypeError: a batch is no pair, or its inputs are no tensors.
            ValueError: there is no batch, or the loss is not one number.
        """
        averages = Averages()
        with _evaluating(self.model), no_grad():
            for batch in batches:
                loss, answers, targets, samples = self._computed(batch, "Trainer.evaluate")
                averages.add(self._told(loss, answers, targets), samples)
        if not averages.samples:
            raise ArgumentValueError("Trainer.evaluate: there is no batch")
        return averages.means()

    def predict(self, batches: Iterable[Any]) -> Tensor:
        """Compute the model's answers in evaluation mode, without gradients.

        Args:
            batches: tensors, or lists and tuples of which the first item is the inputs, as those of `fit`.

        Returns:
            The answers of all samples, along the first dim.

        Raises:
            TypeError: the model's answers are no tensors.
            ValueError: there is no batch.
        """
        answers = []
        with _evaluating(self.model), no_grad():
            for batch in batches:
                inputs = moved(batch[0] if isinstance(batch, (list, tuple)) else batch, self._device())
                with self._precise():
                    answers.append(answers_of(self.model, inputs))
                if not isinstance(answers[-1], Tensor):
                    raise ArgumentTypeError(f"Trainer.predict: the model's answers are no tensor, got {type(answers[-1]).__name__}")
        if not answers:
            raise ArgumentValueError("Trainer.predict: there is no batch")
        return lt.cat(answers)

    def stop(self) -> None:
        """End `fit` after the step under way and its callbacks; a later call goes on from there."""
        self._stopped = True

    def save(self, path: Any) -> None:
        """Write all that the run needs to go on bit for bit, by `lamina_nn.files.save_run`: whole, or the old file stays.

        These are the states of model, optimizer, scheduler, scaler, random generators, loader and callbacks, the averages of the epoch
        under way, and the history. A callback that saves is followed by others, which the file then holds as they were before.

        Args:
            path: the file.

        Raises:
            CheckpointError: something holds what no file takes, as an object with code.
            OSError: the file cannot be written.
        """
        held = self._progress.loader
        self._progress.loader = held or self._state_of_batches()
        try:
            save_run(path, progress=self._progress, **self._parts, **self._random_of_device())
        finally:
            self._progress.loader = held

    def load(self, path: Any) -> None:
        """Take over a run that `save` wrote; the next `fit` goes on where it was, within an epoch, too.

        Args:
            path: the file.

        Raises:
            CheckpointError: the file is damaged, or of a run of other parts, shapes, dtypes or callbacks. Nothing is changed then.
            OSError: the file cannot be opened.
        """
        others = load_run(path, progress=self._progress, **self._parts)
        self._left.clear()
        for name, generator in self._random_of_device().items():
            if name in others:
                generator.set_state(others[name])

    # -- a step and an epoch -------------------------------------------------------------------------------------------------

    def _steps(self) -> Iterable[None]:
        """What is left of the epoch, step by step."""
        self.model.train()
        remaining, total = iter(self._progress.taken_up(self._batches)), _length(self._batches)
        while group := list(islice(remaining, min(self.accumulate, max(total - self._progress.batch, 1)))):
            self._step(group)
            yield

    def _step(self, group: list[Any]) -> None:
        sizes = [samples_in(pair_of(batch, "Trainer.fit")[0], "Trainer.fit") for batch in group]
        self.optimizer.zero_grad()
        self.last_loss = 0.0
        for batch, size in zip(group, sizes, strict=True):
            loss, answers, targets, _ = self._computed(batch, "Trainer.fit")
            share = size / sum(sizes)
            wanted = loss if len(group) == 1 else loss * share
            (wanted if self._scaler is None else self._scaler.scale(wanted)).backward()
            with no_grad():
                told = self._told(loss, answers, targets)
            self._progress.averages.add(told, size)
            self.last_loss += told["loss"] * share
        stepped = self._stepped()
        if self.scheduler is not None and self.schedule_by == "step" and stepped:
            self._schedule(self.last_loss)
        self._progress.step += 1
        self._progress.batch += len(group)

    def _stepped(self) -> bool:
        """Change the parameters; False where the scaler found that the gradients had overflown."""
        if self._scaler is not None:
            self._scaler.unscale_(self.optimizer)
        if self.max_norm is not None:
            clip_grad_norm_([p for group in self.optimizer.param_groups for p in group["params"]], self.max_norm)
        if self._scaler is None:
            self.optimizer.step()
            return True
        before = self._scaler.get_scale()
        self._scaler.step(self.optimizer)
        self._scaler.update()
        return self._scaler.get_scale() >= before

    def _end_epoch(self, validation: Iterable[Any] | None) -> None:
        progress = self._progress
        if not progress.averages.samples:
            raise ArgumentValueError("Trainer.fit: there is no batch")
        record = {"epoch": progress.epoch + 1, "lr": float(self.optimizer.param_groups[0]["lr"]), **progress.averages.means()}
        if validation is not None:
            record |= {f"validation_{name}": value for name, value in self.evaluate(validation).items()}
        if self.scheduler is not None and self.schedule_by == "epoch":
            self._schedule(record.get("validation_loss", record["loss"]))
        progress.history.append(record)
        progress.epoch += 1
        progress.begin_epoch()
        self._call("on_epoch")

    def _schedule(self, loss: float) -> None:
        assert self.scheduler is not None
        if isinstance(self.scheduler, ReduceLROnPlateau):
            self.scheduler.step(loss)
        else:
            self.scheduler.step()

    # -- a batch -------------------------------------------------------------------------------------------------------------

    def _computed(self, batch: Any, caller: str) -> tuple[Tensor, Any, Any, int]:
        """The loss of a batch, the answers, the targets, and how many samples it has."""
        inputs, targets = moved(pair_of(batch, caller), self._device())
        samples = samples_in(inputs, caller)
        with self._precise():
            answers = answers_of(self.model, inputs)
            loss = self.loss(answers, targets)
        if not isinstance(loss, Tensor) or loss.numel() != 1:
            shown = f"a tensor of shape {tuple(loss.shape)}" if isinstance(loss, Tensor) else type(loss).__name__
            raise ArgumentValueError(f"{caller}: the loss is to be a tensor of one number, the mean over the batch; got {shown}")
        return loss, answers, targets, samples

    def _told(self, loss: Tensor, answers: Any, targets: Any) -> dict[str, float]:
        return {"loss": loss.item(), **{name: float(metric(answers, targets)) for name, metric in self.metrics.items()}}

    def _precise(self) -> AbstractContextManager[Any]:
        return nullcontext() if self.precision is None else autocast(self._device().type, dtype=self.precision)

    def _random_of_device(self) -> dict[str, Generator]:
        """What the model draws from, where that is not the CPU's generator."""
        own = generator_of(self._device())
        return {} if own is default_generator else {"random_of_device": own}

    def _device(self) -> Any:
        """Where the model is."""
        first = next(self.model.parameters(), None)
        return lt.get_default_device() if first is None else first.device

    def _state_of_batches(self) -> dict[str, Any] | None:
        return self._batches.state_dict() if hasattr(self._batches, "load_state_dict") else None  # type: ignore[attr-defined]

    def _call(self, moment: str) -> None:
        for callback in self.callbacks:
            getattr(callback, moment)(self)


def _length(batches: Iterable[Any]) -> int:
    """How many batches there are: a last group that is short is read without asking for more, which ends a loader's epoch."""
    try:
        return len(batches)  # type: ignore[arg-type]
    except TypeError:
        return sys.maxsize


class _evaluating:
    """The model in evaluation mode, and in the modes of before at the end."""

    def __init__(self, model: Module) -> None:
        self.training = [module for module in model.modules() if module.training]
        self.model = model

    def __enter__(self) -> None:
        self.model.eval()

    def __exit__(self, *exception: object) -> None:
        for module in self.training:
            module.training = True
