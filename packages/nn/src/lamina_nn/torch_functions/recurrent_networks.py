"""All layers of a recurrent network over a sequence, as `torch.lstm` and its kin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, overload

from lamina_flatarray import ArgumentTypeError, ShapeError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.torch_function import torch_function

from ..recurrent import along_layers

_PADDED: Final = ("input", "hx", "params", "has_biases", "num_layers", "dropout", "train", "bidirectional", "batch_first")
_PACKED: Final = ("data", "batch_sizes", "hx", "params", "has_biases", "num_layers", "dropout", "train", "bidirectional")
"""The arguments of a recurrent network, and of one for a packed sequence."""


def _network(mode: str, args: Sequence[Any], named: dict[str, Any]) -> tuple[Tensor, ...]:
    """All layers of a recurrent network; see `lstm`."""
    if named:  # then the last argument is, whose name tells the form
        names = _PADDED if "batch_first" in named else _PACKED
        if named.keys() != set(names[len(args) :]):
            raise ArgumentTypeError(f"{mode.lower()}: expected {', '.join(names)}, got {len(args)} arguments and {', '.join(named)}")
        args = (*args, *(named[name] for name in names[len(args) :]))
    if len(args) != 9:
        raise ArgumentTypeError(f"{mode.lower()}: expected 9 arguments, got {len(args)}")
    packed = isinstance(args[3], (list, tuple))
    sizes, batch_first = (args[1].tolist(), False) if packed else (None, args[8])
    input, (hx, params, has_biases, layers, dropout, train, both_ways) = args[0], args[2:9] if packed else args[1:8]
    ways, states = (2 if both_ways else 1), ((hx,) if isinstance(hx, Tensor) else tuple(hx))
    each = len(params) // (layers * ways)
    if not layers or each < (4 if has_biases else 2) or each * layers * ways != len(params):
        raise ShapeError(f"{mode.lower()}: params of length {len(params)} do not fit num_layers = {layers}, bidirectional = {ways == 2}")
    weights = []
    for start in range(0, len(params), each):
        own = list(params[start : start + each])
        biases = own[2:4] if has_biases else [None, None]
        further = own[4:] if has_biases else own[2:]
        weights.append((*own[:2], *biases, further[0] if further else None))
    steps = input.transpose(0, 1) if batch_first else input
    output, ends = along_layers(mode, steps, sizes, states, weights, ways, dropout if train else 0.0)
    return (output.transpose(0, 1) if batch_first else output), *ends


@overload
def lstm(
    input: Tensor, hx: Sequence[Tensor], params: Sequence[Tensor], has_biases: bool, num_layers: int, dropout: float, train: bool,
    bidirectional: bool, batch_first: bool,
) -> tuple[Tensor, Tensor, Tensor]: ...  # fmt: skip
@overload
def lstm(
    data: Tensor, batch_sizes: Tensor, hx: Sequence[Tensor], params: Sequence[Tensor], has_biases: bool, num_layers: int, dropout: float,
    train: bool, bidirectional: bool,
) -> tuple[Tensor, Tensor, Tensor]: ...  # fmt: skip
@torch_function
def lstm(*args: Any, **named: Any) -> tuple[Tensor, ...]:
    """Run all layers of a long short-term memory network.

    There are two forms: ``lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)`` and,
    for a packed sequence, ``lstm(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)``.

    Args:
        args, named: the arguments of either form, in order or by name.

    Returns:
        The outputs of the last layer, and the last states (h, c) of all layers.

    Raises:
        ShapeError: the number of parameters does not fit the layers.
        ArgumentTypeError: the arguments are not the nine of either form.

    >>> layer = torch.nn.LSTM(2, 3)
    >>> outputs, *_ = torch.lstm(torch.ones(5, 1, 2), [torch.zeros(1, 1, 3)] * 2, layer._flat_weights, True, 1, 0.0, False, False, False)
    >>> outputs.shape
    lamina.Size([5, 1, 3])
    """
    return _network("LSTM", args, named)


@overload
def gru(
    input: Tensor, hx: Tensor, params: Sequence[Tensor], has_biases: bool, num_layers: int, dropout: float, train: bool,
    bidirectional: bool, batch_first: bool,
) -> tuple[Tensor, Tensor]: ...  # fmt: skip
@overload
def gru(
    data: Tensor, batch_sizes: Tensor, hx: Tensor, params: Sequence[Tensor], has_biases: bool, num_layers: int, dropout: float,
    train: bool, bidirectional: bool,
) -> tuple[Tensor, Tensor]: ...  # fmt: skip
@torch_function
def gru(*args: Any, **named: Any) -> tuple[Tensor, ...]:
    """Run all layers of a network of gated recurrent units.

    There are two forms: ``gru(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)`` and,
    for a packed sequence, ``gru(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)``.

    Args:
        args, named: the arguments of either form, in order or by name.

    Returns:
        The outputs of the last layer, and the last state of all layers.

    Raises:
        ShapeError: the number of parameters does not fit the layers.
        ArgumentTypeError: the arguments are not the nine of either form.

    >>> layer = torch.nn.GRU(2, 3)
    >>> outputs, *_ = torch.gru(torch.ones(5, 1, 2), torch.zeros(1, 1, 3), layer._flat_weights, True, 1, 0.0, False, False, False)
    >>> outputs.shape
    lamina.Size([5, 1, 3])
    """
    return _network("GRU", args, named)


@overload
def rnn_tanh(
    input: Tensor, hx: Tensor, params: Sequence[Tensor], has_biases: bool, num_layers: int, dropout: float, train: bool,
    bidirectional: bool, batch_first: bool,
) -> tuple[Tensor, Tensor]: ...  # fmt: skip
@overload
def rnn_tanh(
    data: Tensor, batch_sizes: Tensor, hx: Tensor, params: Sequence[Tensor], has_biases: bool, num_layers: int, dropout: float,
    train: bool, bidirectional: bool,
) -> tuple[Tensor, Tensor]: ...  # fmt: skip
@torch_function
def rnn_tanh(*args: Any, **named: Any) -> tuple[Tensor, ...]:
    """Run all layers of an Elman network with tanh.

    There are two forms: ``rnn_tanh(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)`` and,
    for a packed sequence, ``rnn_tanh(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)``.

    Args:
        args, named: the arguments of either form, in order or by name.

    Returns:
        The outputs of the last layer, and the last state of all layers.

    Raises:
        ShapeError: the number of parameters does not fit the layers.
        ArgumentTypeError: the arguments are not the nine of either form.

    >>> layer = torch.nn.RNN(2, 3)
    >>> outputs, *_ = torch.rnn_tanh(torch.ones(5, 1, 2), torch.zeros(1, 1, 3), layer._flat_weights, True, 1, 0.0, False, False, False)
    >>> outputs.shape
    lamina.Size([5, 1, 3])
    """
    return _network("RNN_TANH", args, named)


@overload
def rnn_relu(
    input: Tensor, hx: Tensor, params: Sequence[Tensor], has_biases: bool, num_layers: int, dropout: float, train: bool,
    bidirectional: bool, batch_first: bool,
) -> tuple[Tensor, Tensor]: ...  # fmt: skip
@overload
def rnn_relu(
    data: Tensor, batch_sizes: Tensor, hx: Tensor, params: Sequence[Tensor], has_biases: bool, num_layers: int, dropout: float,
    train: bool, bidirectional: bool,
) -> tuple[Tensor, Tensor]: ...  # fmt: skip
@torch_function
def rnn_relu(*args: Any, **named: Any) -> tuple[Tensor, ...]:
    """Run all layers of an Elman network with relu.

    There are two forms: ``rnn_relu(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)`` and,
    for a packed sequence, ``rnn_relu(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)``.

    Args:
        args, named: the arguments of either form, in order or by name.

    Returns:
        The outputs of the last layer, and the last state of all layers.

    Raises:
        ShapeError: the number of parameters does not fit the layers.
        ArgumentTypeError: the arguments are not the nine of either form.

    >>> layer = torch.nn.RNN(2, 3, nonlinearity="relu")
    >>> outputs, *_ = torch.rnn_relu(torch.ones(5, 1, 2), torch.zeros(1, 1, 3), layer._flat_weights, True, 1, 0.0, False, False, False)
    >>> outputs.shape
    lamina.Size([5, 1, 3])
    """
    return _network("RNN_RELU", args, named)
