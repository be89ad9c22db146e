"""AveragedModel: a copy of a model whose parameters are averages of the model's over training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from itertools import chain
from typing import Any

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_tensor import Tensor, no_grad

from ...module import Module
from .averages import get_swa_multi_avg_fn

__all__ = ["AveragedModel"]


class AveragedModel(Module):
    """A copy of a model, whose parameters are averages of the model's over training (Izmailov et al. 2018; Polyak & Juditsky 1992).

    Args:
        model: the model, which is copied.
        device: where the averages are; None for where the model is.
        avg_fn: `(average, value, number averaged)` to the new average, of one tensor.
        multi_avg_fn: the same of lists of tensors of one dtype and device, in place.
        use_buffers: whether buffers are averaged too, and not copied.

    Attributes:
        module: the copy.
        n_averaged: how many times `update_parameters` was called.

    Raises:
        AssertionError: both functions are given.

    >>> model = torch.nn.Linear(1, 1, bias=False)
    >>> averaged = torch.optim.swa_utils.AveragedModel(model)
    >>> for value in [1.0, 2.0, 6.0]:
    ...     _ = torch.nn.init.constant_(model.weight, value)
    ...     averaged.update_parameters(model)
    >>> averaged.module.weight.detach()
    tensor([[3.]])
    """

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Callable[[Tensor, Tensor, Any], Tensor] | None = None,
        multi_avg_fn: Callable[[Sequence[Tensor], Sequence[Tensor], Any], None] | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        assert avg_fn is None or multi_avg_fn is None, "Only one of avg_fn and multi_avg_fn should be provided"
        copy = deepcopy(model)
        self.module = copy if device is None else copy.to(device)
        self.register_buffer("n_averaged", lt.tensor(0, dtype=nd.int64, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the averaged model.

        Args:
            *args, **kwargs: what the model takes.

        Returns:
            What the averaged model computes.
        """
        return self.module(*args, **kwargs)

    @no_grad()
    def update_parameters(self, model: Module) -> None:
        """Take the model's parameters into the averages; the first ones are copied.

        Args:
            model: the model in training, with parameters of the same shapes.
        """
        own, others = self._averaged(self.module), self._averaged(model)
        averages = [p.detach() for p in own]
        new = [q.detach().to(device=p.device) for p, q in zip(own, others, strict=True)]
        if self.n_averaged == 0:
            for average, value in zip(averages, new, strict=True):
                average.copy_(value)
        elif self.avg_fn is not None:
            for average, value in zip(averages, new, strict=True):
                average.copy_(self.avg_fn(average, value, self.n_averaged.to(device=average.device)))
        else:
            self._average_together(averages, new)
        if not self.use_buffers:
            for buffer, other in zip(self.module.buffers(), model.buffers(), strict=True):
                buffer.detach().copy_(other.detach())
        self.n_averaged += 1

    def _averaged(self, model: Module) -> list[Tensor]:
        return list(chain(model.parameters(), model.buffers()) if self.use_buffers else model.parameters())

    def _average_together(self, averages: list[Tensor], new: list[Tensor]) -> None:
        update = self.multi_avg_fn or get_swa_multi_avg_fn()
        kinds: dict[Any, tuple[list[Tensor], list[Tensor]]] = {}
        for average, value in zip(averages, new, strict=True):
            kind = kinds.setdefault((average.device, average.dtype), ([], []))
            kind[0].append(average)
            kind[1].append(value)
        for (device, _), (some, values) in kinds.items():
            update(some, values, self.n_averaged.to(device=device))
