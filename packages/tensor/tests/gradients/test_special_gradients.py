"""Gradients of the special functions, against finite differences, at their limits, and refused where there is none."""

from functools import partial

import numpy as np
import pytest

import lamina_tensor as lt
from lamina_flatarray import AutogradError
from lamina_tensor.dispatch.tensor_functions import FUNCTIONS, af

RNG = np.random.default_rng(3)
EVERYWHERE = ["erfc", "erfcx", "log_ndtr", "i0", "i0e", "i1", "i1e", "bessel_j0", "bessel_j1"]
POSITIVE = ["lgamma", "digamma", "bessel_y0", "bessel_y1", "modified_bessel_k0", "modified_bessel_k1",
            "scaled_modified_bessel_k0", "scaled_modified_bessel_k1"]  # fmt: skip
CASES = {
    **{name: (FUNCTIONS[name], -3.0, 12.0) for name in EVERYWHERE},
    **{name: (FUNCTIONS[name], 0.2, 12.0) for name in POSITIVE},
    "lgamma below 0": (FUNCTIONS["lgamma"], -1.9, -1.1),
    "digamma below 0": (FUNCTIONS["digamma"], -1.9, -1.1),
    "erfinv": (FUNCTIONS["erfinv"], -0.95, 0.95),
    "ndtri": (FUNCTIONS["ndtri"], 0.01, 0.99),
    "polygamma": (lambda x: FUNCTIONS["polygamma"](2, x), 0.5, 5.0),
    "zeta": (lambda x: FUNCTIONS["zeta"](2.5, x), 0.5, 5.0),
    "igamma": (lambda x: FUNCTIONS["igamma"](lt.tensor(2.5, dtype="float64"), x), 0.2, 6.0),
    "igammac": (lambda x: FUNCTIONS["igammac"](lt.tensor(40.0, dtype="float64"), x), 20.0, 60.0),
    "xlogy": (lambda x: af.special.xlogy(x, x), 0.2, 3.0),
    "xlog1py": (lambda x: af.special.xlog1py(x, x), -0.5, 3.0),
    "entr": (af.special.entr, 0.2, 3.0),
    "logit": (af.special.logit, 0.1, 0.9),
    "sinc": (af.special.sinc, 0.1, 3.0),
    "ndtr": (af.special.ndtr, -3.0, 3.0),
    "spherical_bessel_j0": (af.special.spherical_bessel_j0, 0.1, 5.0),
    "multigammaln": (lambda x: af.special.multigammaln(x, 3), 1.5, 5.0),
    "gammaln under its other name": (af.special.gammaln, 0.2, 5.0),
}


@pytest.mark.parametrize("name", CASES)
def test_first_and_second_derivatives(name):
    function, low, high = CASES[name]
    values = RNG.uniform(low, high, 9)
    x = lt.tensor(values, dtype="float64", requires_grad=True)
    (first,) = lt.grad(function(x).sum(), x, create_graph=True)
    (second,) = lt.grad(first.sum(), x)
    step = 1e-5

    def slope(at):
        with lt.no_grad():
            ends = [function(lt.tensor(at + s, dtype="float64")).numpy() for s in (step, -step)]
        return (ends[0] - ends[1]) / (2 * step)

    np.testing.assert_allclose(first.numpy(force=True), slope(values), rtol=2e-6, atol=1e-8)

    def first_at(at):
        y = lt.tensor(at, dtype="float64", requires_grad=True)
        return lt.grad(function(y).sum(), y)[0].numpy()

    expected = (first_at(values + step) - first_at(values - step)) / (2 * step)
    np.testing.assert_allclose(second.numpy(), expected, rtol=2e-6, atol=1e-7)


@pytest.mark.parametrize(
    ("function", "at", "expected"),
    [
        (FUNCTIONS["i1"], 0.0, 0.5),
        (FUNCTIONS["i1e"], 0.0, 0.5),
        (FUNCTIONS["bessel_j1"], 0.0, 0.5),
        (FUNCTIONS["i0e"], 0.0, 0.0),
        (af.special.sinc, 0.0, 0.0),
        (af.special.spherical_bessel_j0, 0.0, 0.0),
        (lambda x: af.special.xlogy(x, 3.0), 0.0, np.log(3.0)),
        (lambda x: af.special.xlogy(x, 0.0), 0.0, 0.0),
        (lambda x: af.special.xlogy(0.0, x), 0.0, np.nan),  # 0 / 0, as in PyTorch
        (lambda x: af.special.logit(x, 0.2), 0.1, 0.0),
    ],
)
def test_derivatives_at_a_hole_are_its_limits(function, at, expected):
    x = lt.tensor(at, dtype="float64", requires_grad=True)
    function(x).backward()
    assert float(x.grad) == pytest.approx(expected, abs=1e-15, nan_ok=True)


@pytest.mark.parametrize(("op", "others"), [("igamma", (2.0,)), ("igammac", (2.0,)), ("zeta", (2.0,))])
def test_what_has_no_derivative_says_so(op, others):
    x = lt.tensor([1.5], requires_grad=True)
    with pytest.raises(AutogradError, match=op):
        FUNCTIONS[op](x, *others).sum().backward()


def test_polynomials_are_constants_as_in_pytorch():
    x = lt.tensor([0.5], requires_grad=True)
    assert not af.special.legendre_polynomial_p(x, 3).requires_grad
    assert not af.special.airy_ai(x).requires_grad


def test_polygamma_is_called_in_pytorchs_ways():
    x = lt.tensor([1.0, 2.5])
    expected = lt.polygamma(2, x).numpy()
    np.testing.assert_array_equal(lt.polygamma(n=2, input=x).numpy(), expected)
    np.testing.assert_array_equal(x.polygamma(2).numpy(), expected)
    out = lt.zeros(2)
    assert lt.polygamma(2, x, out=out) is out
    np.testing.assert_array_equal(out.numpy(), expected)
    np.testing.assert_array_equal(x.clone().polygamma_(2).numpy(), expected)
    np.testing.assert_array_equal(x.clone().lgamma_().numpy(), x.lgamma().numpy())


def test_an_op_of_two_operands_takes_pytorchs_keywords():
    found = partial(getattr, lt)

    a, x = lt.tensor([1.0, 2.5]), lt.tensor([0.5, 3.0])
    expected = FUNCTIONS["igamma"](a, x).numpy()
    for made in (found("igamma")(a, other=x), found("igamma")(input=a, other=x), found("igamma")(other=x, input=a)):
        np.testing.assert_array_equal(made.numpy(), expected)
    with pytest.raises(TypeError):
        found("igamma")(a, x, other=x)
