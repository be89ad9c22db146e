"""Values and gradients item by item at NaN, the infinities, both zeros and the borders of pieces, against real PyTorch.

Some of PyTorch's loops give another gradient for NaN in their vectors than in the items left over: both are right here.
"""

import itertools
import math

import numpy as np
import pytest
import torch

import lamina

NAN, INF = math.nan, math.inf
EDGES = [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 3.0, -3.0, 6.0, 2.0, -2.0, 0.25, 20.0, 20.5, 1e30, -1e30]
PAIRS = list(zip(*itertools.product(EDGES[:11], repeat=2), strict=True))


def _plain(name):
    return lambda t, F, *x: getattr(t, name)(*x)


def _functional(name, **params):
    return lambda t, F, *x: getattr(F, name)(*x, **params)


ONE = {name: _plain(name) for name in [
    "abs", "sign", "neg", "square", "sqrt", "rsqrt", "reciprocal", "exp", "exp2", "expm1", "log", "log2", "log10",
    "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "asinh", "acosh", "atanh", "sigmoid",
    "logit", "erf", "erfc", "erfinv", "relu", "floor", "ceil", "round", "trunc", "frac", "positive", "deg2rad", "angle",
    "nan_to_num", "sinc",
]}  # fmt: skip
ONE |= {name: _functional(name) for name in [
    "elu", "selu", "celu", "softshrink", "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "relu6", "leaky_relu",
    "gelu", "silu", "mish", "softplus", "softsign", "tanhshrink", "logsigmoid",
]}  # fmt: skip
ONE |= {
    "elu of 0.5": _functional("elu", alpha=0.5), "celu of 2": _functional("celu", alpha=2.0),
    "softshrink of 1": _functional("softshrink", lambd=1.0), "softshrink of 0": _functional("softshrink", lambd=0.0),
    "hardshrink of 1": _functional("hardshrink", lambd=1.0), "leaky_relu of -0.5": _functional("leaky_relu", negative_slope=-0.5),
    "leaky_relu of 0": _functional("leaky_relu", negative_slope=0.0), "threshold": _functional("threshold", threshold=1.0, value=7.0),
    "softplus of 2": _functional("softplus", beta=2.0, threshold=3.0), "softplus of -0.5": _functional("softplus", beta=-0.5),
    "hardtanh of -2 and 3": _functional("hardtanh", min_val=-2.0, max_val=3.0), "gelu tanh": _functional("gelu", approximate="tanh"),
    "clamp": lambda t, F, x: t.clamp(x, -1.0, 1.0), "clamp from 0": lambda t, F, x: t.clamp(x, min=0.0),
    "clamp to 0": lambda t, F, x: t.clamp(x, max=0.0), "clamp crossed": lambda t, F, x: t.clamp(x, 2.0, 1.0),
    "clamp to NaN": lambda t, F, x: t.clamp(x, min=NAN), "clamp to infinities": lambda t, F, x: t.clamp(x, -INF, INF),
    "logit of 0.25": lambda t, F, x: t.logit(x, 0.25), "x ** 0": lambda t, F, x: x**0, "x ** 2": lambda t, F, x: x**2,
    "entr": lambda t, F, x: t.special.entr(x), "x ** 3": lambda t, F, x: x**3, "x ** -1": lambda t, F, x: x**-1,
    "x ** 0.5": lambda t, F, x: x**0.5, "x ** -0.5": lambda t, F, x: x**-0.5, "x ** 1.5": lambda t, F, x: x**1.5,
}  # fmt: skip
TWO = {name: _plain(name) for name in [
    "maximum", "minimum", "fmax", "fmin", "atan2", "hypot", "pow", "fmod", "remainder", "copysign", "logaddexp", "mul",
    "div", "add", "sub", "xlogy",
]}  # fmt: skip
TWO |= {f"{name}_loss": _functional(f"{name}_loss", reduction="none") for name in ("l1", "mse", "smooth_l1", "huber")}
TWO |= {
    "clamp from y": lambda t, F, x, y: t.clamp(x, min=y), "clamp to y": lambda t, F, x, y: t.clamp(x, max=y),
    "clamp between": lambda t, F, x, y: t.clamp(x, y, y + 1), "prelu": lambda t, F, x, y: F.prelu(x[None], y)[0],
    "xlog1py": lambda t, F, x, y: t.special.xlog1py(x, y),
    "where": lambda t, F, x, y: t.where(x > y, x, y), "lerp": lambda t, F, x, y: t.lerp(x, y, 0.5),
    "addcmul": lambda t, F, x, y: t.addcmul(x, x, y, value=2), "addcdiv": lambda t, F, x, y: t.addcdiv(x, x, y, value=2),
}  # fmt: skip


def _found(lib, F, function, columns, dtype):
    """The values and the gradients, as rows."""
    inputs = [lib.tensor(column, dtype=getattr(lib, dtype), requires_grad=True) for column in columns]
    result = function(lib, F, *inputs)
    result.sum().backward()
    return np.stack([x.detach().numpy() for x in (result, *(x.grad for x in inputs))])


def _same(found, wanted, dtype):
    with np.errstate(invalid="ignore"):
        close = np.isclose(found, wanted, rtol=2e-4 if dtype == "float32" else 1e-7, atol=1e-6, equal_nan=True)
        return close & ((np.signbit(found) == np.signbit(wanted)) | (np.abs(wanted) != INF))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_values_and_gradients(name, dtype):
    function = ONE.get(name) or TWO[name]
    columns = [EDGES] if name in ONE else PAIRS
    found = _found(lamina, lamina.nn.functional, function, columns, dtype)
    many = [[x for x in column for _ in range(32)] for column in columns]
    wanted = _found(torch, torch.nn.functional, function, many, dtype)[:, ::32]
    wrong = []
    for row, i in np.argwhere(~_same(found, wanted, dtype)):
        at = [[column[i]] for column in columns]
        alone = _found(torch, torch.nn.functional, function, at, dtype)[row, 0]
        if not _same(found[row, i], alone, dtype):
            what = ["value", "gradient", "gradient of the second"][row]
            wrong.append(f"{what} at {at}: {found[row, i]}; PyTorch's {wanted[row, i]}, or {alone}")
    assert not wrong, "\n".join(wrong)


# At other edges they have another value or slope: x ** -1.5, i1 at NaN, digamma below 0, where PyTorch rounds pi.
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["i0", "i0e", "i1", "i1e", "digamma", "gammaln"])
def test_special_functions_at_the_infinities_and_at_poles(name, dtype):
    places = [INF, -INF, 0.0, -0.0, NAN, 1.0, -1.5, *([-1.0, -2.0] if "gamma" in name else [])]
    found, wanted = (getattr(lib.special, name)(lib.tensor(places, dtype=getattr(lib, dtype))).numpy() for lib in (lamina, torch))
    assert _same(found, wanted, dtype).all(), (found, wanted)


@pytest.mark.parametrize("name", ["i0", "i0e", "i1e"])
def test_slopes_of_bessel_functions_at_the_infinities(name):
    def function(t, F, x):
        return getattr(t.special, name)(x)

    found, wanted = (_found(lib, None, function, [[INF, -INF, 0.0]], "float64") for lib in (lamina, torch))
    assert _same(found, wanted, "float64").all(), (found, wanted)


@pytest.mark.parametrize("bad", [INF, -INF, NAN, 2.0, -0.1])
def test_binary_cross_entropy_refuses_what_is_no_probability(bad):
    for place in range(2):
        for lib in (lamina, torch):
            given = [lib.tensor([0.5, 0.25]), lib.tensor([0.5, 1.0])]
            given[place][1] = bad
            with pytest.raises(RuntimeError, match=f"all elements of {['input', 'target'][place]} should be between 0 and 1"):
                lib.nn.functional.binary_cross_entropy(*given)


@pytest.mark.parametrize("x", [[1.3, 1.9, 0.5], 1.3, [1, 2, 0], 2], ids=str)
@pytest.mark.parametrize("bound", ["float64", "float32", "float16", "int64"])
def test_bounds_of_other_dtypes(x, bound):
    """A bound of no dims counts as a number beside a number; gradients compare as the function does, after promotion."""

    def of(lib):
        found = []
        for other in (None, 0, 5, 0.5, "self"):
            for at in (0, 1):
                floating = bound != "int64"
                limit = lib.tensor(1.3 if floating else 1, dtype=getattr(lib, bound), requires_grad=floating and other is None)
                input = lib.tensor(x, requires_grad=isinstance(x, float) or (isinstance(x, list) and isinstance(x[0], float)))
                bounds = [limit if other == "self" else other] * 2
                bounds[at] = limit
                result = input.clamp(*bounds)
                found += [str(result.dtype).rpartition(".")[2], result.tolist()]
                if result.requires_grad and result.dtype.is_floating_point:
                    result.sum().backward()
                    found += [None if t.grad is None else t.grad.tolist() for t in (limit, input)]
        return found

    assert of(lamina) == of(torch)


def test_norms_whose_inverse_is_infinite():
    def of(lib):
        x = lib.full((2, 3), 1e-6, dtype=lib.float16, requires_grad=True)
        lib.linalg.vector_norm(x, 2, dim=-1).sum().backward()
        return x.grad.tolist()

    assert np.allclose(of(lamina), of(torch), rtol=2.0**-9, atol=0) and np.isfinite(of(lamina)).all()


def test_margins_that_are_just_kept():
    """The hinge of margins between classes has no slope at 0, that of two inputs has one."""

    def of(lib):
        found, F = [], lib.nn.functional
        for loss, target in ((F.multi_margin_loss, [0, 1]), (F.multilabel_margin_loss, [[0, -1, -1], [1, -1, -1]])):
            x = lib.tensor([[1.5, 0.5, 0.75], [-0.25, 0.75, -0.25]], requires_grad=True)
            loss(x, lib.tensor(target), reduction="sum").backward()
            found.append(x.grad.tolist())
        a, b = (lib.tensor([v, 2.0], requires_grad=True) for v in (1.0, 0.5))
        F.margin_ranking_loss(a, b, lib.tensor([1.0, 1.0]), margin=0.5, reduction="sum").backward()
        return [*found, a.grad.tolist(), b.grad.tolist()]

    assert of(lamina) == of(torch)


@pytest.mark.parametrize("x", [[0.5, 7.0], 3.5, [1, 7]], ids=str)
@pytest.mark.parametrize("bound", [2 + 0j, 2 + 1j])
def test_complex_bounds(x, bound):
    """Beside a number, one without an imaginary part bounds floats."""

    def of(lib):
        found = []
        for bounds in ((-0.5, lib.tensor(bound)), (lib.tensor(bound), 5), (None, lib.tensor(bound))):
            try:
                found.append(lib.tensor(x).clamp(*bounds).tolist())
            except RuntimeError:
                found.append("refused")
        return found

    assert of(lamina) == of(torch)
