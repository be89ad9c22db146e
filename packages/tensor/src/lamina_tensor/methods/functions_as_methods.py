"""PyTorch's functions of tensors as methods: those that begin with a tensor, under their own names."""

from __future__ import annotations

from ..functions import complex_parts, copies, indexing, matrices, ordering, questions, reductions, shapes, special
from ..functions.arithmetic import binary as arithmetic
from ..functions.arithmetic import closeness, generic_elementwise, weighted_sums
from ..functions.arithmetic import in_place as arithmetic_in_place
from ..functions.elementwise import binary, bits, comparison, in_place, unary
from ..functions.layers import distances, softmaxes
from ..functions.sequences import differences, scans, spectra
from ..tensor_fields import TensorFields

__all__ = ["FunctionMethods"]


class FunctionMethods(TensorFields):
    """The methods that are functions of the same name, with the tensor as their first argument.

    >>> x = torch.tensor([3.0, 1.0])
    >>> x.exp().allclose(torch.exp(x))
    True
    >>> x.sort().values
    tensor([1., 3.])
    """

    __slots__ = ()

    add = arithmetic.add
    clamp = arithmetic.clamp
    clamp_max = arithmetic.clamp_max
    clamp_min = arithmetic.clamp_min
    clip = arithmetic.clip
    div = arithmetic.div
    divide = arithmetic.divide
    round = arithmetic.round
    sub = arithmetic.sub
    subtract = arithmetic.subtract
    true_divide = arithmetic.true_divide

    abs_ = arithmetic_in_place.abs_
    absolute_ = arithmetic_in_place.absolute_
    add_ = arithmetic_in_place.add_
    clamp_ = arithmetic_in_place.clamp_
    clamp_max_ = arithmetic_in_place.clamp_max_
    clamp_min_ = arithmetic_in_place.clamp_min_
    clip_ = arithmetic_in_place.clip_
    div_ = arithmetic_in_place.div_
    divide_ = arithmetic_in_place.divide_
    round_ = arithmetic_in_place.round_
    sub_ = arithmetic_in_place.sub_
    subtract_ = arithmetic_in_place.subtract_
    true_divide_ = arithmetic_in_place.true_divide_

    arctan2 = binary.arctan2
    atan2 = binary.atan2
    copysign = binary.copysign
    floor_divide = binary.floor_divide
    fmax = binary.fmax
    fmin = binary.fmin
    fmod = binary.fmod
    heaviside = binary.heaviside
    hypot = binary.hypot
    igamma = binary.igamma
    igammac = binary.igammac
    logaddexp = binary.logaddexp
    logaddexp2 = binary.logaddexp2
    maximum = binary.maximum
    minimum = binary.minimum
    mul = binary.mul
    multiply = binary.multiply
    nextafter = binary.nextafter
    pow = binary.pow
    remainder = binary.remainder
    xlogy = binary.xlogy

    bitwise_and = bits.bitwise_and
    bitwise_left_shift = bits.bitwise_left_shift
    bitwise_not = bits.bitwise_not
    bitwise_or = bits.bitwise_or
    bitwise_right_shift = bits.bitwise_right_shift
    bitwise_xor = bits.bitwise_xor
    gcd = bits.gcd

    allclose = closeness.allclose
    equal = closeness.equal
    isclose = closeness.isclose

    eq = comparison.eq
    ge = comparison.ge
    greater = comparison.greater
    greater_equal = comparison.greater_equal
    gt = comparison.gt
    isfinite = comparison.isfinite
    isinf = comparison.isinf
    isnan = comparison.isnan
    le = comparison.le
    less = comparison.less
    less_equal = comparison.less_equal
    logical_and = comparison.logical_and
    logical_not = comparison.logical_not
    logical_or = comparison.logical_or
    logical_xor = comparison.logical_xor
    lt = comparison.lt
    ne = comparison.ne
    not_equal = comparison.not_equal
    signbit = comparison.signbit

    conj = complex_parts.conj
    conj_physical = complex_parts.conj_physical
    resolve_conj = complex_parts.resolve_conj
    resolve_neg = complex_parts.resolve_neg

    clone = copies.clone
    detach = copies.detach

    diff = differences.diff

    dist = distances.dist

    deg2rad = generic_elementwise.deg2rad
    deg2rad_ = generic_elementwise.deg2rad_
    float_power = generic_elementwise.float_power
    float_power_ = generic_elementwise.float_power_
    frexp = generic_elementwise.frexp
    isneginf = generic_elementwise.isneginf
    isposinf = generic_elementwise.isposinf
    isreal = generic_elementwise.isreal
    lcm = generic_elementwise.lcm
    lcm_ = generic_elementwise.lcm_
    ldexp = generic_elementwise.ldexp
    ldexp_ = generic_elementwise.ldexp_
    nan_to_num = generic_elementwise.nan_to_num
    nan_to_num_ = generic_elementwise.nan_to_num_
    positive = generic_elementwise.positive
    rad2deg = generic_elementwise.rad2deg
    rad2deg_ = generic_elementwise.rad2deg_

    acos_ = in_place.acos_
    acosh_ = in_place.acosh_
    arccos_ = in_place.arccos_
    arccosh_ = in_place.arccosh_
    arcsin_ = in_place.arcsin_
    arcsinh_ = in_place.arcsinh_
    arctan2_ = in_place.arctan2_
    arctan_ = in_place.arctan_
    arctanh_ = in_place.arctanh_
    asin_ = in_place.asin_
    asinh_ = in_place.asinh_
    atan2_ = in_place.atan2_
    atan_ = in_place.atan_
    atanh_ = in_place.atanh_
    bitwise_and_ = in_place.bitwise_and_
    bitwise_left_shift_ = in_place.bitwise_left_shift_
    bitwise_not_ = in_place.bitwise_not_
    bitwise_or_ = in_place.bitwise_or_
    bitwise_right_shift_ = in_place.bitwise_right_shift_
    bitwise_xor_ = in_place.bitwise_xor_
    ceil_ = in_place.ceil_
    copysign_ = in_place.copysign_
    cos_ = in_place.cos_
    cosh_ = in_place.cosh_
    digamma_ = in_place.digamma_
    eq_ = in_place.eq_
    erf_ = in_place.erf_
    erfc_ = in_place.erfc_
    erfinv_ = in_place.erfinv_
    exp2_ = in_place.exp2_
    exp_ = in_place.exp_
    expm1_ = in_place.expm1_
    fix_ = in_place.fix_
    floor_ = in_place.floor_
    floor_divide_ = in_place.floor_divide_
    fmod_ = in_place.fmod_
    frac_ = in_place.frac_
    gcd_ = in_place.gcd_
    ge_ = in_place.ge_
    greater_ = in_place.greater_
    greater_equal_ = in_place.greater_equal_
    gt_ = in_place.gt_
    heaviside_ = in_place.heaviside_
    hypot_ = in_place.hypot_
    i0_ = in_place.i0_
    igamma_ = in_place.igamma_
    igammac_ = in_place.igammac_
    le_ = in_place.le_
    less_ = in_place.less_
    less_equal_ = in_place.less_equal_
    lgamma_ = in_place.lgamma_
    log10_ = in_place.log10_
    log1p_ = in_place.log1p_
    log2_ = in_place.log2_
    log_ = in_place.log_
    logical_and_ = in_place.logical_and_
    logical_not_ = in_place.logical_not_
    logical_or_ = in_place.logical_or_
    logical_xor_ = in_place.logical_xor_
    lt_ = in_place.lt_
    mul_ = in_place.mul_
    multiply_ = in_place.multiply_
    ne_ = in_place.ne_
    neg_ = in_place.neg_
    negative_ = in_place.negative_
    nextafter_ = in_place.nextafter_
    not_equal_ = in_place.not_equal_
    pow_ = in_place.pow_
    reciprocal_ = in_place.reciprocal_
    relu_ = in_place.relu_
    remainder_ = in_place.remainder_
    rsqrt_ = in_place.rsqrt_
    sgn_ = in_place.sgn_
    sigmoid_ = in_place.sigmoid_
    sign_ = in_place.sign_
    sin_ = in_place.sin_
    sinc_ = in_place.sinc_
    sinh_ = in_place.sinh_
    sqrt_ = in_place.sqrt_
    square_ = in_place.square_
    tan_ = in_place.tan_
    tanh_ = in_place.tanh_
    trunc_ = in_place.trunc_
    xlogy_ = in_place.xlogy_

    argwhere = indexing.argwhere
    as_strided_scatter = indexing.as_strided_scatter
    diagonal_scatter = indexing.diagonal_scatter
    gather = indexing.gather
    index_add = indexing.index_add
    index_copy = indexing.index_copy
    index_fill = indexing.index_fill
    index_put = indexing.index_put
    index_reduce = indexing.index_reduce
    index_select = indexing.index_select
    masked_fill = indexing.masked_fill
    masked_scatter = indexing.masked_scatter
    masked_select = indexing.masked_select
    nonzero = indexing.nonzero
    nonzero_static = indexing.nonzero_static
    put = indexing.put
    scatter = indexing.scatter
    scatter_add = indexing.scatter_add
    scatter_reduce = indexing.scatter_reduce
    select_scatter = indexing.select_scatter
    slice_scatter = indexing.slice_scatter
    take = indexing.take
    take_along_dim = indexing.take_along_dim

    addbmm = matrices.addbmm
    addmm = matrices.addmm
    addmv = matrices.addmv
    addr = matrices.addr
    baddbmm = matrices.baddbmm
    bmm = matrices.bmm
    cholesky = matrices.cholesky
    cholesky_inverse = matrices.cholesky_inverse
    cholesky_solve = matrices.cholesky_solve
    cross = matrices.cross
    det = matrices.det
    dot = matrices.dot
    geqrf = matrices.geqrf
    ger = matrices.ger
    inner = matrices.inner
    inverse = matrices.inverse
    kron = matrices.kron
    logdet = matrices.logdet
    lu = matrices.lu
    lu_solve = matrices.lu_solve
    matmul = matrices.matmul
    matrix_exp = matrices.matrix_exp
    matrix_power = matrices.matrix_power
    mm = matrices.mm
    mv = matrices.mv
    orgqr = matrices.orgqr
    ormqr = matrices.ormqr
    outer = matrices.outer
    pinverse = matrices.pinverse
    qr = matrices.qr
    slogdet = matrices.slogdet
    svd = matrices.svd
    trace = matrices.trace
    triangular_solve = matrices.triangular_solve
    vdot = matrices.vdot

    argsort = ordering.argsort
    bincount = ordering.bincount
    histc = ordering.histc
    histogram = ordering.histogram
    kthvalue = ordering.kthvalue
    median = ordering.median
    mode = ordering.mode
    msort = ordering.msort
    nanmedian = ordering.nanmedian
    nanquantile = ordering.nanquantile
    quantile = ordering.quantile
    sort = ordering.sort
    topk = ordering.topk
    unique = ordering.unique
    unique_consecutive = ordering.unique_consecutive

    get_device = questions.get_device
    is_complex = questions.is_complex
    is_conj = questions.is_conj
    is_floating_point = questions.is_floating_point
    is_inference = questions.is_inference
    is_neg = questions.is_neg
    is_nonzero = questions.is_nonzero
    is_same_size = questions.is_same_size
    is_signed = questions.is_signed
    numel = questions.numel

    all = reductions.all
    amax = reductions.amax
    amin = reductions.amin
    aminmax = reductions.aminmax
    any = reductions.any
    argmax = reductions.argmax
    argmin = reductions.argmin
    corrcoef = reductions.corrcoef
    cov = reductions.cov
    hash_tensor = reductions.hash_tensor
    logsumexp = reductions.logsumexp
    max = reductions.max
    mean = reductions.mean
    min = reductions.min
    nanmean = reductions.nanmean
    nansum = reductions.nansum
    prod = reductions.prod
    renorm = reductions.renorm
    std = reductions.std
    sum = reductions.sum
    var = reductions.var

    cummax = scans.cummax
    cummin = scans.cummin
    cumprod = scans.cumprod
    cumsum = scans.cumsum
    logcumsumexp = scans.logcumsumexp

    adjoint = shapes.adjoint
    as_strided = shapes.as_strided
    chunk = shapes.chunk
    diag = shapes.diag
    diag_embed = shapes.diag_embed
    diagflat = shapes.diagflat
    diagonal = shapes.diagonal
    flatten = shapes.flatten
    fliplr = shapes.fliplr
    flipud = shapes.flipud
    moveaxis = shapes.moveaxis
    movedim = shapes.movedim
    narrow = shapes.narrow
    narrow_copy = shapes.narrow_copy
    ravel = shapes.ravel
    repeat_interleave = shapes.repeat_interleave
    roll = shapes.roll
    rot90 = shapes.rot90
    select = shapes.select
    split_with_sizes = shapes.split_with_sizes
    swapaxes = shapes.swapaxes
    swapdims = shapes.swapdims
    t = shapes.t
    tensor_split = shapes.tensor_split
    transpose = shapes.transpose
    tril = shapes.tril
    triu = shapes.triu
    unbind = shapes.unbind
    unflatten = shapes.unflatten
    unsafe_chunk = shapes.unsafe_chunk
    unsafe_split = shapes.unsafe_split
    unsafe_split_with_sizes = shapes.unsafe_split_with_sizes
    unsqueeze = shapes.unsqueeze

    log_softmax = softmaxes.log_softmax
    softmax = softmaxes.softmax

    logit = special.logit
    mvlgamma = special.mvlgamma

    istft = spectra.istft
    stft = spectra.stft

    abs = unary.abs
    absolute = unary.absolute
    acos = unary.acos
    acosh = unary.acosh
    angle = unary.angle
    arccos = unary.arccos
    arccosh = unary.arccosh
    arcsin = unary.arcsin
    arcsinh = unary.arcsinh
    arctan = unary.arctan
    arctanh = unary.arctanh
    asin = unary.asin
    asinh = unary.asinh
    atan = unary.atan
    atanh = unary.atanh
    ceil = unary.ceil
    cos = unary.cos
    cosh = unary.cosh
    digamma = unary.digamma
    erf = unary.erf
    erfc = unary.erfc
    erfinv = unary.erfinv
    exp = unary.exp
    exp2 = unary.exp2
    expm1 = unary.expm1
    fix = unary.fix
    floor = unary.floor
    frac = unary.frac
    i0 = unary.i0
    lgamma = unary.lgamma
    log = unary.log
    log10 = unary.log10
    log1p = unary.log1p
    log2 = unary.log2
    neg = unary.neg
    negative = unary.negative
    reciprocal = unary.reciprocal
    relu = unary.relu
    rsqrt = unary.rsqrt
    sgn = unary.sgn
    sigmoid = unary.sigmoid
    sign = unary.sign
    sin = unary.sin
    sinc = unary.sinc
    sinh = unary.sinh
    sqrt = unary.sqrt
    square = unary.square
    tan = unary.tan
    tanh = unary.tanh
    trunc = unary.trunc

    addcdiv = weighted_sums.addcdiv
    addcmul = weighted_sums.addcmul
    lerp = weighted_sums.lerp
