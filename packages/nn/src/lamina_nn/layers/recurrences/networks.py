"""Recurrent networks over whole sequences: parameters by PyTorch's names, states and packed sequences."""

from __future__ import annotations

import math
import warnings
from numbers import Number
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError, ArgumentValueError, ShapeError
from lamina_flatarray.modes import AUTOCAST, word
from lamina_tensor import Tensor

from ... import init
from ...module import Module
from ...packed_sequences import PackedSequence
from ...parameter import Parameter
from ...recurrent import GATES, along_layers

__all__ = ["GRU", "LSTM", "RNN", "RNNBase"]


class RNNBase(Module):
    """What all recurrent networks have.

    Args:
        mode: "RNN_TANH", "RNN_RELU", "LSTM" or "GRU".
        input_size: how many features come in at each step.
        hidden_size: how many the state has.
        num_layers: how many layers stand upon each other.
        bias: whether there are biases.
        batch_first: (batch, steps, features) in the place of (steps, batch, features), in and out.
        dropout: with what probability, in training, items between layers are zeroed.
        bidirectional: whether each layer runs backwards, too, and gives both outputs side by side.
        proj_size: to how many features the output and the state h of an LSTM are projected; 0 for no projection.
        device, dtype: of the parameters.

    Weights and biases begin uniform within 1/sqrt(hidden_size), drawn in PyTorch's order.

    Raises:
        ValueError: a size is not positive, or the dropout is no probability.
        TypeError: an argument has another type.
    """

    def __init__(
        self, mode: str, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True,
        batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False, proj_size: int = 0,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if not isinstance(dropout, Number) or isinstance(dropout, bool) or not 0 <= dropout <= 1:
            raise ArgumentValueError("dropout should be a number in range [0, 1], the probability of an item being zeroed")
        if dropout > 0 and num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers "
                f"greater than 1, but got dropout={dropout} and num_layers={num_layers}",
                stacklevel=3,
            )
        for name, value, kind in (("bias", bias, bool), ("batch_first", batch_first, bool), ("input_size", input_size, int),
                                  ("hidden_size", hidden_size, int)):  # fmt: skip
            if not isinstance(value, kind):
                raise ArgumentTypeError(f"{name} should be of type {kind.__name__}, got: {type(value).__name__}")
        for name, value in (("input_size", input_size), ("hidden_size", hidden_size), ("num_layers", num_layers)):
            if value <= 0:
                raise ArgumentValueError(f"{name} must be greater than zero")
        if not 0 <= proj_size < hidden_size:
            raise ArgumentValueError(f"proj_size has to be smaller than hidden_size, or zero for no projection, not {proj_size}")
        if mode not in GATES:
            raise ArgumentValueError(f"Unrecognized RNN mode: {mode}")
        self.mode, self.input_size, self.hidden_size, self.num_layers = mode, input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout = bias, batch_first, float(dropout)
        self.bidirectional, self.proj_size = bidirectional, proj_size
        self._all_weights: list[list[str]] = []
        for layer in range(num_layers):
            for suffix in ("", "_reverse")[: self._directions]:
                self._add_layer(f"l{layer}{suffix}", layer == 0, device, dtype)
        self.reset_parameters()

    @property
    def _directions(self) -> int:
        return 2 if self.bidirectional else 1

    @property
    def _output_size(self) -> int:
        return self.proj_size or self.hidden_size

    def _add_layer(self, place: str, first: bool, device: Any, dtype: Any) -> None:
        gates, out = GATES[self.mode] * self.hidden_size, self._output_size
        shapes: dict[str, tuple[int, ...]] = {
            "weight_ih": (gates, self.input_size if first else out * self._directions),
            "weight_hh": (gates, out),
        }
        if self.bias:
            shapes |= {"bias_ih": (gates,), "bias_hh": (gates,)}
        if self.proj_size:
            shapes["weight_hr"] = (self.proj_size, self.hidden_size)
        for name, shape in shapes.items():
            setattr(self, f"{name}_{place}", Parameter(lt.empty(shape, device=device, dtype=dtype)))
        self._all_weights.append([f"{name}_{place}" for name in shapes])

    def reset_parameters(self) -> None:
        """Draw new initial values."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def flatten_parameters(self) -> None:
        """Accepted; the parameters lie as they are."""

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """Per layer and direction its parameters."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    @property
    def _flat_weights_names(self) -> list[str]:
        return [name for names in self._all_weights for name in names]

    @property
    def _flat_weights(self) -> list[Parameter]:
        return [getattr(self, name) for name in self._flat_weights_names]

    def _weights(self) -> list[list[Any]]:
        """The same in the order that cells take them in, None for those that are not there."""
        ends = [names[0].removeprefix("weight_ih") for names in self._all_weights]
        kinds = ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")
        return [[getattr(self, kind + end) if kind + end in names else None for kind in kinds]
                for end, names in zip(ends, self._all_weights, strict=True)]  # fmt: skip

    # -- states ---------------------------------------------------------------------------------------------------------

    def _state_sizes(self) -> tuple[int, ...]:
        return (self._output_size, self.hidden_size) if self.mode == "LSTM" else (self.hidden_size,)

    def _checked(self, input: Tensor, states: Any, batch: int) -> tuple[Tensor, ...]:
        """States of the right shapes, zeros where none were given; the input's dtype and features are looked at, too."""
        weight = getattr(self, self._all_weights[0][0])
        if input.dtype is not weight.dtype and not word.get() & AUTOCAST:
            raise ArgumentValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). Convert input: "
                f"input.to({weight.dtype}), or convert model: model.to({input.dtype})"
            )
        if input.shape[-1] != self.input_size:
            raise ShapeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.shape[-1]}"
            )
        wanted = [(self.num_layers * self._directions, batch, size) for size in self._state_sizes()]
        if states is None:
            return tuple([lt.zeros(shape, dtype=input.dtype, device=input.device) for shape in wanted])
        for k, (state, shape) in enumerate(zip(states, wanted, strict=True)):
            if tuple(state.shape) != shape:
                name = f"hidden[{k}]" if len(wanted) > 1 else "hidden"
                raise ShapeError(f"Expected {name} size {shape}, got {list(state.shape)}")
        return tuple(states)

    def _run(self, input: Any, states: Any) -> tuple[Any, tuple[Tensor, ...]]:
        """Outputs and last states, in the form that the input came in."""
        dropout = self.dropout if self.training else 0.0
        if isinstance(input, PackedSequence):
            return self._run_packed(input, states, dropout)
        if input.ndim not in (2, 3):
            raise ShapeError(f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.ndim}D tensor instead")
        batched = input.ndim == 3
        if states is not None and any(s.ndim != input.ndim for s in states):
            raise ShapeError(
                f"For {'batched' if batched else 'unbatched'} {input.ndim}-D input, hx should also be {input.ndim}-D but got "
                f"{' and '.join(f'{s.ndim}-D' for s in states)} tensors"
            )
        if not batched:
            input = lt.unsqueeze(input, 1)
            states = None if states is None else [lt.unsqueeze(s, 1) for s in states]
        steps = lt.transpose(input, 0, 1) if self.batch_first and batched else input
        start = self._checked(steps, states, steps.shape[1])
        if not steps.shape[0]:
            raise ShapeError(f"{type(self).__name__}: Expected sequence length to be larger than 0 in RNN")
        output, ends = along_layers(self.mode, steps, None, start, self._weights(), self._directions, dropout)
        if not batched:
            return lt.squeeze(output, 1), tuple([lt.squeeze(s, 1) for s in ends])
        return (lt.transpose(output, 0, 1) if self.batch_first else output), ends

    def _run_packed(self, packed: PackedSequence, states: Any, dropout: float) -> tuple[PackedSequence, tuple[Tensor, ...]]:
        sizes = packed.batch_sizes.tolist()
        if packed.data.ndim != 2:
            raise ShapeError(f"input must have 2 dimensions, got {packed.data.ndim}")
        if states is not None and packed.sorted_indices is not None:
            states = [lt.index_select(s, 1, packed.sorted_indices) for s in states]
        start = self._checked(packed.data, states, sizes[0])
        output, ends = along_layers(self.mode, packed.data, sizes, start, self._weights(), self._directions, dropout)
        if packed.unsorted_indices is not None:
            ends = tuple([lt.index_select(s, 1, packed.unsorted_indices) for s in ends])
        return packed._with(output), ends

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        for name, usual in (("proj_size", 0), ("num_layers", 1), ("bias", True), ("batch_first", False), ("dropout", 0),
                            ("bidirectional", False)):  # fmt: skip
            if getattr(self, name) != usual:
                text += f", {name}={getattr(self, name)}"
        return text


class _OneState(RNNBase):
    def forward(self, input: Any, hx: Tensor | None = None) -> tuple[Any, Tensor]:
        """A sequence through all layers.

        Args:
            input: (steps, batch, input_size), with `batch_first` (batch, steps, input_size), without a batch
                (steps, input_size), or packed.
            hx: the state before, (layers * directions, batch, hidden_size); zeros by default.

        Returns:
            The outputs of all steps, (steps, batch, directions * hidden_size) or as the input's form has it, and the last
            states.

        Raises:
            ShapeError: the input or the state has another shape.
            ValueError: the input has another dtype than the weights.
        """
        output, (state,) = self._run(input, None if hx is None else (hx,))
        return output, state


class RNN(_OneState):
    """Elman's network: h' = tanh(W x + b + V h + c), or relu in the place of tanh.

    Args:
        nonlinearity: "tanh" or "relu"; the fourth argument by place. All others are those of `RNNBase`.

    Raises:
        ValueError: it is another one, or a projection is asked for.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _no_projection(kwargs)
        if len(args) > 3:
            nonlinearity, args = args[3], args[:3] + args[4:]
        else:
            nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            raise ArgumentValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(f"RNN_{nonlinearity.upper()}", *args, **kwargs)
        self.nonlinearity = nonlinearity


class GRU(_OneState):
    """Gated recurrent units. The arguments are those of `RNNBase`, without `mode` and `proj_size`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _no_projection(kwargs)
        super().__init__("GRU", *args, **kwargs)


class LSTM(RNNBase):
    """Long short-term memory. The arguments are those of `RNNBase`, without `mode`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def forward(self, input: Any, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Any, tuple[Tensor, Tensor]]:
        """A sequence through all layers.

        Args:
            input: (steps, batch, input_size), with `batch_first` (batch, steps, input_size), without a batch
                (steps, input_size), or packed.
            hx: the states (h, c) before: (layers * directions, batch, proj_size or hidden_size) and
                (layers * directions, batch, hidden_size); zeros by default.

        Returns:
            The outputs of all steps, (steps, batch, directions * (proj_size or hidden_size)) or as the input's form has
            it, and the last states (h, c).

        Raises:
            ShapeError: the input or a state has another shape.
            ValueError: the input has another dtype than the weights.
        """
        output, (h, c) = self._run(input, hx)
        return output, (h, c)


def _no_projection(kwargs: dict[str, Any]) -> None:
    if "proj_size" in kwargs:
        raise ArgumentValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
