"""The schedules: in which order the micro-batches of a batch pass through the stages of a model.

Y. Huang et al., "GPipe", 2018, https://arxiv.org/abs/1811.06965; D. Narayanan et al., "PipeDream", 2018, https://arxiv.org/abs/1806.03377,
and "Efficient Large-Scale Language Model Training", 2021, https://arxiv.org/abs/2104.04473; J. Lamy-Poirier, "Breadth-First Pipeline
Parallelism", 2022, https://arxiv.org/abs/2211.05953.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamina_flatarray import ArgumentTypeError, ArgumentValueError, OpNotImplemented
from lamina_tensor import Tensor

from .pipeline_schedule import PipelineSchedule
from .stage import PipelineStage

__all__ = ["Schedule1F1B", "ScheduleGPipe", "ScheduleInterleaved1F1B", "ScheduleLoopedBFS"]


class _OneStage(PipelineSchedule):
    def __init__(
        self, stage: PipelineStage, n_microbatches: int, loss_fn: Callable[..., Tensor] | None = None, args_chunk_spec: Any = None,
        kwargs_chunk_spec: Any = None, output_merge_spec: Any = None, scale_grads: bool = True,
    ) -> None:  # fmt: skip
        name = type(self).__name__
        if isinstance(stage, PipelineStage) and stage.num_stages != stage.group.size():
            raise ArgumentValueError(
                f"{name}: one stage in each process wanted; there are {stage.num_stages} stages in a group of {stage.group.size()}, which "
                "ScheduleInterleaved1F1B and ScheduleLoopedBFS serve"
            )
        super().__init__(
            [stage], n_microbatches, loss_fn, scale_grads, args_chunk_spec=args_chunk_spec, kwargs_chunk_spec=kwargs_chunk_spec,
            output_merge_spec=output_merge_spec,
        )  # fmt: skip


class ScheduleGPipe(_OneStage):
    """Pass all micro-batches of a batch forward, and then all back.

    Each process makes one for its stage, with the same arguments. Each stage adds up gradients in the order of micro-batches: they are the
    same in every run, and with every schedule, bit for bit. A stage keeps what the backward pass wants of all micro-batches at once.

    Args:
        stage: the stage of this process.
        n_microbatches: into how many micro-batches a batch is cut.
        loss_fn: a function of the output and the target of a micro-batch, which gives the mean over it; given to all stages. Without
            one, batches only go forward.
        args_chunk_spec, kwargs_chunk_spec, output_merge_spec: None; others are not served.
        scale_grads: whether the loss of a batch is the mean over its micro-batches, and not their sum.

    Raises:
        ArgumentTypeError: it is no stage.
        ArgumentValueError: there is no micro-batch, or there are several stages in a process.
        OpNotImplemented: an option is not served.

    >>> from lamina.distributed.pipelining import PipelineStage, ScheduleGPipe
    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> stage = PipelineStage(torch.nn.Linear(3, 2), 0, 1, torch.device("cpu"))
    >>> schedule, losses = ScheduleGPipe(stage, 4, loss_fn=torch.nn.functional.mse_loss), []
    >>> schedule.step(torch.ones(8, 3), target=torch.ones(8, 2), losses=losses).shape, len(losses)
    (lamina.Size([8, 2]), 4)
    >>> torch.distributed.destroy_process_group()
    """

    def _order(self) -> tuple[int, int]:
        return self._count, self._count


class Schedule1F1B(_OneStage):
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
        ArgumentValueError: there is no micro-batch, or there are several stages in a process.
        OpNotImplemented: an option is not served.

    >>> from lamina.distributed.pipelining import PipelineStage, Schedule1F1B
    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> stage = PipelineStage(torch.nn.Linear(3, 2), 0, 1, torch.device("cpu"))
    >>> schedule, losses = Schedule1F1B(stage, 4, loss_fn=torch.nn.functional.mse_loss), []
    >>> schedule.step(torch.ones(8, 3), target=torch.ones(8, 2), losses=losses).shape, len(losses)
    (lamina.Size([8, 2]), 4)
    >>> torch.distributed.destroy_process_group()
    """

    def _order(self) -> tuple[int, int]:
        return self._count, self._processes - 1 - self._rank


class _SeveralStages(PipelineSchedule):
    def __init__(
        self, stages: list[PipelineStage], n_microbatches: int, loss_fn: Callable[..., Tensor] | None, scale_grads: bool,
        backward_requires_autograd: bool, **unserved: Any,
    ) -> None:  # fmt: skip
        name = type(self).__name__
        if not isinstance(stages, (list, tuple)):
            raise ArgumentTypeError(f"{name}: a list of PipelineStages wanted, not {type(stages).__name__}")
        if not stages:
            raise ArgumentValueError(f"{name}: an empty list of stages is given")
        if not backward_requires_autograd:
            raise OpNotImplemented(f"{name}: backward_requires_autograd=False is not served; leave it out")
        super().__init__(stages, n_microbatches, loss_fn, scale_grads, **unserved)


class ScheduleInterleaved1F1B(_SeveralStages):
    """Pass micro-batches through several stages of each process, and back as soon as they come back.

    With v stages in each of p processes and m micro-batches, a multiple of p, processes wait for (p - 1) / (m v) of the time in which they
    compute; with one stage each, of as many layers, it would be (p - 1) / m. They send v times as much. Process i keeps what the backward
    pass wants of (v - 1) p + 2 (p - 1 - i) + 1 passes through a stage at most. All else is as in `ScheduleGPipe`.

    Micro-batches go in rounds of p. Where m is no multiple of p, there are m // p rounds of more, or one of fewer.

    Args:
        stages: the stages of this process: stage i is in process i % size of the group, and each process has as many.
        n_microbatches: into how many micro-batches a batch is cut: a multiple of the number of rounds.
        loss_fn: a function of the output and the target of a micro-batch, which gives the mean over it; given to all processes. Without
            one, batches only go forward.
        args_chunk_spec, kwargs_chunk_spec, output_merge_spec: None; others are not served.
        scale_grads: whether the loss of a batch is the mean over its micro-batches, and not their sum.
        backward_requires_autograd: True; False is not served.
        defer_pp_recv: without effect: what a pass begins with is received while the one before it is computed.

    Raises:
        ArgumentTypeError: it is no list of stages.
        ArgumentValueError: they are not the stages of this process, or micro-batches do not go up in rounds.
        OpNotImplemented: an option is not served.

    >>> from lamina.distributed.pipelining import PipelineStage, ScheduleInterleaved1F1B
    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> layers = torch.nn.Linear(3, 4), torch.nn.Linear(4, 2)
    >>> stages = [PipelineStage(layer, i, 2, torch.device("cpu")) for i, layer in enumerate(layers)]
    >>> schedule, losses = ScheduleInterleaved1F1B(stages, 4, loss_fn=torch.nn.functional.mse_loss), []
    >>> schedule.step(torch.ones(8, 3), target=torch.ones(8, 2), losses=losses).shape, len(losses)
    (lamina.Size([8, 2]), 4)
    >>> torch.distributed.destroy_process_group()
    """

    def __init__(
        self, stages: list[PipelineStage], n_microbatches: int, loss_fn: Callable[..., Tensor] | None = None, args_chunk_spec: Any = None,
        kwargs_chunk_spec: Any = None, output_merge_spec: Any = None, scale_grads: bool = True, backward_requires_autograd: bool = True,
        defer_pp_recv: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(
            stages, n_microbatches, loss_fn, scale_grads, backward_requires_autograd, args_chunk_spec=args_chunk_spec,
            kwargs_chunk_spec=kwargs_chunk_spec, output_merge_spec=output_merge_spec,
        )  # fmt: skip

    def _order(self) -> tuple[int, int]:
        rounds = max(1, self._count // self._processes)
        if self._count % rounds:
            raise ArgumentValueError(
                f"{self._name}: {self._count} micro-batches do not go up in {rounds} rounds of {self._processes} or more, as many as there "
                "are processes"
            )
        in_a_round = self._count // rounds
        return in_a_round, (len(self._stages) - 1) * in_a_round + 2 * (self._processes - 1 - self._rank)


class ScheduleLoopedBFS(_SeveralStages):
    """Pass all micro-batches through one stage of each process after the other, and then all back.

    Processes wait as long as with `ScheduleInterleaved1F1B`, and keep what the backward pass wants of all micro-batches in all of their
    stages at once. All else is as in `ScheduleGPipe`.

    Args:
        stages: the stages of this process: stage i is in process i % size of the group, and each process has as many.
        n_microbatches: into how many micro-batches a batch is cut.
        loss_fn: a function of the output and the target of a micro-batch, which gives the mean over it; given to all processes. Without
            one, batches only go forward.
        output_merge_spec: None; others are not served.
        scale_grads: whether the loss of a batch is the mean over its micro-batches, and not their sum.
        backward_requires_autograd: True; False is not served.
        defer_pp_recv: without effect: what a pass begins with is received while the one before it is computed.

    Raises:
        ArgumentTypeError: it is no list of stages.
        ArgumentValueError: they are not the stages of this process, or there is no micro-batch.
        OpNotImplemented: an option is not served.

    >>> from lamina.distributed.pipelining import PipelineStage, ScheduleLoopedBFS
    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> layers = torch.nn.Linear(3, 4), torch.nn.Linear(4, 2)
    >>> stages = [PipelineStage(layer, i, 2, torch.device("cpu")) for i, layer in enumerate(layers)]
    >>> schedule, losses = ScheduleLoopedBFS(stages, 4, loss_fn=torch.nn.functional.mse_loss), []
    >>> schedule.step(torch.ones(8, 3), target=torch.ones(8, 2), losses=losses).shape, len(losses)
    (lamina.Size([8, 2]), 4)
    >>> torch.distributed.destroy_process_group()
    """

    def __init__(
        self, stages: list[PipelineStage], n_microbatches: int, loss_fn: Callable[..., Tensor] | None = None, output_merge_spec: Any = None,
        scale_grads: bool = True, backward_requires_autograd: bool = True, defer_pp_recv: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(stages, n_microbatches, loss_fn, scale_grads, backward_requires_autograd, output_merge_spec=output_merge_spec)

    def _order(self) -> tuple[int, int]:
        return self._count, self._count * len(self._stages)
