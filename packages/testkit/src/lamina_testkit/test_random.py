"""Random fills give the published numbers: the same on every backend of the CPU, under every layout."""

import numpy as np
import pytest

from lamina_flatarray.contract import Backend
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.random import Generator
from lamina_flatarray.random.known_answers import KNOWN_ANSWERS, KnownAnswer

from . import error_bounds
from .placement import place, read, untouched

OPS_OF = {"uniform": "random_uniform", "normal": "random_normal", "random_integers": "random_integers"}
PARAMETERS = {
    "uniform": {"low": 0.0, "high": 1.0},
    "normal": {"mean": 0.0, "std": 1.0},
    "random_integers": {},
}
CASES = [case for case in KNOWN_ANSWERS if case.op in OPS_OF and case.dtype in DTYPES]


@pytest.mark.parametrize("layout", ["compact", "sliced"])
@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.op}-{c.dtype}-{c.seed}-{c.size}")
@pytest.mark.conformance(3, "random", None)
def test_known_answers(case: KnownAnswer, layout: str, backend: Backend) -> None:
    """Every fill of a seeded generator gives the published numbers."""
    if backend.device_type != "cpu":
        pytest.skip("the published numbers are those of the CPU's generator")
    dtype = DTYPES[case.dtype]
    out = place(np.zeros(case.size, dtype.numpy), layout, backend, dtype)
    generator = Generator("cpu").manual_seed(case.seed)
    out.flat.kernels[OPS_OF[case.op]](out, generator=generator, **{**PARAMETERS[case.op], **case.parameters})
    observed = read(out).astype(np.float64)[-len(case.values) :]
    wanted = np.array(case.values)
    share = error_bounds.normal_numbers("float64") if case.op == "normal" and case.dtype == "float64" else 0.0
    error_bounds.assert_within(observed, wanted, share * (np.abs(wanted) + abs(case.parameters.get("mean", 0.0))))
    assert untouched(out)
