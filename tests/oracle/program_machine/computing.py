"""Steps that compute new tensors: item by item, along axes, of matrices and by joining."""

from __future__ import annotations

from .writer import Writer, step

INFINITE = "float('inf')"
UNARY = (
    "sin", "tanh", "sigmoid", "relu", "square", "neg", "abs", "clone", "cos", "sign", "floor", "ceil", "round", "trunc", "erf", "expm1", "frac",  # noqa: E501
    "logical_not", "bitwise_not", "isnan", "isfinite", "sgn", "positive", "atan", "asinh", "exp2", "sinc", "reciprocal", "rsqrt", "deg2rad",
    "float", "double", "long", "bool", "int", "bfloat16", "half", "contiguous", "detach", "nan_to_num", "signbit", "t", "mT", "nonzero", "count_nonzero",  # noqa: E501
)  # fmt: skip
LAYERS = (
    "softplus",
    "gelu",
    "silu",
    "elu",
    "leaky_relu",
    "hardtanh",
    "mish",
    "logsigmoid",
    "hardswish",
    "softsign",
    "relu6",
    "selu",
    "celu",
)
BINARY = (
    "{x} + {y}", "{x} * {y}", "{y} - {x}", "{x} * {y}", "{x} / ({x} * {x} + 1)", "torch.maximum({x}, {x} * {y})", "{x} / {y}", "{x} // {y}",
    "torch.where({x} > 0.3137, {x}, {y})", "torch.add({x}, {y} * 1.5, alpha=2)", "{x} ** 2 + {y}", "{x}.sub({y})", "{x} % {y}", "{x} ** {y}",  # noqa: E501
    "{x} > {y}", "{x} == {y}", "{x} <= {y}", "{x} & {y}", "{x} | {y}", "{x} ^ {y}", "torch.fmod({x}, {y})", "torch.minimum({x}, {y} * {x})",
    "torch.atan2({x}, {x} + 1)", "torch.lerp({x}, {x} * 2, 0.3)", "torch.addcmul({x}, {x}, {x} * 0.5, value=0.5)", "{x}.clamp(-0.5, {y})",
    "torch.logical_and({x}, {y})", "torch.hypot({x}, {x} * 0.5)", "torch.copysign({x}, {y})", "torch.ge({x}, {y})", "{x}.masked_fill({x} > 0.2137, {y})",  # noqa: E501
    "torch.clamp({x}, min={y})", "torch.div({x}, {y}, rounding_mode='floor')", "torch.true_divide({x}, {y})", "torch.rsub({x}, {y})",
    "F.mse_loss({x}, {x} * 0.5)", "torch.addcdiv({x}, {x}, {x} * {x} + 1)", "torch.xlogy({x}, {x} * {x})", "{x} << {y}", "{y} ** {x}", "{y} / {x}",  # noqa: E501
)  # fmt: skip


@step(10)
def of_one(w: Writer) -> str | None:
    """A function of one tensor."""
    x = w.pick()
    if x is None:
        return None
    op = w.one(UNARY)
    ways = [f"{x}.{op}()"] * 6 + [
        f"{x}.tanh().exp()",
        f"({x} * {x}).log1p()",
        f"F.{w.one(LAYERS)}({x})",
        f"{x}.to(torch.{w.dtype()})",
        f"({x} * {x}).sqrt()",
    ]
    ways += [
        f"{x}.clone(memory_format=torch.{w.one(('contiguous_format', 'preserve_format', 'channels_last'))})",
        f"{x}.type_as({w.pick()})",
    ]
    ways += [
        f"{x}.contiguous(memory_format=torch.channels_last)",
        f"{x}.to(torch.{w.dtype()}, copy=True)",
        f"+{x}",
        f"-{x}",
        f"~{x}",
        f"abs({x})",
    ]
    return f"{w.name()} = {w.one(ways)}"


@step(12)
def of_two(w: Writer) -> str | None:
    """A function of two tensors, or of a tensor and a number."""
    x = w.pick()
    if x is None:
        return None
    y = w.operand(tuple(w.values[x].shape))
    return f"{w.name()} = " + w.one(BINARY).format(x=x, y=f"({y})")


@step(4)
def a_product(w: Writer) -> str | None:
    """A product of vectors or matrices."""
    x = w.pick(lambda t: 0 < t.ndim < 4)
    if x is None:
        return None
    t = w.values[x]
    length, wrong = t.shape[-1], w.chance(3)
    y = w.pick(lambda t: 0 < t.ndim < 4 and (wrong or t.shape[-min(t.ndim, 2)] == length))
    if y is None:
        return None
    weights = w.pick(lambda u: u.ndim == 2 and u.shape[1] == length)
    ways = [f"{x} @ {y}"] * 3 + [
        f"torch.matmul({x}, {y})",
        f"torch.tensordot({x}, {x}, dims=1)",
        f"F.linear({x}, {weights or y})",
        f"torch.mm({x}, {y})",
    ]
    ways += [
        f"torch.einsum('ij,jk->ik', {x}, {y})",
        f"torch.bmm({x}, {x}.mT)",
        f"torch.outer({x}, {x})",
        f"torch.mv({x}, {y})",
        f"torch.dot({x}, {x})",
    ]
    return f"{w.name()} = {w.one(ways)}"


@step(7)
def a_reduction(w: Writer) -> str | None:
    """Along an axis, or over all items."""
    x = w.pick()
    if x is None:
        return None
    a, keep = w.axis(w.values[x]), w.one(("", ", keepdim=True"))
    ways = [
        ".sum()",
        ".mean()",
        f".sum({a}{keep})",
        f".mean({a}{keep})",
        f".cumsum({a})",
        f".amax({a}{keep})",
        f".amin({a}{keep})",
        ".max()",
        ".all()",
    ]
    ways += [
        f".logsumexp({a}{keep})",
        f".prod({a}{keep})",
        f".softmax({a})",
        f".log_softmax({a})",
        f".max({a}{keep}).values",
        f".min({a}{keep}).indices",
    ]
    ways += [
        f".argmax({a}{keep})",
        ".argmin()",
        f".any({a}{keep})",
        f".var({a}{keep})",
        f".std({a}{keep})",
        ".norm()",
        f".norm(2, {a}{keep})",
        ".prod()",
    ]
    ways += [
        f".sort({a}).values",
        f".sort(dim={a}, stable=True).indices",
        f".median({a}{keep}).values",
        f".cumprod({a})",
        f".topk(1, {a}).values",
        ".unique()",
    ]
    ways += [
        f".sum({a}{keep}, dtype=torch.{w.dtype()})",
        f".cummax({a}).values",
        f".kthvalue(1, {a}{keep}).values",
        f".diff(dim={a})",
        ".var()",
        f".nansum({a})",
    ]
    ways += [
        f".sum(({a},){keep})",
        ".trace()",
        f".logcumsumexp({a})",
        f".count_nonzero({a})",
        f".argsort(dim={a}, stable=True)",
        f".aminmax(dim={a}{keep}).min",
    ]
    way = w.one(ways)
    t = w.values[x]
    if ("kthvalue" in way or "topk" in way) and not (t.is_complex() or t.unique().numel() == t.numel()):
        return None  # which of equal items gets the gradient is nobody's promise
    return f"{w.name()} = {x}{way}"


@step(4)
def joined(w: Writer) -> str | None:
    """Several tensors in one, or one told again."""
    x = w.pick()
    if x is None:
        return None
    t = w.values[x]
    a = w.axis(t)
    y = w.pick(lambda u: u.ndim == t.ndim and (u.shape[1:] == t.shape[1:] or u.numel() == 0)) or x
    ways = [
        f"torch.cat([{x}, {x} * 2, {x}], {a})",
        f"torch.stack([{x}, {x} * 2], {a})",
        f"torch.cat([{x}, {y}])",
        f"{x}.flip({a})",
        f"{x}.roll(1, {a})",
    ]
    ways += [
        f"{x}.repeat(2{', 1' * t.ndim})",
        f"torch.hstack([{x}, {y}])",
        f"{x}.repeat_interleave(2, {a})",
        f"torch.tile({x}, (2,))",
        f"torch.vstack([{x}, {x}])",
    ]
    ways += [
        f"torch.broadcast_tensors({x}, {y})[0]",
        f"{x}.rot90()",
        f"torch.meshgrid({x}, {x}, indexing='ij')[1]",
        f"torch.block_diag({x}, {x})",
    ]
    return f"{w.name()} = {w.one(ways)}"


@step(2)
def of_a_matrix(w: Writer) -> str | None:
    """A decomposition or a solution, of a matrix that is far from singular."""
    x = w.pick(lambda t: t.ndim > 1 and str(t.dtype) in ("torch.float64", "torch.float32", "torch.complex64"))
    if x is None:
        return None
    n = w.values[x].shape[-2]
    square = f"({x} @ {x}.mH + {w.one((4, 25))} * torch.eye({n}, dtype={x}.dtype))"
    ways = [
        f"torch.linalg.inv({square})",
        f"torch.linalg.det({square})",
        f"torch.linalg.solve({square}, {x})",
        f"torch.linalg.cholesky({square})",
        f"torch.linalg.slogdet({square}).logabsdet",
        f"torch.linalg.eigvalsh({square})",
        f"torch.linalg.svdvals({square})",
        f"torch.linalg.matrix_power({square}, {w.one((0, 1, 2, -1))})",
        f"torch.linalg.matrix_exp({x} @ {x}.mH * 0.3)",
        f"torch.linalg.solve_triangular({square}.tril(), {x}, upper=False)",
        f"torch.linalg.lu_factor({square}).LU",
        f"torch.linalg.qr({square}).R.abs()",
        f"torch.cholesky_solve({x}, torch.linalg.cholesky({square}))",
        f"torch.linalg.vector_norm({x}, {w.one((1, 2, 3, INFINITE))}, dim={w.axis(w.values[x])})",
        f"torch.linalg.matrix_norm({x}, {w.one((1, INFINITE, -1))})",
        f"torch.fft.fft({x}, dim={w.axis(w.values[x])})",
        f"torch.fft.ifft2({x})",
        f"torch.cdist({x}.real.double(), {x}.real.double())",
        f"torch.cov({x})",
        f"torch.kron({x}, {x}[..., :1, :])",
        f"torch.linalg.cross({x}, {x} * 2 + 1, dim={w.axis(w.values[x])})",
    ]
    return f"{w.name()} = {w.one(ways)}"
