"""Gradients over sliding windows and of resampling, first and second, real and complex, against finite differences."""

import numpy as np
import pytest

import lamina_tensor as lt
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.transforms.gradcheck import gradcheck, gradgradcheck

RNG = np.random.default_rng(5)
SETTINGS = ((2, 1), (1, 0), (1, 2), 2)


def leaf(*shape, dtype="float64"):
    values = RNG.normal(size=shape) + (1j * RNG.normal(size=shape) if dtype == "complex128" else 0)
    return lt.asarray(values, dtype=dtype).requires_grad_()


def distinct(*shape):
    """No two items so near that a small step changes which is greater."""
    return lt.asarray(RNG.permutation(int(np.prod(shape))).reshape(shape) / 7.0).requires_grad_()


CASES = {
    "convolution": (lambda x, w, b: af.convolution(x, w, b, *SETTINGS), [(1, 2, 4, 5), (2, 1, 2, 2), (2,)]),
    "input gradient": (
        lambda g, w, b: af.convolution_input_gradient(g, w, b, (4, 5), *SETTINGS), [(1, 2, 3, 3), (2, 1, 2, 2), (2,)]
    ),
    "weight gradient": (lambda g, x: af.convolution_weight_gradient(g, x, (2, 2), *SETTINGS), [(1, 2, 3, 3), (1, 2, 4, 5)]),
    "windows": (lambda x: af.sliding_windows(x, (2, 2), (2, 1), (1, 0), (1, 2)), [(1, 2, 4, 5)]),
    "overlap_add": (lambda w: af.overlap_add(w, (4, 5), (2, 1), (1, 0), (1, 2)), [(1, 2, 2, 2, 3, 3)]),
}


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("name", CASES)
def test_bilinear_forms(name, dtype):
    function, shapes = CASES[name]
    leaves = [leaf(*shape, dtype=dtype) for shape in shapes]
    assert gradcheck(function, leaves)
    assert gradgradcheck(function, leaves)


POOLED = {
    "max_pool": lambda x: af.max_pool(x, (2, 3), (1, 2), (1, 1), (1, 1), True)[0],
    "adaptive_max_pool": lambda x: af.adaptive_max_pool(x, (3, 2))[0],
    "average_pool": lambda x: af.average_pool(x, (2, 3), (1, 2), (1, 1), True, False),
    "mean_bins": lambda x: af.mean_bins(x, 3, 3),
    "cubic": lambda x: af.interpolated(x, 2, 7, "cubic"),
    "smoothed": lambda x: af.interpolated(x, 3, 2, "linear", antialias=True),
    "reflect": lambda x: af.reflect_pad(x, (2, 1, -1, 2)),
    "replicate": lambda x: af.replicate_pad(x, (2, 1, -1, 2)),
    "circular": lambda x: af.circular_pad(x, (2, 1, -1, 2)),
}


@pytest.mark.parametrize("name", POOLED)
def test_of_one_input(name):
    x = distinct(1, 2, 4, 5)
    assert gradcheck(POOLED[name], [x])
    assert gradgradcheck(lambda t: POOLED[name](t) ** 2, [x])


@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
def test_grid_sample(mode, padding):
    x = leaf(1, 1, 3, 4)
    grid = lt.asarray(RNG.uniform(-1.3, 1.3, (1, 2, 1, 2))).requires_grad_()
    assert gradcheck(lambda a, b: af.grid_sample(a, b, mode, padding), [x, grid])
    assert gradgradcheck(lambda a, b: af.grid_sample(a, b, mode, padding), [x, grid])
