"""One step of a recurrent network, as `torch.lstm_cell` and its kin."""

from __future__ import annotations

from collections.abc import Sequence

from lamina_flatarray import ShapeError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.torch_function import torch_function

from ..recurrent import cell


def _step(mode: str, x: Tensor, state: tuple[Tensor, ...], *weights: Tensor | None) -> tuple[Tensor, ...]:
    if x.ndim != 2 or any(s.ndim != 2 or s.shape[0] != x.shape[0] for s in state):
        shapes = [tuple(s.shape) for s in (x, *state)]
        raise ShapeError(
            f"{mode.lower()}_cell: input and states are matrices with a row for each of the batch, not {shapes}"
        )
    return cell(mode, x, state, (*weights, None))


@torch_function
def lstm_cell(
    input: Tensor,
    hx: Sequence[Tensor],
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Run one step of long short-term memory; `nn.LSTMCell` has the formula.

    Args:
        input: (batch, input_size).
        hx: the states (h, c) before, each (batch, hidden_size).
        w_ih, w_hh: the weights, (4 * hidden_size, input_size) and (4 * hidden_size, hidden_size).
        b_ih, b_hh: the biases, (4 * hidden_size,), or None.

    Returns:
        The next states (h, c).

    Raises:
        ShapeError: the input or a state is not a matrix, or their batches differ.

    >>> h = torch.zeros(1, 2)
    >>> h, c = torch.lstm_cell(torch.ones(1, 3), (h, h), torch.zeros(8, 3), torch.zeros(8, 2))
    >>> h.shape, c.shape
    (lamina.Size([1, 2]), lamina.Size([1, 2]))
    """
    h, c = _step("LSTM", input, (hx[0], hx[1]), w_ih, w_hh, b_ih, b_hh)
    return h, c


@torch_function
def gru_cell(
    input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> Tensor:
    """Run one step of a gated recurrent unit; `nn.GRUCell` has the formula.

    Args:
        input: (batch, input_size).
        hx: the state before, (batch, hidden_size).
        w_ih, w_hh: the weights, (3 * hidden_size, input_size) and (3 * hidden_size, hidden_size).
        b_ih, b_hh: the biases, (3 * hidden_size,), or None.

    Returns:
        The next state, (batch, hidden_size).

    Raises:
        ShapeError: the input or a state is not a matrix, or their batches differ.

    >>> torch.gru_cell(torch.ones(1, 3), torch.zeros(1, 2), torch.zeros(6, 3), torch.zeros(6, 2))
    tensor([[0., 0.]])
    """
    return _step("GRU", input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]


@torch_function
def rnn_tanh_cell(
    input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> Tensor:
    """Run one step of Elman's network: tanh(w_ih x + b_ih + w_hh h + b_hh).

    Args:
        input: (batch, input_size).
        hx: the state before, (batch, hidden_size).
        w_ih, w_hh: the weights, (hidden_size, input_size) and (hidden_size, hidden_size).
        b_ih, b_hh: the biases, (hidden_size,), or None.

    Returns:
        The next state, (batch, hidden_size).

    Raises:
        ShapeError: the input or a state is not a matrix, or their batches differ.

    >>> torch.rnn_tanh_cell(torch.ones(1, 3), torch.zeros(1, 2), torch.zeros(2, 3), torch.zeros(2, 2))
    tensor([[0., 0.]])
    """
    return _step("RNN_TANH", input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]


@torch_function
def rnn_relu_cell(
    input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> Tensor:
    """Run one step of Elman's network: max(w_ih x + b_ih + w_hh h + b_hh, 0).

    Args:
        input: (batch, input_size).
        hx: the state before, (batch, hidden_size).
        w_ih, w_hh: the weights, (hidden_size, input_size) and (hidden_size, hidden_size).
        b_ih, b_hh: the biases, (hidden_size,), or None.

    Returns:
        The next state, (batch, hidden_size).

    Raises:
        ShapeError: the input or a state is not a matrix, or their batches differ.

    >>> torch.rnn_relu_cell(torch.ones(1, 3), torch.zeros(1, 2), torch.zeros(2, 3), torch.zeros(2, 2))
    tensor([[0., 0.]])
    """
    return _step("RNN_RELU", input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]
