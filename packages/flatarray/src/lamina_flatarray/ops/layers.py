"""Fused ops of layers and losses: softmax, cross entropy, normalisations, recurrences, attention, dropout, quantized weights; gradients."""

from typing import Final

from .op import Op

__all__ = ["ROWS"]

ROWS: Final = (
    Op("softmax", "fused", "x: axis", "float_real", "exp(x) / sum(exp(x)) along axis, without overflow",
       aten="_softmax", samples="along_axis", batching="axis"),
    Op("log_softmax", "fused", "x: axis", "float_real", "log(softmax(x)) along axis", aten="_log_softmax", samples="along_axis",
       batching="axis"),
    Op("softmax_gradient", "fused", "gradient result: axis", "floating",
       "result * (gradient - sum(gradient * result)) along axis: the gradient of softmax, from its result",
       aten="_softmax_backward_data", samples="along_axis", batching="axis"),
    Op("log_softmax_gradient", "fused", "gradient result: axis", "floating",
       "gradient - exp(result) * sum(gradient) along axis: the gradient of log_softmax, from its result",
       aten="_log_softmax_backward_data", samples="along_axis", batching="axis"),
    # Of scores x with the classes along `axis`, and int64 classes without it. weight (per class) may be None, and what an op
    # gives beside its first result (in float32 at least) may be None where its gradient is given it: it is found again.
    Op("cross_entropy", "fused", "x target weight: axis smoothing ignored reduction", "floating",
       "the negated log-softmax of the target class, times its weight; reduction none, mean (over the weights) or sum; targets"
       " `ignored` count for nothing; and the log of the sum of exponentials, in float64",
       outputs=2, aten="cross_entropy_loss", samples="cross_entropy", batching="decomposed"),
    Op("cross_entropy_gradient", "fused", "gradient x target weight logsumexp: axis smoothing ignored reduction", "floating",
       "the gradient of cross_entropy in x", aten="", samples="cross_entropy_gradient", batching="decomposed"),
    Op("nll_loss", "fused", "x target weight: axis ignored reduction", "floating",
       "the negated item of the target class, times its weight; reductions as of cross_entropy",
       aten="nll_loss", samples="nll_loss", batching="decomposed"),
    Op("nll_loss_gradient", "fused", "gradient target weight: axis classes ignored reduction", "floating",
       "the transpose of nll_loss in x, which has so many classes", aten="nll_loss_backward", samples="nll_loss_gradient",
       batching="decomposed"),
    Op("multi_margin_loss", "fused", "x target weight: p margin reduction", "floating",
       "of rows of scores, the mean over all classes of max(0, margin - x[target] + x) ** p, times the target's weight, in which the"
       " target's own counts as 0; p is 1 or 2; reduction none, mean (over rows) or sum",
       aten="multi_margin_loss", samples="multi_margin_loss", batching="decomposed"),
    Op("multi_margin_loss_gradient", "fused", "gradient x target weight: p margin reduction", "floating",
       "the gradient of multi_margin_loss in x; a margin that is just kept has none", aten="multi_margin_loss_backward",
       samples="multi_margin_loss_gradient", batching="decomposed"),
    # Normalisations; weight and bias may be None, and have gradients all the same.
    Op("layer_norm", "fused", "x weight bias: ndim eps", "floating",
       "(x - mean) * rstd * weight + bias over the last `ndim` axes; mean, and rstd = 1 / sqrt(variance + eps)",
       outputs=3, aten="layer_norm", samples="layer_norm", batching="decomposed"),
    Op("layer_norm_gradient", "fused", "gradient x weight mean rstd: ndim eps", "floating",
       "the gradients of layer_norm in x, weight and bias",
       outputs=3, aten="native_layer_norm_backward", samples="layer_norm_gradient", batching="decomposed"),
    Op("rms_norm", "fused", "x weight: ndim eps", "floating",
       "x * rstd * weight over the last `ndim` axes; rstd = 1 / sqrt(mean of squares + eps)",
       outputs=2, aten="rms_norm", samples="rms_norm", batching="decomposed"),
    Op("rms_norm_gradient", "fused", "gradient x weight rstd: ndim eps", "floating", "the gradients of rms_norm in x and weight",
       outputs=2, aten="_fused_rms_norm_backward", samples="rms_norm_gradient", batching="decomposed"),
    Op("group_norm", "fused", "x weight bias: groups eps", "floating",
       "as layer_norm over groups of channels (axis 1) and all else; weight and bias per channel; mean, and rstd",
       outputs=3, aten="group_norm", samples="group_norm", batching="decomposed"),
    Op("group_norm_gradient", "fused", "gradient x weight mean rstd: groups eps", "floating",
       "the gradients of group_norm in x, weight and bias",
       outputs=3, aten="native_group_norm_backward", samples="group_norm_gradient", batching="decomposed"),
    Op("channel_moments", "fused", "x", "floating", "mean and variance of each channel (axis 1)",
       outputs=2, aten="", samples="channel_moments", batching="decomposed"),
    Op("batch_norm", "fused", "x mean variance weight bias: eps", "floating",
       "(x - mean) / sqrt(variance + eps) * weight + bias, all of them per channel (axis 1)",
       aten="batch_norm", samples="batch_norm", batching="decomposed"),
    Op("batch_norm_gradient", "fused", "gradient x mean variance weight: eps training", "floating",
       "the gradients of batch_norm in x, weight and bias; in training, mean and variance are x's own",
       outputs=3, aten="native_batch_norm_backward", samples="batch_norm_gradient", batching="decomposed"),
    # `sizes` says how many rows, the first ones of the batch, each step has; what cells lack is None, and of size 0 as a result.
    Op("recurrence", "fused", "given state cell_state weight bias: mode sizes backwards", "floating",
       "recurrent cells (mode RNN_TANH, RNN_RELU, LSTM or GRU) along a sequence; given is the input's share of the gates: "
       "outputs, last states, last cell states, all cell states, and what the gradient wants of the gates",
       outputs=5, aten="", samples="recurrence", batching="decomposed"),
    Op("recurrence_gradient", "fused",
       "gradient last last_cell state cell_state weight output cells kept: mode sizes backwards", "floating",
       "the gradients of recurrence in given, in a GRU's share of the state, in state and in cell_state",
       outputs=4, aten="", samples="recurrence_gradient", batching="decomposed"),
    Op("attention", "fused", "query key value mask: scale causal", "floating",
       "softmax(query @ key.T * scale + mask) @ value over the last two axes, and the log of the sum of exponentials; mask, "
       "added or boolean (true where a query sees a key), may be None; a query that sees nothing gets 0, and inf",
       outputs=2, aten="_scaled_dot_product_flash_attention_for_cpu", samples="attention", batching="decomposed"),
    Op("attention_gradient", "fused", "gradient query key value mask result logsumexp: scale causal", "floating",
       "the gradients of attention in query, key and value",
       outputs=3, aten="_scaled_dot_product_flash_attention_for_cpu_backward", samples="attention_gradient", batching="decomposed"),
    # A weight (n, k) of 8 bits is int8; of 4 bits it is uint8 (n, ceil(k / 2)), two items to a byte, the lower bits first. A row has a
    # scale, and a zero point, for every `group_size` items, of which the last may be fewer; without them the zero of 4 bits is 8.
    Op("quantized_linear", "fused", "x weight scale zero_point bias: bits group_size", "floating",
       "x @ ((weight - zero_point) * scale).T + bias, where weight has items of 8 or 4 bits and is nowhere unpacked as a whole; scale "
       "and zero_point (n, groups) are floats, zero_point and bias may be None",
       aten="", samples="quantized_linear", batching="decomposed"),
    Op("quantized_linear_gradient", "fused", "gradient weight scale zero_point: length bits group_size", "floating",
       "the gradient of quantized_linear in x, whose rows have so many items", aten="", samples="quantized_linear_gradient",
       batching="decomposed"),
    Op("dropout", "fused", "x: generator p", "floating",
       "x / (1 - p), but x * 0 with probability p, drawn in the order of items; and which are kept, as bits of uint8, the "
       "lowest first", outputs=2, aten="native_dropout", samples="dropout", batching="decomposed"),
    Op("dropout_gradient", "fused", "gradient kept: p", "floating", "the gradient of dropout, which is the same map of it",
       aten="native_dropout_backward", samples="dropout_gradient", batching="decomposed"),
    Op("grid_sample", "fused", "x grid: mode padding align_corners", "floating",
       "images or volumes at the points of a grid from -1 to 1, interpolated (mode bilinear, nearest or bicubic), and beyond "
       "their borders padded (padding zeros, border or reflection)", aten="grid_sampler_2d", samples="grid_sample",
       batching="decomposed"),
    Op("grid_sample_gradient", "fused", "gradient x grid: mode padding align_corners", "floating",
       "the gradients of grid_sample in x and grid", outputs=2, aten="grid_sampler_2d_backward", samples="grid_sample_gradient",
       batching="decomposed"),
)
