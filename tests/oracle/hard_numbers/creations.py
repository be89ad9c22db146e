"""Ranges at their ends, and what is filled with special numbers."""

from hard_numbers.compare import FLOATS, INF, NAN, Case

ONE = ([1.0],)


def _range(name, *arguments):
    return lambda t, F, x: getattr(t, name)(*arguments, dtype=x.dtype)


CASES = (
    {
        f"arange{a}": Case(_range("arange", *a), ONE, FLOATS, ulps=4, slopes=False)
        for a in [
            (0, 1, 0.1),
            (0.0, 0.3, 0.1),
            (1, 0, -0.1),
            (0, 0),
            (0, -0.0),
            (-0.0, 1),
            (1e7, 1e7 + 3),
            (0, 1, 1 / 3),
            (5, 0, -2),
            (0.5, 5.5),
            (0, 1e-3, 1e-4),
        ]
    }
    | {
        f"linspace{a}": Case(_range("linspace", *a), ONE, FLOATS, ulps=1, slopes=False)
        for a in [
            (0, 1, 11),
            (0, 1, 1),
            (0, 1, 0),
            (1, 1, 5),
            (-1, 1, 7),
            (0, 1e38, 5),
            (1, -1, 4),
            (0.1, 0.7, 100),
            (-0.0, 0.0, 3),
            (0, INF, 3),
            (NAN, 1, 3),
            (3, 10, 2),
        ]
    }
    | {
        f"logspace{a}": Case(_range("logspace", *a), ONE, "float32 float64", ulps=8, slopes=False)
        for a in [(0, 1, 5), (-10, 10, 5), (0, 40, 3), (0, 1, 1), (0, 1, 0)]
    }
    | {
        f"linspace of whole numbers {a}": Case(_range("linspace", *a), ([1],), "int64 int32 uint8 int8")
        for a in [(0, 10, 5), (0, 9, 4), (10, 0, 4), (0, 1, 3), (0, 100, 7), (3, 3, 2)]
    }
    | {
        f"arange of whole numbers {a}": Case(_range("arange", *a), ([1],), "int64 int32 uint8 int8")
        for a in [(0, 10, 3), (10, 0, -3), (0, 0), (0.5, 3.5), (0, 5, 2.5), (1, 3.9)]
    }
    | {
        f"arange{a} refused": Case(lambda t, F, x, a=a: t.arange(*a), ONE)
        for a in [(0, 1, 0), (1, 0, 1), (0, INF), (0, NAN), (0, 1, NAN), (0, 1e30, 1e-30)]
    }
    | {
        f"a window {n}": Case(
            lambda t, F, x, n=n, k=k: getattr(t, n)(k, dtype=x.dtype), ONE, "float32 float64", ulps=4, slopes=False
        )
        for n in ("hann_window", "hamming_window", "blackman_window", "bartlett_window", "kaiser_window")
        for k in (1,)
    }
    | {
        "dtypes of ranges": Case(
            lambda t, F, x: [
                t.arange(3),
                t.arange(3.0),
                t.arange(0, 1, 0.5),
                t.linspace(0, 1, 3),
                t.full((1,), 1),
                t.full((1,), 1.0),
                t.full((1,), True),
            ],
            ONE,
        ),
        "full": Case(
            lambda t, F, x: [t.full((2,), v, dtype=x.dtype) for v in (INF, -INF, NAN, -0.0, 1e300)],
            ONE,
            "bfloat16 float64",
        ),
        "full of whole numbers with a float": Case(
            lambda t, F, x: [t.full((2,), v, dtype=x.dtype) for v in (1.9, -1.9)], ([1],), "int64 int32 int8"
        ),
        "full of infinity in whole numbers": Case(
            lambda t, F, x: t.full((2,), INF, dtype=x.dtype), ([1],), "int64 int32"
        ),
        "tensor of a float in whole numbers": Case(
            lambda t, F, x: [t.tensor([1.9, -1.9], dtype=x.dtype), t.tensor([True, 2.5])], ([1],), "int64 int32"
        ),
        "tensor of infinity in whole numbers": Case(
            lambda t, F, x: t.tensor([INF], dtype=x.dtype), ([1],), "int64 int32"
        ),
        "tensor of NaN in bool": Case(lambda t, F, x: t.tensor([NAN, 0.0, -0.0, 0.1], dtype=t.bool), ONE),
        "eye and tri": Case(
            lambda t, F, x: [
                t.eye(0),
                t.eye(2, 3),
                t.tril(x[None] * NAN),
                t.triu(t.full((3, 3), INF)),
                t.tril(t.full((3, 3), NAN), -1),
            ],
            ONE,
            slopes=False,
        ),
        "zeros_like of NaN": Case(
            lambda t, F, x: [
                t.zeros_like(x),
                t.ones_like(x),
                x.new_zeros(2),
                x * 0,
                x.zero_() if not x.requires_grad else x,
            ],
            ([NAN],),
            slopes=False,
        ),
        "bernoulli of 0 and 1": Case(lambda t, F, x: t.bernoulli(x), ([0.0, 1.0, -0.0],), slopes=False),
        "bernoulli outside": Case(lambda t, F, x: t.bernoulli(x), ([1.5],), slopes=False),
        "bernoulli of NaN": Case(lambda t, F, x: t.bernoulli(x), ([NAN],), slopes=False),
        "multinomial": Case(lambda t, F, x: t.multinomial(x, 3, replacement=True), ([0.0, 1.0, 0.0],), slopes=False),
        "multinomial of zeros": Case(lambda t, F, x: t.multinomial(x, 1), ([0.0, 0.0],), slopes=False),
        "multinomial of infinity": Case(lambda t, F, x: t.multinomial(x, 1), ([INF, 1.0],), slopes=False),
        "multinomial of a negative": Case(lambda t, F, x: t.multinomial(x, 1), ([-1.0, 1.0],), slopes=False),
        "normal of no deviation": Case(
            lambda t, F, x: t.normal(x, t.zeros_like(x)), ([1.0, INF, -0.0],), slopes=False, zeros=False
        ),
        "normal of a negative deviation": Case(lambda t, F, x: t.normal(x, -1.0), ([1.0],), slopes=False),
        "poisson of 0": Case(lambda t, F, x: t.poisson(x), ([0.0, -0.0],), slopes=False),
        "poisson of a negative": Case(lambda t, F, x: t.poisson(x), ([-1.0],), slopes=False),
        "uniform_ of one point": Case(lambda t, F, x: x.uniform_(2.0, 2.0), ([1.0, 3.0],), slopes=False),
        "uniform_ turned round": Case(lambda t, F, x: x.uniform_(2.0, 1.0), ([1.0, 3.0],), slopes=False),
        "uniform_ to infinity": Case(lambda t, F, x: x.uniform_(0.0, INF), ([1.0, 3.0],), slopes=False),
        "randint of one number": Case(lambda t, F, x: t.randint(3, 4, (4,)), ONE),
        "randint of none": Case(lambda t, F, x: t.randint(3, 3, (4,)), ONE),
        "exponential_ and geometric_": Case(lambda t, F, x: x.geometric_(1.0), ([1.0, 3.0],), slopes=False),
        "exponential_ of no rate": Case(lambda t, F, x: x.exponential_(0.0), ([1.0, 3.0],), slopes=False),
    }
)
DIFFERS = {}
