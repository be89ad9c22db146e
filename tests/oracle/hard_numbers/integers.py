"""Integers at the ends of their ranges: sums, quotients, powers, shifts and casts."""

from hard_numbers.compare import INTEGERS, Case

ENDS = {
    "uint8": [0, 1, 2, 127, 128, 254, 255],
    "int8": [0, 1, -1, 2, -2, 127, -127, -128],
    "int16": [0, 1, -1, 2, -2, 32767, -32767, -32768],
    "int32": [0, 1, -1, 2, -2, 2**31 - 1, -(2**31) + 1, -(2**31)],
    "int64": [0, 1, -1, 2, -2, 2**63 - 1, -(2**63) + 1, -(2**63)],
}
SHIFTS = {"uint8": 8, "int8": 8, "int16": 16, "int32": 32, "int64": 64}


def _pairs(values):
    return [a for a in values for _ in values], [b for _ in values for b in values]


def _divisors(values):
    """Pairs without zeros to divide by, and without the one quotient that overflows, at which processors trap."""
    pairs = [(a, b) for a in values for b in values if b != 0 and not (b == -1 and a == min(values) and a < 0)]
    return [a for a, _ in pairs], [b for _, b in pairs]


CASES = {}
for dtype, values in ENDS.items():
    # PyTorch dies in lcm of the least and the greatest int32 or int64
    one, two, divisors = (values,), _pairs(values), _divisors(values)
    for name in [
        "abs",
        "neg",
        "sign",
        "square",
        "bitwise_not",
        "positive",
        "logical_not",
        "sum",
        "prod",
        "min",
        "max",
        "argmax",
        "any",
        "all",
        "floor",
        "ceil",
        "trunc",
        "round",
        "sqrt",
        "exp",
        "sigmoid",
        "reciprocal",
        "nan_to_num",
        "isfinite",
        "signbit",
        "frac",
    ]:
        CASES[f"{name} of {dtype}"] = Case(lambda t, F, x, n=name: getattr(t, n)(x), one, dtype, ulps=2)
    for name in [
        "add",
        "sub",
        "mul",
        "maximum",
        "minimum",
        "bitwise_and",
        "bitwise_or",
        "bitwise_xor",
        "eq",
        "lt",
        "gcd",
        "fmax",
    ] + ["lcm"] * (dtype[-1] not in "24"):
        CASES[f"{name} of {dtype}"] = Case(lambda t, F, x, y, n=name: getattr(t, n)(x, y), two, dtype)
    for name in ["floor_divide", "remainder", "fmod", "true_divide"]:
        CASES[f"{name} of {dtype}"] = Case(lambda t, F, x, y, n=name: getattr(t, n)(x, y), divisors, dtype)
    CASES |= {
        f"div of {dtype} rounded": Case(
            lambda t, F, x, y: [t.div(x, y, rounding_mode=m) for m in ("floor", "trunc")], divisors, dtype
        ),
        f"operators of {dtype}": Case(
            lambda t, F, x, y: [
                x // y,
                x % y,
                x + 1,
                x * 2,
                x - 1,
                1 - x,
                x // 3,
                x % 3,
                x // -3 if x.dtype != t.uint8 else x,
            ],
            divisors,
            dtype,
        ),
        f"shifts of {dtype}": Case(
            lambda t, F, x: [
                f(x, s)
                for s in (0, 1, SHIFTS[str(x.dtype).split(".")[1]] - 1)
                for f in (t.bitwise_left_shift, t.bitwise_right_shift)
            ],
            one,
            dtype,
        ),
        f"shifts of {dtype} past the width": Case(
            lambda t, F, x: [
                f(x, t.tensor(SHIFTS[str(x.dtype).split(".")[1]] + s, dtype=x.dtype))
                for s in (0, 5)
                for f in (t.bitwise_left_shift, t.bitwise_right_shift)
            ],
            one,
            dtype,
        ),
        f"negative shifts of {dtype}": Case(
            lambda t, F, x: (
                [f(x, t.tensor(-1, dtype=x.dtype)) for f in (t.bitwise_left_shift, t.bitwise_right_shift)]
                if x.dtype != t.uint8
                else []
            ),
            one,
            dtype,
        ),
        f"pow of {dtype}": Case(lambda t, F, x: [x**0, x**1, x**2, x**3, x**7, t.pow(x, x.abs() % 4)], one, dtype),
        f"pow of {dtype} to negative tensors": Case(
            lambda t, F, x: t.pow(x, t.tensor(-2, dtype=x.dtype)) if x.dtype != t.uint8 else x, one, dtype
        ),
        f"pow of {dtype} to a negative number": Case(lambda t, F, x: x**-1, one, dtype),
        f"clamp of {dtype}": Case(
            lambda t, F, x: [t.clamp(x, 1, 2), t.clamp(x, 2, 1), t.clamp(x, max=1), x.clamp(0.5)], one, dtype
        ),
        f"{dtype} as others": Case(
            lambda t, F, x: [
                x.to(getattr(t, d)) for d in (*ENDS, "float16", "bfloat16", "float32", "float64", "bool", "complex64")
            ],
            one,
            dtype,
        ),
        f"mean and var of {dtype} as float64": Case(
            lambda t, F, x: [x.mean(dtype=t.float64), x.double().var(), x.float().mean()], one, dtype, ulps=2
        ),
        f"running sums of {dtype}": Case(
            lambda t, F, x: [x.cumsum(0), x.cumprod(0), x.cumsum(0, dtype=x.dtype), x.cummax(0)[0], x.diff()],
            one,
            dtype,
        ),
        f"order of {dtype}": Case(
            lambda t, F, x: [
                x.sort()[0],
                x.sort(descending=True)[0],
                x.topk(3)[0],
                x.median(),
                x.unique(),
                x.kthvalue(2)[0],
            ],
            one,
            dtype,
        ),
        f"mixed with floats: {dtype}": Case(
            lambda t, F, x: [x + 0.5, x * 1.0, x / 2, x + t.tensor(0.5), x.float() + 1, x * 1j, x == 0.5, x // 1.5],
            one,
            dtype,
        ),
        f"dot and matmul of {dtype}": Case(
            lambda t, F, x: [t.dot(x, x), t.outer(x, x), x[None] @ x[:, None]], one, dtype
        ),
        f"scatter and index sums of {dtype}": Case(
            lambda t, F, x: [
                t.zeros(2, dtype=x.dtype).scatter_add(0, t.tensor([0] * x.numel()), x),
                t.zeros(1, dtype=x.dtype).index_add(0, t.tensor([0] * x.numel()), x),
            ],
            one,
            dtype,
        ),
        f"a number beyond {dtype}": Case(
            lambda t, F, x: [t.full((2,), v, dtype=x.dtype) for v in (300, -300, 2**40)], one, dtype
        ),
        f"fill_ of {dtype} beyond its range": Case(lambda t, F, x: x.fill_(2**33), one, dtype),
        f"tensor of {dtype} beyond its range": Case(lambda t, F, x: t.tensor(2**64, dtype=x.dtype), one, dtype),
        f"add of a number beyond {dtype}": Case(lambda t, F, x: x + 300, one, dtype),
        f"lerp-like sums of {dtype}": Case(
            lambda t, F, x: [t.add(x, x, alpha=2), t.sub(x, x, alpha=3), t.addcmul(x, x, x), x.addcmul(x, x, value=2)],
            one,
            dtype,
        ),
        f"division by zero of {dtype}": Case(lambda t, F, x: x // 0, one, dtype),
        f"remainder by zero of {dtype}": Case(lambda t, F, x: x % 0, one, dtype),
        f"division by a tensor of zeros of {dtype}": Case(lambda t, F, x: x // t.zeros_like(x), one, dtype),
        f"fmod by zero of {dtype}": Case(lambda t, F, x: t.fmod(x, t.zeros_like(x)), one, dtype),
        f"true division by zero of {dtype}": Case(lambda t, F, x: x / 0, one, dtype),
        f"int and index of {dtype}": Case(lambda t, F, x: [int(v) for v in x] + [float(v) for v in x], one, dtype),
        f"augmented assignments of {dtype}": Case(
            lambda t, F, x: [
                x.clone().add_(100),
                x.clone().mul_(3),
                x.clone().neg_() if x.dtype != t.uint8 else x,
                x.clone().floor_divide_(2),
            ],
            one,
            dtype,
        ),
    }
CASES |= {
    "bool arithmetic": Case(
        lambda t, F, x: [
            x.bool() + x.bool(),
            x.bool() * x.bool(),
            x.bool() | x.bool(),
            x.bool() ^ x.bool(),
            ~x.bool(),
            x.bool() / 1,
        ],
        ([0, 1, 1],),
        "int64",
    ),
    "bool remainders": Case(lambda t, F, x: x.bool() % x.bool(), ([1, 1],), "int64"),
    "dot of bytes": Case(
        lambda t, F, x: [(x.reshape(1, -1) @ x.reshape(-1, 1)), t.dot(x, x)], ([100] * 64,), "int8 uint8 int16"
    ),
    "arange of bytes": Case(
        lambda t, F, x: [t.arange(5, dtype=x.dtype), t.arange(120, 127, dtype=x.dtype)], ([0],), INTEGERS
    ),
    "bincount of extremes": Case(lambda t, F, x: t.bincount(x), ([255, 0],), "uint8"),
    "sum into smaller": Case(lambda t, F, x: x.sum(dtype=t.int8), ([100, 100, 100],), "int64 int32"),
    "bitwise of floats": Case(lambda t, F, x: t.bitwise_and(x, x), ([1.0],)),
}
DIFFERS = {
    "signs of gcd and lcm": [*(f"gcd of {dtype}" for dtype in ENDS if dtype != "uint8"), "lcm of int8", "lcm of int16"],
}
