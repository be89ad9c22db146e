"""PipelineStage: a part of a model, which one process has, and what it knows of the micro-batches that are in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lamina_flatarray import ArgumentTypeError, ArgumentValueError, OpNotImplemented
from lamina_tensor import Tensor, is_grad_enabled, zeros_like
from lamina_tensor.autograd.backward import backward
from lamina_tensor.tensor_fields import tensor_of

from ...layers.parallel.distributed_data_parallel import DistributedDataParallel
from ...module import Module
from ...process_groups.process_group import ProcessGroup, default_group, member_group
from ...process_groups.work import Work
from ..fully_shard import FSDPModule
from .handover import Handover
from .messages import Arrival, Neighbour

__all__ = ["PipelineStage"]


class PipelineStage:
    """Hold one of several parts of a model, each of which computes with what the one before it gives, in another process.

    A schedule passes batches through it: `ScheduleGPipe` or `Schedule1F1B` where each process has one stage, `ScheduleInterleaved1F1B` or
    `ScheduleLoopedBFS` where each has several, which lie round and round: stage i is in process i % size of the group. The first stage is
    given the model's input; each other one is called with the outputs of the one before it: tensors, whose dtypes and shapes are told with
    the first batch, and whenever they change.

    Args:
        submodule: the part. A `DistributedDataParallel`, or one that `fully_shard` has changed, exchanges gradients over a group of
            its own, once for all micro-batches.
        stage_index: which part it is, from 0.
        num_stages: how many parts there are: as many as processes in the group, or twice as many, and so on.
        device: where activations are put.
        input_args, output_args, output_grads, input_grads: without effect, as shapes are told.
        group: the processes; by default all. In a grid, `mesh.get_group("pipe")`.
        dw_builder, get_mesh: None; others are not served.

    Attributes:
        submod: the part.
        stage_index, num_stages, device, group: as given.

    Raises:
        ArgumentTypeError: the part is no Module.
        ArgumentValueError: there is no process group, or it does not fit the stages.
        OpNotImplemented: an option is not served.

    >>> from lamina.distributed.pipelining import PipelineStage, ScheduleGPipe
    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> stage = PipelineStage(torch.nn.Linear(3, 2), 0, 1, torch.device("cpu"))
    >>> stage.is_first, stage.is_last
    (True, True)
    >>> ScheduleGPipe(stage, 4).step(torch.ones(8, 3)).shape
    lamina.Size([8, 2])
    >>> torch.distributed.destroy_process_group()
    """

    def __init__(
        self, submodule: Module, stage_index: int, num_stages: int, device: Any, input_args: Any = None, output_args: Any = None,
        output_grads: Any = None, input_grads: Any = None, group: ProcessGroup | None = None, dw_builder: Callable[..., Any] | None = None,
        get_mesh: Any = None,
    ) -> None:  # fmt: skip
        if not isinstance(submodule, Module):
            raise ArgumentTypeError(f"PipelineStage: a Module wanted, not {type(submodule).__name__}")
        for name, value in (("dw_builder", dw_builder), ("get_mesh", get_mesh)):
            if value is not None:
                raise OpNotImplemented(f"PipelineStage: {name} is not served; leave it out")
        if not 0 <= stage_index < num_stages:
            raise ArgumentValueError(f"PipelineStage: Stage index {stage_index} is out of range of {num_stages}")
        members = default_group() if group is None else member_group("PipelineStage", group)
        if members is None:
            raise ArgumentValueError("PipelineStage: this process is not in the group")
        processes = members.size()
        if num_stages % processes:
            raise ArgumentValueError(
                f"PipelineStage: {num_stages} stages in a group of {processes} processes; each process has as many stages as each other one"
            )
        if stage_index % processes != members.rank():
            raise ArgumentValueError(
                f"PipelineStage: stage {stage_index} of {num_stages} is in process {stage_index % processes} of a group of {processes}; "
                f"this is process {members.rank()}"
            )
        self.submod, self.stage_index, self.num_stages, self.device, self.group = submodule, stage_index, num_stages, device, members
        self._before: Neighbour | Handover | None = None
        self._behind: Neighbour | Handover | None = None
        if not self.is_first:
            self._before = Neighbour(members, stage_index, stage_index - 1, num_stages, device)
        if not self.is_last:
            self._behind = Neighbour(members, stage_index, stage_index + 1, num_stages, device)
        self._inside: dict[int, tuple[list[Tensor], list[Tensor]]] = {}  # micro-batches between their passes: inputs and outputs
        self._inputs: dict[int, Arrival] = {}
        self._gradients: dict[int, Arrival] = {}
        self._sends: list[Work] = []

    @property
    def is_first(self) -> bool:
        """Whether it is given the model's input."""
        return self.stage_index == 0

    @property
    def is_last(self) -> bool:
        """Whether it gives the model's output."""
        return self.stage_index == self.num_stages - 1

    def hand_over_to(self, behind: PipelineStage) -> None:
        """Give what goes to the next stage to one of this process.

        Args:
            behind: that stage.
        """
        self._behind = behind._before = Handover()

    def expect_forward(self, chunk: int) -> None:
        """Begin to receive the inputs of a micro-batch.

        Args:
            chunk: its index.
        """
        if self._before is not None and chunk not in self._inputs:
            self._inputs[chunk] = self._before.receive_activations(chunk)

    def expect_backward(self, chunk: int) -> None:
        """Begin to receive the gradients of a micro-batch, if its forward pass is done.

        Args:
            chunk: its index.
        """
        if self._behind is not None and chunk in self._inside and chunk not in self._gradients:
            self._gradients[chunk] = self._behind.receive_gradients(chunk, _wanting(self._inside[chunk][1]))

    def forward_pass(self, chunk: int, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Call the part with a micro-batch, and begin to send what it returns.

        Args:
            chunk: its index.
            args: of the first stage, the inputs.
            kwargs: further arguments of this stage.

        Returns:
            What the part returns.

        Raises:
            ArgumentTypeError: that is not a tensor, nor a tuple or list of tensors, and there is a stage behind this one.
            RankLost: a process was killed, is stopped or does not come.
        """
        inputs: list[Tensor] = []
        if self._before is not None:
            self.expect_forward(chunk)
            arrays, wanting = self._inputs.pop(chunk).wait()
            inputs = [tensor_of(array) for array in arrays]
            for tensor, wants in zip(inputs, wanting, strict=True):
                tensor.requires_grad_(wants)
        result = self._called(*(args if self._before is None else inputs), **kwargs)
        outputs = list(result) if isinstance(result, (tuple, list)) else [result]
        if self._behind is not None:
            for tensor in outputs:
                if not isinstance(tensor, Tensor):
                    raise ArgumentTypeError(
                        f"PipelineStage: stage {self.stage_index} returns a {type(tensor).__name__}; tensors are sent to the one behind it"
                    )
            self._sends.append(self._behind.send_activations(chunk, outputs))
        if is_grad_enabled():
            self._inside[chunk] = inputs, outputs
        return result

    def _called(self, *args: Any, **kwargs: Any) -> Any:
        if isinstance(self.submod, DistributedDataParallel):
            with self.submod.no_sync():  # the last backward pass exchanges gradients, not the one behind the last forward pass
                return self.submod(*args, **kwargs)
        return self.submod(*args, **kwargs)

    def backward_pass(self, chunk: int, loss: Tensor | None, last: bool) -> None:
        """Go back through a micro-batch, and begin to send the gradients of its inputs.

        Args:
            chunk: its index.
            loss: in the last stage, where to begin.
            last: whether it is the last one of a batch, so that gradients are complete.

        Raises:
            RankLost: a process was killed, is stopped or does not come.
        """
        self.expect_backward(chunk)
        inputs, outputs = self._inside.pop(chunk)
        if isinstance(self.submod, FSDPModule):
            self.submod.set_requires_gradient_sync(last)
        elif isinstance(self.submod, DistributedDataParallel) and last:
            self.submod._expect_backward(outputs)
        if loss is not None:
            backward(loss)
        else:
            arrays, _ = self._gradients.pop(chunk).wait()
            if arrays:
                backward(_wanting(outputs), [tensor_of(array) for array in arrays])
        if self._before is not None:
            gradients = [zeros_like(x) if x.grad is None else x.grad for x in _wanting(inputs)]
            self._sends.append(self._before.send_gradients(chunk, gradients))

    def finish(self) -> None:
        """Wait until all that was sent is on its way."""
        for work in self._sends:
            work.wait()
        self._sends.clear()

    def forget(self) -> None:
        """Let go what an error in the middle of a batch has left."""
        for kept in (self._inside, self._inputs, self._gradients, self._sends):
            kept.clear()


def _wanting(tensors: Sequence[Tensor]) -> list[Tensor]:
    return [t for t in tensors if t.requires_grad]
