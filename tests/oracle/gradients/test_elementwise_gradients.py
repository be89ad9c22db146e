"""Gradients of the elementwise generic functions, and of complex signs and logarithms, against real PyTorch."""

import numpy as np
import pytest
import torch

import lamina

REAL = np.array([-2.5, -1.0, -0.3, 0.2, 1.0, 3.75])
OTHER = np.array([1.5, -1.0, 0.4, -0.2, 2.0, -0.5])
COMPLEX = np.array([1 + 2j, -0.5j, 3 - 4j, -1 + 0.25j, 0.5 + 0j, 2 + 2j])
OTHER_COMPLEX = np.array([0.3 - 1j, 2 + 0.5j, -1 - 1j, 0.5j, 1 + 1j, -2 + 0j])

CASES = {
    "fmax": (REAL, OTHER),
    "fmin": (REAL, OTHER),
    "copysign": (REAL, OTHER),
    "logaddexp": (REAL, OTHER),
    "logaddexp2": (REAL, OTHER),
    "float_power": (np.abs(REAL), OTHER),
    "ldexp": (REAL, OTHER),
    "nan_to_num": (np.array([1.0, np.nan, np.inf, -np.inf, 2.0, -3.0]),),
    "deg2rad": (REAL,),
    "rad2deg": (REAL,),
    "frac": (REAL,),
    "positive": (REAL,),
    "angle": (REAL,),
    "complex": (REAL, OTHER),
    "polar": (np.abs(REAL), OTHER),
    "nansum": (np.array([1.0, np.nan, -2.0, np.nan, 0.5, 3.0]),),
    "nanmean": (np.array([1.0, np.nan, -2.0, np.nan, 0.5, 3.0]),),
    "sgn": (COMPLEX,),
    "asinh": (COMPLEX,),
    "acosh": (COMPLEX,),
    "atanh": (COMPLEX,),
}


@pytest.mark.parametrize("name", CASES)
def test_gradients(name):
    compare(name, CASES[name])


def test_the_angle_of_a_complex_number():
    compare("angle", (np.append(COMPLEX[:5], 0),))


def test_heaviside_has_no_gradient():
    for lib in (torch, lamina):
        x = lib.tensor([-1.0, 0.0, 2.0], requires_grad=True)
        with pytest.raises(RuntimeError, match="heaviside"):
            lib.heaviside(x, x).sum().backward()


def test_complex_logarithm_of_a_sum():
    compare("logaddexp", (COMPLEX, OTHER_COMPLEX))


def test_the_mantissa_carries_the_gradient():
    compare("frexp", (REAL,), lambda result: result[0])


def compare(name, arrays, pick=lambda result: result):
    results = []
    for lib in (torch, lamina):
        inputs = [lib.tensor(a.tolist(), dtype=getattr(lib, str(a.dtype)), requires_grad=True) for a in arrays]
        y = pick(getattr(lib, name)(*inputs))
        weights = lib.tensor((OTHER_COMPLEX if y.is_complex() else OTHER).tolist()[: y.numel()], dtype=y.dtype)
        total = (y * weights).sum()
        (total.real if total.is_complex() else total).backward()
        results.append([x.grad.resolve_conj().numpy() if lib is torch else x.grad.numpy() for x in inputs])
    for theirs, ours in zip(*results, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-12)


BESIDE_INTEGERS = {
    "pow": lambda lib, x, i: lib.pow(i, x),
    "pow of a number of items": lambda lib, x, i: lib.pow(i[1], x.sum()),
    "pow by integers": lambda lib, x, i: lib.pow(x, i),
    "float_power": lambda lib, x, i: lib.float_power(i, x),
    "xlogy": lambda lib, x, i: lib.xlogy(x, i),
    "xlogy of integers": lambda lib, x, i: lib.xlogy(i, x),
    "xlog1py": lambda lib, x, i: lib.special.xlog1py(x, i),
    "atan2": lambda lib, x, i: lib.atan2(x, i),
    "divide": lambda lib, x, i: x / i,
    "divided": lambda lib, x, i: i / x,
    "addcmul": lambda lib, x, i: lib.addcmul(x, x, i),
    "remainder": lambda lib, x, i: lib.remainder(x, i),
    "zeta": lambda lib, x, i: lib.special.zeta(i, x + 2),
}


@pytest.mark.parametrize("name", BESIDE_INTEGERS)
def test_gradients_beside_integers_are_as_exact_as_their_dtype(name):
    """What a rule computes of integers alone would be in float32, the default dtype."""
    grads = []
    for lib in (torch, lamina):
        x = lib.tensor([0.7, 1.3, 2.9], dtype=lib.float64, requires_grad=True)
        BESIDE_INTEGERS[name](lib, x, lib.tensor([2, 3, 5])).sum().backward()
        grads.append(x.grad.numpy())
    np.testing.assert_allclose(grads[1], grads[0], rtol=32 * np.finfo(np.float64).eps)
