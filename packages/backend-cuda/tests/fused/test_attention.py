"""Attention of more queries, keys, features and values than a tile has, masks of both kinds, and no n x n memory."""

import numpy as np
import pytest
from against_reference import assert_as_reference, placed

from lamina_testkit.placement import read

RNG = np.random.default_rng(8)
BOUND = {"float32": 2e-5, "float64": 1e-13}
"""Scores are sums of at most 90 products below 20, so powers are off by 30 u of 20 and more; results are means of numbers below 5."""


def normal(name, *shape):
    return RNG.normal(size=shape).astype(name)


@pytest.mark.parametrize("name", BOUND)
@pytest.mark.parametrize(
    ("lead", "queries", "keys", "features", "values"), [((2,), 70, 130, 20, 5), ((), 65, 33, 90, 100), ((1, 2), 3, 64, 17, 150)]
)
@pytest.mark.parametrize("masked", ["no", "causal", "chosen", "added"])
def test_attention_of_many_tiles(cuda, name, lead, queries, keys, features, values, masked):
    query, key, value = (normal(name, *lead, *s) for s in ((queries, features), (keys, features), (keys, values)))
    mask = None
    if masked in ("chosen", "added"):
        mask = RNG.random((*lead, queries, keys)) < 0.6
        mask[..., 1, :] = False
        mask = mask if masked == "chosen" else np.where(mask, normal(name, *mask.shape), -np.inf).astype(name)
    params = {"scale": features**-0.5, "causal": masked == "causal"}
    results = [((*lead, queries, values), name), ((*lead, queries), name)]
    bound = BOUND[name]
    with np.errstate(invalid="ignore"):
        made, logs = assert_as_reference(cuda, "attention", [query, key, value, mask], results, [bound, bound], **params)
        assert cuda.port.launches == ["attention"]
        gradient = normal(name, *lead, queries, values)
        operands = [gradient, query, key, value, mask]
        shapes = [(x.shape, name) for x in (query, key, value)]
        bounds = [bound * values**0.5 * 4] * 3
        for given in ((made, logs), (None, None)):
            assert_as_reference(cuda, "attention_gradient", [*operands, *given], shapes, bounds, **params)
            assert cuda.port.launches[-3:] == ["of_query", "of_key", "of_value"]


def test_a_mask_may_be_one_row_for_all(cuda):
    """Strides of 0, as broadcasting gives them."""
    query, key, value = (normal("float32", 2, 6, 4) for _ in range(3))
    row = np.array([True, False, True, True, False, True])
    mask = placed(cuda, np.broadcast_to(row, (2, 6, 6)), "broadcast")
    out, logs = placed(cuda, np.zeros((2, 6, 4), np.float32)), placed(cuda, np.zeros((2, 6), np.float32))
    cuda.kernel("attention")((out, logs), *(placed(cuda, x) for x in (query, key, value)), mask, scale=0.5, causal=False)
    scores = np.where(row, query @ key.swapaxes(1, 2) * 0.5, -np.inf)
    powers = np.exp(scores)
    assert np.allclose(read(out), powers / powers.sum(-1, keepdims=True) @ value, atol=1e-5)


def test_scores_are_never_kept(cuda):
    """Only results are allocated, whatever the number of keys."""
    query, key, value = (placed(cuda, normal("float32", 200, 8)) for _ in range(3))
    out, logs = placed(cuda, np.zeros((200, 8), np.float32)), placed(cuda, np.zeros(200, np.float32))
    device = out.flat.memory.device
    device.reset_peak()
    before = device.memory_stats().allocated
    cuda.kernel("attention")((out, logs), query, key, value, None, scale=0.3, causal=True)
    assert device.memory_stats().peak_allocated == before


def test_no_keys(cuda):
    query, nothing = placed(cuda, normal("float32", 3, 4)), placed(cuda, np.zeros((0, 4), np.float32))
    out, logs = placed(cuda, np.ones((3, 4), np.float32)), placed(cuda, np.ones(3, np.float32))
    cuda.kernel("attention")((out, logs), query, nothing, nothing, None, scale=1.0, causal=False)
    assert (read(out) == 0).all() and (read(logs) == np.inf).all()
