"""Steps of optimizers, foreach ops and norms over many arrays: as the reference, in as few launches as there are 64 arrays."""

import math

import numpy as np
import pytest
from against_reference import placed

from lamina_backend_cuda.ops.fused.many_arrays import STEPS
from lamina_flatarray.backends import registry
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.ops import OPS
from lamina_testkit.placement import read, untouched

RNG = np.random.default_rng(7)
SHAPES = [(3, 4), (1,), (), (0,), (5,), (4099,), (70, 70), *[(2,)] * 70]
SETTINGS = {
    "lr": 0.1, "weight_decay": 0.05, "decoupled": False, "maximize": True, "momentum": 0.9, "dampening": 0.25, "nesterov": True,
    "first": False, "beta1": 0.9, "beta2": 0.99, "eps": 1e-3, "step": 7, "next_momentum": 0.85, "product": 0.4, "alpha": 0.8, "rho": 0.7,
    "length": 0.1, "lambd": 0.01, "share": 0.3, "shrink": 0.5, "grow": 1.2, "shortest": 0.01, "longest": 0.2,
}  # fmt: skip
TOLERANCE = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 3e-6, "float64": 1e-14}
"""A few units in the last place of numbers below 2."""


def arrays(name, shapes=SHAPES, positive=False):
    made = [RNG.uniform(0.1 if positive else -1, 1, shape).astype(DTYPES[name].numpy) for shape in shapes]
    return [np.asarray(x) for x in made]


def stepped(backend, kernel, op, columns, gradients, kind, settings):
    written = [None if column is None else [placed(backend, x, kind if x.ndim else "compact") for x in column] for column in columns]
    slopes = [placed(backend, x, kind if x.ndim else "compact") for x in gradients]
    kernel(written[0], *slopes, **dict(zip(OPS[op].beside, written[1:], strict=True)), **settings)
    assert all(untouched(x) for column in written for x in column or ())
    return [read(x) for column in written for x in column or ()]


@pytest.mark.parametrize("name", TOLERANCE)
@pytest.mark.parametrize("op", STEPS)
def test_each_step(cuda, op, name):
    """With and without the lists that may be left out, over arrays that lie in any way."""
    settings = {p: SETTINGS[p] for p in OPS[op].params if p not in OPS[op].beside}
    optional = [name for name in OPS[op].beside if name in ("buffers", "maxima", "means")]
    for left_out in ((), tuple(optional)):
        for change in ({}, {"decoupled": True, "maximize": False, "nesterov": False, "first": True, "step": 1, "share": 1}):
            given = {**settings, **{k: v for k, v in change.items() if k in settings}}
            columns = [arrays(name), *(None if n in left_out else arrays(name, positive=n != "previous") for n in OPS[op].beside)]
            if op == "rmsprop_step" and columns[2] is not None:  # a mean of squares is above the square of the mean
                columns[2] = [x / 8 for x in columns[2]]
            gradients = arrays(name)
            reference = registry.backend("numpy")
            table = KernelTable.of(reference, 0, DTYPES[name])
            wanted = stepped(reference, table[op], op, columns, gradients, "compact", given)
            for kind in ("compact", "transposed", "gapped"):
                cuda.port.launches.clear()
                found = stepped(cuda, cuda.kernel(op), op, columns, gradients, kind, given)
                assert cuda.port.launches.count("step_all") == 2  # for 76 arrays that have items
                assert kind != "compact" or len(cuda.port.launches) == 2
                for a, b in zip(found, wanted, strict=True):
                    near = np.isclose(a.astype(float), b.astype(float), rtol=TOLERANCE[name], atol=TOLERANCE[name], equal_nan=True)
                    assert near.all(), f"{op} {given} {kind}: {a[~near][:3]} instead of {b[~near][:3]}"


def test_every_optimizer_of_the_table_is_served():
    assert set(STEPS) == {op for op, record in OPS.items() if record.rule == "update" and record.beside}


@pytest.mark.parametrize("name", TOLERANCE)
def test_each_array_is_changed(cuda, name):
    """In float32 at least, and rounded once."""
    given = arrays(name)
    given[0][0, 0] = np.nan
    wide = np.float64 if name == "float64" else np.float32
    factor = np.array(0.3, np.float32)
    for kind in ("compact", "transposed", "sliced"):
        for op, inputs, params, exact in (
            ("foreach_multiply", [placed(cuda, factor)], {}, lambda x: x * factor.astype(wide)),
            ("foreach_add", [], {"value": 1}, lambda x: x + 1),
            ("foreach_clip", [], {"min": -0.5, "max": 0.25}, lambda x: np.clip(x, wide(-0.5), wide(0.25))),
        ):
            operands = [placed(cuda, x, kind if x.ndim else "compact") for x in given]
            cuda.port.launches.clear()
            cuda.kernel(op)(operands, *inputs, **params)
            assert cuda.port.launches.count("each") == 2
            for x, before in zip(operands, given, strict=True):
                assert np.array_equal(read(x), exact(before.astype(wide)).astype(before.dtype), equal_nan=True) and untouched(x)


@pytest.mark.parametrize("name", TOLERANCE)
@pytest.mark.parametrize("order", [0.0, 1.0, 2.0, math.inf, -math.inf, 3.0])
def test_total_norm(cuda, order, name):
    given = [x for x in arrays(name) if x.size]
    wanted = np.linalg.norm(np.concatenate([x.astype(float).reshape(-1) for x in given]), order)
    for kind in ("compact", "gapped"):
        out = placed(cuda, np.zeros((), DTYPES[name].numpy))
        cuda.kernel("total_norm")(out, *[placed(cuda, x, kind if x.ndim else "compact") for x in given], order=order)
        assert np.isclose(float(read(out)), wanted, rtol={"float16": 2**-11, "bfloat16": 2**-8}.get(name, 2e-7) * 1.01)


def test_squares_do_not_overflow_and_nan_shows(cuda):
    out = placed(cuda, np.zeros((), np.float32))
    cuda.kernel("total_norm")(out, placed(cuda, np.full(4, 1e30, np.float32)), order=2.0)
    assert np.isclose(read(out), 2e30, rtol=1e-6)
    for order in (1.0, 2.0, 3.0, math.inf, -math.inf):
        x = np.ones(9000, np.float32)
        x[8000] = np.nan
        cuda.kernel("total_norm")(out, placed(cuda, x), order=order)
        assert np.isnan(read(out))


def test_a_launch_of_too_many_parameters_is_refused(port):
    from standin import Refused

    stream = port.stream(0)
    source = 'struct Large { long long of[600]; };\nextern "C" __global__ void much(float* out, Large large) { out[0] = large.of[1]; }'
    function = port.compile(source, {"much": ("P", "600q")}, stream)["much"]
    memory = port.allocate(4, stream)
    with pytest.raises(Refused, match="4808 bytes"):
        port.launch(function, 1, 1, (memory.address, *range(600)), stream)
