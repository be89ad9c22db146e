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
from ...functional.checking import check_tensor
from ...module import Module
from ...packed_sequences import PackedSequence
from ...parameter import Parameter
from ...recurrent import GATES, along_layers

__all__ = ["GRU", "LSTM", "RNN", "RNNBase"]


class RNNBase(Module):
    """Hold the weights and biases of a recurrent network, and run it over sequences.

    Args:
        mode: "RNN_TANH", "RNN_RELU", "LSTM" or "GRU".
        input_size: the number of features of the input.
        hidden_size: the number of features of the state.
        num_layers: the number of layers, each of which reads the outputs of the one below.
        bias: whether biases are added.
        batch_first: whether input and output are (batch, steps, features) rather than (steps, batch, features).
        dropout: the probability that an output of a layer below the last is zeroed in training.
        bidirectional: whether each layer also runs backwards, and returns both outputs side by side.
        proj_size: the number of features that the state h of an LSTM is projected to; 0 for no projection.
        device, dtype: of the parameters.

    Weights and biases begin uniform within 1/sqrt(hidden_size), drawn in PyTorch's order.

    Raises:
        ArgumentValueError: a size is not positive, or the dropout is not in [0, 1], or the mode is unknown.
        ArgumentTypeError: an argument has another type.

    >>> torch.nn.RNNBase("GRU", 3, 2).weight_ih_l0.shape
    lamina.Size([6, 3])
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
        """Draw new initial values, uniform within 1/sqrt(hidden_size).

        >>> torch.nn.GRU(3, 2).reset_parameters()
        """
        bound = 1.0 / math.sqrt(self.hidden_size)
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def flatten_parameters(self) -> None:
        """Do nothing: parameters are not moved in memory.

        >>> torch.nn.GRU(3, 2).flatten_parameters()
        """

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The parameters of each layer and direction."""
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
                f"{self.mode.partition('_')[0]}: input.size(-1) must be equal to input_size. "
                f"Expected {self.input_size}, got {input.shape[-1]}"
            )
        shapes = [(self.num_layers * self._directions, batch, size) for size in self._state_sizes()]
        if states is None:
            return tuple([lt.zeros(shape, dtype=input.dtype, device=input.device) for shape in shapes])
        for k, (state, shape) in enumerate(zip(states, shapes, strict=True)):
            if tuple(state.shape) != shape:
                name = f"hidden[{k}]" if len(shapes) > 1 else "hidden"
                raise ShapeError(f"Expected {name} size {shape}, got {list(state.shape)}")
        return tuple(states)

    def _run(self, input: Any, states: Any) -> tuple[Any, tuple[Tensor, ...]]:
        """Outputs and last states, in the form that the input came in."""
        dropout = self.dropout if self.training else 0.0
        if isinstance(input, PackedSequence):
            return self._run_packed(input, states, dropout)
        if not isinstance(input, Tensor):
            check_tensor(type(self).__name__, input)
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
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        text = f"{self.input_size}, {self.hidden_size}"
        for name, usual in (("proj_size", 0), ("num_layers", 1), ("bias", True), ("batch_first", False), ("dropout", 0),
                            ("bidirectional", False)):  # fmt: skip
            if getattr(self, name) != usual:
                text += f", {name}={getattr(self, name)}"
        return text


class _OneState(RNNBase):
    def forward(self, input: Any, hx: Tensor | None = None) -> tuple[Any, Tensor]:
        """Run the network over sequences.

        Args:
            input: (steps, batch, input_size), with `batch_first` (batch, steps, input_size), without a batch (steps,
                input_size), or a `PackedSequence`.
            hx: the state before the first step, (layers * directions, batch, hidden_size); zeros by default.

        Returns:
            The outputs of all steps, (steps, batch, directions * hidden_size), batched and packed as the input is, and
            the last states, of the state's shape.

        Raises:
            ShapeError: the input or the state has another shape.
            ArgumentValueError: the input has another dtype than the weights.
        """
        output, (state,) = self._run(input, None if hx is None else (hx,))
        return output, state


class RNN(_OneState):
    """Run Elman's network over sequences: h[t] = tanh(W_ih x[t] + b_ih + W_hh h[t - 1] + b_hh) in each layer.

    Args:
        args, kwargs: input_size, hidden_size, num_layers, nonlinearity, bias, batch_first, dropout and bidirectional,
            in this order; device and dtype by keyword. `nonlinearity` is "tanh" or "relu", the others are those of
            `RNNBase`.

    Shape:
        (steps, batch, input_size) to (steps, batch, directions * hidden_size) and (layers * directions, batch,
        hidden_size).

    Raises:
        ArgumentValueError: the nonlinearity is unknown, or a projection is asked for.

    >>> output, state = torch.nn.RNN(3, 2, num_layers=2)(torch.zeros(5, 4, 3))
    >>> output.shape, state.shape
    (lamina.Size([5, 4, 2]), lamina.Size([2, 4, 2]))
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
    """Run gated recurrent units over sequences (Cho et al. 2014); `GRUCell` has the formula.

    Args:
        args, kwargs: input_size, hidden_size, num_layers, bias, batch_first, dropout and bidirectional of `RNNBase`, in
            this order; device and dtype by keyword.

    Shape:
        (steps, batch, input_size) to (steps, batch, directions * hidden_size) and (layers * directions, batch,
        hidden_size).

    Raises:
        ArgumentValueError: a projection is asked for.

    >>> output, state = torch.nn.GRU(3, 2, bidirectional=True)(torch.zeros(5, 4, 3))
    >>> output.shape, state.shape
    (lamina.Size([5, 4, 4]), lamina.Size([2, 4, 2]))
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _no_projection(kwargs)
        super().__init__("GRU", *args, **kwargs)


class LSTM(RNNBase):
    """Run long short-term memory over sequences (Hochreiter & Schmidhuber 1997); `LSTMCell` has the formula.

    Args:
        args, kwargs: input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, proj_size, device
            and dtype of `RNNBase`, in this order.

    Shape:
        (steps, batch, input_size) to (steps, batch, directions * size) and states (h, c): (layers * directions, batch,
        size) and (layers * directions, batch, hidden_size), where size is proj_size or hidden_size.

    >>> output, (h, c) = torch.nn.LSTM(3, 2)(torch.zeros(5, 4, 3))
    >>> output.shape, h.shape, c.shape
    (lamina.Size([5, 4, 2]), lamina.Size([1, 4, 2]), lamina.Size([1, 4, 2]))
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def forward(self, input: Any, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Any, tuple[Tensor, Tensor]]:
        """Run the network over sequences.

        Args:
            input: (steps, batch, input_size), with `batch_first` (batch, steps, input_size), without a batch (steps,
                input_size), or a `PackedSequence`.
            hx: the states (h, c) before the first step: (layers * directions, batch, proj_size or hidden_size) and
                (layers * directions, batch, hidden_size); zeros by default.

        Returns:
            The outputs of all steps, (steps, batch, directions * (proj_size or hidden_size)), batched and packed as the
            input is, and the last states (h, c).

        Raises:
            ShapeError: the input or a state has another shape.
            ArgumentValueError: the input has another dtype than the weights.
        """
        output, (h, c) = self._run(input, hx)
        return output, (h, c)


def _no_projection(kwargs: dict[str, Any]) -> None:
    if "proj_size" in kwargs:
        raise ArgumentValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
