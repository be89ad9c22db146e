"""Linear maps whose weight has few bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, cast

import lamina_tensor as lt
from lamina_flatarray import DTypeError, ShapeError, float32, int8, uint8
from lamina_tensor import Tensor
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.layers import fused

from ..layers import Linear
from ..module import Module
from ..parameter import Parameter
from .rounding import quantize
from .weight import QuantizedWeight

__all__ = ["QuantizedLinear", "quantized_linear"]


@torch_function(autocast="lower")
def quantized_linear(input: Tensor, weight: QuantizedWeight, bias: Tensor | None = None) -> Tensor:
    """Map the last dim linearly by a weight of few bits: input @ dequantize(weight).T + bias.

    The weight is taken apart on the way: there is no copy of it in floats. It has no gradient.

    Args:
        input: (..., in_features), of a floating dtype; 16 bits are computed in float32.
        weight: (out_features, in_features).
        bias: (out_features,), of the input's dtype.

    Returns:
        (..., out_features), of the input's dtype.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the input is not of a floating dtype, or the bias of another.

    >>> weight = torch.quantization.quantize(torch.tensor([[0.0, 255.0]]), symmetric=False)
    >>> torch.quantization.quantized_linear(torch.tensor([3.0, 2.0]), weight)
    tensor([510.])
    """
    size, length = weight.group_size or 1, weight.in_features
    if bias is not None and bias.dtype is not input.dtype:
        raise DTypeError(f"quantized_linear: input is {input.dtype.name} and bias {bias.dtype.name}; they must have the same dtype")
    if input.ndim and input.shape[-1] != length:
        raise ShapeError(
            f"quantized_linear: mat1 and mat2 shapes cannot be multiplied: input {tuple(input.shape)} and weight {weight.shape}"
        )
    return fused.quantized_linear(input, weight.values, weight.scales, weight.zero_points, bias, weight.bits, size)


class QuantizedLinear(Module):
    """Map the last dim linearly by a weight of 8 or 4 bits: x @ dequantize(weight).T + bias.

    Weight, scales and zero points are buffers, which are saved and loaded like any; the bias is a parameter. `to(dtype)` casts the
    bias alone: scales stay float32.

    Args:
        in_features: the length of the last dim of the input.
        out_features: the length of the last dim of the output.
        bias: whether a bias is added.
        bits: 8 or 4.
        group_size: how many items of a row of the weight have one scale; None for all of them.
        symmetric: whether there are no zero points.
        device: of parameters and buffers.
        dtype: of the bias.

    Shape:
        (..., in_features) to (..., out_features).

    All begin as zeros, for a state to be loaded; `from_linear` and `from_weight` make one of numbers.

    Raises:
        ArgumentValueError: there are no such bits or groups.

    >>> layer = torch.quantization.QuantizedLinear(256, 2, bits=4, group_size=128)
    >>> layer
    QuantizedLinear(in_features=256, out_features=2, bias=True, bits=4, group_size=128, symmetric=True)
    >>> {name: tuple(tensor.shape) for name, tensor in layer.state_dict().items()}
    {'bias': (2,), 'weight': (2, 128), 'scales': (2, 2)}
    """

    weight: Tensor
    scales: Tensor
    zero_points: Tensor | None
    bias: Parameter

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, bits: int = 8, group_size: int | None = None,
        symmetric: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        size = max(in_features, 1) if group_size is None else group_size
        groups = -(-in_features // size) if size > 0 else 0
        columns, kind = (in_features, int8) if bits == 8 else ((in_features + 1) // 2, uint8)
        scales = lt.zeros(out_features, groups, dtype=float32, device=device)
        values = lt.zeros(out_features, columns, dtype=kind, device=device)
        self._hold(QuantizedWeight(values, scales, None if symmetric else lt.zeros_like(scales), bits, size, in_features))
        if bias:
            self.bias = Parameter(lt.zeros(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)

    def _hold(self, weight: QuantizedWeight) -> None:
        self.out_features, self.in_features = weight.shape
        self.bits, self.group_size, self.symmetric = weight.bits, weight.group_size or 1, weight.symmetric
        self.register_buffer("weight", weight.values)
        self.register_buffer("scales", weight.scales)
        self.register_buffer("zero_points", weight.zero_points)

    @classmethod
    def from_weight(cls, weight: QuantizedWeight, bias: Parameter | None = None) -> Self:
        """Make a layer of a weight, whose memory it shares.

        Args:
            weight: (out_features, in_features).
            bias: (out_features,), or None.

        Returns:
            A new layer.

        >>> weight = torch.quantization.quantize(torch.tensor([[0.0, 255.0]]), symmetric=False)
        >>> torch.quantization.QuantizedLinear.from_weight(weight)(torch.tensor([3.0, 2.0]))
        tensor([510.])
        """
        layer = cls.__new__(cls)
        Module.__init__(layer)
        layer._hold(weight)
        layer.register_parameter("bias", bias)
        return layer

    @classmethod
    def from_linear(cls, linear: Linear, bits: int = 8, group_size: int | None = None, symmetric: bool = True) -> Self:
        """Make a layer of a `Linear`, whose bias it shares.

        Args:
            linear: the layer whose weight is rounded.
            bits, group_size, symmetric: as in `quantize`.

        Returns:
            A new layer.

        Raises:
            ArgumentValueError: there are no such bits or groups, or a weight is infinite or NaN.

        >>> torch.quantization.QuantizedLinear.from_linear(torch.nn.Linear(3, 2, bias=False))
        QuantizedLinear(in_features=3, out_features=2, bias=False, bits=8, group_size=3, symmetric=True)
        """
        layer = cls.from_weight(quantize(linear.weight, bits, group_size, symmetric), linear.bias)
        return layer.train(linear.training)

    @classmethod
    def _take_over(cls, linear: Linear, weight: QuantizedWeight) -> None:
        """Make a layer of a `Linear` that stays the same object, with its hooks."""
        del linear._parameters["weight"]
        linear.__class__ = cls  # type: ignore[assignment]
        cast("QuantizedLinear", linear)._hold(weight)

    @property
    def quantized_weight(self) -> QuantizedWeight:
        """The weight as a value, over the same memory."""
        return QuantizedWeight(self.weight, self.scales, self.zero_points, self.bits, self.group_size, self.in_features)

    def forward(self, input: Tensor) -> Tensor:
        """Map the last dim.

        Args:
            input: (..., in_features).

        Returns:
            (..., out_features).
        """
        return quantized_linear(input, self.quantized_weight, self.bias)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}, "
            f"bits={self.bits}, group_size={self.group_size}, symmetric={self.symmetric}"
        )

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Scales and zero points move, but are not cast: what a weight stands for is the same in all dtypes of activations."""
        kept = {name: self._buffers[name] for name in ("scales", "zero_points")}
        super()._apply(fn, recurse)
        for name, before in kept.items():
            after = self._buffers[name]
            if before is not None and after is not None and after.dtype is not before.dtype:
                self._buffers[name] = before.to(device=after.device)
        return self

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, strict: bool, missing_keys: list[str],
        unexpected_keys: list[str], error_msgs: list[str],
    ) -> None:  # fmt: skip
        given = state_dict.get(prefix + "weight")
        if isinstance(given, Tensor) and given.dtype is not self.weight.dtype:
            error_msgs.append(
                f"{prefix}weight is {given.dtype.name}, and the layer's of {self.bits} bits {self.weight.dtype.name}: load it into a "
                "Linear, and quantize that"
            )
            return
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
