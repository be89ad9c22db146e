"""Pooling of planes larger than a block, NaN among their items, and gradients that meet."""

import numpy as np
import pytest
from against_reference import assert_as_reference, placed

from lamina_testkit.placement import read

RNG = np.random.default_rng(9)
POOL = {"kernel": (3, 3), "stride": (2, 1), "padding": (1, 1), "ceil": False}


def test_a_large_plane(cuda):
    """Every item of float16 that is greatest is found as it is; gradients are sums of at most nine numbers, rounded once."""
    x = RNG.normal(size=(2, 3, 40, 37)).astype(np.float16)
    x[0, 1, 5, 5], x[1, 0] = np.nan, -np.inf
    shape = (2, 3, 20, 37)
    results = [(shape, "float16"), (shape, "int64")]
    with np.errstate(invalid="ignore"):
        assert_as_reference(cuda, "max_pool", [np.nan_to_num(x, neginf=-np.inf)], results, [0, 0], dilation=(1, 1), **POOL)
        made = placed(cuda, np.zeros(shape, np.float16)), placed(cuda, np.zeros(shape, np.int64))
        cuda.kernel("max_pool")(made, placed(cuda, x), dilation=(1, 1), **POOL)
    values, positions = map(read, made)
    assert np.isnan(values[0, 1]).sum() == 6 and (positions[0, 1][np.isnan(values[0, 1])] == 5 * 37 + 5).all()
    gradient = RNG.normal(size=shape).astype(np.float16)
    wanted = np.zeros((2, 3, 40 * 37))
    for plane in np.ndindex(2, 3):
        np.add.at(wanted[plane], positions[plane].reshape(-1), gradient[plane].reshape(-1).astype(float))
    out = placed(cuda, np.zeros(x.shape, np.float16))
    cuda.port.launches.clear()
    cuda.kernel("max_pool_gradient")(out, placed(cuda, gradient), placed(cuda, positions), lengths=(40, 37))
    assert cuda.port.launches == ["max_pool_gradient"]
    found = read(out).reshape(2, 3, -1).astype(float)
    assert (np.abs(found - wanted) <= np.abs(wanted) * 2.0**-11 + 1e-5).all()


@pytest.mark.parametrize("settings", [(True, None), (False, None), (True, 5)])
def test_means_and_their_gradients(cuda, settings):
    """Nine terms below 5: 9 u of 45."""
    x = RNG.normal(size=(2, 3, 40, 37)).astype(np.float32)
    params = {**POOL, "count_padding": settings[0], "divisor": settings[1]}
    bound = [9 * 45 * 2.0**-24]
    assert_as_reference(cuda, "average_pool", [x], [((2, 3, 20, 37), "float32")], bound, **params)
    assert cuda.port.launches == ["average_pool"]
    gradient = RNG.normal(size=(2, 3, 20, 37)).astype(np.float32)
    assert_as_reference(cuda, "average_pool_gradient", [gradient], [(x.shape, "float32")], bound, lengths=(40, 37), **params)
    assert cuda.port.launches == ["average_pool_gradient"]
