"""The gradient of a sum is one number in place of all items: backward passes read that, to the bit of what they give from all of them."""

import pytest
from compiling.outcomes import CALLS, is_compiled, same

import lamina as torch


def normed(x, w):
    centred = x - x.mean(-1, keepdim=True)
    return centred * (centred.square().mean(-1, keepdim=True) + 1e-5).rsqrt() * w


def parts(x, w):
    return torch.cat([x[:, 1:], x[:, :2]], 1).t()[1:].exp() * x[0, 0] + (x[:, :1].t() @ x.exp()).sum() * w[0]


def product(x, w):
    return (x @ w.outer(w)).reshape(-1, 2)


FUNCTIONS = [normed, parts, product]


def _gradients(function, begin, x, w):
    leaves = [x.clone().requires_grad_(), w.clone().requires_grad_()]
    begin(function(*leaves))
    return [leaf.grad for leaf in leaves]


def _of_sum(result):
    result.sum().backward()


def _of_mean(result):
    result.mean().backward()


def _of_all(result):
    torch.manual_seed(0)
    result.backward(torch.empty_like(result.detach()).normal_())


@pytest.mark.parametrize("function", FUNCTIONS)
def test_one_number_and_all_items_by_turns(function):
    x, w = torch.randn(12, 6), torch.randn(6)
    compiled = torch.compile(function)
    for begin in (_of_sum, _of_sum, _of_all, _of_mean, _of_all, _of_sum, _of_mean):
        for _ in range(3):
            assert all(map(same, _gradients(compiled, begin, x, w), _gradients(function, begin, x, w)))
    assert is_compiled(compiled)


def returned(x, w):
    return x + w


def cast(x, w):
    return (x * w).to(torch.float64)


def complex_numbers(x, w):
    return torch.view_as_real(torch.view_as_complex(x * w) * 2)


@pytest.mark.parametrize("function", [returned, cast, complex_numbers])
def test_gradients_that_are_returned_or_read_as_another_dtype(function):
    x, w = torch.randn(5, 2), torch.randn(2)
    compiled = torch.compile(function)
    for begin in CALLS * [_of_sum] + CALLS * [_of_all]:
        assert all(map(same, _gradients(compiled, begin, x, w), _gradients(function, begin, x, w)))


def test_the_program_that_reads_one_number_is_made_when_it_is_met():
    x, w = torch.randn(12, 6), torch.randn(6)
    compiled = torch.compile(normed)
    for _ in range(CALLS):
        _gradients(compiled, _of_all, x, w)
    (backward,) = compiled._ways[0].compiled.backward
    assert backward._of_spread is None
    _gradients(compiled, _of_sum, x, w)
    made = backward._of_spread
    assert made is not None and made.program.kernels <= backward.program.kernels
    _gradients(compiled, _of_mean, x, w)
    assert backward._of_spread is made


def test_two_results():
    def both(x, w):
        return (x * w).exp(), x * w.tanh()

    def sums(results):
        (results[0].sum() + 2 * results[1].sum()).backward()

    def one(results):
        results[1].sum().backward()

    def sum_and_all(results):
        (results[0].sum() + (results[1] * results[0].detach()).sum()).backward()

    x, w = torch.randn(7, 3), torch.randn(3)
    compiled = torch.compile(both)
    for begin in (sums, one, sum_and_all, sums, one):
        for _ in range(3):
            assert all(map(same, _gradients(compiled, begin, x, w), _gradients(both, begin, x, w)))
