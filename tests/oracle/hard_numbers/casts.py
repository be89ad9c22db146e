"""Casts between dtypes at the limits, and rounding to 16 bits: to nearest, ties to even."""

from hard_numbers.compare import FLOATS, INF, NAN, Case

INSIDE = {
    "uint8": [0.0, 0.9, 255.0, 255.9, -0.0, 1.5, 2.5],
    "int8": [0.0, -0.9, 127.9, -128.9, -0.0, -1.5, 2.5],
    "int16": [32767.5, -32768.5, -0.5, 1.5],
    "int32": [2147483520.0, -2147483648.0, -0.5, 1.5],
    "int64": [2.0**62, -(2.0**63), -0.5, 1.5, 9223371487098961920.0],
}
TIES = [
    1.0,
    1.0 + 2**-11,
    1.0 + 3 * 2**-11,
    1.0 + 2**-11 + 2**-20,
    1.0 + 2**-8,
    1.0 + 3 * 2**-8,
    1.0 + 2**-8 + 2**-20,
    65504.0,
    65519.0,
    65520.0,
    65535.0,
    65536.0,
    -65520.0,
    3.3895314e38,
    3.4e38,
    2.0**-24,
    2.0**-25,
    3 * 2.0**-25,
    2.0**-25 * 1.0001,
    2.0**-14,
    2.0**-14 - 2.0**-25,
    1e-45,
    1e-40,
    9.2e-41,
    4.6e-41,
    2.0**-133,
    2.0**-134,
    3 * 2.0**-134,
    INF,
    -INF,
    NAN,
    0.0,
    -0.0,
]
BY_WHOLE = [
    2**24 + 1,
    2**24 + 3,
    2**53 + 1,
    2**53 + 3,
    2**63 - 1,
    -(2**63),
    2049,
    2051,
    257,
    259,
    65519,
    65520,
    2**31 - 1,
]

CASES = {
    f"to {dtype} inside its range": Case(
        lambda t, F, x, d=dtype: x.to(getattr(t, d)), (values,), "float32 float64", slopes=False
    )
    for dtype, values in INSIDE.items()
}
CASES |= {
    f"to {dtype}": Case(lambda t, F, x, d=dtype: x.to(getattr(t, d)), (TIES,), FLOATS, slopes=False)
    for dtype in FLOATS.split()
}
CASES |= {
    f"integers to {dtype}": Case(lambda t, F, x, d=dtype: x.to(getattr(t, d)), (BY_WHOLE,), "int64")
    for dtype in FLOATS.split()
}
CASES |= {
    "to bool": Case(lambda t, F, x: x.bool(), ([0.0, -0.0, NAN, INF, 1e-45, 0.4],), FLOATS),
    "to complex": Case(
        lambda t, F, x: [x.to(t.complex64), x.to(t.complex128)], ([0.0, -0.0, NAN, INF, 1e-30],), FLOATS, slopes=False
    ),
    "complex to real": Case(
        lambda t, F, x: [t.complex(x, x).real, t.complex(x, x).imag], ([0.0, -0.0, NAN, INF],), "float32 float64"
    ),
    "to int32 of infinities": Case(
        lambda t, F, x: x.to(t.int32), ([INF, -INF, NAN, 3e9, -3e9] * 9,), "float32 float64", slopes=False
    ),
    "to int64 of infinities": Case(
        lambda t, F, x: x.to(t.int64), ([INF, -INF, NAN, 1e19, -1e19] * 9,), "float32 float64", slopes=False
    ),
    "to uint8 of negatives": Case(
        lambda t, F, x: x.to(t.uint8), ([-1.0, -2.5, -128.0] * 9,), "float32 float64", slopes=False
    ),
    "to int8 of what fits in int32": Case(
        lambda t, F, x: [x.to(t.int8), x.to(t.uint8), x.to(t.int16)],
        ([300.0, -300.0, 70000.0, 128.0, 256.0] * 9,),
        "float32 float64",
        slopes=False,
    ),
    "int() of infinity": Case(lambda t, F, x: int(x), (INF,), slopes=False),
    "int() of NaN": Case(lambda t, F, x: int(x), (NAN,), slopes=False),
    "int() of a large number": Case(lambda t, F, x: int(x), (1e18,), slopes=False),
    "bool() of hard numbers": Case(lambda t, F, x: [bool(v) for v in x], ([NAN, -0.0, INF],), slopes=False),
    "arithmetic of 16 bits rounds to even": Case(
        lambda t, F, x, y: [x + y, x - y, x * y, x / y],
        ([1.0, 1.0, 2048.0, 2048.0, 256.0, 6e4, 1e-4], [2**-11, 3 * 2**-11, 1.0, 3.0, 1.0, 6e4, 1e-4]),
        "float16 bfloat16",
    ),
    "functions of 16 bits that overflow": Case(
        lambda t, F, x: [t.exp(x), x * x, t.sinh(x), t.pow(x, 3), t.square(x), t.expm1(x), t.exp2(x), t.reciprocal(x)],
        ([11.09, 11.1, 100.0, -100.0, 6e4, 256.0, 1e-7, 0.0, -0.0, INF, NAN],),
        "float16 bfloat16",
        ulps=1,
        slopes=False,
    ),
    "fill beyond float16": Case(lambda t, F, x: t.full((2,), 1e6, dtype=x.dtype), ([1.0],), "float16 bfloat16"),
    "fill beyond float32": Case(lambda t, F, x: t.full((2,), 1e39, dtype=x.dtype), ([1.0],), "float32"),
    "tensor beyond float16": Case(
        lambda t, F, x: t.tensor([1e6, -1e6, 65519.0, 65520.0], dtype=x.dtype), ([1.0],), "float16 bfloat16"
    ),
    "a number beyond float16": Case(
        lambda t, F, x: [x + 1e6, x * 1e6, x + 65519.0, x / 1e-8], ([1.0],), "float16 bfloat16", slopes=False
    ),
    "item and tolist": Case(
        lambda t, F, x: [x.tolist(), *[v.item() for v in x]], ([1.1, 65504.0, -0.0],), FLOATS, slopes=False
    ),
    "finfo": Case(
        lambda t, F, x: [
            getattr(t.finfo(x.dtype), n) for n in ("eps", "max", "min", "tiny", "smallest_normal", "resolution")
        ],
        ([1.0],),
        FLOATS,
    ),
    "autocast-like sums of two dtypes": Case(
        lambda t, F, x: [x + t.tensor([1.0], dtype=t.float32), x * t.tensor(2.0, dtype=t.float64)],
        ([6e4, 1.0],),
        FLOATS,
    ),
    "subnormals": Case(
        lambda t, F, x: [
            x * 0.5,
            x + x,
            x - x / 2,
            x * 1e-3,
            t.sqrt(x),
            x / 3,
            t.abs(-x),
            t.sign(x),
            x > 0,
            t.log(x),
            x.sum(),
            t.maximum(x, x / 2),
            t.floor(x),
            t.ceil(x),
        ],
        ([1e-45, 1e-40, 1.1754942e-38, 2.2250738585072e-308, 5e-324, 6e-8, 9.2e-41],),
        FLOATS,
        ulps=1,
        slopes=False,
    ),
}
DIFFERS = {"numbers beside 16 bits": ["a number beyond float16: float16"]}
