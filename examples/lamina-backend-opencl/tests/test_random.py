"""The device draws the numbers that the host's Philox draws, whatever the layout of what is filled."""

import numpy as np
import pytest

from lamina_flatarray import DTYPES, FlatArray, Row, Strided, random
from lamina_flatarray.random import Generator

pytestmark = pytest.mark.usefixtures("opencl")

FILLS = [
    ("random_uniform", random.uniform, {}, "f"),
    ("random_uniform", random.uniform, {"low": -2.5, "high": 3.0}, "f"),
    ("random_normal", random.normal, {"mean": 1.0, "std": 2.5}, "f"),
    ("random_integers", random.random_integers, {"low": 3, "high": 90}, "buif"),
    ("random_integers", random.random_integers, {"low": -5, "high": 2**40}, "i8"),
    ("random_integers", random.random_full, {}, "uif"),
    ("random_permutation", random.permutation, {}, "i"),
]
CASES = [
    (op, fill, params, name)
    for op, fill, params, kinds in FILLS
    for name, d in DTYPES.items()
    if d.kind in kinds and ("8" not in kinds or d.itemsize == 8) and not (d.kind == "b" and params)
]


@pytest.mark.parametrize(("op", "fill", "params", "name"), CASES, ids=lambda v: v if isinstance(v, str) else "")
def test_fills_are_those_of_the_host(op, fill, params, name):
    count = 100 if DTYPES[name].itemsize == 1 else 1000
    here, there = (Generator("opencl").manual_seed(2**40 + 7) for _ in range(2))
    out = FlatArray.empty(count, name, "opencl")
    for _ in range(2):  # the second takes the next offset
        wanted = np.empty(count, DTYPES[name].numpy)
        fill(wanted, here, **params)
        out.kernels[op](Strided(out, Row(count)), generator=there, **params)
    found = out.to("cpu").numpy()
    if op == "random_normal":  # a logarithm or a cosine may be off by an ulp of float64
        precision = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 2e-7, "float64": 1e-14}[name]
        np.testing.assert_allclose(found.astype(float), wanted.astype(float), rtol=precision, atol=precision)
    else:
        assert (found == wanted).all()
    assert here.get_state().tolist() == there.get_state().tolist()


def test_a_generator_of_the_cpu_draws_its_own_stream():
    here, there = (Generator("cpu").manual_seed(3) for _ in range(2))
    wanted, out = np.empty(50, np.float32), FlatArray.empty(50, "float32", "opencl")
    random.uniform(wanted, here)
    out.kernels["random_uniform"](Strided(out, Row(50)), generator=there, low=0.0, high=1.0)
    assert (out.to("cpu").numpy() == wanted).all()


def test_a_probability_is_kept_to_in_every_real_dtype():
    for name, dtype in DTYPES.items():
        if dtype.is_complex:
            continue
        here, there = (Generator("opencl").manual_seed(11) for _ in range(2))
        wanted, out = np.empty(500, dtype.numpy), FlatArray.empty(500, name, "opencl")
        random.bernoulli(wanted, here, 0.3)
        out.kernels["random_bernoulli"](Strided(out, Row(500)), generator=there, probability=0.3)
        assert (out.to("cpu").numpy() == wanted).all()
        assert 100 < wanted.astype(int).sum() < 200


def test_bad_parameters_get_the_errors_of_the_reference():
    out = FlatArray.empty(3, "float32", "opencl")
    for op, params in (("random_uniform", {"low": 1.0, "high": 0.0}), ("random_bernoulli", {"probability": 2.0})):
        with pytest.raises(RuntimeError, match="it wants"):
            out.kernels[op](Strided(out, Row(3)), generator=Generator("opencl"), **params)
