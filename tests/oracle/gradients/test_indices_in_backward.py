"""Indices that a backward pass comes back to: numbers that are tensors, and arrays that were changed meanwhile."""

import pytest
import torch

import lamina

NUMBERS = {
    "a number": lambda t, x, i: x[i],
    "two numbers": lambda t, x, i: x[i, i - 1],
    "a column": lambda t, x, i: x[:, i],
    "among new dims": lambda t, x, i: x[None, i, None],
    "a slice": lambda t, x, i: x[:i],
    "slices": lambda t, x, i: x[i:, :i],
    "True": lambda t, x, i: x[i == 1],
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_are_those_of_the_call(name):
    found = []
    for t in (lamina, torch):
        x, i = t.arange(6.0).reshape(3, 2).requires_grad_(), t.tensor(1)
        y = NUMBERS[name](t, x, i)
        if name != "True":  # which is an array of positions to both
            i.fill_(0)
        (first,) = t.autograd.grad((y**3).sum(), x, create_graph=True)
        found.append((y.tolist(), first.tolist(), t.autograd.grad(first.sum(), x)[0].tolist()))
    assert found[0] == found[1]


def test_an_item_written_from_another():
    found = []
    for t in (lamina, torch):
        x = t.arange(6.0).reshape(3, 2).requires_grad_()
        z = x * 1
        z[t.tensor(1)] = x[t.tensor(2)]
        z[:, t.tensor(0)] = z[t.tensor(2), t.tensor(1)] * 3
        found.append(t.autograd.grad((z * z).sum(), x)[0].tolist())
    assert found[0] == found[1]


def _written(t, x, index):
    y = x * 1
    y[index] = x[0, 0] * 2
    return y


ARRAYS = {
    "rows": lambda t, x, i: x[i],
    "items": lambda t, x, i: x[i, 0],
    "pairs": lambda t, x, i: x[i, i],
    "beside a slice": lambda t, x, i: x[i, :1],
    "index_put": lambda t, x, i: x.index_put((i,), x[0] * 2),
    "rows written": lambda t, x, i: _written(t, x, i),
    "items written": lambda t, x, i: _written(t, x, (i, 0)),
    "gather": lambda t, x, i: x.gather(0, i.reshape(1, 2)),
    "index_select": lambda t, x, i: x.index_select(0, i),
}


@pytest.mark.parametrize("t", [lamina, torch])
@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_that_were_changed_are_noticed(name, t):
    x, i = t.arange(9.0).reshape(3, 3).requires_grad_(), t.tensor([1, 2])
    y = ARRAYS[name](t, x, i)
    y.sum().backward(retain_graph=True)
    i.zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()
