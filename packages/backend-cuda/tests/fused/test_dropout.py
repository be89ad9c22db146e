"""Dropout on the stand-in: the numbers of the reference's Philox, bit by bit; and the gradient, which is the same map."""

import numpy as np
import pytest
from against_reference import placed

from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.random import Generator, bernoulli
from lamina_testkit.placement import read, untouched


def philox(seed):
    return Generator("cuda").manual_seed(seed)


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("kind", ["compact", "offset", "sliced"])
@pytest.mark.parametrize("n", [1, 8, 70, 3001])
def test_dropout_draws_the_numbers_of_the_reference(cuda, name, kind, n):
    x = np.random.default_rng(n).normal(size=n).astype(DTYPES[name].numpy)
    x[0] = np.inf
    for p in (0.0, 0.3, 0.9):
        chosen, host = np.empty(n, np.uint8), philox(12)
        bernoulli(chosen, host, 1 - p)
        generator = philox(12)
        out, kept = placed(cuda, np.zeros_like(x), kind), placed(cuda, np.zeros(-(-n // 8), np.uint8), kind)
        cuda.port.launches.clear()
        cuda.kernel("dropout")((out, kept), placed(cuda, x, kind), generator=generator, p=p)
        assert cuda.port.launches == ["dropout"] and generator.source.offset == host.source.offset == 1
        assert (read(kept) == np.packbits(chosen, bitorder="little")).all() and untouched(out) and untouched(kept)
        wide = np.promote_types(x.dtype if name != "bfloat16" else np.float32, np.float32)
        scale = (wide.type(1) / wide.type(1 - p)).astype(x.dtype)
        with np.errstate(invalid="ignore"):
            wanted = x * (chosen.astype(x.dtype) * scale)
        assert np.array_equal(read(out), wanted, equal_nan=True)
        back = placed(cuda, np.zeros_like(x), kind)
        cuda.kernel("dropout_gradient")(back, placed(cuda, x, kind), kept, p=p)
        assert np.array_equal(read(back), wanted, equal_nan=True) and untouched(back)


def test_rows_of_an_embedding_get_their_gradients_in_order(cuda):
    """A row that is looked up a thousand times: the sum is that of one addition after another, whatever came between."""
    rng = np.random.default_rng(3)
    indices, gradient = rng.integers(0, 5, 4000), rng.normal(size=(4000, 3)).astype(np.float32)
    wanted = np.zeros((5, 3), np.float32)
    for i, g in zip(indices, gradient, strict=True):
        wanted[i] += g
    table = placed(cuda, np.zeros((5, 3), np.float32))
    cuda.kernel("index_put")(table, placed(cuda, gradient), placed(cuda, indices), accumulate=True)
    assert (read(table) == wanted).all()
