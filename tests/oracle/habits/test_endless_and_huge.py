"""Sequences without an end, and numbers beyond all memory: refused, at once, in words that say what is wrong."""

import math

import pytest
import torch

import lamina


def _inside_itself():
    a = []
    a.append(a)
    return a


def _behind_a_number():
    a = [1.0]
    a.append(a)
    return a


def _nested(depth, kind):
    found = 1.0
    for _ in range(depth):
        found = kind([found])
    return found


TOO_DEEP = {
    "a list inside of itself": _inside_itself(), "behind a number": _behind_a_number(), "500 lists": _nested(500, list),
    "500 tuples": _nested(500, tuple), "65 lists": _nested(65, list), "100,000 lists": _nested(100_000, list),
}  # fmt: skip


@pytest.mark.parametrize("make", [
    lamina.tensor, lamina.as_tensor, lamina.asarray, lamina.Tensor, lambda data: lamina.ones(2).new_tensor(data),
])  # fmt: skip
@pytest.mark.parametrize("name", TOO_DEEP)
def test_sequences_nested_too_deep(name, make):
    with pytest.raises(ValueError, match="too many dimensions"):
        make(TOO_DEEP[name])


def test_as_deep_as_may_be():
    assert lamina.tensor(_nested(64, list)).shape == (1,) * 64


@pytest.mark.parametrize("make", [
    lambda shape: lamina.zeros(shape), lambda shape: lamina.rand(shape), lambda shape: lamina.ones(1).reshape(shape),
    lambda shape: lamina.ones(1).expand(shape), lambda shape: lamina.ones(1)[(None,) * (len(shape) - 1)],
    lambda shape: lamina.ones(1).repeat(shape), lambda shape: lamina.zeros(shape[1:]).unsqueeze(0),
    lambda shape: lamina.stack([lamina.zeros(shape[1:])]), lambda shape: lamina.empty_strided(shape, shape),
])  # fmt: skip
def test_more_dims_than_there_may_be(make):
    with pytest.raises(ValueError, match=r"too many dimensions: 1?[0-9]+ of them; an array has 64 at most"):
        make((1,) * 65)


@pytest.mark.parametrize("count", [2**63 - 1, 2**63, 2**62])
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_more_bins_than_memory_has(rank, count):
    x = lamina.ones(1, 1, *(4,) * rank)
    for name in ("avg", "max"):
        with pytest.raises(RuntimeError, match="more bins than memory has room for"):
            getattr(lamina.nn.functional, f"adaptive_{name}_pool{rank}d")(x, (count, *(1,) * (rank - 1)))


def test_the_multivariate_gamma_function_of_many_dimensions():
    for p in (1, 2, 50, 5000):
        ours, theirs = (t.mvlgamma(t.tensor([3000.0, 5e4], dtype=t.float64), p).tolist() for t in (lamina, torch))
        assert ours == pytest.approx(theirs, rel=1e-12)
    x = lamina.tensor([5.0, 7.5], dtype=lamina.float64, requires_grad=True)
    lamina.mvlgamma(x, 4).sum().backward()
    y = torch.tensor([5.0, 7.5], dtype=torch.float64, requires_grad=True)
    torch.mvlgamma(y, 4).sum().backward()
    assert x.grad.tolist() == pytest.approx(y.grad.tolist(), rel=1e-12)
    with pytest.raises(MemoryError):
        lamina.mvlgamma(lamina.ones(2), 2**60)


@pytest.mark.parametrize("order", [171, 200, 10**6, 2**62])
def test_polygamma_of_orders_whose_factorial_is_no_float(order):
    ours, theirs = (t.polygamma(order, t.tensor([1.0, 2.0, 0.0], dtype=t.float64)).tolist() for t in (lamina, torch))
    assert ours[0] == theirs[0]
    assert math.isinf(ours[2])
