"""PipelineSchedule: what all schedules do with a batch; they differ in the order of passes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from lamina_flatarray import ArgumentTypeError, ArgumentValueError, OpNotImplemented, UsageError
from lamina_tensor import Tensor, is_grad_enabled, no_grad

from ...process_groups.moves import MESSAGE_TAGS
from .microbatches import joined, split
from .passes import Pass, passes
from .stage import PipelineStage

__all__ = ["PipelineSchedule"]


class PipelineSchedule(ABC):
    """Pass batches through the stages of a process, in micro-batches.

    Args:
        stages: the stages of this process.
        n_microbatches: into how many micro-batches a batch is cut.
        loss_fn: a function of the output and the target of a micro-batch; None if batches only go forward.
        scale_grads: whether the loss of a batch is the mean over its micro-batches, and not their sum.
        unserved: options of PyTorch's that are not served.

    Raises:
        ArgumentTypeError: it is no stage.
        ArgumentValueError: there are not those stages that this process has, or not so many micro-batches.
        OpNotImplemented: an option is not served.

    >>> from lamina.distributed.pipelining import ScheduleGPipe
    >>> issubclass(ScheduleGPipe, PipelineSchedule)
    True
    """

    def __init__(
        self, stages: Sequence[PipelineStage], n_microbatches: int, loss_fn: Callable[..., Tensor] | None, scale_grads: bool,
        **unserved: Any,
    ) -> None:  # fmt: skip
        name = self._name = type(self).__name__
        for stage in stages:
            if not isinstance(stage, PipelineStage):
                raise ArgumentTypeError(f"{name}: a PipelineStage wanted, not {type(stage).__name__}")
        if not isinstance(n_microbatches, int) or n_microbatches < 1:
            raise ArgumentValueError(f"{name}: n_microbatches is 1 or more, not {n_microbatches!r}")
        for option, value in unserved.items():
            if value is not None:
                raise OpNotImplemented(f"{name}: {option} is not served; tensors are cut along dim 0, and outputs put together there")
        self._stages = {stage.stage_index: stage for stage in sorted(stages, key=lambda stage: stage.stage_index)}
        group, total = stages[0].group, stages[0].num_stages
        self._rank, self._processes, self._count = group.rank(), group.size(), n_microbatches
        own = [*range(self._rank, total, self._processes)]
        if [*self._stages] != own or len(stages) != len(own) or any(s.group is not group or s.num_stages != total for s in stages):
            raise ArgumentValueError(
                f"{name}: of {total} stages, process {self._rank} of {self._processes} has {', '.join(map(str, own))}, and is given "
                + ", ".join(f"{stage.stage_index} of {stage.num_stages}" for stage in stages)
            )
        if 2 * total * n_microbatches > MESSAGE_TAGS:
            raise ArgumentValueError(
                f"{name}: n_microbatches is {MESSAGE_TAGS // (2 * total)} at most with {total} stages, not {n_microbatches}"
            )
        self._passes = passes(self._rank, self._processes, total, n_microbatches, *self._order())
        self._loss_fn, self._scale_grads = loss_fn, scale_grads

    @abstractmethod
    def _order(self) -> tuple[int, int]:
        """How many micro-batches are in a round, and how many passes forward come first, as `passes` takes them."""

    def step(
        self, *args: Any, target: Any = None, losses: list[Any] | None = None, return_outputs: bool = True,
        loss_kwargs: dict[str, Any] | None = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Pass a batch through all stages, and its gradients back if there is a `loss_fn`. All processes call it.

        Args:
            args: in the process of the first stage, the model's input, of which each tensor is cut along dim 0.
            target: in that of the last stage, what `loss_fn` is given beside the output; it is cut in the same way.
            losses: there, a list to overwrite with the loss of each micro-batch.
            return_outputs: whether the outputs are returned there.
            loss_kwargs: further arguments of `loss_fn`, as they are.
            kwargs: further arguments of each of this process's stages, which are cut, too.

        Returns:
            In the process of the last stage, the outputs of all micro-batches without their history; else None.

        Raises:
            ArgumentTypeError: `losses` is no list, or a stage returns what cannot be sent.
            ArgumentValueError: a tensor has fewer rows than there are micro-batches, or inputs are given to another process.
            UsageError: the loss is wanted, and there is no `loss_fn`, or no `target`; or gradients are switched off.
            RankLost: a process was killed, is stopped or does not come.

        >>> from lamina.distributed.pipelining import PipelineStage, ScheduleGPipe
        >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
        >>> stage = PipelineStage(torch.nn.Linear(3, 2), 0, 1, torch.device("cpu"))
        >>> schedule = ScheduleGPipe(stage, 4, loss_fn=torch.nn.functional.mse_loss)
        >>> schedule.step(torch.ones(8, 3), target=torch.ones(8, 2)).requires_grad
        False
        >>> torch.distributed.destroy_process_group()
        """
        if self._loss_fn is None:
            with no_grad():
                return self._run("step", _forward_only(self._passes), args, target, losses, return_outputs, loss_kwargs or {}, kwargs)
        if not is_grad_enabled():
            raise UsageError(f"{self._name}.step: gradients are switched off here; eval goes without them")
        return self._run("step", self._passes, args, target, losses, return_outputs, loss_kwargs or {}, kwargs)

    def eval(
        self, *args: Any, target: Any = None, losses: list[Any] | None = None, return_outputs: bool = True,
        loss_kwargs: dict[str, Any] | None = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Pass a batch through all stages, without gradients. All processes call it.

        Args:
            args, target, losses, return_outputs, loss_kwargs, kwargs: as `step`; without a `target`, no losses are computed.

        Returns:
            In the process of the last stage, the outputs of all micro-batches; else None.

        Raises:
            ArgumentTypeError, ArgumentValueError, UsageError, RankLost: as `step`.

        >>> from lamina.distributed.pipelining import PipelineStage, ScheduleGPipe
        >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
        >>> stage = PipelineStage(torch.nn.Linear(3, 2), 0, 1, torch.device("cpu"))
        >>> schedule = ScheduleGPipe(stage, 4, loss_fn=torch.nn.functional.mse_loss)
        >>> schedule.eval(torch.ones(8, 3)).shape
        lamina.Size([8, 2])
        >>> torch.distributed.destroy_process_group()
        """
        with no_grad():
            return self._run("eval", _forward_only(self._passes), args, target, losses, return_outputs, loss_kwargs or {}, kwargs)

    def _run(
        self, method: str, order: list[Pass], args: Any, target: Any, losses: list[Any] | None, return_outputs: bool,
        loss_kwargs: dict[str, Any], kwargs: dict[str, Any],
    ) -> Any:  # fmt: skip
        name, stages, count, loss_fn = f"{self._name}.{method}", [*self._stages.values()], self._count, self._loss_fn
        goes_back, ends_here = order[-1].kind == "backward", stages[-1].is_last
        if losses is not None and not isinstance(losses, list):
            raise ArgumentTypeError(f"{name}: losses must be a list but got a {type(losses).__name__}")
        if args and not stages[0].is_first:
            first = stages[0].stage_index
            raise ArgumentValueError(f"{name}: inputs are given to stage 0, and this is stage {first}; others get them from it")
        if ends_here and losses is not None and loss_fn is None:
            raise UsageError(f"{name}: losses are wanted, and there is no loss_fn")
        has_loss = ends_here and (goes_back or losses is not None or target is not None) and loss_fn is not None
        if has_loss and target is None:
            raise UsageError(f"{name}: the last stage wants a target for the loss_fn")
        inputs, further, targets = split(name, args, count), split(name, kwargs, count), split(name, target, count)
        outputs: list[Any] = []
        found: list[Tensor] = []
        pending: dict[int, Tensor] = {}
        for before, behind in pairwise(stages):
            if before.stage_index + 1 == behind.stage_index:  # there is one process only
                before.hand_over_to(behind)
        try:
            for each, following in zip(order, [*order[1:], None], strict=True):
                self._expect(each)
                self._expect(following)
                stage, chunk = self._stages[each.stage], each.chunk
                if each.kind == "backward":
                    stage.backward_pass(chunk, pending.pop(chunk) if stage.is_last else None, chunk == count - 1)
                    continue
                output = stage.forward_pass(chunk, inputs[chunk], further[chunk])
                if stage.is_last and has_loss and loss_fn is not None:
                    loss = loss_fn(output, targets[chunk], **loss_kwargs)
                    found.append(loss.detach())
                    if goes_back:
                        pending[chunk] = loss * (1 / count) if self._scale_grads else loss
                if stage.is_last and return_outputs:
                    outputs.append(_without_history(output))
                del output
            for stage in stages:
                stage.finish()
        finally:
            for stage in stages:
                stage.forget()
        if losses is not None and ends_here:
            losses[:] = found
        return joined(outputs) if outputs else None

    def _expect(self, which: Pass | None) -> None:
        """Have what a pass begins with received while another one is computed."""
        if which is not None:
            stage = self._stages[which.stage]
            (stage.expect_forward if which.kind == "forward" else stage.expect_backward)(which.chunk)


def _forward_only(order: list[Pass]) -> list[Pass]:
    return [each for each in order if each.kind == "forward"]


def _without_history(output: Any) -> Any:
    if isinstance(output, (list, tuple)):
        return type(output)(_without_history(each) for each in output)
    return output.detach() if isinstance(output, Tensor) else output
