"""What programs for PyTorch do by habit, outside of the functions' documentation: the same answers from both."""

import itertools
import operator
import warnings

import numpy as np
import pytest
import torch

import lamina

BOTH = pytest.mark.parametrize("t", [lamina, torch])


class Stranger:
    """An operand of another library's."""

    def __radd__(self, other):
        return "radd"

    def __rmatmul__(self, other):
        return "rmatmul"

    def __eq__(self, other):
        return "eq"

    def __gt__(self, other):
        return "gt"

    __hash__ = None


@BOTH
def test_tensors_are_unequal_to_what_is_no_operand(t):
    x = t.tensor([1.0, 2.0])
    for other in (None, "a", [1.0, 2.0], (1.0,), {}, object()):
        assert (x == other) is False
        assert (x != other) is True
        assert (other == x) is False
    assert None not in [x]
    assert (x == 1).tolist() == [True, False]


@BOTH
def test_operands_of_other_classes_are_asked(t):
    x = t.tensor([1.0, 2.0])
    assert (x + Stranger(), x @ Stranger(), x == Stranger(), x < Stranger()) == ("radd", "rmatmul", "eq", "gt")
    for op in (operator.add, operator.lt, operator.matmul, operator.iadd, operator.and_, operator.pow, operator.floordiv):
        for other in (None, "a", {}):
            with pytest.raises(TypeError):
                op(x, other)
        assert getattr(x, f"__{op.__name__.strip('_')}__")(None) is NotImplemented
    with pytest.raises(TypeError, match="add"):
        t.add(x, Stranger())


@pytest.mark.parametrize("op", [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.mod, operator.floordiv, operator.matmul,
    operator.iadd, operator.imul, operator.eq,
])  # fmt: skip
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_arrays_of_numpy_are_operands(op, dtype):
    array, found = np.array([1.0, 3.0]), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for t in (lamina, torch):
            result = op(t.tensor([1, 2], dtype=getattr(t, dtype)), array)
            found.append((str(result.dtype).partition(".")[2], result.tolist()))
    assert found[0] == found[1]


@BOTH
@pytest.mark.parametrize("array", [np.array([2.0, 3.0]), np.array(2.0), np.array([2.0], dtype=np.float32), np.array([2, 4])])
def test_an_array_of_numpy_is_divided_by_a_tensor(t, array):
    x = t.tensor([1.0, 2.0], dtype=t.float64, requires_grad=t is lamina)  # PyTorch goes through NumPy, which knows no gradients
    result = array / x
    assert result.dtype is t.float64 and result.tolist() == (array / np.array([1.0, 2.0])).tolist()
    if t is lamina:
        result.sum().backward()
        assert x.grad.tolist() == (-array / np.array([1.0, 4.0])).tolist()


@BOTH
def test_history_of_memory(t):
    x = t.ones(3)
    start = x._version
    x.add_(1)
    y = x[1:]
    y.mul_(2)
    assert (x._version - start, y._version - start) == (2, 2)
    assert y._base is x
    assert y[1:]._base is x
    assert x._base is None
    assert (y._is_view(), x._is_view(), x.detach()._is_view()) == (True, False, False)
    z = t.ones(3, requires_grad=True) * 2
    with t.no_grad():
        assert z[1:]._base is z
    assert z.view(3, 1)._base is z
    assert not z.clone()._is_view()


@BOTH
@pytest.mark.parametrize("write", [
    lambda data: data.normal_(0, 0.01), lambda data: data.fill_(0), lambda data: data.mul_(2), lambda data: data.uniform_(-1, 1),
    lambda data: data.zero_(),
])  # fmt: skip
def test_a_parameter_without_a_shape_has_data_without_items(t, write):
    layer = t.nn.LazyLinear(3)
    write(layer.weight.data)
    write(layer.bias.data)
    assert layer.weight.data.numel() == 0
    assert layer(t.ones(2, 5)).shape == (2, 3)
    assert layer.weight.shape == (3, 5)
    for initialize in (t.nn.init.normal_, t.nn.init.xavier_uniform_):
        with pytest.raises(ValueError, match="uninitialized parameter"):
            initialize(t.nn.LazyLinear(3).weight)


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_means_of_windows_of_integers(rank):
    numbers = np.random.default_rng(0).integers(-50, 50, (2, 1, 7, 6, 5)[: rank + 2])
    settings = itertools.product((2, 3), (None, 1, 2), (0, 1), (False, True), (False, True), (None, 3) if rank > 1 else (None,))
    for kernel, stride, padding, ceil, count_padding, divisor in settings:
        params = {"stride": stride, "padding": padding, "ceil_mode": ceil, "count_include_pad": count_padding}
        params |= {} if divisor is None else {"divisor_override": divisor}
        ours, theirs = (
            getattr(t.nn.functional, f"avg_pool{rank}d")(t.tensor(numbers), kernel, **params) for t in (lamina, torch)
        )
        assert ours.dtype is lamina.int64
        assert ours.tolist() == theirs.tolist()


@BOTH
def test_other_spellings(t):
    x = t.arange(6.0)
    assert [part.shape[0] for part in t.histogram(x)] == [100, 101]
    assert [part.shape[0] for part in x.histogram(range=(0.0, 1.0))] == [100, 101]
    assert t.ones(3).broadcast_to(2, 3).shape == t.ones(3).broadcast_to((2, 3)).shape == (2, 3)
    leaf = t.ones(2, requires_grad=True)
    assert t.autograd.grad((leaf * 2).sum(), leaf, only_inputs=True)[0].tolist() == [2, 2]
    factors = t.linalg.lu(t.eye(2))
    assert factors.P.shape == factors.L.shape == factors.U.shape == (2, 2)
    assert t.linalg.lu_factor(t.eye(2)).pivots.tolist() == [1, 2]


USES = {  # of a parameter without a shape
    "a number added": lambda t, p: p + 1, "to a number": lambda t, p: 1 + p, "of itself": lambda t, p: p * p,
    "a penalty": lambda t, p: p.pow(2).sum(), "a norm": lambda t, p: p.norm(), "negative": lambda t, p: -p,
    "second": lambda t, p: t.ones(2) * p, "in place": lambda t, p: t.ones(2).add_(p), "a product": lambda t, p: p @ p,
}  # fmt: skip


@pytest.mark.parametrize("t", [lamina, torch])
@pytest.mark.parametrize("name", USES)
def test_a_parameter_without_a_shape_is_not_computed_with(t, name):
    with pytest.raises(ValueError, match="ninitialized"):
        USES[name](t, t.nn.LazyLinear(2).weight)


@pytest.mark.parametrize("t", [lamina, torch])
def test_states_and_memory_of_modules_without_shapes(t):
    first, second = (t.nn.Sequential(t.nn.LazyLinear(3), t.nn.LazyBatchNorm1d()) for _ in range(2))
    second.load_state_dict(first.state_dict())
    assert second[0].has_uninitialized_params()
    with pytest.raises(RuntimeError, match="share memory on an uninitialized"):
        second.share_memory()
    first(t.ones(2, 4))
    second.load_state_dict(first.state_dict())
    assert second[0].weight.tolist() == first[0].weight.tolist()
