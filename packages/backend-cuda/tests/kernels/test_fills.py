"""Random fills: the reference's numbers of the same stream, in every dtype; and the published words of Philox."""

import numpy as np
import pytest

from lamina_backend_cuda.ops.fills import KERNELS
from lamina_flatarray import random
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.errors import RandomError
from lamina_flatarray.random import Generator
from lamina_testkit.placement import place, read, untouched

FILLS = {
    "random_uniform": (random.uniform, [(0.0, 1.0), (-2.0, 3.0), (0.0, 1e-3)], ("low", "high")),
    "random_normal": (random.normal, [(0.0, 1.0), (5.0, 0.25), (1.0, 0.0)], ("mean", "std")),
    "random_bernoulli": (random.bernoulli, [(0.0,), (0.3,), (1.0,)], ("probability",)),
    "random_integers": (random.random_integers, [(0, 2), (1, 100)], ("low", "high")),
}
CASES = [(op, name) for op in FILLS for name in KERNELS[op][1]]


@pytest.mark.parametrize(("op", "name"), CASES)
def test_fills_are_those_of_the_reference(op, name, cuda):
    """Two fills one after another, each under a layout with gaps."""
    fill, choices, names = FILLS[op]
    dtype = DTYPES[name]
    for values in choices:
        if name == "bool" and op == "random_integers" and values != (0, 2):
            continue
        here, there = (Generator("cuda").manual_seed(2**40 + 5) for _ in range(2))
        for _ in range(2):
            out = place(np.zeros((3, 50), dtype.numpy), "sliced", cuda, dtype)
            cuda.kernel(op)(out, generator=here, **dict(zip(names, values, strict=True)))
            expected = np.zeros(150, dtype.numpy)
            fill(expected, there, *values)
            found = read(out).reshape(-1)
            if op == "random_normal":
                assert np.allclose(found.astype(float), expected.astype(float), rtol=1e-6 if dtype.itemsize > 2 else 1e-2, atol=1e-6)
            else:
                assert (found == expected).all()
            assert untouched(out)
        assert here.source.offset == there.source.offset == 2


def test_whole_ranges_and_permutations(cuda):
    for name in ("bool", "uint8", "int16", "int64", "uint64"):
        dtype, expected = DTYPES[name], np.zeros(40, DTYPES[name].numpy)
        out = place(expected, "compact", cuda, dtype)
        cuda.kernel("random_integers")(out, generator=Generator("cuda").manual_seed(3), high=None)
        random.random_full(expected, Generator("cuda").manual_seed(3))
        assert (read(out) == expected).all()
    expected = np.zeros(600, np.int32)
    out = place(expected, "reversed", cuda, DTYPES["int32"])
    cuda.kernel("random_permutation")(out, generator=Generator("cuda").manual_seed(3))
    random.permutation(expected, Generator("cuda").manual_seed(3))
    assert (read(out) == expected).all()


@pytest.mark.parametrize(
    ("op", "params"),
    [("random_uniform", {"low": 1.0, "high": 0.0}), ("random_normal", {"std": -1.0}), ("random_bernoulli", {"probability": 1.5})],
)
def test_bad_parameters_are_refused(op, params, cuda):
    out = place(np.zeros(3, np.float32), "compact", cuda, DTYPES["float32"])
    generator = Generator("cuda")
    with pytest.raises(RandomError):
        cuda.kernel(op)(out, generator=generator, **params)
    assert generator.source.offset == 0


def test_integers_out_of_range_are_refused(cuda):
    out = place(np.zeros(3, np.uint8), "compact", cuda, DTYPES["uint8"])
    for low, high in ((3, 3), (-1, 4), (0, 300)):
        with pytest.raises(RandomError, match="uint8"):
            cuda.kernel("random_integers")(out, generator=Generator("cuda"), low=low, high=high)
