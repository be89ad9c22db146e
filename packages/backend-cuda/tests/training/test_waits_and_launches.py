"""Which ops wait for the device, and which take more than one launch: these alone, each for a reason that is told here."""

from inspect import signature

import numpy as np
import pytest
from counting import CountingPort, Waited

from lamina_backend_cuda import CudaBackend
from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends import registry
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.ops import OPS
from lamina_flatarray.random import Generator
from lamina_testkit.cases import cases_of
from lamina_testkit.placement import place

WAITING = {"distinct": "how long its result is depends on the items"}

SEVERAL = {
    "sort": "chunks of 256 items, then runs merged in pairs, as blocks do not wait for each other; along another axis than the "
    "last, results are moved to where they belong",
    "sorted_values": "as sort",
    "var": "a division follows, of one item for each line",
    "cross_entropy": "losses, and their sum in one order, which one block keeps; without reduction it is one",
    "cross_entropy_gradient": "the weights of all targets, which the gradient of a mean is divided by; without it is one",
    "nll_loss": "as cross_entropy",
    "nll_loss_gradient": "as cross_entropy_gradient",
    "layer_norm_gradient": "the gradient of x goes along rows, those of weight and bias along columns",
    "rms_norm_gradient": "as layer_norm_gradient",
    "group_norm_gradient": "as layer_norm_gradient",
    "batch_norm_gradient": "as layer_norm_gradient, and the sums of a channel before",
    "attention_gradient": "the gradient of the query goes along keys, those of key and value along queries; products of rows come first",
    "convolution_weight_gradient": "shares of the sum, where there are few windows for many blocks, and their sum",
    "linear": "the bias is in the result before the library of products adds to it",
    "recurrence": "a product and the cells for each step, which wants the step before",
    "recurrence_gradient": "as recurrence, backwards",
    "total_norm": "shares of all arrays, and their sum in one order",
}


@pytest.fixture(scope="module")
def cuda():
    """The backend on a device that computes nothing."""
    yield registry.register(CudaBackend(CountingPort()))
    registry.unregister("cuda")


def _cases():
    """One case of each op: in float32 if it has that."""
    cases = {}
    for case in cases_of():
        if case.op not in cases or case.dtype is dt.float32:
            cases[case.op] = case
    return cases


def _called(case, backend, shape, params):
    """Call an op's kernel on row-major operands, refusing waits, and return how many kernels it launched."""
    values, results = case.sample(shape, params, "plain")
    outs = [place(np.zeros(s, d.numpy), "compact", backend, d) for s, d in (results(values) if callable(results) else results)]
    inputs = [None if v is None else place(v, "compact", backend, dt.dtype_of(v.dtype)) for v in values]
    drawn = {"generator": Generator(backend.name)} if "generator" in case.row.params else {}
    table, before = KernelTable.of(backend, 0, case.dtype), len(backend.port.launches)
    operands = [inputs] if case.row.signature.startswith("[") else inputs
    with backend.port.refusing():
        table[case.op](tuple(outs) if len(outs) > 1 else outs[0], *operands, **params, **drawn)
    return len(backend.port.launches) - before


def test_every_op_of_the_table(cuda):
    waiting, several = set(), set()
    for op, case in _cases().items():
        variants = case.variants()
        own = op in cuda.capabilities()
        for shape, params in variants if own else variants[:: -(-len(variants) // 4)]:
            try:
                if _called(case, cuda, shape, params) > 1 and own:
                    several.add(op)
            except Waited:
                waiting.add(op)
    assert waiting == set(WAITING)
    assert several == set(SEVERAL)


POSITIONS = {"index_put": 3, "scatter": 3, "scatter_add": 3, "scatter_reduce": 3, "gather": 1, "index": 1}
"""Writes find the targets, sort these, and write equal ones in their order: without atomics, the same at each run."""


def test_positions(cuda):
    import lamina_tensor as lt

    x, values = (lt.zeros(n, 3, device="cuda").array for n in (4, 2))
    places = lt.zeros(2, 3, dtype=dt.int64, device="cuda").array
    calls = {
        "gather": ((values, x, places), {"axis": 0}),
        "index": ((lt.zeros(2, 3, 3, device="cuda").array, x, places), {}),
        "index_put": ((x, lt.zeros(2, 3, 3, device="cuda").array, places), {"accumulate": True}),
        "scatter": ((x, values, places), {"axis": 0}),
        "scatter_add": ((x, values, places), {"axis": 0}),
        "scatter_reduce": ((x, values, places), {"axis": 0, "reduce": "amax"}),
    }
    assert set(calls) == set(POSITIONS) == {op for op in cuda.capabilities() if OPS[op].family == "gather"}
    for op, (operands, params) in calls.items():
        before = len(cuda.port.launches)
        with cuda.port.refusing():
            x.flat.kernels[op](*operands, **params)
        assert len(cuda.port.launches) - before == POSITIONS[op], op


def _optimizers():
    import lamina_nn as nn

    found = []
    for kind in vars(nn.optim).values():
        if isinstance(kind, type) and issubclass(kind, nn.optim.Optimizer) and kind is not nn.optim.Optimizer:
            settings = [{}, *({name: True} for name in ("fused", "capturable") if name in signature(kind).parameters)]
            found += (pytest.param(kind, setting, id=f"{kind.__name__}{'-'.join(['', *setting])}") for setting in settings)
    return found


@pytest.mark.parametrize(("kind", "settings"), _optimizers())
def test_no_optimizer_waits(kind, settings, cuda):
    """Not even for its own counters, which stand on the device where it is fused."""
    import lamina_nn as nn
    import lamina_tensor as lt

    if kind.__name__ in ("LBFGS", "SparseAdam"):
        pytest.skip("it goes by the values of losses" if kind.__name__ == "LBFGS" else "how many rows a sparse gradient has is counted")
    parameters = [nn.Parameter(lt.ones(3, 4, device="cuda")), nn.Parameter(lt.ones(4, 3, device="cuda"))]
    optimizer = kind(parameters, lr=0.1, **settings)
    with cuda.port.refusing():
        for _ in range(3):
            for p in parameters:
                p.grad = lt.ones_like(p)
            nn.gradient_clipping.clip_grad_norm_(parameters, 1.0)
            nn.gradient_clipping.clip_grad_value_(parameters, 1.0)
            optimizer.step()
            optimizer.zero_grad()


def test_counters_are_read_again_where_others_have_written(cuda):
    import lamina_nn as nn
    import lamina_tensor as lt

    p = nn.Parameter(lt.ones(3, device="cuda"))
    optimizer = nn.optim.Adam([p], fused=True)
    for _ in range(2):
        p.grad = lt.ones_like(p)
        optimizer.step()
    assert str(optimizer.state[p]["step"].device) == "cuda:0"
    optimizer.state[p]["step"].fill_(7.0)
    with cuda.port.refusing(), pytest.raises(Waited):
        optimizer.step()
