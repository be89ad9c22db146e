"""Fused ops that slide a window over an array: convolutions and pooling; and the linear map that is one of them."""

from typing import Final

from .op import Op

__all__ = ["ROWS"]

ROWS: Final = (
    Op("linear", "fused", "x weight bias", "arithmetic", "x @ weight.T + bias", aten="linear", samples="linear", batching="affine"),
    # Of (n, channels, *spatial) arrays; lengths, kernels, strides, paddings and dilations are tuples, one number per spatial axis.
    Op("convolution", "fused", "x weight bias: stride padding dilation groups", "arithmetic",
       "out[n, o] = bias[o] + sum of x[n, c] slid over weight[o, c], within groups; x has zeros around; bias may be None",
       aten="convolution", samples="convolution", batching="examples"),
    Op("convolution_input_gradient", "fused", "gradient weight bias: lengths stride padding dilation groups", "arithmetic",
       "the transpose of convolution in x, whose spatial lengths are `lengths`; with a bias for each of its channels (None: "
       "none) the transposed convolution", aten="convolution_backward", samples="convolution_input_gradient", batching="examples"),
    Op("convolution_weight_gradient", "fused", "gradient x: lengths stride padding dilation groups", "arithmetic",
       "the transpose of convolution in the weight, whose spatial lengths are `lengths`",
       aten="convolution_backward", samples="convolution_weight_gradient", batching="decomposed"),
    Op("max_pool", "fused", "x: kernel stride padding dilation ceil", "real",
       "the greatest of each window and its index within the flattened spatial axes; NaN wins, else the first of equals",
       outputs=2, aten="", samples="max_pool", batching="examples"),
    Op("max_pool_gradient", "fused", "gradient positions: lengths", "arithmetic",
       "the transpose of max_pool, whose input has the spatial lengths `lengths`: the gradient added up at the indices",
       aten="", samples="max_pool_gradient", batching="decomposed"),
    Op("adaptive_max_pool", "fused", "x: counts", "real",
       "the same of so many bins of nearly equal length along each spatial axis; bins of a length that they do not divide "
       "overlap", outputs=2, aten="adaptive_max_pool2d", samples="adaptive_max_pool", batching="examples"),
    Op("average_pool", "fused", "x: kernel stride padding ceil count_padding divisor", "floating",
       "the mean of each window; over its items, with count_padding over the padding too, or over `divisor` if not None",
       aten="", samples="average_pool", batching="examples"),
    Op("average_pool_gradient", "fused", "gradient: lengths kernel stride padding ceil count_padding divisor", "floating",
       "the transpose of average_pool, whose input has the spatial lengths `lengths`", aten="", samples="average_pool_gradient",
       batching="examples"),
)
