"""Every way two shapes can broadcast, and every set of axes that can be reduced: gradients against finite differences.

A gradient is compared along one random direction: two forward passes tell the slope of a randomly weighted sum of the results.
"""

from itertools import chain, combinations, product

import numpy as np
import pytest

import lamina_tensor as lt
from lamina_flatarray.ops import OPS
from lamina_tensor.autograd.rules import RULES
from lamina_tensor.dispatch.tensor_functions import FUNCTIONS

RNG = np.random.default_rng(0)
RANK = 4
LENGTHS = (2, 3, 2, 3)  # of the dims that are longer than 1
ELSEWHERE = {"floor_divide", "trunc_divide", "zeta", "igamma", "igammac"}  # flat, or test_special_gradients.py
ELSEWHERE |= {"heaviside", "complex", "polar"}  # the first has none; tests/oracle/gradients/test_elementwise_gradients.py
BINARY = [n for n, row in OPS.items() if row.family == "map" and row.arity == 2 and n in RULES and n not in ELSEWHERE]
REDUCTIONS = [n for n, row in OPS.items() if row.family == "reduce" and n in RULES]


def pairs(zeros):
    """Every pair of shapes up to RANK that broadcasts, where each dim is 1 or as long as LENGTHS has it in its place from the
    right; with `zeros`, those instead in which one dim of the result has length 0: what else is 0 makes no difference."""
    found = []
    for rank in range(RANK + 1 - zeros):
        for at in range(rank) if zeros else [None]:
            full = [0 if i == at else LENGTHS[-1 - i] for i in range(rank)][::-1]
            met = [[(n, n), (1, n), (n, 1)] + [(1, 1)] * (n != 0) for n in full]
            for dims in product(*met):
                a, b = (tuple(d[side] for d in dims) for side in (0, 1))
                found += [(a, b)]
                for cut in range(1, rank + 1):  # leading dims that one of the two has not
                    if all(d[0] == 1 for d in dims[:cut]):
                        found += [(a[cut:], b), (b, a[cut:])]
    return sorted({*found}, key=lambda pair: (len(pair[0]), len(pair[1]), pair))


def slopes(function, values):
    """Along a random direction: the slope that the gradients tell, and the one that central differences do."""
    tensors = [lt.tensor(v, dtype="float64", requires_grad=True) for v in values]
    result = function(*tensors)
    weights = RNG.uniform(0.5, 1, result.shape)
    result.backward(lt.tensor(weights, dtype="float64"))
    directions = [RNG.uniform(-1, 1, v.shape) for v in values]
    ends = []
    for step in (1e-6, -1e-6):
        moved = [lt.tensor(v + step * d, dtype="float64") for v, d in zip(values, directions, strict=True)]
        ends.append((function(*moved).numpy() * weights).sum())
    for t in tensors:
        assert t.grad.shape == t.shape
        assert t.grad.is_contiguous()
    told = sum((t.grad.numpy() * d).sum() for t, d in zip(tensors, directions, strict=True))
    return told, (ends[0] - ends[1]) / 2e-6


def check(function, values, shown):
    told, numeric = slopes(function, values)
    assert abs(told - numeric) <= 1e-6 + 1e-6 * abs(numeric), shown


def test_the_pairs_are_all():
    shapes = [s for rank in range(RANK + 1) for s in product(*[(1, n) for n in LENGTHS[RANK - rank :]])]
    assert {*pairs(False)} == {*product(shapes, shapes)}


@pytest.mark.parametrize("op", BINARY)
def test_binary_ops_over_every_pair_of_shapes(op):
    for a, b in pairs(False):
        check(FUNCTIONS[op], [RNG.uniform(0.4, 2, a), RNG.uniform(0.4, 2, b)], (op, a, b))


@pytest.mark.parametrize("op", BINARY)
def test_binary_ops_over_pairs_without_items(op):
    for a, b in pairs(True):
        tensors = [lt.ones(s, dtype="float64", requires_grad=True) for s in (a, b)]
        FUNCTIONS[op](*tensors).sum().backward()
        for t in tensors:
            assert t.grad.shape == t.shape, (op, a, b)
            assert not t.grad.numpy().any(), (op, a, b)


def cases():
    """Shapes with every set of axes to reduce, and both ways to keep them."""
    for rank in range(RANK + 1):
        for lengths in {LENGTHS[:rank], tuple(1 if i % 2 else n for i, n in enumerate(LENGTHS[:rank]))}:
            for axes in chain.from_iterable(combinations(range(rank), n) for n in range(1, rank + 1)):
                yield lengths, axes
                yield lengths, tuple(axis - rank for axis in axes)
                yield lengths, axes[0]
            yield lengths, None


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("op", REDUCTIONS)
def test_reductions_over_every_set_of_axes(op, keepdims):
    for shape, axes in cases():
        if OPS[op].name == "var" and np.prod([shape[i] for i in np.atleast_1d(range(len(shape)) if axes is None else axes)]) < 2:
            continue  # the variance of one item divides by zero
        value = RNG.permutation(np.linspace(-1.9, 2, int(np.prod(shape)))).reshape(shape)
        check(lambda x, axes=axes: FUNCTIONS[op](x, axes, keepdims), [value], (op, shape, axes))


@pytest.mark.parametrize("op", ["sum", "mean", "prod", "logsumexp"])
def test_reductions_of_no_items(op):
    for shape, axis in [((0,), 0), ((2, 0), 1), ((2, 0), 0), ((0, 3), 0), ((0, 3), None)]:
        x = lt.zeros(*shape, dtype="float64", requires_grad=True)
        FUNCTIONS[op](x, axis).sum().backward()
        assert x.grad.shape == shape
