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
