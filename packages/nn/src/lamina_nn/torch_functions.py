"""Functions of layers as `torch.*` has them: where their arguments are others there than in `torch.nn.functional`, the former."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamina_flatarray import ArgumentTypeError, ArgumentValueError, ShapeError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.torch_function import torch_function

from . import functional as F
from .functional import (
    adaptive_avg_pool1d,
    avg_pool1d,
    celu,
    celu_,
    channel_shuffle,
    conv1d,
    conv2d,
    conv3d,
    conv_transpose1d,
    conv_transpose2d,
    conv_transpose3d,
    hardshrink,
    max_pool1d,
    max_pool1d_with_indices,
    max_pool2d,
    max_pool3d,
    native_channel_shuffle,
    pairwise_distance,
    pdist,
    pixel_shuffle,
    pixel_unshuffle,
    prelu,
    relu_,
    rms_norm,
    rrelu,
    rrelu_,
    selu,
    selu_,
    threshold,
    threshold_,
)
from .functional.dropping import _dropped
from .recurrent import along_layers, cell

__all__ = [
    "adaptive_avg_pool1d", "adaptive_max_pool1d", "alpha_dropout", "alpha_dropout_", "avg_pool1d", "batch_norm",
    "binary_cross_entropy_with_logits", "celu", "celu_", "channel_shuffle", "conv1d", "conv2d", "conv3d",
    "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cosine_embedding_loss", "ctc_loss", "dropout", "dropout_",
    "embedding", "feature_alpha_dropout", "feature_alpha_dropout_", "feature_dropout", "feature_dropout_", "group_norm",
    "gru", "gru_cell", "hardshrink", "hinge_embedding_loss", "instance_norm", "kl_div", "layer_norm", "lstm", "lstm_cell",
    "margin_ranking_loss", "max_pool1d", "max_pool1d_with_indices", "max_pool2d", "max_pool3d", "native_channel_shuffle",
    "pairwise_distance", "pdist", "pixel_shuffle", "pixel_unshuffle", "poisson_nll_loss", "prelu", "relu_", "rms_norm",
    "rnn_relu", "rnn_relu_cell", "rnn_tanh", "rnn_tanh_cell", "rrelu", "rrelu_", "selu", "selu_", "threshold", "threshold_",
    "triplet_margin_loss",
]  # fmt: skip


@torch_function
def adaptive_max_pool1d(input: Tensor, output_size: Any) -> tuple[Tensor, Tensor]:
    """`functional.adaptive_max_pool1d`, with the indices."""
    return F.adaptive_max_pool1d(input, output_size, return_indices=True)


# -- dropout -------------------------------------------------------------------------------------------------------------


@torch_function
def dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """`functional.dropout`."""
    return F.dropout(input, p, train)


@torch_function
def dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """`functional.dropout`, in place."""
    return F.dropout(input, p, train, True)


@torch_function
def alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """`functional.alpha_dropout`."""
    return F.alpha_dropout(input, p, train)


@torch_function
def alpha_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """`functional.alpha_dropout`, in place."""
    return F.alpha_dropout(input, p, train, True)


@torch_function
def feature_alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """`functional.feature_alpha_dropout`."""
    return F.feature_alpha_dropout(input, p, train)


@torch_function
def feature_alpha_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """`functional.feature_alpha_dropout`, in place."""
    return F.feature_alpha_dropout(input, p, train, True)


@torch_function
def feature_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Whole channels zeroed, (N, C, ...) of any number of dims."""
    return _dropped(input, p, train, False, channels=True, alpha=False)


@torch_function
def feature_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """`feature_dropout`, in place."""
    return _dropped(input, p, train, True, channels=True, alpha=False)


# -- normalization -------------------------------------------------------------------------------------------------------


@torch_function
def batch_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    training: bool, momentum: float, eps: float, cudnn_enabled: bool,
) -> Tensor:  # fmt: skip
    """`functional.batch_norm`; `cudnn_enabled` is without effect, here and below."""
    return F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


@torch_function
def instance_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    use_input_stats: bool, momentum: float, eps: float, cudnn_enabled: bool,
) -> Tensor:  # fmt: skip
    """`functional.instance_norm`."""
    return F.instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


@torch_function
def layer_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, bias: Tensor | None = None,
    eps: float = 1e-5, cudnn_enable: bool = True,
) -> Tensor:  # fmt: skip
    """`functional.layer_norm`."""
    return F.layer_norm(input, normalized_shape, weight, bias, eps)


@torch_function
def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Tensor:  # fmt: skip
    """`functional.group_norm`."""
    return F.group_norm(input, num_groups, weight, bias, eps)


@torch_function
def embedding(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Tensor:
    """`functional.embedding`: the table comes first, and -1 is no padding."""
    padding = None if padding_idx == -1 else padding_idx
    return F.embedding(indices, weight, padding, scale_grad_by_freq=scale_grad_by_freq, sparse=sparse)


# -- losses, whose reduction is a number: 0 for none, 1 for the mean, 2 for the sum; PyTorch's default is 0 here -----------


def _named(op: str, reduction: int) -> str:
    if reduction not in (0, 1, 2):
        raise ArgumentValueError(f"{op}: reduction {reduction!r} is none of 0 (none), 1 (mean) and 2 (sum)")
    return ("none", "mean", "sum")[reduction]


@torch_function
def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, pos_weight: Tensor | None = None, reduction: int = 0
) -> Tensor:
    """`functional.binary_cross_entropy_with_logits`."""
    kind = _named("binary_cross_entropy_with_logits", reduction)
    return F.binary_cross_entropy_with_logits(input, target, weight, reduction=kind, pos_weight=pos_weight)


@torch_function
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 0
) -> Tensor:
    """`functional.cosine_embedding_loss`."""
    return F.cosine_embedding_loss(input1, input2, target, margin, reduction=_named("cosine_embedding_loss", reduction))


@torch_function
def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: int = 0, reduction: int = 0,
    zero_infinity: bool = False,
) -> Tensor:  # fmt: skip
    """`functional.ctc_loss`."""
    kind = _named("ctc_loss", reduction)
    return F.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, kind, zero_infinity)


@torch_function(strict=True)
def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, reduction: int = 0) -> Tensor:
    """`functional.hinge_embedding_loss`."""
    return F.hinge_embedding_loss(input, target, margin, reduction=_named("hinge_embedding_loss", reduction))


@torch_function(strict=True)
def kl_div(input: Tensor, target: Tensor, reduction: int = 0, *, log_target: bool = False) -> Tensor:
    """`functional.kl_div`."""
    losses = F.kl_div(input, target, reduction="none", log_target=log_target)
    kind = _named("kl_div", reduction)  # the mean is meant here, of which `functional` warns
    return losses if kind == "none" else losses.mean() if kind == "mean" else losses.sum()


@torch_function(strict=True)
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 0
) -> Tensor:
    """`functional.margin_ranking_loss`."""
    return F.margin_ranking_loss(input1, input2, target, margin, reduction=_named("margin_ranking_loss", reduction))


@torch_function(strict=True)
def poisson_nll_loss(input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float, reduction: int) -> Tensor:
    """`functional.poisson_nll_loss`."""
    kind = _named("poisson_nll_loss", reduction)
    return F.poisson_nll_loss(input, target, log_input, full, eps=eps, reduction=kind)


@torch_function
def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2.0, eps: float = 1e-6,
    swap: bool = False, reduction: int = 0,
) -> Tensor:  # fmt: skip
    """`functional.triplet_margin_loss`."""
    kind = _named("triplet_margin_loss", reduction)
    return F.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, reduction=kind)


# -- recurrent networks --------------------------------------------------------------------------------------------------


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
    """One step of long short-term memory: the states (h, c) behind it. (batch, features) each."""
    h, c = _step("LSTM", input, (hx[0], hx[1]), w_ih, w_hh, b_ih, b_hh)
    return h, c


@torch_function
def gru_cell(
    input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> Tensor:
    """One step of gated recurrent units: the state behind it."""
    return _step("GRU", input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]


@torch_function
def rnn_tanh_cell(
    input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> Tensor:
    """One step of Elman's network: the state behind it."""
    return _step("RNN_TANH", input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]


@torch_function
def rnn_relu_cell(
    input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> Tensor:
    """The same with relu."""
    return _step("RNN_RELU", input, (hx,), w_ih, w_hh, b_ih, b_hh)[0]


def _network(mode: str, args: Sequence[Any]) -> tuple[Tensor, ...]:
    """All layers of a recurrent network; see `lstm`."""
    if len(args) != 9:
        raise ArgumentTypeError(f"{mode.lower()}: expected 9 arguments, got {len(args)}")
    packed = isinstance(args[3], (list, tuple))
    sizes, batch_first = (args[1].tolist(), False) if packed else (None, args[8])
    input, (hx, params, has_biases, layers, dropout, train, both_ways) = args[0], args[2:9] if packed else args[1:8]
    ways, states = (2 if both_ways else 1), ((hx,) if isinstance(hx, Tensor) else tuple(hx))
    each = len(params) // (layers * ways)
    if not layers or each < (4 if has_biases else 2) or each * layers * ways != len(params):
        raise ShapeError(f"{mode.lower()}: {len(params)} parameters do not fit {layers} layers in {ways} directions")
    weights = []
    for start in range(0, len(params), each):
        own = list(params[start : start + each])
        biases = own[2:4] if has_biases else [None, None]
        further = own[4:] if has_biases else own[2:]
        weights.append((*own[:2], *biases, further[0] if further else None))
    steps = input.transpose(0, 1) if batch_first else input
    output, ends = along_layers(mode, steps, sizes, states, weights, ways, dropout if train else 0.0)
    return (output.transpose(0, 1) if batch_first else output), *ends


@torch_function
def lstm(*args: Any) -> tuple[Tensor, ...]:
    """Run all layers of a long short-term memory network.

    There are two forms: ``lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)`` and,
    for a packed sequence, ``lstm(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)``.

    Args:
        args: the arguments of either form, in order.

    Returns:
        The outputs of the last layer, and the last states (h, c) of all layers.

    Raises:
        ShapeError: the number of parameters does not fit the layers.
        ArgumentTypeError: there are not nine arguments.

    >>> layer = torch.nn.LSTM(2, 3)
    >>> outputs, *_ = torch.lstm(torch.ones(5, 1, 2), [torch.zeros(1, 1, 3)] * 2, layer._flat_weights, True, 1, 0.0, False, False, False)
    >>> outputs.shape
    lamina.Size([5, 1, 3])
    """
    return _network("LSTM", args)


@torch_function
def gru(*args: Any) -> tuple[Tensor, ...]:
    """Run all layers of a network of gated recurrent units.

    There are two forms: ``gru(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)`` and,
    for a packed sequence, ``gru(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)``.

    Args:
        args: the arguments of either form, in order.

    Returns:
        The outputs of the last layer, and the last state of all layers.

    Raises:
        ShapeError: the number of parameters does not fit the layers.
        ArgumentTypeError: there are not nine arguments.

    >>> layer = torch.nn.GRU(2, 3)
    >>> outputs, *_ = torch.gru(torch.ones(5, 1, 2), torch.zeros(1, 1, 3), layer._flat_weights, True, 1, 0.0, False, False, False)
    >>> outputs.shape
    lamina.Size([5, 1, 3])
    """
    return _network("GRU", args)


@torch_function
def rnn_tanh(*args: Any) -> tuple[Tensor, ...]:
    """Run all layers of an Elman network with tanh.

    There are two forms: ``rnn_tanh(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)`` and,
    for a packed sequence, ``rnn_tanh(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)``.

    Args:
        args: the arguments of either form, in order.

    Returns:
        The outputs of the last layer, and the last state of all layers.

    Raises:
        ShapeError: the number of parameters does not fit the layers.
        ArgumentTypeError: there are not nine arguments.

    >>> layer = torch.nn.RNN(2, 3)
    >>> outputs, *_ = torch.rnn_tanh(torch.ones(5, 1, 2), torch.zeros(1, 1, 3), layer._flat_weights, True, 1, 0.0, False, False, False)
    >>> outputs.shape
    lamina.Size([5, 1, 3])
    """
    return _network("RNN_TANH", args)


@torch_function
def rnn_relu(*args: Any) -> tuple[Tensor, ...]:
    """Run all layers of an Elman network with relu.

    There are two forms: ``rnn_relu(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)`` and,
    for a packed sequence, ``rnn_relu(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)``.

    Args:
        args: the arguments of either form, in order.

    Returns:
        The outputs of the last layer, and the last state of all layers.

    Raises:
        ShapeError: the number of parameters does not fit the layers.
        ArgumentTypeError: there are not nine arguments.

    >>> layer = torch.nn.RNN(2, 3, nonlinearity="relu")
    >>> outputs, *_ = torch.rnn_relu(torch.ones(5, 1, 2), torch.zeros(1, 1, 3), layer._flat_weights, True, 1, 0.0, False, False, False)
    >>> outputs.shape
    lamina.Size([5, 1, 3])
    """
    return _network("RNN_RELU", args)
