"""DistributedDataParallel: a module wrapped as programs expect it that run as several processes, in a group of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from lamina_flatarray import ArgumentValueError, UsageError

from ... import process_groups as processes
from ...module import Module

__all__ = ["DistributedDataParallel"]


class DistributedDataParallel(Module):
    """Wrap a module as programs of several processes expect it; the group has one process, so gradients are its own.

    Args:
        module: the module, whose parameters are found below `module.`; one of them requires a gradient.
        device_ids: None for a module on the CPU.
        output_device, dim, broadcast_buffers, find_unused_parameters, gradient_as_bucket_view, static_graph,
            process_group: kept, and otherwise without effect.
        init_sync, bucket_cap_mb, check_reduction: without effect.
        delay_all_reduce_named_params, param_to_hook_all_reduce, mixed_precision, device_mesh, skip_all_reduce_unused_params,
            bucket_cap_mb_list, batched_grad_copy, forward_sync_buffers: without effect.

    Shape:
        The module's own.

    Raises:
        ArgumentValueError: there is no process group, or `device_ids` are given for a module on the CPU.
        UsageError: no parameter requires a gradient.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> list(torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(3, 2)).state_dict())
    ['module.weight', 'module.bias']
    >>> torch.distributed.destroy_process_group()
    """

    differs = "in a group of one process"

    def __init__(
        self,
        module: Module,
        device_ids: Sequence[Any] | None = None,
        output_device: Any = None,
        dim: int = 0,
        broadcast_buffers: bool = True,
        init_sync: bool = True,
        process_group: processes.ProcessGroup | None = None,
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
        processes.get_rank(process_group)
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
        self.process_group = process_group or processes.group.WORLD
        self.device, self.device_type = wanting.device, wanting.device.type
        self.device_ids = list(device_ids) if device_ids else None
        self.output_device, self.dim = output_device, dim
        self.find_unused_parameters, self.static_graph = find_unused_parameters, static_graph
        self.gradient_as_bucket_view, self.broadcast_buffers = gradient_as_bucket_view, broadcast_buffers
        self.require_backward_grad_sync = True
        self.module = module

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the module.

        Args:
            inputs, kwargs: the module's arguments.

        Returns:
            What the module returns.
        """
        return self.module(*inputs, **kwargs)

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
        """Let processes have different numbers of batches, in a `with` block.

        Args:
            divide_by_initial_world_size, enable, throw_on_early_termination: without effect, there being one process.

        Returns:
            A context manager.

        >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
        >>> model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(3, 2))
        >>> with model.join():
        ...     model(torch.ones(3)).sum().backward()
        >>> torch.distributed.destroy_process_group()
        """
        yield
