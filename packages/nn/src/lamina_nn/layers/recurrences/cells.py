"""Single steps of recurrent networks, for loops of one's own."""

from __future__ import annotations

import math
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ShapeError, UsageError
from lamina_tensor import Tensor

from ... import init
from ...functional.checking import check_tensor
from ...module import Module
from ...parameter import Parameter
from ...recurrent import GATES, cell

__all__ = ["GRUCell", "LSTMCell", "RNNCell", "RNNCellBase"]


class RNNCellBase(Module):
    """Hold the weights and biases of one step of a recurrent network.

    Args:
        input_size: the number of features of the input.
        hidden_size: the number of features of the state.
        bias: whether biases are added.
        num_chunks: the number of vectors of hidden_size that are computed from the input.
        device, dtype: of the parameters.

    Weights and biases begin uniform within 1/sqrt(hidden_size).

    >>> torch.nn.RNNCellBase(3, 2, True, 4).weight_ih.shape
    lamina.Size([8, 3])
    """

    weight_ih: Parameter
    weight_hh: Parameter
    bias_ih: Parameter
    bias_hh: Parameter

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        gates = num_chunks * hidden_size
        for name, shape in (("weight_ih", (gates, input_size)), ("weight_hh", (gates, hidden_size))):
            setattr(self, name, Parameter(lt.empty(shape, device=device, dtype=dtype)))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, Parameter(lt.empty(gates, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new initial values, uniform within 1/sqrt(hidden_size).

        >>> torch.nn.RNNCell(3, 2).reset_parameters()
        """
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size else 0
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def _step(self, mode: str, input: Tensor, states: Any, count: int = 1) -> tuple[Tensor, ...]:
        """The states behind one step, without a batch if the input has none."""
        name = type(self).__name__
        if not isinstance(input, Tensor):
            check_tensor(name, input)
        if input.ndim not in (1, 2):
            raise ShapeError(f"{name}: Expected input to be 1D or 2D, got {input.ndim}D instead")
        for state in states or ():
            if state.ndim not in (1, 2):
                raise ShapeError(f"{name}: Expected hidden to be 1D or 2D, got {state.ndim}D instead")
        batched = input.ndim == 2
        x = input if batched else lt.unsqueeze(input, 0)
        if states is None:
            state = (lt.zeros((x.shape[0], self.hidden_size), dtype=x.dtype, device=x.device),) * count
        else:
            state = tuple(states) if batched else tuple([lt.unsqueeze(s, 0) for s in states])
        if x.shape[1] != self.input_size:
            raise ShapeError(f"{name}: input has inconsistent input_size: got {x.shape[1]} expected {self.input_size}")
        for k, s in enumerate(state):
            if tuple(s.shape) != (x.shape[0], self.hidden_size):
                raise ShapeError(
                    f"{name}: Input batch size {x.shape[0]} and hidden_size {self.hidden_size} want hidden{k} of shape "
                    f"({x.shape[0]}, {self.hidden_size}), got {tuple(s.shape)}"
                )
        new_states = cell(mode, x, state, (self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh, None))
        return new_states if batched else tuple([lt.squeeze(s, 0) for s in new_states])

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        nonlinearity = self.__dict__.get("nonlinearity", "tanh")
        return text + (f", nonlinearity={nonlinearity}" if nonlinearity != "tanh" else "")


class RNNCell(RNNCellBase):
    """Run one step of Elman's network: h' = tanh(W_ih x + b_ih + W_hh h + b_hh).

    Args:
        input_size: the number of features of the input.
        hidden_size: the number of features of the state.
        bias: whether biases are added.
        nonlinearity: "tanh", or "relu", which then takes its place.
        device, dtype: of the parameters.

    Shape:
        (N, input_size) and (N, hidden_size) to (N, hidden_size); N may be missing.

    >>> torch.nn.RNNCell(3, 2)(torch.zeros(5, 3)).shape
    lamina.Size([5, 2])
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh", device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, bias, GATES["RNN_TANH"], device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """Run one step.

        Args:
            input: (N, input_size), or (input_size,).
            hx: the state before, (N, hidden_size), or (hidden_size,); zeros by default.

        Returns:
            The next state, of the state's shape.

        Raises:
            ShapeError: the shapes do not fit.
            UsageError: the nonlinearity is unknown.
        """
        if self.nonlinearity not in ("tanh", "relu"):
            raise UsageError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._step(f"RNN_{self.nonlinearity.upper()}", input, None if hx is None else (hx,))[0]


class LSTMCell(RNNCellBase):
    """Run one step of long short-term memory (Hochreiter & Schmidhuber 1997).

    With i, f, o the sigmoid and g the tanh of W_ih x + b_ih + W_hh h + b_hh, c' = f * c + i * g and h' = o * tanh(c').

    Args:
        input_size: the number of features of the input.
        hidden_size: the number of features of the state.
        bias: whether biases are added.
        device, dtype: of the parameters.

    Shape:
        (N, input_size) and two of (N, hidden_size) to two of (N, hidden_size); N may be missing.

    >>> h, c = torch.nn.LSTMCell(3, 2)(torch.zeros(5, 3))
    >>> h.shape, c.shape
    (lamina.Size([5, 2]), lamina.Size([5, 2]))
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, GATES["LSTM"], device, dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        """Run one step.

        Args:
            input: (N, input_size), or (input_size,).
            hx: the states (h, c) before, each (N, hidden_size), or (hidden_size,); zeros by default.

        Returns:
            The next states (h, c), of the same shapes.

        Raises:
            ShapeError: the shapes do not fit.
        """
        h, c = self._step("LSTM", input, hx, 2)
        return h, c


class GRUCell(RNNCellBase):
    """Run one step of a gated recurrent unit (Cho et al. 2014).

    With r and z the sigmoid of W_ih x + b_ih + W_hh h + b_hh, and n = tanh(W_in x + b_in + r * (W_hn h + b_hn)), h' =
    (1 - z) * n + z * h.

    Args:
        input_size: the number of features of the input.
        hidden_size: the number of features of the state.
        bias: whether biases are added.
        device, dtype: of the parameters.

    Shape:
        (N, input_size) and (N, hidden_size) to (N, hidden_size); N may be missing.

    >>> torch.nn.GRUCell(3, 2)(torch.zeros(5, 3)).shape
    lamina.Size([5, 2])
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, GATES["GRU"], device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """Run one step.

        Args:
            input: (N, input_size), or (input_size,).
            hx: the state before, (N, hidden_size), or (hidden_size,); zeros by default.

        Returns:
            The next state, of the state's shape.

        Raises:
            ShapeError: the shapes do not fit.
        """
        return self._step("GRU", input, None if hx is None else (hx,))[0]
