"""DistributedDataParallel: a module whose gradients are averaged over processes, each of which has batches of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from lamina_flatarray import ArgumentValueError, ProcessGroupError, UsageError
from lamina_tensor import Tensor, is_grad_enabled
from lamina_tensor.autograd.node import Node

from ...module import Module
from ...process_groups import all_gather_object, get_rank, moves
from ...process_groups.process_group import ProcessGroup, default_group
from ...process_groups.work import run
from .gradient_buckets import GradientBuckets
from .joining import ACCUMULATES, EXCHANGES, JOINED, told_by_all

__all__ = ["DistributedDataParallel"]

_MEBIBYTE: Final = 2**20


class DistributedDataParallel(Module):
    """Wrap a module, so that each backward pass gives the mean of the gradients of all processes.

    Parameters and buffers begin as those of rank 0. Gradients are exchanged in buckets, in the order in which the pass completes them,
    beside the rest of the pass; they are added up in the order of ranks, so that they are the same in every run, bit for bit.

    Args:
        module: the module, whose parameters are found below `module.`; one of them requires a gradient.
        device_ids: None for a module on the CPU.
        output_device, dim: kept, and otherwise without effect.
        broadcast_buffers: whether buffers are copied from rank 0 before each forward pass.
        init_sync: whether parameters and buffers are copied from rank 0 now.
        process_group: the processes; by default all.
        bucket_cap_mb: MiB of a bucket at most; by default 25, and the first has 1.
        find_unused_parameters: whether parameters may be left out by a pass; it is then looked for them in the graph.
        gradient_as_bucket_view: whether gradients share the buckets' memory, which saves a copy; the next pass overwrites them.
        static_graph: kept, and otherwise without effect.
        check_reduction, delay_all_reduce_named_params, param_to_hook_all_reduce, mixed_precision, device_mesh,
            skip_all_reduce_unused_params, bucket_cap_mb_list, batched_grad_copy, forward_sync_buffers: without effect.

    Shape:
        The module's own.

    Raises:
        ArgumentValueError: there is no process group, or `device_ids` are given for a module on the CPU.
        UsageError: no parameter requires a gradient; or, in a forward pass, gradients of the last one are missing.
        ProcessGroupError: the module has other parameters in another process.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> list(torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(3, 2)).state_dict())
    ['module.weight', 'module.bias']
    >>> torch.distributed.destroy_process_group()
    """

    def __init__(
        self,
        module: Module,
        device_ids: Sequence[Any] | None = None,
        output_device: Any = None,
        dim: int = 0,
        broadcast_buffers: bool = True,
        init_sync: bool = True,
        process_group: ProcessGroup | None = None,
        bucket_cap_mb: float | None = None,
        find_unused_parameters: bool = False,
        check_reduction: bool = False,
        gradient_as_bucket_view: bool = False,
        static_graph: bool = False,
        delay_all_reduce_named_params: Any = None,
        param_to_hook_all_reduce: Any = None,
        mixed_precision: Any = None,
        device_mesh: Any = None,
        skip_all_reduce_unused_params: bool = False,
        bucket_cap_mb_list: list[int] | None = None,
        batched_grad_copy: bool = False,
        forward_sync_buffers: bool | None = None,
    ) -> None:
        super().__init__()
        get_rank(process_group)
        wanting = next((p for p in module.parameters() if p.requires_grad), None)
        if wanting is None:
            raise UsageError(
                "DistributedDataParallel is not needed when a module doesn't have any parameter that requires a gradient."
            )
        if device_ids and wanting.device.type == "cpu":
            raise ArgumentValueError(
                f"DistributedDataParallel: device_ids are for modules on devices beside the CPU, but got device_ids "
                f"{list(device_ids)} and parameters on {wanting.device}"
            )
        self.process_group = process_group or default_group()
        self.device, self.device_type = wanting.device, wanting.device.type
        self.device_ids = list(device_ids) if device_ids else None
        self.output_device, self.dim = output_device, dim
        self.find_unused_parameters, self.static_graph = find_unused_parameters, static_graph
        self.gradient_as_bucket_view, self.broadcast_buffers = gradient_as_bucket_view, broadcast_buffers
        self.require_backward_grad_sync = True
        self.module = module
        self._buckets: GradientBuckets | None = None
        self._join: tuple[bool, bool] | None = None  # within `join`: what sums are divided by, and whether it is strict
        self._passes = 0  # so far within `join`
        if self.process_group.size() > 1:
            named = [(name, p) for name, p in module.named_parameters() if p.requires_grad]
            self._check_alike(named)
            if init_sync:
                self._copy_from(0, [*module.parameters(), *module.buffers()])
            most = int((25 if bucket_cap_mb is None else bucket_cap_mb) * _MEBIBYTE)
            first = min(most, _MEBIBYTE) if bucket_cap_mb is None else most
            self._buckets = GradientBuckets(
                [p for _, p in named], [name for name, _ in named], self.process_group, most, first, gradient_as_bucket_view
            )

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the module.

        Args:
            inputs, kwargs: the module's arguments.

        Returns:
            What the module returns.
        """
        buckets = self._buckets
        if buckets is None:
            return self.module(*inputs, **kwargs)
        records = is_grad_enabled()
        exchanges = records and self.require_backward_grad_sync
        divisor, source = None, 0
        if records:
            buckets.check()
            if self._join is not None:
                self._passes += 1
                told = told_by_all(self.process_group, EXCHANGES if exchanges else ACCUMULATES, self._join[1])
                divisor, source = self._agreed(told)
        if exchanges and self.broadcast_buffers:
            self._copy_from(source, list(self.module.buffers()))
        output = self.module(*inputs, **kwargs)
        if exchanges:
            self._expect_backward(output, divisor)
        return output

    def _expect_backward(self, output: Any, divisor: int | None = None) -> None:
        """Have the next backward pass, which begins at `output`, exchange gradients."""
        if self._buckets is not None and self.require_backward_grad_sync:
            self._buckets.expect(self._unused(output) if self.find_unused_parameters else None, divisor)

    def _agreed(self, told: list[int]) -> tuple[int | None, int]:
        """What sums are divided by, and whose buffers count, within `join`."""
        active = [i for i, one in enumerate(told) if one != JOINED]
        by_all = self._join is None or self._join[0] or len(active) == len(told)
        return None if by_all else len(active), active[-1] if len(active) < len(told) else 0

    def _unused(self, output: Any) -> set[int]:
        """The parameters that a backward pass from the output does not reach."""
        assert self._buckets is not None
        reached: set[Any] = set()
        stack: list[Any] = [t.node or t for t in _tensors(output)]
        while stack:
            edge = stack.pop()
            if edge not in reached:
                reached.add(edge)
                if isinstance(edge, Node):
                    stack += [inner for inner in edge.inputs if inner is not None]
        return {i for i, p in enumerate(self._buckets.parameters) if p not in reached}

    def _copy_from(self, source: int, tensors: Sequence[Tensor]) -> None:
        arrays = [t.array for t in tensors]
        run("DistributedDataParallel", self.process_group, moves.broadcast(self.process_group, arrays, source), arrays=arrays)

    def _check_alike(self, named: Sequence[tuple[str, Tensor]]) -> None:
        mine = [[name, list(p.shape), p.dtype.name] for name, p in named]
        every: list[Any] = [None] * self.process_group.size()
        all_gather_object(every, mine, self.process_group)
        for rank, theirs in zip(self.process_group.ranks, every, strict=True):
            if theirs != every[0]:
                different = [f"{b} in place of {a}" for a, b in zip(every[0], theirs, strict=False) if a != b]
                what = different[0] if different else f"parameters: {len(theirs)} in place of {len(every[0])}"
                first = self.process_group.ranks[0]
                raise ProcessGroupError(f"DistributedDataParallel: the module of rank {rank} is not that of rank {first}: {what}")

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """Accumulate gradients without exchanging them, in a `with` block.

        Returns:
            A context manager.

        >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
        >>> model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(3, 2))
        >>> with model.no_sync():
        ...     model(torch.ones(3)).sum().backward()
        >>> torch.distributed.destroy_process_group()
        """
        before, self.require_backward_grad_sync = self.require_backward_grad_sync, False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    @contextmanager
    def join(
        self, divide_by_initial_world_size: bool = True, enable: bool = True, throw_on_early_termination: bool = False
    ) -> Iterator[None]:
        """Let processes have different numbers of batches, in a `with` block around all of them.

        A process that leaves it takes part in the exchange of the others until they leave it, too; then all have the same parameters
        and buffers.

        Args:
            divide_by_initial_world_size: whether sums of gradients are divided by the number of all processes; else, by that of those
                that have batches left.
            enable: whether it does anything.
            throw_on_early_termination: whether all processes raise an error as soon as one has no batch left.

        Returns:
            A context manager.

        Raises:
            UsageError: one has no batch left, with `throw_on_early_termination`.

        >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
        >>> model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(3, 2))
        >>> with model.join():
        ...     model(torch.ones(3)).sum().backward()
        >>> torch.distributed.destroy_process_group()
        """
        if self._buckets is None or not enable:
            yield
            return
        self._passes = 0
        self._join = (divide_by_initial_world_size, throw_on_early_termination)
        try:
            yield
            while any(told := told_by_all(self.process_group, JOINED, throw_on_early_termination)):
                divisor, source = self._agreed(told)
                if told[source] == EXCHANGES:
                    if self.broadcast_buffers:
                        self._copy_from(source, list(self.module.buffers()))
                    self._buckets.take_part(divisor, self.find_unused_parameters)
        finally:
            self._join = None
        self._copy_from(self._last_active(), [*self.module.parameters(), *self.module.buffers()])

    def _last_active(self) -> int:
        """Agree on one of the processes that had most batches."""
        every: list[Any] = [None] * self.process_group.size()
        all_gather_object(every, self._passes, self.process_group)
        return max(range(len(every)), key=lambda i: (every[i], i))


def _tensors(output: Any) -> Iterator[Tensor]:
    """The tensors in lists, tuples and dicts."""
    stack = [output]
    while stack:
        value = stack.pop()
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, dict):
            stack += value.values()
        elif isinstance(value, (list, tuple)):
            stack += value
