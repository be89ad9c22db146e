"""lamina_ndarray: arrays of any shape over any backend, and no gradients.

`NDArray = FlatArray + Layout`. The names follow the Array API standard.
"""

from importlib import import_module as _import
from math import e, inf, nan, pi
from typing import TYPE_CHECKING
from typing import Any as _Any

from lamina_flatarray import (
    DType,
    bfloat16,
    bool,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    promote_types,
    uint8,
    uint16,
    uint32,
    uint64,
)

from . import fft, linalg
from .array import NDArray
from .batching import all_slices
from .creation.array_likes import asarray, from_dlpack, from_numpy
from .creation.buffers import from_file, frombuffer
from .creation.constructors import (
    empty,
    empty_like,
    empty_permuted,
    empty_strided,
    eye,
    full,
    full_like,
    ones,
    ones_like,
    scalar_tensor,
    zeros,
    zeros_like,
)
from .creation.conversion import astype, to_device
from .creation.distributions import (
    bernoulli,
    binomial,
    cauchy_,
    exponential_,
    geometric_,
    log_normal_,
    multinomial,
    normal,
    poisson,
    standard_gamma,
)
from .creation.generators import generator_of, manual_seed
from .creation.ranges import arange
from .creation.sampling import (
    bernoulli_,
    normal_,
    rand,
    rand_like,
    randint,
    randint_like,
    randn,
    randn_like,
    random_integers_,
    randperm,
    uniform_,
)
from .creation.spaces import linspace, logspace
from .creation.windows import bartlett_window, blackman_window, hamming_window, hann_window, kaiser_window
from .dispatch import decomposed as _decomposed  # which tells the kernel tables where decompositions are
from .dispatch.namespace import API_VERSION as __array_api_version__
from .dispatch.namespace import generic, namespace
from .elementwise.activations import (
    gelu,
    relu,
    sigmoid,
    silu,
    softplus,
    where_finite,
)
from .elementwise.arithmetic import (
    abs,
    add,
    addcdiv,
    addcmul,
    angle,
    atan2,
    complex,
    copysign,
    divide,
    floor_divide,
    fmax,
    fmin,
    fmod,
    gcd,
    heaviside,
    hypot,
    lerp,
    maximum,
    minimum,
    multiply,
    negative,
    nextafter,
    polar,
    pow,
    reciprocal,
    remainder,
    rsqrt,
    sign,
    sqrt,
    square,
    subtract,
    trunc_divide,
)
from .elementwise.binary_parts import frexp, ldexp
from .elementwise.bits import (
    bitwise_and,
    bitwise_invert,
    bitwise_left_shift,
    bitwise_or,
    bitwise_right_shift,
    bitwise_xor,
)
from .elementwise.choosing import (
    clip,
    where,
)
from .elementwise.closeness import allclose, array_equal, isclose
from .elementwise.comparison import (
    equal,
    greater,
    greater_equal,
    isfinite,
    isinf,
    isnan,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    not_equal,
    signbit,
)
from .elementwise.complex_parts import (
    conj,
    conjugate,
    imag,
    make_complex,
    real,
    resolve_conj,
    resolve_neg,
    view_as_complex,
    view_as_real,
)  # fmt: skip
from .elementwise.exponential import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atanh,
    cos,
    cosh,
    exp,
    exp2,
    expm1,
    log,
    log1p,
    log2,
    log10,
    logaddexp,
    logaddexp2,
    sin,
    sinh,
    tan,
    tanh,
)
from .elementwise.generic import (
    deg2rad,
    float_power,
    isneginf,
    isposinf,
    isreal,
    lcm,
    nan_to_num,
    positive,
    rad2deg,
)  # fmt: skip
from .elementwise.rounding import (
    ceil,
    floor,
    frac,
    round,
    trunc,
)  # fmt: skip
from .elementwise.special_functions import (
    airy_ai,
    bessel_j0,
    bessel_j1,
    bessel_y0,
    bessel_y1,
    digamma,
    entr,
    erf,
    erfc,
    erfcx,
    erfinv,
    i0,
    i0e,
    i1,
    i1e,
    igamma,
    igammac,
    lgamma,
    log_ndtr,
    modified_bessel_k0,
    modified_bessel_k1,
    ndtri,
    polygamma,
    scaled_modified_bessel_k0,
    scaled_modified_bessel_k1,
    sinc,
    xlog1py,
    xlogy,
    zeta,
)
from .fft.operations import fft_c2c, fft_c2r, fft_r2c
from .indexing.bag_sums import bag_sums
from .indexing.flat_indices import put, take, unravel_index
from .indexing.gathering import gather, scatter, scatter_add, scatter_into_zeros, scatter_reduce, take_along_axis
from .indexing.index_select import index_add, index_copy, index_fill, index_reduce, index_select
from .indexing.masking import masked_fill, masked_scatter, masked_select, nonzero_static
from .indexing.nonzero import argwhere, nonzero
from .indexing.selection import getitem, index_put, new_zeros, one_hot_positions, put_into_zeros, setitem
from .layers.convolutions import (
    convolution,
    convolution_input_gradient,
    convolution_weight_gradient,
    overlap_add,
    sliding_windows,
)
from .layers.pooling import adaptive_max_pool, average_pool, average_pool_gradient, max_pool, max_pool_gradient
from .layers.resampling.grid_sampling import grid_sample
from .layers.resampling.weighting import weighted_items
from .layouts.broadcast import broadcast_shapes
from .layouts.layout import Layout
from .layouts.memory_order import outermost_first
from .layouts.patching import as_strided_scatter, diagonal_scatter, select_scatter, slice_scatter
from .layouts.regions import put_region, region, without_region
from .printing import get_printoptions, set_printoptions
from .products.contractions import addbmm, addmm, addmv, addr, baddbmm, bmm, dot, inner, mm, mv, outer, vdot, vecdot
from .products.distances import cdist, dist
from .products.matmul import linear, matmul
from .products.tensor_products import bilinear, cartesian_prod, combinations, kron, tensordot
from .reductions.covariance import corrcoef, cov
from .reductions.differences import diff, gradient
from .reductions.extremes import argmax, argmin, extremes, max, min
from .reductions.integration import cumulative_trapezoid, trapezoid
from .reductions.logic import all, any, count_nonzero
from .reductions.order_statistics import median, mode, nanmedian, nanquantile, quantile
from .reductions.scans import (
    cummax,
    cummin,
    cumprod,
    cumsum,
    cumulative_prod,
    cumulative_sum,
    logcumsumexp,
    products_of_others,
    running_max,
    running_min,
)
from .reductions.softmax import log_softmax, log_softmax_gradient, softmax, softmax_gradient
from .reductions.statistics import aminmax, std_mean, var_mean
from .reductions.sums import logsumexp, mean, nanmean, nansum, prod, std, sum, sum_to_shape, two_norm, var
from .reductions.vector_lengths import cosine_similarity, renorm
from .shapes.axes import adjoint, atleast_1d, atleast_2d, atleast_3d, flatten, moveaxis, ravel, swapaxes, unflatten
from .shapes.borders import border_pad_gradient, circular_pad, reflect_pad, replicate_pad
from .shapes.broadcasting import broadcast_arrays, meshgrid
from .shapes.joining import block_diag, column_stack, concat, dstack, hstack, row_stack, stack, vstack
from .shapes.padding import constant_pad
from .shapes.splitting import (
    chunk,
    dsplit,
    hsplit,
    narrow,
    select,
    split,
    split_with_sizes,
    tensor_split,
    unbind,
    unsafe_chunk,
    unsafe_split,
    unsafe_split_with_sizes,
    vsplit,
)
from .shapes.triangles import diag, diag_embed, diagflat, put_diagonal, tril, tril_indices, triu, triu_indices
from .shapes.turning import fliplr, flipud, repeat, repeat_interleave, roll, rot90, tile
from .shapes.views import (
    as_strided,
    broadcast_to,
    contiguous,
    copy,
    diagonal,
    flip,
    permute,
    reshape,
    squeeze,
    transpose,
    unfold,
    unsqueeze,
    view,
)
from .sorting.counting import bincount, histc, histogram, histogramdd
from .sorting.order import argsort, kthvalue, msort, order, ranked, sort, topk
from .sorting.searching import bucketize, isin, searchsorted
from .sorting.sets import unique, unique_all, unique_consecutive, unique_counts, unique_inverse, unique_values
from .standard.inspection import __array_namespace_info__, can_cast, finfo, iinfo, isdtype, result_type
from .standard.names import expand_dims, matrix_transpose, permute_dims, unstack

if TYPE_CHECKING:
    from . import special
    from .explaining import explain, explain_layout
    from .fft.short_time import istft, stft
    from .layers.resampling.affine_grid import affine_grid
    from .layers.resampling.interpolation import interpolated, mean_bins
    from .products.einsum import einsum
    from .special import logit, multigammaln

newaxis = None

__all__ = [
    "__array_api_version__", "__array_namespace_info__", "abs", "acos", "acosh", "adaptive_max_pool", "add", "addbmm",
    "addcdiv", "addcmul", "addmm", "addmv", "addr", "adjoint", "affine_grid", "airy_ai", "all", "allclose", "aminmax",
    "angle", "any", "arange", "argmax", "argmin", "argsort", "argwhere", "array_equal", "as_strided",
    "as_strided_scatter", "asarray", "asin", "asinh", "astype", "atan", "atan2", "atanh", "atleast_1d", "atleast_2d",
    "atleast_3d", "average_pool", "baddbmm", "bag_sums", "bartlett_window", "bernoulli", "bernoulli_", "bessel_j0", "bessel_j1",
    "bessel_y0", "bessel_y1", "bfloat16", "bilinear", "bincount", "binomial", "bitwise_and", "bitwise_invert",
    "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "blackman_window", "block_diag", "bmm",
    "bool", "border_pad_gradient", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "bucketize", "can_cast",
    "cartesian_prod", "cauchy_", "cdist", "ceil", "chunk", "circular_pad", "clip", "column_stack", "combinations",
    "complex", "complex128", "complex64", "concat", "conj", "conjugate", "constant_pad", "contiguous", "convolution",
    "copy", "copysign", "corrcoef", "cos", "cosh", "cosine_similarity", "count_nonzero", "cov", "cummax", "cummin",
    "cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "cumulative_trapezoid", "deg2rad", "diag", "diag_embed",
    "diagflat", "diagonal", "diagonal_scatter", "diff", "digamma", "dist", "divide", "dot", "dsplit", "dstack", "DType",
    "e", "einsum", "empty", "empty_like", "empty_permuted", "empty_strided", "entr", "equal", "erf", "erfc", "erfcx",
    "erfinv", "exp", "exp2", "expand_dims", "explain", "explain_layout", "expm1", "exponential_", "eye", "fft",
    "fft_c2c", "fft_c2r", "fft_r2c", "finfo", "flatten", "flip", "fliplr", "flipud", "float16", "float32", "float64",
    "float_power", "floor", "floor_divide", "fmax", "fmin", "fmod", "frac", "frexp", "from_dlpack", "from_file",
    "from_numpy", "frombuffer", "full", "full_like", "gather", "gcd", "gelu", "geometric_", "get_printoptions",
    "gradient", "greater", "greater_equal", "grid_sample", "hamming_window", "hann_window", "heaviside", "histc",
    "histogram", "histogramdd", "hsplit", "hstack", "hypot", "i0", "i0e", "i1", "i1e", "igamma", "igammac", "iinfo",
    "imag", "index_add", "index_copy", "index_fill", "index_reduce", "index_select", "inf", "inner", "int16", "int32",
    "int64", "int8", "isclose", "isdtype", "isfinite", "isin", "isinf", "isnan", "isneginf", "isposinf", "isreal",
    "istft", "kaiser_window", "kron", "kthvalue", "Layout", "lcm", "ldexp", "lerp", "less", "less_equal", "lgamma",
    "linalg", "linear", "linspace", "log", "log10", "log1p", "log2", "log_ndtr", "log_normal_", "log_softmax",
    "logaddexp", "logaddexp2", "logcumsumexp", "logical_and", "logical_not", "logical_or", "logical_xor", "logit",
    "logspace", "logsumexp", "make_complex", "manual_seed", "masked_fill", "masked_scatter", "masked_select", "matmul",
    "matrix_transpose", "max", "max_pool", "maximum", "mean", "median", "meshgrid", "min", "minimum", "mm", "mode",
    "modified_bessel_k0", "modified_bessel_k1", "moveaxis", "msort", "multigammaln", "multinomial", "multiply", "mv",
    "nan", "nan_to_num", "nanmean", "nanmedian", "nanquantile", "nansum", "narrow", "NDArray", "ndtri", "negative",
    "newaxis", "nextafter", "nonzero", "normal", "normal_", "not_equal", "ones", "ones_like", "outer",
    "outermost_first", "permute", "permute_dims", "pi", "poisson", "polar", "polygamma", "positive", "pow", "prod",
    "products_of_others", "promote_types", "put", "quantile", "rad2deg", "rand", "rand_like", "randint", "randint_like",
    "randn", "randn_like", "random_integers_", "randperm", "ravel", "real", "reciprocal", "reflect_pad", "relu",
    "remainder", "renorm", "repeat", "repeat_interleave", "replicate_pad", "reshape", "resolve_conj", "resolve_neg",
    "result_type", "roll", "rot90", "round", "row_stack", "rsqrt", "running_max", "running_min", "scalar_tensor",
    "scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "scatter", "scatter_add", "scatter_reduce",
    "searchsorted", "select", "select_scatter", "set_printoptions", "sigmoid", "sign", "signbit", "silu", "sin", "sinc",
    "sinh", "slice_scatter", "sliding_windows", "softmax", "softplus", "sort", "special", "split", "split_with_sizes",
    "sqrt", "square", "squeeze", "stack", "standard_gamma", "std", "std_mean", "stft", "subtract", "sum", "swapaxes",
    "take", "take_along_axis", "tan", "tanh", "tensor_split", "tensordot", "tile", "to_device", "topk", "transpose",
    "trapezoid", "tril", "tril_indices", "triu", "triu_indices", "trunc", "trunc_divide", "two_norm", "uint16",
    "uint32", "uint64", "uint8", "unbind", "unflatten", "unfold", "uniform_", "unique", "unique_all",
    "unique_consecutive", "unique_counts", "unique_inverse", "unique_values", "unravel_index", "unsafe_chunk",
    "unsafe_split", "unsafe_split_with_sizes", "unsqueeze", "unstack", "var", "var_mean", "vdot", "vecdot", "view",
    "view_as_complex", "view_as_real", "vsplit", "vstack", "where", "xlog1py", "xlogy", "zeros", "zeros_like", "zeta",
]  # fmt: skip

_LOADED_LATER = {
    "affine_grid": ".layers.resampling.affine_grid",
    "einsum": ".products.einsum",
    "explain": ".explaining",
    "explain_layout": ".explaining",
    "interpolated": ".layers.resampling.interpolation",
    "istft": ".fft.short_time",
    "logit": ".special",
    "mean_bins": ".layers.resampling.interpolation",
    "multigammaln": ".special",
    "stft": ".fft.short_time",
}


if not TYPE_CHECKING:  # type checkers know each name, and that there are no others

    def __getattr__(name: str) -> _Any:
        if name == "special":
            return _import(".special", __name__)
        if name in _LOADED_LATER:
            globals()[name] = value = getattr(_import(_LOADED_LATER[name], __name__), name)
            return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """What users use: the folders of the package are attributes of it as well, and so are functions for the storey above."""
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
