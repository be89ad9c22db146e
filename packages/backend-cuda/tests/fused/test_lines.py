"""Softmax and normalisations of lines that a thread, a warp or a block has; sums in parts; NaN and infinities."""

import numpy as np
import pytest
from against_reference import assert_as_reference, placed

from lamina_backend_cuda.ops.fused import lines
from lamina_backend_cuda.ops.walks import walks
from lamina_testkit.placement import read

U = 2.0**-24  # the unit roundoff of float32
RNG = np.random.default_rng(5)


def normal(*shape):
    return RNG.normal(size=shape).astype(np.float32)


@pytest.mark.parametrize(
    ("shape", "axis", "team"),
    [((3, 16), 1, "alone"), ((4, 5000), 0, "alone"), ((20, 4100), 0, "alone"), ((5, 300), 1, "warps"), ((300, 5), 0, "warps"),
     ((2, 1300), 1, "blocks"), ((1300, 2), 0, "blocks")],
)  # fmt: skip
@pytest.mark.parametrize("op", ["softmax", "log_softmax"])
def test_each_team_of_softmax(cuda, shape, axis, team, op):
    """A power is off by 4 u of the difference from the greatest, which is below 12, and sums by as many u as they have halvings."""
    x, gradient = normal(*shape), normal(*shape)
    for kind in ("compact", "sliced"):
        (made,) = assert_as_reference(cuda, op, [x], [(shape, "float32")], [64 * U], kind, axis=axis)
        assert cuda.port.launches == [team]
        scale = np.abs(gradient).sum(axis).max()
        assert_as_reference(cuda, f"{op}_gradient", [gradient, made], [(shape, "float32")], [16 * U * scale], kind, axis=axis)
        assert cuda.port.launches == [team]


def test_softmax_of_what_is_not_finite(cuda):
    """-inf has no share; a line of nothing else, with inf or with NaN has no softmax."""
    lines = np.zeros((5, 40), np.float32)
    lines[0, ::2] = -np.inf
    lines[1] = -np.inf
    lines[2, 7] = np.inf
    lines[3, 39] = np.nan
    x, out = placed(cuda, lines), placed(cuda, lines)
    cuda.kernel("softmax")(out, x, axis=1)
    found = read(out)
    assert np.allclose(found[0], np.tile([0, 0.05], 20)) and np.isnan(found[1:4]).all() and np.allclose(found[4], 1 / 40)


def test_a_softmax_of_16_bits_is_rounded_once(cuda):
    """Sums of 3000 in float16 would be off by 2**-1 and more."""
    x = normal(2, 3000).astype(np.float16)
    wide = np.exp(x.astype(float))
    exact = wide / wide.sum(1, keepdims=True)
    out = placed(cuda, np.zeros_like(x))
    cuda.kernel("softmax")(out, placed(cuda, x), axis=1)
    assert np.abs(read(out) - exact).max() <= exact.max() * 2.0**-11 * 1.01 + 2.0**-25


@pytest.mark.parametrize(("shape", "team"), [((7, 12), "alone"), ((3, 200), "warps"), ((2, 1500), "blocks")])
@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("affine", [True, False])
def test_each_team_of_layer_norm(cuda, shape, team, given, affine):
    x, gradient = normal(*shape) + 3, normal(*shape)
    weight, bias = (normal(shape[1]), normal(shape[1])) if affine else (None, None)
    results = [(shape, "float32"), (shape[:1], "float32"), (shape[:1], "float32")]
    _, mean, rstd = assert_as_reference(
        cuda, "layer_norm", [x, weight, bias], results, [100 * U, 20 * U, 40 * U], ndim=1, eps=1e-5
    )
    assert cuda.port.launches == [team]
    statistics = (mean, rstd) if given else (None, None)
    results = [(shape, "float32"), (shape[1:], "float32"), (shape[1:], "float32")]
    bounds = [300 * U, 300 * U, 100 * U]
    assert_as_reference(cuda, "layer_norm_gradient", [gradient, x, weight, *statistics], results, bounds, ndim=1, eps=1e-5)
    assert cuda.port.launches[0] == team
    assert_as_reference(
        cuda, "rms_norm_gradient", [gradient, x, weight, rstd if given else None], results[:2], bounds[:2], ndim=1, eps=1e-5
    )


def test_a_small_deviation_about_a_large_mean(cuda):
    """One pass of sums and squares would find a variance of 1e6**2 * u, which is 6e4."""
    x = 1e6 + normal(2, 500).astype(np.float64)
    out, mean, rstd = (placed(cuda, np.zeros(shape, np.float64)) for shape in ((2, 500), (2,), (2,)))
    cuda.kernel("layer_norm")((out, mean, rstd), placed(cuda, x), None, None, ndim=1, eps=0.0)
    assert np.allclose(read(rstd), 1 / x.std(1), rtol=1e-9)
    exact = x.astype(np.float32)
    out, mean, rstd = (placed(cuda, np.zeros(shape, np.float32)) for shape in ((2, 500), (2,), (2,)))
    cuda.kernel("layer_norm")((out, mean, rstd), placed(cuda, exact), None, None, ndim=1, eps=0.0)
    assert np.allclose(read(rstd), 1 / exact.astype(float).std(1), rtol=0.05)


@pytest.mark.parametrize("shape", [(2, 3, 5000), (4000, 3), (300, 2, 9)])
@pytest.mark.parametrize("training", [True, False])
def test_channels_in_parts(cuda, shape, training):
    x, gradient = normal(*shape) * 2 + 1, normal(*shape)
    channels = shape[1:2]
    n, vectors = x.size // channels[0], [(channels, "float32")] * 2
    mean, variance = assert_as_reference(cuda, "channel_moments", [x], vectors, [40 * U, 200 * U])
    assert cuda.port.launches[1:] == (["join_parts"] if n >= 1024 else [])
    weight, bias = normal(*channels), normal(*channels)
    assert_as_reference(cuda, "batch_norm", [x, mean, variance, weight, bias], [(shape, "float32")], [100 * U], eps=1e-5)
    assert cuda.port.launches == ["batch_norm"]
    results = [(shape, "float32"), *vectors]
    bounds = [100 * U, 10 * U * n**0.5 * 16, 10 * U * n**0.5 * 16]
    statistics = (mean, variance) if shape[0] != 2 else (None, None)
    assert_as_reference(
        cuda, "batch_norm_gradient", [gradient, x, *statistics, weight], results, bounds, eps=1e-5, training=training
    )


def test_sums_of_vectors_are_the_same_each_time(cuda):
    """No atomic additions: parts are joined in their order."""
    x, gradient = placed(cuda, normal(5000, 8)), placed(cuda, normal(5000, 8))
    found = []
    for _ in range(2):
        outs = tuple(placed(cuda, np.zeros(shape, np.float32)) for shape in ((5000, 8), (8,), (8,)))
        cuda.kernel("layer_norm_gradient")(outs, gradient, x, None, None, None, ndim=1, eps=1e-5)
        found.append([read(out).tobytes() for out in outs])
    assert found[0] == found[1] and "join_parts" in cuda.port.launches


@pytest.mark.parametrize("length, step, plain", [(2**30 - 1, 1, True), (2**30, 1, False), (2**20, -(2**9), True), (2**20, 2**10, False)])
def test_lines_are_counted_in_32_bits_where_no_step_goes_beyond(length, step, plain):
    (line,) = walks((length,), ((1,), (step,)), True)
    assert lines._is_plain(line, 2) is plain
