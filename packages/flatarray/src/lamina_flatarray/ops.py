"""The op table: every op's name, family, arity, dtype rule and meaning. All other lists of ops derive from this one.

A storey above adds its own column by name: ndarray the shape rule and the user's function, tensor the gradient.

Kernels are called `kernel(out, *inputs, **params)`; `params` are the names after the colon of a row's `signature`.
An op is looked up in the kernel table of the dtype that it computes in: that of its inputs after promotion (of the
values, not of a condition or of indices).
"""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["FAMILIES", "OPS", "Op"]

FAMILIES: Final = {
    "copy": "moves or makes items: `out` and its input may have any layout, and `copy` casts between any dtypes",
    "map": "item by item; each input has out's shape (strides may be 0), or is a Python scalar",
    "reduce": "folds `axes` (ascending, non-negative) away: out has x's shape without them",
    "scan": "runs along one axis; out has x's shape",
    "matmul": "contracts the last axis of a with the last but one of b; leading axes are equal (broadcast by strides)",
    "fft": "a discrete Fourier transform along `axis`, each item times `scale`; other axes are a stack",
    "linalg": "factorizes and solves over stacks of matrices, the last two axes; leading axes are equal; never derived",
    "gather": "reads or writes at positions given by int64 arrays",
    "sort": "orders along one axis",
    "random": "draws from a generator, in the order of out's items",
    "fused": "several ops in one pass; always derived",
}


class Op(NamedTuple):
    """One row of the table.

    Attributes:
        name: how the op is called everywhere in lamina (the Array API's spelling where it has one).
        family: a key of FAMILIES; fixes the calling convention.
        signature: input names, then after a colon the parameter names.
        rule: a name in `dtype_rules`: what the inputs are cast to, and what comes out.
        doc: one line.
        required: whether a backend must bring a kernel; all others have a composition out of required ones, but those
            of the family linalg: where a backend lacks one, the fallback policy decides.
        torch: PyTorch's spelling where it differs.
        outputs: how many arrays come out.
    """

    name: str
    family: str
    signature: str
    rule: str
    doc: str
    required: bool = False
    torch: str = ""
    outputs: int = 1

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the array inputs, in order."""
        return tuple(self.signature.partition(":")[0].split())

    @property
    def params(self) -> tuple[str, ...]:
        """The names of the parameters, in order."""
        return tuple(self.signature.partition(":")[2].split())

    @property
    def arity(self) -> int:
        """How many inputs there are; `*x` stands for any number of arrays, `[x]` is one list of them."""
        return len(self.inputs)

    @property
    def spelling(self) -> str:
        """PyTorch's name for the op."""
        return self.torch or self.name


def _rows() -> list[Op]:
    required = True
    return [
        # -- copy ----------------------------------------------------------------------------------------------
        Op("copy", "copy", "x", "cast", "out = x, cast to out's dtype", required),
        Op("fill", "copy", ": value", "cast", "every item of out = value", required),
        Op("arange", "copy", ": start step", "cast", "out[i] = start + i * step", required),
        Op("concat", "copy", "[arrays]: axis", "cast", "those of a list one after another, each cast to out's dtype", False, "cat"),
        Op("tril", "copy", "x: diagonal", "cast", "out = x up to a diagonal of its last two axes, else 0; of one dtype"),
        Op("triu", "copy", "x: diagonal", "cast", "out = x from a diagonal of its last two axes on, else 0; of one dtype"),
        # -- map, arithmetic -----------------------------------------------------------------------------------
        Op("add", "map", "a b", "promote", "a + b; logical or for bool", required),
        Op("subtract", "map", "a b", "arithmetic", "a - b", required, "sub"),
        Op("multiply", "map", "a b", "promote", "a * b; logical and for bool", required, "mul"),
        Op("divide", "map", "a b", "float", "a / b, true division", required, "div"),
        Op("floor_divide", "map", "a b", "real", "floor(a / b), towards minus infinity", required),
        Op("trunc_divide", "map", "a b", "real", "trunc(a / b), towards zero"),
        Op("remainder", "map", "a b", "real", "a - b * floor(a / b), with the sign of b"),
        Op("fmod", "map", "a b", "real", "a - b * trunc(a / b), with the sign of a"),
        Op("pow", "map", "a b", "arithmetic", "a to the power b; integers wrap", required),
        Op("maximum", "map", "a b", "real", "the greater; NaN wins", required),
        Op("minimum", "map", "a b", "real", "the smaller; NaN wins", required),
        Op("fmax", "map", "a b", "real", "the greater; a number wins over NaN"),
        Op("fmin", "map", "a b", "real", "the smaller; a number wins over NaN"),
        Op("atan2", "map", "a b", "float_real", "the angle of the point (b, a)"),
        Op("hypot", "map", "a b", "float_real", "sqrt(a*a + b*b)"),
        Op("copysign", "map", "a b", "float_real", "a with the sign of b, which zeros and NaN have, too"),
        Op("nextafter", "map", "a b", "floating", "the representable number next to a, on the way to b"),
        Op("gcd", "map", "a b", "integer", "the greatest common divisor, never negative; gcd(0, 0) is 0"),
        Op("where", "map", "condition a b", "where", "a where condition, else b", required),
        Op("clip", "map", "x: min max", "real", "min(max(x, min), max); a bound may be None", False, "clamp"),
        Op("lerp", "map", "a b weight", "arithmetic", "a + weight * (b - a)"),
        Op("addcmul", "map", "a b c: value", "promote", "a + value * b * c, value a number"),
        Op("addcdiv", "map", "a b c: value", "inexact", "a + value * b / c, value a number"),
        Op("negative", "map", "x", "arithmetic", "-x", required, "neg"),
        Op("abs", "map", "x", "magnitude", "absolute value; the modulus of a complex number"),
        Op("sign", "map", "x", "promote", "-1, 0 or 1, 0 of NaN; x / |x| of a complex number"),
        Op("square", "map", "x", "number", "x * x; of bool in int64"),
        Op("reciprocal", "map", "x", "float", "1 / x"),
        Op("sqrt", "map", "x", "float", "square root", required),
        Op("rsqrt", "map", "x", "float", "1 / sqrt(x)"),
        # -- map, exponential and trigonometric ----------------------------------------------------------------
        Op("exp", "map", "x", "float", "e to the power x", required),
        Op("exp2", "map", "x", "float", "2 to the power x"),
        Op("expm1", "map", "x", "float", "exp(x) - 1, accurate near 0"),
        Op("log", "map", "x", "float", "natural logarithm", required),
        Op("log2", "map", "x", "float", "logarithm to base 2"),
        Op("log10", "map", "x", "float", "logarithm to base 10"),
        Op("log1p", "map", "x", "float", "log(1 + x), accurate near 0"),
        Op("logaddexp", "map", "a b", "inexact", "log(exp(a) + exp(b)), without overflow"),
        Op("logaddexp2", "map", "a b", "floating", "log2(2**a + 2**b), without overflow"),
        Op("sin", "map", "x", "float", "sine", required),
        Op("cos", "map", "x", "float", "cosine", required),
        Op("tan", "map", "x", "float", "tangent"),
        Op("asin", "map", "x", "float", "inverse sine"),
        Op("acos", "map", "x", "float", "inverse cosine"),
        Op("atan", "map", "x", "float", "inverse tangent", required),
        Op("sinh", "map", "x", "float", "hyperbolic sine"),
        Op("cosh", "map", "x", "float", "hyperbolic cosine"),
        Op("tanh", "map", "x", "float", "hyperbolic tangent", required),
        Op("asinh", "map", "x", "float", "inverse hyperbolic sine"),
        Op("acosh", "map", "x", "float", "inverse hyperbolic cosine"),
        Op("atanh", "map", "x", "float", "inverse hyperbolic tangent"),
        Op("erf", "map", "x", "float_real", "error function", required),
        # -- map, rounding -------------------------------------------------------------------------------------
        Op("floor", "map", "x", "real", "towards minus infinity", required),
        Op("ceil", "map", "x", "real", "towards plus infinity"),
        Op("trunc", "map", "x", "real", "towards zero"),
        Op("round", "map", "x", "promote", "to nearest, ties to even; both parts of a complex number"),
        # -- map, comparison and logic -------------------------------------------------------------------------
        Op("equal", "map", "a b", "compare", "a == b", required, "eq"),
        Op("not_equal", "map", "a b", "compare", "a != b", False, "ne"),
        Op("less", "map", "a b", "compare_real", "a < b", required, "lt"),
        Op("less_equal", "map", "a b", "compare_real", "a <= b", required, "le"),
        Op("greater", "map", "a b", "compare_real", "a > b", False, "gt"),
        Op("greater_equal", "map", "a b", "compare_real", "a >= b", False, "ge"),
        Op("logical_and", "map", "a b", "compare", "both are nonzero"),
        Op("logical_or", "map", "a b", "compare", "one is nonzero"),
        Op("logical_xor", "map", "a b", "compare", "exactly one is nonzero"),
        Op("logical_not", "map", "x", "compare", "x is zero"),
        Op("isnan", "map", "x", "compare", "x is NaN"),
        Op("isinf", "map", "x", "compare", "x is infinite"),
        Op("isfinite", "map", "x", "compare", "x is neither NaN nor infinite"),
        Op("signbit", "map", "x", "compare_real", "x has a minus sign, as -0.0 has"),
        Op("bitwise_and", "map", "a b", "bitwise", "a & b", required),
        Op("bitwise_or", "map", "a b", "bitwise", "a | b", required),
        Op("bitwise_xor", "map", "a b", "bitwise", "a ^ b", required),
        Op("bitwise_invert", "map", "x", "bitwise", "~x; logical not for bool", False, "bitwise_not"),
        Op("bitwise_left_shift", "map", "a b", "integer", "a << b, zeros come in"),
        Op("bitwise_right_shift", "map", "a b", "integer", "a >> b, the sign comes in"),
        # -- map, activations ----------------------------------------------------------------------------------
        Op("relu", "map", "x", "real", "max(x, 0); NaN stays"),
        Op("sigmoid", "map", "x", "float", "1 / (1 + exp(-x))"),
        Op("silu", "map", "x", "float", "x * sigmoid(x)"),
        Op("gelu", "map", "x", "float_real", "x * (1 + erf(x / sqrt 2)) / 2"),
        Op("softplus", "map", "x", "float_real", "log(1 + exp(x)), without overflow"),
        # -- map, special functions ----------------------------------------------------------------------------
        Op("xlogy", "map", "a b", "float_real", "a * log(b), and 0 where a is 0, whatever b is but NaN"),
        Op("xlog1py", "map", "a b", "float_real", "a * log(1 + b), accurate for small b, and 0 where a is 0, whatever b is but NaN"),
        Op("entr", "map", "x", "float_real", "the entropy of one probability: -x * log(x), 0 at 0, -inf below"),
        Op("sinc", "map", "x", "float", "sin(pi x) / (pi x), and 1 at 0"),
        Op("erfc", "map", "x", "float_real", "1 - erf(x), accurate where it is small; NaN stays"),
        Op("erfcx", "map", "x", "float_real", "exp(x*x) * erfc(x), without underflow; inf below -27"),
        Op("erfinv", "map", "x", "float_real", "inverse of erf on [-1, 1]; -inf and inf at its ends, NaN outside"),
        Op("ndtri", "map", "x", "float_real", "quantile of the normal distribution; -inf at 0, inf at 1, NaN outside"),
        Op("log_ndtr", "map", "x", "float_real", "log of the normal distribution function, accurate in both tails"),
        Op("lgamma", "map", "x", "float_real", "log of |gamma(x)|; inf at 0, -1, -2, ... and at both infinities"),
        Op("digamma", "map", "x", "float_real", "derivative of lgamma; -inf at 0, inf at -0, NaN at -1, -2, ..."),
        Op("polygamma", "map", "x: n", "float_real",
           "n-th derivative of digamma, n a Python integer >= 0; for n >= 1 infinite at 0, -1, -2, ..."),
        Op("zeta", "map", "s q", "float_real",
           "Hurwitz's: sum of (q + k)**-s over k >= 0; inf at s = 1 and at q = 0, -1, ..., NaN for s < 1, and where "
           "q < 0 and s is no integer"),
        Op("igamma", "map", "a x", "float_real",
           "regularised lower incomplete gamma P(a, x), for a, x >= 0; else NaN, as where a = x = 0 or both are infinite"),
        Op("igammac", "map", "a x", "float_real", "1 - igamma(a, x), accurate where it is small"),
        Op("i0", "map", "x", "float_real", "modified Bessel function of the first kind, order 0; even"),
        Op("i0e", "map", "x", "float_real", "exp(-|x|) * i0(x)"),
        Op("i1", "map", "x", "float_real", "modified Bessel function of the first kind, order 1; odd"),
        Op("i1e", "map", "x", "float_real", "exp(-|x|) * i1(x)"),
        Op("bessel_j0", "map", "x", "float_real", "Bessel function of the first kind, order 0; even, 0 at infinity"),
        Op("bessel_j1", "map", "x", "float_real", "Bessel function of the first kind, order 1; odd, 0 at infinity"),
        Op("bessel_y0", "map", "x", "float_real", "Bessel function of the second kind, order 0; -inf at 0, NaN below"),
        Op("bessel_y1", "map", "x", "float_real", "Bessel function of the second kind, order 1; -inf at 0, NaN below"),
        Op("modified_bessel_k0", "map", "x", "float_real",
           "modified Bessel function of the second kind, order 0; inf at 0, NaN below"),
        Op("modified_bessel_k1", "map", "x", "float_real",
           "modified Bessel function of the second kind, order 1; inf at 0, NaN below"),
        Op("scaled_modified_bessel_k0", "map", "x", "float_real", "exp(x) * modified_bessel_k0(x)"),
        Op("scaled_modified_bessel_k1", "map", "x", "float_real", "exp(x) * modified_bessel_k1(x)"),
        Op("airy_ai", "map", "x", "float_real", "Airy's function Ai; 0 at both infinities"),
        # -- reduce --------------------------------------------------------------------------------------------
        Op("sum", "reduce", "x: axes", "sum", "the sum; of bool and integers in int64", required),
        Op("prod", "reduce", "x: axes", "sum", "the product; of bool and integers in int64", required),
        Op("max", "reduce", "x: axes", "real", "the greatest; NaN wins", required, "amax"),
        Op("min", "reduce", "x: axes", "real", "the smallest; NaN wins", required, "amin"),
        Op("mean", "reduce", "x: axes", "mean", "the arithmetic mean"),
        Op("var", "reduce", "x: axes correction", "moment", "mean squared distance from the mean, over n - correction"),
        Op("two_norm", "reduce", "x: axes", "moment", "the root of the sum of squared absolute values"),
        Op("any", "reduce", "x: axes", "compare", "whether one item is nonzero"),
        Op("all", "reduce", "x: axes", "compare", "whether every item is nonzero"),
        Op("count_nonzero", "reduce", "x: axes", "count", "how many items are nonzero"),
        Op("logsumexp", "reduce", "x: axes", "float", "log of the sum of exponentials, without overflow"),
        Op("argmax", "reduce", "x: axes", "position", "first position of the greatest along one axis, or of all",
           required),
        Op("argmin", "reduce", "x: axes", "position", "first position of the smallest along one axis, or of all"),
        # -- scan ----------------------------------------------------------------------------------------------
        Op("cumsum", "scan", "x: axis", "sum", "running sum", required),
        Op("cumprod", "scan", "x: axis", "sum", "running product"),
        Op("running_max", "scan", "x: axis", "real", "the greatest so far; NaN wins"),
        Op("running_min", "scan", "x: axis", "real", "the smallest so far; NaN wins"),
        Op("cummax", "scan", "x: axis", "real", "the greatest so far and where it last stood; NaN greatest", outputs=2),
        Op("cummin", "scan", "x: axis", "real", "the smallest so far and where it last stood; NaN smallest", outputs=2),
        Op("logcumsumexp", "scan", "x: axis", "mean", "log of the running sum of exponentials, without overflow"),
        # -- matmul --------------------------------------------------------------------------------------------
        Op("matmul", "matmul", "a b", "arithmetic", "matrix product over leading axes", required),
        # -- fft -----------------------------------------------------------------------------------------------
        Op("fft_c2c", "fft", "x: axis inverse scale", "complex",
           "out[k] = scale * sum of x[j] exp(-2 pi i j k / n); with the other sign where inverse"),
        Op("fft_r2c", "fft", "x: axis scale", "real_to_complex",
           "the first n // 2 + 1 items of the forward transform of a real x; the others are their conjugates"),
        Op("fft_c2r", "fft", "x: axis n scale", "complex_to_real",
           "the n real items whose inverse transform begins with x, of length n // 2 + 1"),
        # -- linalg: several results come in a tuple; info is int32 per matrix, 0 for success ------------------------
        Op("cholesky_ex", "linalg", "x: upper", "factor", "L of L @ L^H (U of U^H @ U), and the order of the first leading "
           "minor that is not positive", outputs=2),
        Op("lu_factor_ex", "linalg", "x: pivot", "factor", "L below and U on and above the diagonal; int32 pivots, the row "
           "(from 1) that each row was exchanged with; which pivot is 0", outputs=3),
        Op("ldl_factor_ex", "linalg", "x: hermitian", "factor", "L and D of P @ L @ D @ L^T @ P^T from the lower triangle, "
           "and pivots, as LAPACK's sytrf packs them; which block of D is 0", outputs=3),
        Op("ldl_solve", "linalg", "ld pivots b: hermitian", "factor", "x of a @ x = b, from a's LDL factors"),
        Op("geqrf", "linalg", "x", "factor", "R on and above the diagonal, Householder vectors below; and their scales",
           outputs=2),
        Op("householder_product", "linalg", "x tau", "factor", "the first columns of the product of Householder reflections"),
        Op("qr", "linalg", "x: mode", "factor", "orthonormal q and upper triangular r of q @ r; mode reduced, complete or r",
           outputs=2),
        Op("svd", "linalg", "x: full_matrices", "factor", "u, descending s and vh of u @ diag(s) @ vh", outputs=3),
        Op("svdvals", "linalg", "x", "factor_real", "singular values, descending"),
        Op("eigh", "linalg", "x: upper", "factor_real", "ascending eigenvalues, and eigenvectors, of a Hermitian matrix of "
           "which one triangle is read", outputs=2),
        Op("eigvalsh", "linalg", "x: upper", "factor_real", "ascending eigenvalues of a Hermitian matrix"),
        Op("eig", "linalg", "x", "factor_complex", "complex eigenvalues and eigenvectors", outputs=2),
        Op("eigvals", "linalg", "x", "factor_complex", "complex eigenvalues"),
        Op("solve_ex", "linalg", "a b", "factor", "x of a @ x = b; which pivot is 0", outputs=2),
        Op("solve_triangular", "linalg", "a b: upper unitriangular", "factor", "x of a @ x = b, reading one triangle of a"),
        Op("inv_ex", "linalg", "x", "factor", "the inverse; which pivot is 0", outputs=2),
        # -- gather --------------------------------------------------------------------------------------------
        Op("index", "gather", "x *indices", "index", "out = x[indices]: broadcast int64 arrays for x's first axes",
           required),
        Op("index_put", "gather", "values *indices: accumulate", "index",
           "out[indices] = values, or += with accumulate; the last of equal indices wins", required),
        Op("gather", "gather", "x indices: axis", "index", "take_along_axis: out[i][j] = x[indices[i][j]][j] on axis 0"),
        Op("scatter", "gather", "values indices: axis", "index", "out at indices along axis = values"),
        Op("scatter_add", "gather", "values indices: axis", "index", "out at indices along axis += values"),
        Op("scatter_reduce", "gather", "values indices: axis reduce", "index",
           "out at indices along axis folded with values: prod, amax or amin"),
        # -- sort ----------------------------------------------------------------------------------------------
        Op("sort", "sort", "x: axis descending", "real", "values in order and where they came from; stable, NaN greatest",
           required, outputs=2),
        Op("sorted_values", "sort", "x: axis descending", "real", "values in order, alone; NaN greatest"),
        Op("ranked", "sort", "x: axis start stop descending", "real",
           "the items of ranks start .. stop - 1 in order and where they came from; stable, NaN greatest", outputs=2),
        # -- random --------------------------------------------------------------------------------------------
        Op("random_uniform", "random", ": generator low high", "random", "uniform in [low, high)"),
        Op("random_normal", "random", ": generator mean std", "random", "normal with this mean and deviation"),
        Op("random_integers", "random", ": generator low high", "random",
           "integers in [low, high); up to the greatest of the dtype where high is None"),
        Op("random_permutation", "random", ": generator", "random", "a permutation of 0 .. n-1"),
        Op("random_bernoulli", "random", ": generator probability", "random", "1 with this probability, else 0"),
        # -- fused ---------------------------------------------------------------------------------------------
        Op("softmax", "fused", "x: axis", "float_real", "exp(x) / sum(exp(x)) along axis, without overflow"),
        Op("log_softmax", "fused", "x: axis", "float_real", "log(softmax(x)) along axis"),
        Op("softmax_gradient", "fused", "gradient result: axis", "floating",
           "result * (gradient - sum(gradient * result)) along axis: the gradient of softmax, from its result"),
        Op("log_softmax_gradient", "fused", "gradient result: axis", "floating",
           "gradient - exp(result) * sum(gradient) along axis: the gradient of log_softmax, from its result"),
        # Of scores x with the classes along `axis`, and int64 classes without it. weight (per class) may be None, and what an op
        # gives beside its first result (in float32 at least) may be None where its gradient is given it: it is found again.
        Op("cross_entropy", "fused", "x target weight: axis smoothing ignored reduction", "floating",
           "the negated log-softmax of the target class, times its weight; reduction none, mean (over the weights) or sum; "
           "targets `ignored` count for nothing; and the log of the sum of exponentials, in float64", outputs=2),
        Op("cross_entropy_gradient", "fused", "gradient x target weight logsumexp: axis smoothing ignored reduction", "floating",
           "the gradient of cross_entropy in x"),
        Op("nll_loss", "fused", "x target weight: axis ignored reduction", "floating",
           "the negated item of the target class, times its weight; reductions as of cross_entropy"),
        Op("nll_loss_gradient", "fused", "gradient target weight: axis classes ignored reduction", "floating",
           "the transpose of nll_loss in x, which has so many classes"),
        # Normalisations; weight and bias may be None, and have gradients all the same.
        Op("layer_norm", "fused", "x weight bias: ndim eps", "floating",
           "(x - mean) * rstd * weight + bias over the last `ndim` axes; mean, and rstd = 1 / sqrt(variance + eps)", outputs=3),
        Op("layer_norm_gradient", "fused", "gradient x weight mean rstd: ndim eps", "floating",
           "the gradients of layer_norm in x, weight and bias", outputs=3),
        Op("rms_norm", "fused", "x weight: ndim eps", "floating",
           "x * rstd * weight over the last `ndim` axes; rstd = 1 / sqrt(mean of squares + eps)", outputs=2),
        Op("rms_norm_gradient", "fused", "gradient x weight rstd: ndim eps", "floating",
           "the gradients of rms_norm in x and weight", outputs=2),
        Op("group_norm", "fused", "x weight bias: groups eps", "floating",
           "as layer_norm over groups of channels (axis 1) and all places; weight and bias per channel; mean, and rstd", outputs=3),
        Op("group_norm_gradient", "fused", "gradient x weight mean rstd: groups eps", "floating",
           "the gradients of group_norm in x, weight and bias", outputs=3),
        Op("channel_moments", "fused", "x", "floating", "mean and variance of each channel (axis 1)", outputs=2),
        Op("batch_norm", "fused", "x mean variance weight bias: eps", "floating",
           "(x - mean) / sqrt(variance + eps) * weight + bias, all of them per channel (axis 1)"),
        Op("batch_norm_gradient", "fused", "gradient x mean variance weight: eps training", "floating",
           "the gradients of batch_norm in x, weight and bias; in training, mean and variance are x's own", outputs=3),
        # `sizes` says how many rows, the first ones of the batch, each step has; what cells lack is None, and of size 0 as a result.
        Op("recurrence", "fused", "given state cell_state weight bias: mode sizes backwards", "floating",
           "recurrent cells (mode RNN_TANH, RNN_RELU, LSTM or GRU) along a sequence; given is the input's share of the gates: "
           "outputs, last states, last cell states, all cell states, and what the gradient wants of the gates", outputs=5),
        Op("recurrence_gradient", "fused",
           "gradient last last_cell state cell_state weight output cells kept: mode sizes backwards", "floating",
           "the gradients of recurrence in given, in a GRU's share of the state, in state and in cell_state", outputs=4),
        Op("attention", "fused", "query key value mask: scale causal", "floating",
           "softmax(query @ key.T * scale + mask) @ value over the last two axes, and the log of the sum of exponentials; mask, "
           "added or boolean (true where a query sees a key), may be None; a query that sees nothing gets 0, and inf", outputs=2),
        Op("attention_gradient", "fused", "gradient query key value mask result logsumexp: scale causal", "floating",
           "the gradients of attention in query, key and value", outputs=3),
        Op("dropout", "fused", "x: generator p", "floating",
           "x / (1 - p), but x * 0 with probability p, drawn in the order of items; and which are kept, as bits of uint8, the lowest "
           "first", outputs=2),
        Op("dropout_gradient", "fused", "gradient kept: p", "floating", "the gradient of dropout, which is the same map of it"),
        # Activations and their like item by item, whose numbers may be arrays as well.
        Op("leaky_relu", "fused", "x slope", "floating", "x where it is positive, else x * slope"),
        Op("elu", "fused", "x positive negative rate", "floating",
           "x * positive where x is positive, else negative * (exp(x * rate) - 1)"),
        Op("hardsigmoid", "fused", "x", "floating", "x + 3, held between 0 and 6, over 6"),
        Op("hardswish", "fused", "x", "floating", "x * hardsigmoid(x)"),
        Op("hardshrink", "fused", "x size", "floating", "0 where -size <= x <= size, else x"),
        Op("softshrink", "fused", "x size", "floating", "x moved by size towards 0, and 0 where it would cross it; NaN stays"),
        Op("logsigmoid", "fused", "x", "floating", "log(sigmoid(x)), without overflow"),
        Op("mish", "fused", "x", "floating", "x * tanh(softplus(x))"),
        Op("where_finite", "fused", "x nan posinf neginf", "floating", "x where it is finite, else what stands for NaN and infinities"),
        # Gradients of activations, item by item; from the result where that is enough.
        Op("leaky_relu_gradient", "fused", "gradient x slope", "floating", "gradient where x is positive, else gradient * slope"),
        Op("elu_gradient", "fused", "gradient x positive negative rate", "floating",
           "gradient * (positive where x is positive, else negative * rate * exp(x * rate))"),
        Op("hardtanh_gradient", "fused", "gradient x low high", "floating", "0 where x <= low or x >= high, else gradient"),
        Op("hardsigmoid_gradient", "fused", "gradient x", "floating", "gradient / 6 where -3 < x < 3, else 0"),
        Op("hardswish_gradient", "fused", "gradient x", "floating",
           "gradient * (x / 3 + 1 / 2), but 0 where x <= -3, and gradient where x >= 3"),
        Op("shrink_gradient", "fused", "gradient x size", "floating", "0 where -size <= x <= size, else gradient: of both shrinks"),
        Op("mish_gradient", "fused", "gradient x", "floating", "the gradient of mish"),
        Op("tanh_gradient", "fused", "gradient result", "floating", "gradient * (1 - result**2)"),
        Op("sigmoid_gradient", "fused", "gradient result", "floating", "gradient * (1 - result) * result"),
        Op("relu_gradient", "fused", "gradient result", "floating", "0 where result <= 0, else gradient"),
        Op("silu_gradient", "fused", "gradient x", "floating", "gradient * s * (1 + x * (1 - s)), where s = sigmoid(x)"),
        Op("softplus_gradient", "fused", "gradient x", "floating", "gradient * sigmoid(x)"),
        Op("gelu_gradient", "fused", "gradient x", "floating", "the gradient of gelu"),
        Op("gelu_tanh", "fused", "x", "floating", "x * (1 + tanh((x + 0.044715 x**3) * sqrt(2 / pi))) / 2"),
        Op("gelu_tanh_gradient", "fused", "gradient x", "floating", "the gradient of gelu_tanh"),
        Op("nonzero", "fused", "x", "count",
           "the positions of nonzero items in row-major order: a row for each axis, a column for each of them"),
        Op("searchsorted", "fused", "sequence values: right", "position",
           "where values belong on one sorted axis, before or behind its equals; NaN greatest"),
        Op("linear", "fused", "x weight bias", "arithmetic", "x @ weight.T + bias"),
        # Of (n, channels, *spatial) arrays; lengths, kernels, strides, paddings and dilations are tuples, one number per spatial axis.
        Op("convolution", "fused", "x weight bias: stride padding dilation groups", "arithmetic",
           "out[n, o] = bias[o] + sum of x[n, c] slid over weight[o, c], within groups; x has zeros around; bias may be None"),
        Op("convolution_input_gradient", "fused", "gradient weight bias: lengths stride padding dilation groups", "arithmetic",
           "the transpose of convolution in x, whose spatial lengths are `lengths`; with a bias for each of its channels (None: none) "
           "the transposed convolution"),
        Op("convolution_weight_gradient", "fused", "gradient x: lengths stride padding dilation groups", "arithmetic",
           "the transpose of convolution in the weight, whose spatial lengths are `lengths`"),
        Op("max_pool", "fused", "x: kernel stride padding dilation ceil", "real",
           "the greatest of each window and its position within the flattened spatial axes; NaN wins, else the first of equals",
           outputs=2),
        Op("max_pool_gradient", "fused", "gradient positions: lengths", "arithmetic",
           "the transpose of max_pool, whose input has the spatial lengths `lengths`: the gradient added up at the positions"),
        Op("adaptive_max_pool", "fused", "x: counts", "real",
           "the same of so many bins of nearly equal length along each spatial axis; bins of a length that they do not divide overlap",
           outputs=2),
        Op("average_pool", "fused", "x: kernel stride padding ceil count_padding divisor", "floating",
           "the mean of each window; over its items, with count_padding over the padding too, or over `divisor` if not None"),
        Op("average_pool_gradient", "fused", "gradient: lengths kernel stride padding ceil count_padding divisor", "floating",
           "the transpose of average_pool, whose input has the spatial lengths `lengths`"),
        # Of many arrays in one call. Those that are changed are a list, `out`; lists among the parameters go along with it.
        Op("total_norm", "fused", "*arrays: order", "moment", "the norm of all items of all arrays, as if they were one vector"),
        Op("foreach_multiply", "fused", "factor", "update", "every array of `out` times the one item of `factor`"),
        Op("foreach_add", "fused", ": value", "update", "every array of `out` plus a number"),
        Op("foreach_clip", "fused", ": min max", "update", "every array of `out` between two numbers; NaN stays"),
        Op("weighted_items", "fused", "x: axis places weights used", "arithmetic",
           "along an axis, per row of a table, the sum of the items at `places` by `weights`, of those terms that are used (None: of "
           "all); all three are NumPy's arrays (count, terms), of int64, float64 and bool"),
        Op("sgd_step", "fused", "*gradients: buffers lr momentum dampening weight_decay nesterov maximize first", "update",
           "one step of stochastic gradient descent over all parameters (out is the list of them)"),
        Op("adam_step", "fused", "*gradients: firsts seconds maxima lr beta1 beta2 eps weight_decay decoupled maximize step",
           "update", "one step of Adam (AdamW where decoupled) over all parameters (out is the list of them)"),
        Op("adamax_step", "fused", "*gradients: firsts greatest lr beta1 beta2 eps weight_decay maximize step", "update",
           "one step of Adamax over all parameters"),
        Op("nadam_step", "fused", "*gradients: firsts seconds lr beta1 beta2 eps weight_decay decoupled maximize momentum "
           "next_momentum product step", "update", "one step of NAdam over all parameters; product is that of all momenta"),
        Op("radam_step", "fused", "*gradients: firsts seconds lr beta1 beta2 eps weight_decay decoupled maximize step", "update",
           "one step of RAdam over all parameters"),
        Op("rmsprop_step", "fused", "*gradients: squares means buffers lr alpha eps weight_decay momentum maximize", "update",
           "one step of RMSprop over all parameters; centred where there are means, with momentum where there are buffers"),
        Op("adagrad_step", "fused", "*gradients: sums lr eps weight_decay maximize", "update",
           "one step of Adagrad over all parameters"),
        Op("adadelta_step", "fused", "*gradients: squares changes lr rho eps weight_decay maximize", "update",
           "one step of Adadelta over all parameters"),
        Op("asgd_step", "fused", "*gradients: averages length lambd share weight_decay maximize", "update",
           "one step of averaged gradient descent, of this length, over all parameters"),
        Op("rprop_step", "fused", "*gradients: previous step_sizes shrink grow shortest longest maximize", "update",
           "one step of Rprop over all parameters"),
    ]


OPS: Final[dict[str, Op]] = {row.name: row for row in _rows()}
"""Every op by name."""
