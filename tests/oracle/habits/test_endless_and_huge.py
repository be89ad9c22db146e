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


TOO_LARGE = {
    "arange": lambda t: t.arange(0, 1, 5e-324), "arange of whole numbers": lambda t: t.arange(-(2**63), 2**63 - 1),
    "arange of far ends": lambda t: t.arange(1, 1e308, 0.5), "zeros": lambda t: t.zeros(2**62), "eye": lambda t: t.eye(2**40),
    "zeros of two dims": lambda t: t.zeros(2**40, 2**40), "linspace": lambda t: t.linspace(0, 1, 2**62), "rand": lambda t: t.rand(2**62),
    "repeat": lambda t: t.ones(6).repeat(2**62), "vsplit": lambda t: t.vsplit(t.ones(4, 4), 2**62),
    "fft": lambda t: t.fft.fft(t.ones(6), 2**62), "pad": lambda t: t.nn.functional.pad(t.ones(6), (2**62, 0)),
    "bincount": lambda t: t.bincount(t.tensor([1]), minlength=2**62), "randperm": lambda t: t.randperm(2**62),
    "one_hot": lambda t: t.nn.functional.one_hot(t.tensor([2**62])),
    "interpolate": lambda t: t.nn.functional.interpolate(t.ones(1, 1, 6), 2**62),
}  # fmt: skip


@pytest.mark.parametrize("name", TOO_LARGE)
def test_more_items_than_memory_has_room_for(name):
    with pytest.raises((RuntimeError, ValueError)):
        TOO_LARGE[name](torch)
    with pytest.raises(RuntimeError, match=rf"^{name.partition(' ')[0]}\b"):
        TOO_LARGE[name](lamina)


def test_memory_that_is_not_there_is_an_error_of_two_kinds():
    for kind in (MemoryError, RuntimeError, lamina.OutOfMemoryError):
        with pytest.raises(kind, match=r"^zeros: out of memory"):
            lamina.zeros(2**50)


@pytest.mark.parametrize("n", [2**31, 2**62, 2**63 - 1])
def test_more_differences_than_items(n):
    assert lamina.diff(lamina.ones(6), n=n).shape == (0,) == lamina.diff(lamina.ones(0), n=n, prepend=lamina.ones(2)).shape


def test_more_steps_than_can_be_made():
    x = lamina.ones(64)
    for call in (lambda: lamina.combinations(x, 20), lambda: lamina.combinations(x[:3], 2**40, with_replacement=True)):
        with pytest.raises(RuntimeError, match=r"^combinations: .* more choices than memory has room for"):
            call()
    assert lamina.combinations(x, 2**40).shape == (0, 2**40)
    for name in ("svd_lowrank", "pca_lowrank"):
        with pytest.raises(ValueError, match=rf"^{name}.*must be 10000 at most"):
            getattr(lamina, name)(lamina.ones(4, 4), q=2, niter=2**62)
        with pytest.raises(RuntimeError, match=rf"^{name}: A must have at least 2 dims"):
            getattr(lamina, name)(x)


def test_an_argument_that_cannot_be_called():
    x = lamina.ones(2, 2)
    with pytest.raises(TypeError, match="argument 'distance_function' must be callable, not int"):
        lamina.nn.functional.triplet_margin_with_distance_loss(x, x, x, distance_function=1)


NOTHING = {
    "multi_head_attention_forward": lambda t: t.nn.functional.multi_head_attention_forward(
        *[t.ones(3, 1, 2)] * 3, 2, 0, t.ones(6, 2), None, None, None, False, 0.0, t.eye(2), None
    ),
    "GroupNorm": lambda t: t.nn.GroupNorm(0, 4), "group_norm": lambda t: t.nn.functional.group_norm(t.ones(2, 4), 0),
    "lp_pool1d": lambda t: t.nn.functional.lp_pool1d(t.ones(1, 4), 0, 2),
    "trunc_normal_": lambda t: t.nn.init.trunc_normal_(t.ones(3), std=0.0),
    "ctc_loss": lambda t: t.nn.functional.ctc_loss(t.ones(0, 1, 3), t.zeros(1, 0, dtype=t.long), t.tensor([0]), t.tensor([0])),
}  # fmt: skip
"""Of no groups, by a norm of 0, over no steps: PyTorch divides by 0, or refuses."""


@pytest.mark.parametrize("name", NOTHING)
def test_nothing_where_something_is_divided_by_it(name):
    with pytest.raises((ZeroDivisionError, RuntimeError)):
        NOTHING[name](torch)
    with pytest.raises((ValueError, RuntimeError), match=rf"^{name}\b"):
        NOTHING[name](lamina)


@pytest.mark.parametrize(("call", "kind", "words"), [
    (lambda: lamina.nn.functional.glu(lamina.ones(4), dim=3), IndexError, r"^glu: Dimension out of range"),
    (lambda: lamina.chain_matmul(lamina.ones(2, 2), {}), TypeError, r"chain_matmul\(\): argument 'matrices' must be Tensor, not dict"),
    (lambda: lamina.block_diag(lamina.ones(2, 2), "a"), TypeError, r"block_diag\(\)"),
])  # fmt: skip
def test_dims_and_further_tensors_that_are_none(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


def test_a_variance_that_is_a_whole_number():
    x, y = lamina.tensor([1.0, 2.0]), lamina.tensor([3.0, 5.0])
    assert lamina.nn.functional.gaussian_nll_loss(x, y, 2) == lamina.nn.functional.gaussian_nll_loss(x, y, 2.0)
