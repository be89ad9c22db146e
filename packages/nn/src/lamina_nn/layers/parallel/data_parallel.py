"""DataParallel: a module on one device, wrapped as programs for several expect it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...module import Module

__all__ = ["DataParallel"]


class DataParallel(Module):
    """Calls a module, whose parameters are found below `module.`; there being one device, the batch is not split.

    Args:
        module: what is called.
        device_ids, output_device, dim: kept, and otherwise without effect.
    """

    def __init__(
        self, module: Module, device_ids: Sequence[Any] | None = None, output_device: Any = None, dim: int = 0
    ) -> None:
        super().__init__()
        self.dim, self.output_device = dim, output_device
        self.device_ids = [] if device_ids is None else list(device_ids)
        self.module = module

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """As the module's."""
        return self.module(*inputs, **kwargs)
