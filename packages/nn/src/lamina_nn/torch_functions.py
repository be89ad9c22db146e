"""Functions of layers as `torch.*` has them: where their arguments are others there than in `torch.nn.functional`, the former."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, overload

from lamina_flatarray import ArgumentTypeError, ArgumentValueError, ShapeError
from lamina_flatarray.random.generator import Generator
from lamina_tensor import Tensor
from lamina_tensor.dispatch.out import written
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
    rrelu_,
    selu,
    selu_,
    threshold_,
)
from .functional.activations import _leaky_at_random, _thresholded
from .functional.checking import check_tensor
from .functional.convolutions.convolution import _convolved
from .functional.convolutions.transposed import _transposed
from .functional.dropping import _dropped
from .recurrent import along_layers, cell

__all__ = [
    "adaptive_avg_pool1d", "adaptive_max_pool1d", "alpha_dropout", "alpha_dropout_", "avg_pool1d", "batch_norm",
    "binary_cross_entropy_with_logits", "celu", "celu_", "channel_shuffle", "conv1d", "conv2d", "conv3d",
    "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "convolution", "cosine_embedding_loss", "ctc_loss", "dropout", "dropout_",
    "embedding", "feature_alpha_dropout", "feature_alpha_dropout_", "feature_dropout", "feature_dropout_", "group_norm",
    "gru", "gru_cell", "hardshrink", "hinge_embedding_loss", "instance_norm", "kl_div", "layer_norm", "lstm", "lstm_cell",
    "margin_ranking_loss", "max_pool1d", "max_pool1d_with_indices", "max_pool2d", "max_pool3d", "native_channel_shuffle",
    "pairwise_distance", "pdist", "pixel_shuffle", "pixel_unshuffle", "poisson_nll_loss", "prelu", "relu_", "rms_norm",
    "rnn_relu", "rnn_relu_cell", "rnn_tanh", "rnn_tanh_cell", "rrelu", "rrelu_", "selu", "selu_", "threshold", "threshold_",
    "triplet_margin_loss",
]  # fmt: skip


@torch_function
def adaptive_max_pool1d(input: Tensor, output_size: Any) -> tuple[Tensor, Tensor]:
    """Take maxima over bins of nearly equal length, and their indices.

    Args:
        input: (N, C, L), or (C, L).
        output_size: the number of bins.

    Returns:
        Two tensors (N, C, output_size), or without N: the maxima, and their int64 indices along L.

    >>> torch.adaptive_max_pool1d(torch.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
    (tensor([[3., 2.]]), tensor([[1, 2]]))
    """
    return F.adaptive_max_pool1d(input, output_size, return_indices=True)


# -- dropout -------------------------------------------------------------------------------------------------------------


@torch_function
def dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Zero items at random with probability p, and multiply the others by 1 / (1 - p).

    Args:
        input: a tensor of any shape.
        p: the probability of being dropped, in [0, 1].
        train: whether to drop; otherwise the input is returned.

    Returns:
        A tensor of the input's shape.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.dropout(torch.ones(2), 0.5, train=False)
    tensor([1., 1.])
    """
    return F.dropout(input, p, train)


@torch_function
def dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """Apply `dropout` in place.

    Args:
        input: a tensor of any shape, to overwrite.
        p: the probability of being dropped, in [0, 1].
        train: whether to drop; otherwise the input is returned.

    Returns:
        The input.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.dropout_(torch.ones(2), 0.5, train=False)
    tensor([1., 1.])
    """
    return F.dropout(input, p, train, True)


@torch_function
def alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Set items to the negative limit of `selu` at random, then scale and shift all to keep mean and variance.

    Args:
        input: a tensor of any shape.
        p: the probability of being dropped, in [0, 1].
        train: whether to drop; otherwise the input is returned.

    Returns:
        A tensor of the input's shape.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.alpha_dropout(torch.ones(2), 0.5, train=False)
    tensor([1., 1.])
    """
    return F.alpha_dropout(input, p, train)


@torch_function
def alpha_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """Apply `alpha_dropout` in place.

    Args:
        input: a tensor of any shape, to overwrite.
        p: the probability of being dropped, in [0, 1].
        train: whether to drop; otherwise the input is returned.

    Returns:
        The input.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.alpha_dropout_(torch.ones(2), 0.5, train=False)
    tensor([1., 1.])
    """
    return F.alpha_dropout(input, p, train, True)


@torch_function
def feature_alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Apply `alpha_dropout` to whole channels.

    Args:
        input: (N, C, ...).
        p: the probability of being dropped, in [0, 1].
        train: whether to drop; otherwise the input is returned.

    Returns:
        A tensor of the input's shape.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.feature_alpha_dropout(torch.ones(1, 2, 1), 0.5, train=False)
    tensor([[[1.],
             [1.]]])
    """
    return F.feature_alpha_dropout(input, p, train)


@torch_function
def feature_alpha_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """Apply `feature_alpha_dropout` in place.

    Args:
        input: (N, C, ...), to overwrite.
        p: the probability of being dropped, in [0, 1].
        train: whether to drop; otherwise the input is returned.

    Returns:
        The input.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.feature_alpha_dropout_(torch.ones(1, 2, 1), 0.5, train=False)
    tensor([[[1.],
             [1.]]])
    """
    return F.feature_alpha_dropout(input, p, train, True)


@torch_function
def feature_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Zero whole channels at random with probability p, and multiply the others by 1 / (1 - p).

    Args:
        input: (N, C, ...).
        p: the probability of being dropped, in [0, 1].
        train: whether to drop; otherwise the input is returned.

    Returns:
        A tensor of the input's shape.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.feature_dropout(torch.ones(1, 2, 1), 0.5, train=False)
    tensor([[[1.],
             [1.]]])
    """
    return _dropped(input, p, train, False, channels=True, alpha=False)


@torch_function
def feature_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """Apply `feature_dropout` in place.

    Args:
        input: (N, C, ...), to overwrite.
        p: the probability of being dropped, in [0, 1].
        train: whether to drop; otherwise the input is returned.

    Returns:
        The input.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.feature_dropout_(torch.ones(1, 2, 1), 0.5, train=False)
    tensor([[[1.],
             [1.]]])
    """
    return _dropped(input, p, train, True, channels=True, alpha=False)


# -- convolutions --------------------------------------------------------------------------------------------------------


@torch_function(autocast="lower")
def convolution(
    input: Tensor, weight: Tensor, bias: Tensor | None, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int], transposed: bool, output_padding: Sequence[int], groups: int,
) -> Tensor:  # fmt: skip
    """Convolve a batch over one, two or three spatial dims, or apply the transpose of a convolution.

    Args:
        input: (N, C, *spatial).
        weight: (outputs, C / groups, *kernel); if transposed, (C, outputs / groups, *kernel).
        bias: (outputs,), or None.
        stride: the step from one window to the next along each spatial dim.
        padding: the zeros added on each side; if transposed, the items cut off.
        dilation: the step from one item of a window to the next.
        transposed: whether the convolution is transposed.
        output_padding: the items added at the end, if transposed; otherwise it is not read.
        groups: the number of groups that the channels are split into, each with its own kernels.

    Returns:
        (N, outputs, *lengths).

    Raises:
        ArgumentTypeError: input or weight is not a tensor, or stride, padding, dilation or output_padding not a sequence.
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.

    >>> x, weight = torch.tensor([[[1.0, 2.0, 4.0]]]), torch.tensor([[[-1.0, 1.0]]])
    >>> torch.convolution(x, weight, None, [1], [0], [1], False, [0], 1)
    tensor([[[1., 2.]]])
    """
    check_tensor("convolution", input, weight)
    settings = {"stride": stride, "padding": padding, "dilation": dilation, "output_padding": output_padding}
    for name, value in settings.items():
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise ArgumentTypeError(f"convolution(): argument '{name}' must be tuple of ints, not {type(value).__name__}")
    rank = weight.ndim - 2
    if rank not in (1, 2, 3) or input.ndim != weight.ndim:
        raise ShapeError(
            f"convolution: expected an input and a weight of 3, 4 or 5 dims, got {list(input.shape)} and {list(weight.shape)}"
        )
    if transposed:
        return _transposed("convolution", rank, input, weight, bias, stride, padding, output_padding, groups, dilation)
    return _convolved("convolution", rank, input, weight, bias, stride, padding, dilation, groups)


# -- normalization -------------------------------------------------------------------------------------------------------


@torch_function
def batch_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    training: bool, momentum: float, eps: float, cudnn_enabled: bool,
) -> Tensor:  # fmt: skip
    """Normalise each channel over the batch: (x - mean) / sqrt(variance + eps) * weight + bias.

    Args:
        input: (N, C, ...).
        weight, bias: of each channel, (C,); None for ones and zeros.
        running_mean, running_var: (C,), or None.
        training: whether the batch's own statistics are used, and the running ones moved towards them.
        momentum: the weight of the batch in the running statistics.
        eps: added to the variance.
        cudnn_enabled: without effect.

    Returns:
        A tensor of the input's shape.

    >>> x = torch.tensor([[1.0], [3.0]])
    >>> torch.batch_norm(x, None, None, None, None, True, 0.1, 1e-5, False)
    tensor([[-1.0000],
            [ 1.0000]])
    """
    return F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


@torch_function
def instance_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None,
    use_input_stats: bool, momentum: float, eps: float, cudnn_enabled: bool,
) -> Tensor:  # fmt: skip
    """Normalise each channel of each instance over its spatial dims.

    Args:
        input: (N, C, *spatial).
        weight, bias: of each channel, (C,); None for ones and zeros.
        running_mean, running_var: (C,), or None.
        use_input_stats: whether the input's own statistics are used rather than the running ones.
        momentum: the weight of the input in the running statistics.
        eps: added to the variance.
        cudnn_enabled: without effect.

    Returns:
        A tensor of the input's shape.

    >>> x = torch.tensor([[[1.0, 3.0]]])
    >>> torch.instance_norm(x, None, None, None, None, True, 0.1, 1e-5, False)
    tensor([[[-1.0000,  1.0000]]])
    """
    return F.instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


@torch_function
def layer_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, bias: Tensor | None = None,
    eps: float = 1e-5, cudnn_enable: bool = True,
) -> Tensor:  # fmt: skip
    """Normalise over the last dims: (x - mean) / sqrt(variance + eps) * weight + bias.

    Args:
        input: (..., *normalized_shape).
        normalized_shape: the lengths of these dims.
        weight, bias: of this shape; None for ones and zeros.
        eps: added to the variance.
        cudnn_enable: without effect.

    Returns:
        A tensor of the input's shape.

    >>> torch.layer_norm(torch.tensor([1.0, 3.0]), [2])
    tensor([-1.0000,  1.0000])
    """
    return F.layer_norm(input, normalized_shape, weight, bias, eps)


@torch_function
def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Tensor:  # fmt: skip
    """Normalise each instance over groups of channels.

    Args:
        input: (N, C, ...).
        num_groups: the number of groups, which divides C.
        weight, bias: of each channel, (C,); None for ones and zeros.
        eps: added to the variance.
        cudnn_enabled: without effect.

    Returns:
        A tensor of the input's shape.

    >>> torch.group_norm(torch.tensor([[1.0, 3.0]]), 1)
    tensor([[-1.0000,  1.0000]])
    """
    return F.group_norm(input, num_groups, weight, bias, eps)


@torch_function
def embedding(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Tensor:
    """Look up rows of a table: weight[indices].

    Args:
        weight: the table, (rows, columns).
        indices: int32 or int64, of any shape.
        padding_idx: an index whose row gets no gradient; -1 for none.
        scale_grad_by_freq: whether a row's gradient is divided by the number of times that its index occurs.
        sparse: see `functional.embedding`.

    Returns:
        (*shape, columns).

    >>> torch.embedding(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([1, 0]))
    tensor([[3., 4.],
            [1., 2.]])
    """
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
    """Compute the cross entropy of logits x: -(pos_weight * t * log(sigmoid(x)) + (1 - t) * log(1 - sigmoid(x))).

    Args:
        input: logits of any shape.
        target: probabilities, of the same shape.
        weight: of each item; its shape broadcasts to the input's.
        pos_weight: of the positive class; its shape broadcasts to the input's.
        reduction: 0 for none, 1 for the mean, 2 for the sum.

    Returns:
        The losses, or a tensor without dims for their mean or sum.

    Raises:
        ArgumentValueError: reduction is none of 0, 1 and 2.

    >>> torch.binary_cross_entropy_with_logits(torch.tensor([0.0]), torch.tensor([1.0]))
    tensor([0.6931])
    """
    kind = _named("binary_cross_entropy_with_logits", reduction)
    return F.binary_cross_entropy_with_logits(input, target, weight, reduction=kind, pos_weight=pos_weight)


@torch_function
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 0
) -> Tensor:
    """Compute 1 - cos(input1, input2) where the target is 1, and max(0, cos(input1, input2) - margin) where it is -1.

    Args:
        input1, input2: (N, D), or (D,).
        target: 1 or -1, (N,), or ().
        margin: the cosine that unlike vectors may have.
        reduction: 0 for none, 1 for the mean, 2 for the sum.

    Returns:
        The losses, or a tensor without dims for their mean or sum.

    Raises:
        ArgumentValueError: reduction is none of 0, 1 and 2.

    >>> x, y = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])
    >>> torch.cosine_embedding_loss(x, y, torch.tensor([1.0]))
    tensor([1.])
    """
    return F.cosine_embedding_loss(input1, input2, target, margin, reduction=_named("cosine_embedding_loss", reduction))


@torch_function
def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: int = 0, reduction: int = 0,
    zero_infinity: bool = False,
) -> Tensor:  # fmt: skip
    """Compute the negative log-likelihood of label sequences, summed over all alignments to the time steps.

    Args:
        log_probs: log-probabilities, (T, N, C), or (T, C).
        targets: labels, (N, S), or all of them in a row.
        input_lengths, target_lengths: of each sequence, (N,): a tensor or a tuple.
        blank: the class that stands for no label.
        reduction: 0 for none, 1 for the mean, 2 for the sum. The mean is of losses divided by target lengths.
        zero_infinity: whether infinite losses, and their gradients, are replaced by 0.

    Returns:
        The losses, or a tensor without dims for their mean or sum.

    Raises:
        ArgumentValueError: reduction is none of 0, 1 and 2.

    >>> log_probs = torch.full((2, 1, 2), 0.5).log()
    >>> torch.ctc_loss(log_probs, torch.tensor([[1]]), (2,), (1,))
    tensor([0.2877])
    """
    kind = _named("ctc_loss", reduction)
    return F.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, kind, zero_infinity)


@torch_function(strict=True)
def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, reduction: int = 0) -> Tensor:
    """Return the input, a distance, where the target is 1, and max(0, margin - input) where it is -1.

    Args:
        input: distances of any shape.
        target: 1 or -1, of the same shape.
        margin: the distance that unlike pairs should have.
        reduction: 0 for none, 1 for the mean, 2 for the sum.

    Returns:
        The losses, or a tensor without dims for their mean or sum.

    Raises:
        ArgumentValueError: reduction is none of 0, 1 and 2.

    >>> torch.hinge_embedding_loss(torch.tensor([0.5, 0.25]), torch.tensor([1.0, -1.0]))
    tensor([0.5000, 0.7500])
    """
    return F.hinge_embedding_loss(input, target, margin, reduction=_named("hinge_embedding_loss", reduction))


@torch_function(strict=True)
def kl_div(input: Tensor, target: Tensor, reduction: int = 0, *, log_target: bool = False) -> Tensor:
    """Compute the Kullback-Leibler divergence from log-probabilities to a target: target * (log(target) - input).

    Args:
        input: log-probabilities of any shape.
        target: probabilities, or with `log_target` their logarithms, of the same shape.
        reduction: 0 for none, 1 for the mean, 2 for the sum.
        log_target: whether targets are log-probabilities, too.

    Returns:
        The losses, or a tensor without dims for their mean or sum.

    Raises:
        ArgumentValueError: reduction is none of 0, 1 and 2.

    >>> torch.kl_div(torch.tensor([0.5, 0.5]).log(), torch.tensor([1.0, 0.0]))
    tensor([0.6931, 0.0000])
    """
    losses = F.kl_div(input, target, reduction="none", log_target=log_target)
    kind = _named("kl_div", reduction)  # the mean is meant here, of which `functional` warns
    return losses if kind == "none" else losses.mean() if kind == "mean" else losses.sum()


@torch_function(strict=True)
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 0
) -> Tensor:
    """Compute max(0, -target * (input1 - input2) + margin), for targets 1, where input1 should rank higher, and -1.

    Args:
        input1, input2: scores of one shape.
        target: 1 or -1, of this shape.
        margin: the difference that is wanted.
        reduction: 0 for none, 1 for the mean, 2 for the sum.

    Returns:
        The losses, or a tensor without dims for their mean or sum.

    Raises:
        ArgumentValueError: reduction is none of 0, 1 and 2.

    >>> torch.margin_ranking_loss(torch.tensor([1.0]), torch.tensor([3.0]), torch.tensor([1.0]))
    tensor([2.])
    """
    return F.margin_ranking_loss(input1, input2, target, margin, reduction=_named("margin_ranking_loss", reduction))


@torch_function(strict=True)
def poisson_nll_loss(input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float, reduction: int) -> Tensor:
    """Compute the negative log-likelihood of counts under Poisson distributions.

    Args:
        input: rates, or their logarithms, of any shape.
        target: the counts, of the same shape.
        log_input: whether inputs are logarithms of rates.
        full: whether Stirling's approximation of log(target!) is added where the target is above 1.
        eps: keeps the logarithm finite, where `log_input` is not set.
        reduction: 0 for none, 1 for the mean, 2 for the sum.

    Returns:
        The losses, or a tensor without dims for their mean or sum.

    Raises:
        ArgumentValueError: reduction is none of 0, 1 and 2.

    >>> torch.poisson_nll_loss(torch.tensor([0.0]), torch.tensor([2.0]), True, False, 1e-8, 0)
    tensor([1.])
    """
    kind = _named("poisson_nll_loss", reduction)
    return F.poisson_nll_loss(input, target, log_input, full, eps=eps, reduction=kind)


@torch_function
def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2.0, eps: float = 1e-6,
    swap: bool = False, reduction: int = 0,
) -> Tensor:  # fmt: skip
    """Compute max(0, d(anchor, positive) - d(anchor, negative) + margin), d being the p-norm of the difference.

    Args:
        anchor, positive, negative: (N, D), or (D,).
        margin: the difference of distances that is wanted.
        p: the exponent of the norm.
        eps: added to each difference of items.
        swap: whether d(positive, negative) is used where it is less than d(anchor, negative).
        reduction: 0 for none, 1 for the mean, 2 for the sum.

    Returns:
        The losses, or a tensor without dims for their mean or sum.

    Raises:
        ArgumentValueError: reduction is none of 0, 1 and 2.

    >>> x, y, z = torch.zeros(1, 2), torch.tensor([[3.0, 4.0]]), torch.tensor([[0.0, 2.0]])
    >>> torch.triplet_margin_loss(x, y, z, eps=0.0)
    tensor([4.])
    """
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


@torch_function
def rrelu(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, generator: Generator | None = None
) -> Tensor:
    """Scale negative items by random slopes in training, and by the middle of the bounds otherwise (Xu et al. 2015).

    Args:
        input: floating-point numbers of any shape.
        lower, upper: the bounds of the uniform distribution of slopes.
        training: whether slopes are random.
        generator: where the slopes come from; by default, the default generator.

    Returns:
        A tensor of the input's shape.

    Raises:
        UsageError: lower is greater than upper.
        OpNotImplemented: input is not floating-point.

    >>> torch.rrelu(torch.tensor([-2.0, 3.0]), 0.25, 0.75)
    tensor([-1.,  3.])
    """
    return _leaky_at_random(input, lower, upper, training, False, generator)


@torch_function
def threshold(input: Tensor, threshold: float, value: float, *, out: Tensor | None = None) -> Tensor:
    """Replace items that are not above a threshold.

    Args:
        input: numbers of any shape.
        threshold: the threshold.
        value: what replaces them.
        out: where to write the result.

    Returns:
        A tensor of the input's shape; `out` where it is given.

    >>> torch.threshold(torch.tensor([-2.0, 0.0, 3.0]), 1.0, 20.0)
    tensor([20., 20.,  3.])
    """
    check_tensor("threshold", input)
    result = _thresholded(input, threshold, value)
    return result if out is None else written("threshold", out, result)


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
