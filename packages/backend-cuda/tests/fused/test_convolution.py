"""Convolutions of more channels and places than a tile has, groups, and depths that are divided into parts."""

import numpy as np
import pytest
from against_reference import assert_as_reference

RNG = np.random.default_rng(10)
U = {"float32": 2.0**-24, "float64": 2.0**-53}
CASES = {
    "tiles": ((2, 5, 13, 12), (70, 5, 3, 3), (1, 1), (1, 1), (1, 1), 1),
    "groups": ((1, 6, 20, 9), (4, 3, 2, 3), (2, 1), (0, 2), (1, 2), 2),
    "each channel": ((2, 67, 9), (67, 1, 4), (3,), (2,), (1,), 67),
    "deep": ((1, 140, 6, 6), (3, 140, 3, 3), (1, 1), (0, 0), (1, 1), 1),
    "many examples": ((40, 3, 9, 8), (4, 3, 2, 2), (1, 1), (0, 0), (2, 1), 1),
    "volume": ((1, 2, 5, 6, 4), (3, 2, 2, 3, 2), (1, 2, 1), (0, 1, 1), (2, 1, 1), 1),
}


@pytest.mark.parametrize("name", U)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", ["compact", "transposed"])
def test_convolution_and_its_gradients(cuda, case, name, kind):
    """Sums of n products below 20, n of them at most: off by the square root of n times some u, as in the mean errors cancel."""
    shape, weight_shape, stride, padding, dilation, groups = CASES[case]
    x, weight = (RNG.normal(size=s).astype(name) for s in (shape, weight_shape))
    bias = RNG.normal(size=weight_shape[0]).astype(name)
    params = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    counts = tuple(
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, s, p, d in zip(shape[2:], weight_shape[2:], stride, padding, dilation, strict=True)
    )
    out = (shape[0], weight_shape[0], *counts)

    def bound(terms):
        return [20 * terms**0.5 * 8 * U[name]]

    deep = int(np.prod(weight_shape[1:]))
    assert_as_reference(cuda, "convolution", [x, weight, bias], [(out, name)], bound(deep), kind, **params)
    assert cuda.port.launches == (["slide", "join_parts"] if deep >= 1024 else ["slide"])
    gradient = RNG.normal(size=out).astype(name)
    deep = weight_shape[0] // groups * int(np.prod(weight_shape[2:]))
    for added in (None, RNG.normal(size=shape[1]).astype(name)):
        inputs = [gradient, weight, added]
        assert_as_reference(
            cuda, "convolution_input_gradient", inputs, [(shape, name)], bound(deep), kind, lengths=shape[2:], **params
        )
        assert cuda.port.launches == ["slide"]
    deep = shape[0] * int(np.prod(counts))
    inputs, lengths = [gradient, x], weight_shape[2:]
    assert_as_reference(
        cuda, "convolution_weight_gradient", inputs, [(weight_shape, name)], bound(deep), kind, lengths=lengths, **params
    )
    assert cuda.port.launches == (["slide", "join_parts"] if deep >= 1024 else ["slide"])
