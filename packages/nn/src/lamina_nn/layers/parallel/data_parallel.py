"""DataParallel, and data_parallel: a module on one device, wrapped as programs for several expect it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...module import Module

__all__ = ["DataParallel", "data_parallel"]


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


def data_parallel(
    module: Module, inputs: Any, device_ids: Sequence[Any] | None = None, output_device: Any = None, dim: int = 0,
    module_kwargs: dict[str, Any] | None = None,
) -> Any:  # fmt: skip
    """Call a module as programs for several devices do; lamina has one device, so the batch is not split.

    Args:
        module: the module.
        inputs: its positional arguments as a tuple, its only one, or None for none.
        device_ids, output_device, dim: without effect.
        module_kwargs: its keyword arguments.

    Returns:
        What the module returns.

    >>> torch.nn.parallel.data_parallel(torch.nn.ReLU(), torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    if not isinstance(inputs, tuple):
        inputs = () if inputs is None else (inputs,)
    return module(*inputs, **(module_kwargs or {}))
