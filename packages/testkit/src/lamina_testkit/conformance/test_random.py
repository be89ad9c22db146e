"""Random fills give the published numbers under every layout, and each one goes on where the one before ended."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lamina_flatarray.backends import registry
from lamina_flatarray.contract import Backend
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.random import Generator
from lamina_flatarray.random.known_answers import KNOWN_ANSWERS, KnownAnswer

from .. import error_bounds
from ..declared import want
from ..placement import place, read, untouched

OPS_OF = {"uniform": "random_uniform", "normal": "random_normal", "random_integers": "random_integers"}
PARAMETERS = {
    "uniform": {"low": 0.0, "high": 1.0},
    "normal": {"mean": 0.0, "std": 1.0},
    "random_integers": {},
}
CASES = [case for case in KNOWN_ANSWERS if case.op in OPS_OF and case.dtype in DTYPES]


@pytest.mark.parametrize("layout", ["compact", "sliced"])
@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.op}-{c.dtype}-{c.seed}-{c.size}")
@pytest.mark.conformance(level="random")
def test_known_answers(case: KnownAnswer, layout: str, backend: Backend) -> None:
    """Every fill of a seeded generator gives the published numbers."""
    if backend.device_type != "cpu":
        pytest.skip("the published numbers are those of the CPU's generator")
    dtype = DTYPES[case.dtype]
    want(backend, OPS_OF[case.op], dtype)
    out = place(np.zeros(case.size, dtype.numpy), layout, backend, dtype)
    generator = Generator("cpu").manual_seed(case.seed)
    out.flat.kernels[OPS_OF[case.op]](out, generator=generator, **{**PARAMETERS[case.op], **case.parameters})
    observed = read(out).astype(np.float64)[-len(case.values) :]
    expected = np.array(case.values)
    share = error_bounds.normal_numbers("float64") if case.op == "normal" and case.dtype == "float64" else 0.0
    error_bounds.assert_within(observed, expected, share * (np.abs(expected) + abs(case.parameters.get("mean", 0.0))))
    assert untouched(out)


FILLS: dict[str, dict[str, Any]] = {
    "random_uniform": {"low": -1.0, "high": 2.5},
    "random_normal": {"mean": 0.5, "std": 2.0},
    "random_integers": {"low": 0, "high": 100},
    "random_permutation": {},
    "random_bernoulli": {"probability": 0.25},
    "random_log_normal": {"mean": 0.5, "std": 0.25},
    "random_gamma": {},
    "random_poisson": {},
    "random_binomial": {},
}

PARAMETERS_OF_ITEMS = {
    "random_gamma": ((0.0, 0.3, 1.0, 2.5, 40.0),),
    "random_poisson": ((0.0, 0.5, 3.0, 9.5, 60.0),),
    "random_binomial": ((0.0, 5.0, 30.0, 300.0, 7.0), (0.5, 0.0, 0.25, 0.75, 1.0)),
}
"""What the items of each input are, over and over."""


def _fills(case: Callable[..., None]) -> Any:
    """Each fill in the dtype that it is most used in."""
    dtypes = {"random_integers": "int64", "random_permutation": "int64"}
    names = [(op, dtypes.get(op, "float32")) for op in FILLS]
    return pytest.mark.parametrize(
        ("op", "name"), [pytest.param(*pair, id=f"{pair[0]}-{pair[1]}", marks=pytest.mark.conformance(*pair)) for pair in names]
    )(case)


def _drawn(op: str, name: str, where: Backend, generator: Generator, n: int) -> np.ndarray[Any, Any]:
    out = place(np.zeros(n, DTYPES[name].numpy), "compact", where, DTYPES[name])
    parameters = [np.resize(items, n).astype(DTYPES[name].numpy) for items in PARAMETERS_OF_ITEMS.get(op, ())]
    inputs = [place(items, "compact", where, DTYPES[name]) for items in parameters]
    out.flat.kernels[op](out, *inputs, generator=generator, **FILLS[op])
    return read(out)


@_fills
def test_fills_follow_each_other(op: str, name: str, backend: Backend) -> None:
    """Of fills of several sizes, each has the reference's numbers, and leaves the generator in the reference's state."""
    want(backend, op, DTYPES[name])
    ours, theirs = (Generator(backend.device_type).manual_seed(5) for _ in range(2))
    fills = []
    for n in (3, 0, 17, 1500, 1, 700):
        observed, expected = _drawn(op, name, backend, ours, n), _drawn(op, name, registry.backend("numpy"), theirs, n)
        np.testing.assert_allclose(observed, expected, rtol=4e-6, atol=4e-6)
        same = ours.get_state().tobytes() == theirs.get_state().tobytes()  # in the assert, pytest would show 5,000 bytes, for seconds
        assert same, f"{op}: the generator is not where the fill ended"
        fills.append(observed)
    assert not np.array_equal(fills[3][:700], fills[5])
    assert not np.array_equal(fills[3][: 1500 - 1024], fills[3][1024:])


@_fills
def test_streams_are_longer_than_32_bits(op: str, name: str, backend: Backend) -> None:
    """Beyond 2**32 fills of a device's generator no number comes back."""
    if backend.device_type == "cpu":
        pytest.skip("the generator of the CPU counts no fills")
    want(backend, op, DTYPES[name])
    late = np.frombuffer(struct.pack("<QQ", 5, (1 << 32) + 1), np.uint8)
    ours, theirs, early = (Generator(backend.device_type).manual_seed(5) for _ in range(3))
    ours.set_state(late)
    theirs.set_state(late)
    _drawn(op, name, registry.backend("numpy"), early, 1)
    observed = _drawn(op, name, backend, ours, 300)
    np.testing.assert_allclose(observed, _drawn(op, name, registry.backend("numpy"), theirs, 300), rtol=4e-6, atol=4e-6)
    assert not np.array_equal(observed, _drawn(op, name, registry.backend("numpy"), early, 300))
