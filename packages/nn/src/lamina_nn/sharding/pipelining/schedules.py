"""ScheduleGPipe and Schedule1F1B: in which order the micro-batches of a batch pass through the stages of a model.

Y. Huang et al., "GPipe", 2018, https://arxiv.org/abs/1811.06965; D. Narayanan et al., "PipeDream", 2018, https://arxiv.org/abs/1806.03377.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Literal

from lamina_flatarray import ArgumentTypeError, ArgumentValueError, OpNotImplemented, UsageError
from lamina_tensor import Tensor, is_grad_enabled, no_grad

from .microbatches import joined, split
from .stage import PipelineStage

__all__ = ["Schedule1F1B", "ScheduleGPipe"]

Pass = tuple[Literal["forward", "backward"], int]


class _Schedule(ABC):
    def __init__(
        self, stage: PipelineStage, n_microbatches: int, loss_fn: Callable[..., Tensor] | None = None, args_chunk_spec: Any = None,
        kwargs_chunk_spec: Any = None, output_merge_spec: Any = None, scale_grads: bool = True,
    ) -> None:  # fmt: skip
        name = type(self).__name__
        if not isinstance(stage, PipelineStage):
            raise ArgumentTypeError(f"{name}: a PipelineStage wanted, not {type(stage).__name__}")
        if not isinstance(n_microbatches, int) or n_microbatches < 1:
            raise ArgumentValueError(f"{name}: n_microbatches is 1 or more, not {n_microbatches!r}")
        specs = {"args_chunk_spec": args_chunk_spec, "kwargs_chunk_spec": kwargs_chunk_spec, "output_merge_spec": output_merge_spec}
        for option, value in specs.items():
            if value is not None:
                raise OpNotImplemented(f"{name}: {option} is not served; tensors are cut along dim 0, and outputs put together there")
        self._name, self._stage, self._count, self._loss_fn, self._scale_grads = name, stage, n_microbatches, loss_fn, scale_grads

    @abstractmethod
    def _order(self) -> list[Pass]:
        """The passes of this stage."""

    def step(
        self, *args: Any, target: Any = None, losses: list[Any] | None = None, return_outputs: bool = True,
        loss_kwargs: dict[str, Any] | None = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Pass a batch through all stages, and its gradients back if there is a `loss_fn`. All processes call it.

        Args:
            args: in the first stage, the model's input, of which each tensor is cut along dim 0.
            target: in the last stage, what `loss_fn` is given beside the output; it is cut in the same way.
            losses: in the last stage, a list to overwrite with the loss of each micro-batch.
            return_outputs: whether the last stage returns the outputs.
            loss_kwargs: further arguments of `loss_fn`, as they are.
            kwargs: further arguments of this process's stage, which are cut, too.

        Returns:
            In the last stage, the outputs of all micro-batches without their history; else None.

        Raises:
            ArgumentTypeError: `losses` is no list, or a stage returns what cannot be sent.
            ArgumentValueError: a tensor has fewer rows than there are micro-batches, or inputs are given to another stage.
            UsageError: the loss is wanted, and there is no `loss_fn`, or no `target`; or gradients are switched off.
            RankLost: a process was killed, is stopped or does not come.
        """
        if self._loss_fn is None:
            with no_grad():
                return self._run("step", _forward_only(self._order()), args, target, losses, return_outputs, loss_kwargs or {}, kwargs)
        if not is_grad_enabled():
            raise UsageError(f"{self._name}.step: gradients are switched off here; eval goes without them")
        return self._run("step", self._order(), args, target, losses, return_outputs, loss_kwargs or {}, kwargs)

    def eval(
        self, *args: Any, target: Any = None, losses: list[Any] | None = None, return_outputs: bool = True,
        loss_kwargs: dict[str, Any] | None = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Pass a batch through all stages, without gradients. All processes call it.

        Args:
            args, target, losses, return_outputs, loss_kwargs, kwargs: as `step`; without a `target`, no losses are computed.

        Returns:
            In the last stage, the outputs of all micro-batches; else None.

        Raises:
            ArgumentTypeError, ArgumentValueError, UsageError, RankLost: as `step`.
        """
        with no_grad():
            return self._run("eval", _forward_only(self._order()), args, target, losses, return_outputs, loss_kwargs or {}, kwargs)

    def _run(
        self, method: str, order: list[Pass], args: Any, target: Any, losses: list[Any] | None, return_outputs: bool,
        loss_kwargs: dict[str, Any], kwargs: dict[str, Any],
    ) -> Any:  # fmt: skip
        name, stage, count = f"{self._name}.{method}", self._stage, self._count
        if losses is not None and not isinstance(losses, list):
            raise ArgumentTypeError(f"{name}: losses must be a list but got a {type(losses).__name__}")
        if args and not stage.is_first:
            raise ArgumentValueError(f"{name}: inputs are given to stage 0, and this is stage {stage.stage_index}; others get them from it")
        goes_back = len(order) > count
        has_loss = stage.is_last and (goes_back or losses is not None or target is not None) and self._loss_fn is not None
        if stage.is_last and losses is not None and self._loss_fn is None:
            raise UsageError(f"{name}: losses are wanted, and there is no loss_fn")
        if has_loss and target is None:
            raise UsageError(f"{name}: the last stage wants a target for the loss_fn")
        inputs, further, targets = split(name, args, count), split(name, kwargs, count), split(name, target, count)
        outputs: list[Any] = []
        found: list[Tensor] = []
        pending: dict[int, Tensor] = {}
        try:
            for (kind, chunk), following in zip(order, [*order[1:], None], strict=True):
                self._expect((kind, chunk))
                self._expect(following)
                if kind == "forward":
                    output = stage.forward_pass(chunk, inputs[chunk], further[chunk])
                    if has_loss and self._loss_fn is not None:
                        loss = self._loss_fn(output, targets[chunk], **loss_kwargs)
                        found.append(loss.detach())
                        if goes_back:
                            pending[chunk] = loss * (1 / count) if self._scale_grads else loss
                    if stage.is_last and return_outputs:
                        outputs.append(_without_history(output))
                    del output
                else:
                    stage.backward_pass(chunk, pending.pop(chunk, None), chunk == count - 1)
            stage.finish()
        finally:
            stage.forget()
        if losses is not None and stage.is_last:
            losses[:] = found
        return joined(outputs) if outputs else None

    def _expect(self, which: Pass | None) -> None:
        """Have what a pass begins with received while another one is computed."""
        if which is not None:
            (self._stage.expect_forward if which[0] == "forward" else self._stage.expect_backward)(which[1])


class ScheduleGPipe(_Schedule):
    """Pass all micro-batches of a batch forward, and then all back.

    Each process makes one for its stage, with the same arguments. Each stage adds up gradients in the order of micro-batches: they are the
    same in every run, and with `Schedule1F1B`, bit for bit. A stage keeps what the backward pass wants of all micro-batches at once.

    Args:
        stage: the stage of this process.
        n_microbatches: into how many micro-batches a batch is cut.
        loss_fn: a function of the output and the target of a micro-batch, which gives the mean over it; given to all stages. Without
            one, batches only go forward.
        args_chunk_spec, kwargs_chunk_spec, output_merge_spec: None; others are not served.
        scale_grads: whether the loss of a batch is the mean over its micro-batches, and not their sum.

    Raises:
        ArgumentTypeError: it is no stage.
        ArgumentValueError: there is no micro-batch.
        OpNotImplemented: an option is not served.

    >>> from lamina.distributed.pipelining import PipelineStage, ScheduleGPipe
    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> stage = PipelineStage(torch.nn.Linear(3, 2), 0, 1, torch.device("cpu"))
    >>> schedule, losses = ScheduleGPipe(stage, 4, loss_fn=torch.nn.functional.mse_loss), []
    >>> schedule.step(torch.ones(8, 3), target=torch.ones(8, 2), losses=losses).shape, len(losses)
    (lamina.Size([8, 2]), 4)
    >>> torch.distributed.destroy_process_group()
    """

    def _order(self) -> list[Pass]:
        return [("forward", i) for i in range(self._count)] + [("backward", i) for i in range(self._count)]


class Schedule1F1B(_Schedule):
    """Pass a micro-batch back as soon as it comes back, so that no stage keeps more micro-batches than there are stages.

    Stage i of s passes s - i micro-batches forward, and then one back and one forward in turn: so many it keeps at most. All else is as in
    `ScheduleGPipe`.

    Args:
        stage: the stage of this process.
        n_microbatches: into how many micro-batches a batch is cut; with fewer than stages, some always wait.
        loss_fn: a function of the output and the target of a micro-batch, which gives the mean over it; given to all stages. Without
            one, batches only go forward.
        args_chunk_spec, kwargs_chunk_spec, output_merge_spec: None; others are not served.
        scale_grads: whether the loss of a batch is the mean over its micro-batches, and not their sum.

    Raises:
        ArgumentTypeError: it is no stage.
        ArgumentValueError: there is no micro-batch.
        OpNotImplemented: an option is not served.

    >>> from lamina.distributed.pipelining import PipelineStage, Schedule1F1B
    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> stage = PipelineStage(torch.nn.Linear(3, 2), 0, 1, torch.device("cpu"))
    >>> schedule, losses = Schedule1F1B(stage, 4, loss_fn=torch.nn.functional.mse_loss), []
    >>> schedule.step(torch.ones(8, 3), target=torch.ones(8, 2), losses=losses).shape, len(losses)
    (lamina.Size([8, 2]), 4)
    >>> torch.distributed.destroy_process_group()
    """

    def _order(self) -> list[Pass]:
        ahead = min(self._count, self._stage.num_stages - self._stage.stage_index)
        passes: list[Pass] = [("forward", i) for i in range(ahead)]
        for i in range(self._count):
            passes.append(("backward", i))
            if ahead + i < self._count:
                passes.append(("forward", ahead + i))
        return passes


def _forward_only(order: list[Pass]) -> list[Pass]:
    return [each for each in order if each[0] == "forward"]


def _without_history(output: Any) -> Any:
    if isinstance(output, (list, tuple)):
        return type(output)(_without_history(each) for each in output)
    return output.detach() if isinstance(output, Tensor) else output
