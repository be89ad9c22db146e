"""DataParallel: a module on one device, wrapped as programs for several expect it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...module import Module

__all__ = ["DataParallel"]


class DataParallel(Module):
    """Wrap a module as programs for several devices expect it; lamina has one device, so the batch is not split.

    Args:
        module: the module, whose parameters are found below `module.`.
        device_ids, output_device, dim: kept, and otherwise without effect.

    Shape:
        The module's own.

    >>> list(torch.nn.DataParallel(torch.nn.Linear(3, 2)).state_dict())
    ['module.weight', 'module.bias']
    """

    def __init__(
        self, module: Module, device_ids: Sequence[Any] | None = None, output_device: Any = None, dim: int = 0
    ) -> None:
        super().__init__()
        self.dim, self.output_device = dim, output_device
        self.device_ids = [] if device_ids is None else list(device_ids)
        self.module = module

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the module.

        Args:
            inputs, kwargs: the module's arguments.

        Returns:
            What the module returns.
        """
        return self.module(*inputs, **kwargs)
