"""What a batch is to the trainer: a pair of inputs and targets, each a tensor or a nest of tensors."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import ArgumentTypeError
from lamina_tensor import Tensor

from ..module import Module

__all__ = ["answers_of", "moved", "pair_of", "samples_in"]


def pair_of(batch: Any, caller: str) -> tuple[Any, Any]:
    """Inputs and targets.

    Raises:
        TypeError: it is no pair.
    """
    if not isinstance(batch, (list, tuple)) or len(batch) != 2:
        shown = f"{type(batch).__name__} of {len(batch)}" if isinstance(batch, (list, tuple, dict)) else type(batch).__name__
        raise ArgumentTypeError(f"{caller}: a batch is a pair (inputs, targets), got {shown}")
    return batch[0], batch[1]


def moved(nest: Any, device: Any) -> Any:
    """The same on the device. What is no tensor stays as it is."""
    if isinstance(nest, Tensor):
        return nest.to(device)
    if isinstance(nest, (list, tuple)):
        return [moved(part, device) for part in nest]
    return {name: moved(part, device) for name, part in nest.items()} if isinstance(nest, dict) else nest


def samples_in(nest: Any, caller: str) -> int:
    """The length of the first tensor.

    Raises:
        TypeError: there is none, or it has no dims.
    """
    while isinstance(nest, (list, tuple, dict)) and nest:
        nest = next(iter(nest.values() if isinstance(nest, dict) else nest))
    if not isinstance(nest, Tensor) or not nest.ndim:
        raise ArgumentTypeError(f"{caller}: the inputs of a batch are tensors whose first dim goes over samples, got {nest!r:.100}")
    return len(nest)


def answers_of(model: Module, inputs: Any) -> Any:
    """What the model gives for a batch: several inputs in a list or a dict become arguments."""
    if isinstance(inputs, dict):
        return model(**inputs)
    return model(*inputs) if isinstance(inputs, (list, tuple)) else model(inputs)
