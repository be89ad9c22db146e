"""Special functions: the reference's coefficients, float32 as float64 rounded once, float64 to few units in the last place."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")
pytest.importorskip("lamina_ndarray", reason="what it is compared with is composed a storey above the backends")

from native_cases import layouts, values
from native_operands import BACKEND, empty, operand, run

from lamina_flatarray import OPS, backends
from lamina_ndarray.decompositions.special_functions import FILES
from lamina_ndarray.special import coefficients

SPECIAL = [op for ops in FILES.values() for op in ops]
SHORTER = {"erfc", "erfinv", "igamma", "igammac", "logaddexp2"}
SOURCE = Path(__file__).parents[2] / "native" / "loops" / "fits.hpp"


def of(op: str, dtype: str, *inputs: np.ndarray[Any, Any], **params: Any) -> np.ndarray[Any, Any]:
    given = [operand(x.astype(dtype)) for x in inputs]
    return run(op, empty(inputs[0].shape, dtype), *given, **params).copy()


def test_every_special_function_is_native() -> None:
    assert {"float16", "bfloat16", "float32", "float64"} <= set.intersection(*(set(BACKEND.capabilities()[op]) for op in SPECIAL))


@pytest.mark.skipif(not SOURCE.exists(), reason="the native sources are not here")
def test_the_coefficients_are_the_references() -> None:
    found = dict(re.findall(r"constexpr Fit<\d+, \d+> k(\w+) = \{(.*?)\};", SOURCE.read_text(), re.DOTALL))
    assert len(found) > 20
    for name in coefficients.__all__:
        camel = "".join(part.capitalize() for part in name.split("_"))
        if name != "Fit" and not name.startswith("ERFCX"):  # which has its own: they leave fewer roundings
            numerator, denominator = (tuple(map(float, part.split(","))) for part in re.findall(r"\{([^{}]*)\}", found[camel]))
            assert (numerator, denominator) == tuple(getattr(coefficients, name)), name


@pytest.mark.parametrize("op", SPECIAL)
def test_every_layout_gives_the_same_bits(op: str) -> None:
    parameters = {"n": 2} if op == "polygamma" else {}
    for dtype in ("float32", "float64", "bfloat16"):
        for inputs in zip(*(layouts(dtype, seed) for seed in range(OPS[op].arity)), strict=True):
            plain = of(op, dtype, *(np.ascontiguousarray(x) for x in inputs), **parameters)
            placed = run(op, empty(inputs[0].shape, dtype), *map(operand, inputs), **parameters)
            np.testing.assert_array_equal(placed.astype(float), plain.astype(float).reshape(placed.shape))


@pytest.mark.parametrize("op", [*SPECIAL, "logaddexp2"])
def test_float32_is_float64_rounded_once(op: str) -> None:
    """Those that have a shorter way for float32 are almost so: within 0.6 units in the last place."""
    parameters = {"n": 3} if op == "polygamma" else {}
    rng = np.random.default_rng(1)
    inputs = [(rng.standard_normal(20_000) * 10.0 ** rng.uniform(-6, 3, 20_000)).astype(np.float32) for _ in OPS[op].inputs]
    if op == "erfinv":
        inputs[0][:10_000] = rng.uniform(-1, 1, 10_000)
    exact, found = of(op, "float64", *inputs, **parameters), of(op, "float32", *inputs, **parameters)
    with np.errstate(all="ignore"):
        wanted = exact.astype(np.float32)
        unit = np.ldexp(1.0, np.maximum(np.frexp(exact)[1] - 24, -149))
        near = (op in SHORTER) & np.isfinite(wanted) & (np.abs(found - exact) < 0.6 * unit)
    np.testing.assert_array_equal(np.where(near, wanted, found), wanted)


@pytest.mark.parametrize("op", [op for op, row in OPS.items() if op in SPECIAL and row.arity == 1 and not row.params])
def test_near_the_reference(op: str) -> None:
    """Over wide ranges, in float64, composed by the reference."""
    import lamina_ndarray as xp

    x = np.concatenate([np.linspace(-12, 12, 4001), np.linspace(1e-3, 60, 3000), values((64,), "float64")])
    if op in ("erfinv", "ndtri"):
        x = np.concatenate([np.linspace(-1, 1, 4001), 10.0 ** -np.linspace(1, 300, 500), 1 - 10.0 ** -np.linspace(1, 15, 50)])
    with backends.use_backend("numpy"):
        wanted = np.asarray(getattr(xp.special, {"lgamma": "gammaln"}.get(op, op))(xp.asarray(x)))
    np.testing.assert_allclose(of(op, "float64", x), wanted, rtol=2e-12, atol=1e-14)


EPS = 2.0**-52  # an ulp of float64 is at most so much of its number


def ulps(found: np.ndarray[Any, Any], exact: np.ndarray[Any, Any]) -> float:
    unit = np.ldexp(np.longdouble(1), np.maximum(np.frexp(exact)[1] - 53, -1074))
    return float(np.max(np.abs(found - exact) / unit))


LONG = pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="long double has no more digits than float64 here")


@LONG
def test_float64_powers_and_lengths() -> None:
    rng = np.random.default_rng(2)
    for (a, b), (c, d) in [((0, 3), (-5, 5)), ((0.9, 1.1), (-1000, 1000)), ((1e-10, 1e10), (-30, 30)), ((0.5, 2), (-740, 740))]:
        x, y = rng.uniform(a, b, 50_000), rng.uniform(c, d, 50_000)
        assert ulps(of("pow", "float64", x, y), np.power(x.astype(np.longdouble), y.astype(np.longdouble))) < 1.1
    for size in (1, 1e300, 1e-160, 1e-310):
        x, y = rng.uniform(-size, size, (2, 50_000))
        assert ulps(of("hypot", "float64", x, y), np.hypot(x.astype(np.longdouble), y.astype(np.longdouble))) < 1.25


def test_float64_powers_at_the_edges() -> None:
    specials = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 1e300, -1e300, 5e-324, -5e-324, math.inf, -math.inf, math.nan,
                2.0**52 + 1, 2.0**53 - 1, 2.0**53 + 2, -(2.0**52 + 1), 7.5]  # fmt: skip
    x, y = map(np.ravel, np.meshgrid(specials, specials))
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(of("pow", "float64", x, y), np.power(x, y), rtol=2.1 * EPS)  # 1.1 ulps, and NumPy's own
        for op, function in (("hypot", np.hypot), ("nextafter", np.nextafter), ("logaddexp2", np.logaddexp2)):
            found, wanted = of(op, "float64", x, y), function(x, y)
            np.testing.assert_allclose(found, wanted, rtol=2.25 * EPS, atol=EPS if op == "logaddexp2" else 0)  # 1.25 ulps and 1
            np.testing.assert_array_equal(np.signbit(found[found == 0]), np.signbit(wanted[wanted == 0]))


@LONG
def test_float64_error_functions() -> None:
    """By math.erf and math.erfc, within 1 ulp themselves; gelu's argument is rounded, which is made good to first order."""
    rng = np.random.default_rng(3)
    for low, high in ((-1, 1), (-6, 6), (0.5, 26)):
        x = rng.uniform(low, high, 20_000)
        for op in ("erf", "erfc"):
            assert ulps(of(op, "float64", x), np.array([getattr(math, op)(v) for v in x], np.longdouble)) < 3.1, (op, low, high)
    x = rng.uniform(-36, 8, 20_000)
    y = x * -math.sqrt(0.5)
    lost = x.astype(np.longdouble) * -np.sqrt(np.longdouble(0.5)) - y
    tails = np.array([math.erfc(v) for v in y], np.longdouble)
    exact = x * (tails - lost * (2 / math.sqrt(math.pi)) * np.exp(-(y.astype(np.longdouble) ** 2))) / 2
    assert ulps(of("gelu", "float64", x), exact) < 3.6


def test_neighbours_of_16_bits() -> None:
    every = np.arange(2**16, dtype=np.uint16).view(np.float16)
    for towards in (math.inf, -math.inf, 0.0, 1.0):
        found = run("nextafter", empty(every.shape, "float16"), operand(every), towards)
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(found, np.nextafter(every, np.float16(towards)))
