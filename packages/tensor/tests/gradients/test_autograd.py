"""Reverse mode on its own: rules against finite differences, the engine's promises, its errors."""

import gc
import threading
import weakref

import numpy as np
import pytest

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_flatarray import AutogradError
from lamina_flatarray.ops import OPS
from lamina_tensor.autograd.gradient_edges import get_gradient_edge
from lamina_tensor.autograd.rules import NOT_DIFFERENTIABLE, RULES
from lamina_tensor.dispatch.tensor_functions import FUNCTIONS

RNG = np.random.default_rng(0)
UNIT, ABOVE_ONE = {"asin", "acos", "atanh", "erfinv"}, {"acosh"}
POSITIVE = {
    "log", "log2", "log10", "sqrt", "rsqrt", "pow", "log1p", "lgamma", "digamma", "bessel_y0", "bessel_y1",
    "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "entr",
}  # fmt: skip
ELSEWHERE = {"ndtri", "airy_ai", "polygamma", "zeta", "igamma", "igammac"}  # test_special_gradients.py
ELSEWHERE |= {"heaviside", "complex", "polar"}  # the first has none; tests/oracle/gradients/test_elementwise_gradients.py
FLAT = {"floor", "ceil", "trunc", "round", "sign", "floor_divide"}


def leaf(shape, low=-2.0, high=2.0):
    return lt.tensor(RNG.uniform(low, high, shape), dtype="float64", requires_grad=True)


def numeric(function, tensors, i, weights, step=1e-6):
    """The gradient of `sum(function(*tensors) * weights)` for tensor i, by central differences."""
    x = tensors[i].numpy(force=True)
    found = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        kept = x[place]
        ends = []
        for at in (kept + step, kept - step):
            x[place] = at
            with lt.no_grad():
                ends.append(float((function(*tensors) * weights).sum()))
        x[place] = kept
        found[place] = (ends[0] - ends[1]) / (2 * step)
    return found


def check(function, tensors):
    result = function(*tensors)
    weights = lt.tensor(RNG.uniform(-1, 1, result.shape), dtype="float64")
    (result * weights).sum().backward()
    for i, t in enumerate(tensors):
        np.testing.assert_allclose(t.grad.numpy(), numeric(function, tensors, i, weights), rtol=1e-5, atol=1e-7)


def test_every_op_has_a_rule_or_says_that_it_has_none():
    differentiable = {n for n, row in OPS.items() if row.family in ("map", "reduce", "scan", "matmul", "fft", "fused")}
    steps = {name for name, row in OPS.items() if row.rule == "update"} | {"total_norm"}
    assert differentiable - steps == (set(RULES) & differentiable) | (NOT_DIFFERENTIABLE & differentiable)
    assert not set(RULES) & NOT_DIFFERENTIABLE


UNARY = [
    n for n, row in OPS.items() if row.family == "map" and row.arity == 1 and n in RULES and n not in FLAT | ELSEWHERE | {"clip"}
]
BINARY = [n for n, row in OPS.items() if row.family == "map" and row.arity == 2 and n in RULES and n not in FLAT | ELSEWHERE]


@pytest.mark.parametrize("op", UNARY)
def test_unary(op):
    low, high = (-0.9, 0.9) if op in UNIT else (1.1, 3.0) if op in ABOVE_ONE else (0.2, 2.0) if op in POSITIVE else (-2.0, 2.0)
    check(FUNCTIONS[op], [leaf((3, 4), low, high)])


@pytest.mark.parametrize(
    "shapes",
    [
        ((3, 4), (3, 4)),
        ((3, 4), (4,)),
        ((3, 1), (1, 4)),
        ((), (2, 3)),
        ((2, 3), ()),
        ((0, 3), (3,)),
        ((2, 1, 3), (4, 1)),
    ],
)
@pytest.mark.parametrize("op", BINARY)
def test_binary_over_broadcast_shapes(op, shapes):
    check(FUNCTIONS[op], [leaf(s, 0.3, 2.0) for s in shapes])


@pytest.mark.parametrize("axis", [None, 0, 1, 2, (0, 2), (1, 2), (0, 1, 2)])
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("op", ["sum", "mean", "prod", "max", "min", "var", "logsumexp"])
def test_reductions(op, axis, keepdims):
    check(lambda x: FUNCTIONS[op](x, axis, keepdims), [leaf((2, 3, 2))])


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("op", ["cumsum", "cumprod", "softmax", "log_softmax"])
def test_along_an_axis(op, axis):
    check(lambda x: FUNCTIONS[op](x, axis), [leaf((3, 4))])


def test_products_through_zeros():
    x = lt.tensor([[2.0, 0.0, 3.0], [0.0, 0.0, 1.0]], dtype="float64", requires_grad=True)
    check(lambda t: lt.prod(t, 1), [x])
    y = lt.tensor([2.0, 0.0, 3.0, 0.5], dtype="float64", requires_grad=True)
    check(lambda t: lt.cumprod(t, 0), [y])


@pytest.mark.parametrize(
    "shapes",
    [
        ((3, 4), (4, 5)),
        ((4,), (4,)),
        ((4,), (4, 5)),
        ((3, 4), (4,)),
        ((2, 3, 4), (4, 5)),
        ((2, 1, 3, 4), (5, 4, 2)),
        ((4,), (2, 4, 3)),
    ],
)
def test_matmul(shapes):
    check(lt.matmul, [leaf(s) for s in shapes])


VIEWS = {
    "reshape": lambda x: x.reshape(4, 3), "permute": lambda x: x.permute(1, 0), "expand": lambda x: x.expand(2, 3, 4),
    "getitem": lambda x: x[1:, ::2], "select": lambda x: x[:, 1], "index": lambda x: x[[0, 0, 2]], "mask": lambda x: x[x > 0],
    "unsqueeze": lambda x: x.unsqueeze(1), "flip": lambda x: x.flip(0), "cat": lambda x: lt.cat([x, x * 2], 1),
    "stack": lambda x: lt.stack([x, x * 3], 1), "split": lambda x: x.split(3, 1)[0], "t": lambda x: x.t(),
    "gather": lambda x: x.gather(1, lt.tensor([[0, 0], [3, 1], [2, 2]])), "sort": lambda x: x.sort(1).values,
    "topk": lambda x: x.topk(2, 1).values, "max": lambda x: x.max(1).values, "tril": lt.tril,
    "scatter_add": lambda x: lt.zeros(3, 4, dtype="float64").scatter_add(1, lt.tensor([[0, 0, 1, 3]] * 3), x),
    "where": lambda x: lt.where(x > 0, x, x * 2), "clone": lambda x: x.clone(), "movedim": lambda x: x.movedim(0, 1),
}  # fmt: skip


@pytest.mark.parametrize("name", VIEWS)
def test_views_and_positions(name):
    check(VIEWS[name], [leaf((3, 4))])


def test_second_derivatives_come_from_the_same_rules():
    x = leaf((5,), 0.3, 1.5)
    for function in (
        lambda t: t.tanh(),
        lambda t: t**3,
        lambda t: (t * t).exp(),
        lambda t: t.sigmoid() / t,
        lambda t: t.log_softmax(0) * t,
    ):
        (g,) = lt.grad(function(x).sum(), x, create_graph=True)
        (h,) = lt.grad((g * g).sum(), x)

        def first(values, function=function):
            t = lt.tensor(values, dtype="float64", requires_grad=True)
            return lt.grad(function(t).sum(), t)[0].numpy()

        base = x.numpy(force=True)
        for i in range(5):
            up, down = base.copy(), base.copy()
            up[i] += 1e-5
            down[i] -= 1e-5
            expected = ((first(up) ** 2).sum() - (first(down) ** 2).sum()) / 2e-5
            assert float(h[i]) == pytest.approx(expected, rel=1e-4)


def test_a_shared_node_is_visited_once_with_its_whole_gradient():
    x = lt.tensor(3.0, requires_grad=True)
    a = x * 2
    calls = []
    a.register_hook(lambda g: calls.append(float(g)))
    (a * a + a * 5 + a).backward()
    assert calls == [2 * 6 + 5 + 1]
    assert float(x.grad) == 2 * 18


def test_gradients_add_up_and_may_be_cleared():
    x = lt.ones(2, requires_grad=True)
    for _ in range(3):
        (x * 2).sum().backward()
    assert x.grad.tolist() == [6, 6]
    x.grad.zero_()
    assert x.grad.tolist() == [0, 0]


def test_leaves_do_not_share_a_gradient():
    x, y = lt.ones(2, requires_grad=True), lt.ones(2, requires_grad=True)
    given = lt.ones(2)
    (x + y).backward(given)
    x.grad.add_(5)
    assert y.grad.tolist() == [1, 1]
    assert given.tolist() == [1, 1]


def test_the_examples_of_implicit_broadcasting():
    x, y = lt.arange(10.0, requires_grad=True), lt.ones(20, 10, requires_grad=True)
    (x.reshape(1, 10).broadcast_to((20, 10)) + y).sum().backward()
    first = x.grad.clone(), y.grad.clone()
    x.grad = y.grad = None
    (x + y).sum().backward()
    assert lt.equal(first[0], x.grad)
    assert lt.equal(first[1], y.grad)
    a, b = lt.tensor([1.0, 2.0, 3.0], requires_grad=True), lt.tensor([4.0], requires_grad=True)
    (a * b).sum().backward()
    assert (a.grad.tolist(), b.grad.tolist()) == ([4, 4, 4], [6])


def test_refusals():
    x = lt.ones(3, requires_grad=True)
    with pytest.raises(AutogradError, match="grad can be implicitly created only for scalar outputs"):
        (x * 2).backward()
    with pytest.raises(AutogradError, match="does not require grad and does not have a grad_fn"):
        lt.ones(1).backward()
    with pytest.raises(AutogradError, match="leaf Variable that requires grad"):
        x.add_(1)
    with pytest.raises(AutogradError, match="Mismatch in shape"):
        (x * 2).backward(lt.ones(4))
    with pytest.raises(AutogradError, match="floating point"):
        lt.ones(3, dtype="int64").requires_grad_()
    with pytest.raises(AutogradError, match="Can't call numpy"):
        x.numpy()
    y = x.exp().sum()
    y.backward()
    with pytest.raises(AutogradError, match=r"second time.*test_autograd\.py:\d+"):
        y.backward()


def test_a_saved_value_that_was_changed_is_noticed():
    x = lt.ones(3, requires_grad=True)
    y = x.exp()
    z = y * y
    y.detach().mul_(2)
    with pytest.raises(
        AutogradError, match=r"modified by an inplace operation: .*MulBackward0 saved.* version 1; expected version 0"
    ):
        z.sum().backward()


def test_nothing_is_recorded_without_need():
    x = lt.ones(3)
    assert (x * 2).grad_fn is None
    y = lt.ones(3, requires_grad=True)
    with lt.no_grad():
        z = y * 2
    assert not z.requires_grad
    assert z.grad_fn is None

    @lt.no_grad()
    def double(t):
        return t * 2

    assert not double(y).requires_grad
    assert (y * 2).requires_grad
    assert repr((y * 2).grad_fn) == "<MulBackward0>"


def test_modes_belong_to_threads():
    seen = []
    with lt.no_grad():
        worker = threading.Thread(target=lambda: seen.append(lt.is_grad_enabled()))
        worker.start()
        worker.join()
    assert seen == [True]


def test_a_chain_of_a_hundred_thousand_ops_forward_backward_and_away():
    x = lt.ones(2, requires_grad=True)
    z = x
    for _ in range(100_000):
        z = z + 1.0
    z.sum().backward()
    assert x.grad.tolist() == [1, 1]
    del z


def test_graphs_go_without_the_cycle_collector():
    gc.collect()
    gc.disable()
    try:
        x = lt.ones(3, requires_grad=True)
        y = (x * 2).tanh()
        nodes = [weakref.ref(y.grad_fn), weakref.ref(y.array)]
        y.sum().backward()
        del y
        assert [ref() for ref in nodes] == [None, None]
    finally:
        gc.enable()


def test_saved_arrays_are_freed_during_the_pass():
    x = lt.ones(3, requires_grad=True)
    y = x.exp()
    saved = weakref.ref(y.array)
    z = (y * 2).sum()
    del y
    assert saved() is not None
    z.backward()
    assert saved() is None


def test_hooks_and_retained_gradients():
    x = lt.ones(2, requires_grad=True)
    y = x * 3
    y.retain_grad()
    handle = x.register_hook(lambda g: g * 10)
    y.sum().backward()
    assert y.grad.tolist() == [1, 1]
    assert x.grad.tolist() == [30, 30]
    handle.remove()
    x.grad = None
    (x * 3).sum().backward()
    assert x.grad.tolist() == [3, 3]


def test_inputs_and_unused():
    x, y = lt.ones(2, requires_grad=True), lt.ones(2, requires_grad=True)
    middle = x * 2
    (middle * y).sum().backward(inputs=[middle])
    assert x.grad is None
    assert y.grad is None
    assert middle.grad.tolist() == [1, 1]
    with pytest.raises(AutogradError, match="allow_unused"):
        lt.grad((x * 2).sum(), y)
    assert lt.grad((x * 2).sum(), y, allow_unused=True) == (None,)


def test_one_input_may_stand_alone():
    x, y = lt.ones(2, requires_grad=True), lt.ones(2, requires_grad=True)
    (x * y * 3).sum().backward(inputs=x)
    assert x.grad.tolist() == [3, 3]
    assert y.grad is None


def test_an_edge_of_no_leaf_is_refused_before_anything_is_added():
    x = lt.ones(2, requires_grad=True)
    middle = x * 2
    total = (middle * 3).sum()
    with pytest.raises(AutogradError, match="no leaf's"):
        total.backward(inputs=[x, get_gradient_edge(middle)])
    assert x.grad is None
    total.backward(inputs=get_gradient_edge(x))
    assert x.grad.tolist() == [6, 6]


def test_in_place_ops_are_recorded():
    x = lt.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y.mul_(3).add_(x)
    y *= x
    y.sum().backward()
    assert x.grad.tolist() == [14, 28]


def test_dtype_and_shape_of_every_gradient_are_the_inputs():
    half = lt.ones(3, dtype="float16", requires_grad=True)
    wide = lt.ones(2, 3, dtype="float64", requires_grad=True)
    (half * wide).sum().backward()
    assert (half.grad.dtype, half.grad.shape) == (nd.float16, (3,))
    assert (wide.grad.dtype, wide.grad.shape) == (nd.float64, (2, 3))
