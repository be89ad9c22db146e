"""DistributedDataParallel: a module wrapped as programs expect it that run as several processes, in a group of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from lamina_flatarray import ArgumentValueError, UsageError

from ... import process_group as processes
from ...module import Module

__all__ = ["DistributedDataParallel"]


class DistributedDataParallel(Module):
    """Calls a module, whose parameters are found below `module.`; gradients are its own, there being one process.

    Args:
        module: what is called; one of its parameters wants gradients.
        device_ids, output_device, dim, broadcast_buffers, find_unused_parameters, gradient_as_bucket_view, static_graph,
            process_group: kept, and otherwise without effect.
        options: PyTorch's further ones, without effect.

    Raises:
        ValueError: there is no process group; `device_ids` for a module on the CPU.
        RuntimeError: no parameter wants gradients.
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
        **options: Any,
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
        """As the module's."""
        return self.module(*inputs, **kwargs)

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """Within it, processes do not exchange gradients."""
        before, self.require_backward_grad_sync = self.require_backward_grad_sync, False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    @contextmanager
    def join(
        self, divide_by_initial_world_size: bool = True, enable: bool = True, throw_on_early_termination: bool = False
    ) -> Iterator[None]:
        """Within it, processes may have batches of different counts."""
        yield
