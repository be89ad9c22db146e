"""Models whose linear layers are quantized in place, by torchao's spelling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from lamina_flatarray import ArgumentTypeError

from ..layers import Linear
from ..module import Module
from .linear import QuantizedLinear
from .rounding import quantize

__all__ = ["Int4WeightOnlyConfig", "Int8WeightOnlyConfig", "quantize_"]


@dataclass(frozen=True)
class Int8WeightOnlyConfig:
    """Ask for weights of 8 bits without zero points.

    Args:
        group_size: how many items of a row have one scale; None for all of them.

    >>> torch.quantization.Int8WeightOnlyConfig()
    Int8WeightOnlyConfig(group_size=None)
    """

    group_size: int | None = None
    bits: ClassVar[int] = 8
    symmetric: ClassVar[bool] = True


@dataclass(frozen=True)
class Int4WeightOnlyConfig:
    """Ask for weights of 4 bits in groups, with zero points.

    Args:
        group_size: how many items of a row have one scale and one zero point: an even number.

    >>> torch.quantization.Int4WeightOnlyConfig(group_size=32)
    Int4WeightOnlyConfig(group_size=32)
    """

    group_size: int = 128
    bits: ClassVar[int] = 4
    symmetric: ClassVar[bool] = False


def quantize_(
    model: Module,
    config: Int8WeightOnlyConfig | Int4WeightOnlyConfig,
    filter_fn: Callable[[Module, str], bool] | None = None,
) -> None:
    """Quantize the weights of a model's linear layers in place: each becomes a `QuantizedLinear`, and stays the same object.

    Called as torchao's function of the name: https://docs.pytorch.org/ao/stable/generated/torchao.quantization.quantize_.html.
    An error leaves the model as it was.

    Args:
        model: a module, which may itself be a linear layer.
        config: how weights are rounded.
        filter_fn: says of a module and its path whether it is quantized; by default those are that are of the class `Linear` itself.

    Raises:
        ArgumentTypeError: the config is of another class, or the filter chooses a module that is no `Linear`.
        ArgumentValueError: there are no such groups, or a weight is infinite or NaN.

    >>> model = torch.nn.Sequential(torch.nn.Linear(64, 8), torch.nn.ReLU(), torch.nn.Linear(8, 4))
    >>> torch.quantization.quantize_(model, torch.quantization.Int8WeightOnlyConfig(), lambda module, path: path == "0")
    >>> model
    Sequential(
      (0): QuantizedLinear(in_features=64, out_features=8, bias=True, bits=8, group_size=64, symmetric=True)
      (1): ReLU()
      (2): Linear(in_features=8, out_features=4, bias=True)
    )
    """
    if not isinstance(config, (Int8WeightOnlyConfig, Int4WeightOnlyConfig)):
        raise ArgumentTypeError(
            f"quantize_: config is of type {type(config).__name__}; it wants Int8WeightOnlyConfig or Int4WeightOnlyConfig"
        )
    chosen = [(path, module) for path, module in model.named_modules() if (filter_fn or _is_linear)(module, path)]
    layers = []
    for path, module in chosen:
        if not isinstance(module, Linear):
            raise ArgumentTypeError(f"quantize_: filter_fn chose {path or 'the model'}, a {type(module).__name__}; it wants a Linear")
        layers.append((module, quantize(module.weight, config.bits, config.group_size, config.symmetric)))
    for linear, weight in layers:
        QuantizedLinear._take_over(linear, weight)


def _is_linear(module: Module, path: str) -> bool:
    """Classes derived from Linear do more than it, or are asked for their weight."""
    return type(module) is Linear
