"""What PyTorch refuses to compute of some dtypes, lamina refuses as well, with an error of the same kind; what it computes, too."""

from __future__ import annotations

from typing import Any

import pytest
import torch as oracle

import lamina

BOOLEANS = """
t.tensor([True]) - t.tensor([1.0])
t.tensor([1.0]) - True
t.tensor([1.0]) - t.tensor(True)
t.tensor([True]) - 1
1 - t.tensor([True])
True - t.tensor([1.0])
t.rsub(t.tensor([True]), 1)
t.rsub(t.tensor([True]), 1, alpha=2)
t.tensor([1.0]).sub_(t.tensor([True]))
t.tensor([1.0]).sub_(t.tensor([True]), alpha=2)
t.tensor([1.0]).sub_(True)
t.subtract(t.tensor([True]), 2.0)
t.tensor([1]).sub(True, alpha=2)
+t.tensor([True])
t.positive(t.tensor([True]))
-t.tensor([True])
t.relu(t.tensor([True]))
t.tensor([True]).relu_()
t.round(t.tensor([True]))
t.trunc(t.tensor([True]))
t.tensor([True]).trunc_()
t.ceil(t.tensor([True]))
t.floor(t.tensor([True]))
t.fmod(t.tensor([True]), t.tensor([True]))
t.remainder(t.tensor([True]), t.tensor([True]))
t.floor_divide(t.tensor([True]), t.tensor([True]))
"""

MIXED_DTYPES = """
t.ones(2, 2) @ t.ones(2, 2, dtype=t.float64)
t.ones(2, 2) @ t.ones(2, 2, dtype=t.int64)
t.ones(2) @ t.ones(2, dtype=t.float64)
t.ones(2, 2) @ t.ones(2, dtype=t.float64)
t.ones(3, 2, 2) @ t.ones(3, 2, 2, dtype=t.float64)
t.tensor([1.0, 2.0]).__setitem__(t.tensor([0]), t.tensor([1], dtype=t.float64))
t.tensor([1.0, 2.0]).__setitem__(t.tensor([0]), t.tensor(1, dtype=t.float64))
t.tensor([1, 2]).__setitem__(t.tensor([0]), t.tensor([1.5]))
t.tensor([[1.0, 2.0]]).__setitem__((0, t.tensor([0, 1])), t.tensor([1, 2]))
t.tensor([[1.0, 2.0]]).__setitem__((slice(None), [0, 1]), t.tensor([1, 2]))
t.tensor([1.0, 2.0]).__setitem__(t.tensor([True, True]), t.tensor([1, 2]))
t.clamp(t.tensor([1.0]), 0.5, t.tensor([2.0]))
t.clamp(t.tensor([1.0]), t.tensor([2.0]), 0.5)
t.clamp(t.tensor([1.0]), 0.5, t.tensor(2.0, requires_grad=True))
t.tensor([1.0]).clamp_(0.5, t.tensor([2.0]))
t.clip(t.tensor([1.0]), 0.5, t.tensor([2.0]))
t.einsum("ij,jk->ik", t.ones(2, 2), t.ones(2, 2, dtype=t.float64))
t.nn.functional.linear(t.ones(2, 2), t.ones(2, dtype=t.float64))
"""
WHOLE_NUMBERS = """
t.softmax(t.tensor([1, 2]), 0)
t.log_softmax(t.tensor([1, 2]), 0)
t.softmax(t.tensor([True]), 0)
t.softmax(t.tensor([1.0, 2.0]), 0, dtype=t.int64)
t.nn.functional.softmin(t.tensor([1, 2]), 0)
t.tensor([1.0, 2.0], requires_grad=True).sum(dtype=t.int64)
t.tensor([1.0, 2.0], requires_grad=True).sum(0, dtype=t.bool)
t.unique(t.tensor([1.0, 1.0], requires_grad=True)).sum().backward()
t.unique_consecutive(t.tensor([1.0, 1.0], requires_grad=True)).sum().backward()
t.tensor([1.0, 2.0], requires_grad=True).prod(dtype=t.int64)
t.tensor([1.0, 2.0], requires_grad=True).nansum(dtype=t.int64)
t.tensor([1.0, 2.0], requires_grad=True).cumsum(0, dtype=t.int64)
t.tensor([1.0, 2.0], requires_grad=True).cumprod(0, dtype=t.int64)
t.hypot(t.tensor([1, 2]), t.tensor([1, 2]))
t.hypot(t.tensor([True]), t.tensor([True]))
t.lerp(t.tensor([1, 2]), t.tensor([1, 2]), 0.3)
t.lerp(t.tensor([1, 2]), t.tensor([1, 2]), 2)
t.lerp(t.tensor([True]), t.tensor([True]), 0.3)
t.tensor([1, 2]).lerp_(t.tensor([1, 2]), 0.3)
t.searchsorted(t.tensor([False, True]), t.tensor([True]))
t.bucketize(t.tensor([True]), t.tensor([False, True]))
t.kthvalue(t.tensor([False, True]), 1)
t.topk(t.tensor([False, True]), 1)
t.trace(t.tensor([[False, True]]))
t.tensor([False, True]).random_(2, 9)
t.tensor([1, 2], dtype=t.uint8).random_(0, 300)
t.nn.functional.dropout(t.tensor([1, 2]), 0.5)
t.nn.functional.hardtanh(t.tensor([False, True]))
t.nn.functional.relu6(t.tensor([False, True]))
t.nn.functional.mse_loss(t.tensor([1]), t.tensor([2]))
t.nn.functional.mse_loss(t.tensor([True]), t.tensor([True]))
t.nn.functional.mse_loss(t.tensor([1j]), t.tensor([1.0]))
t.nn.functional.smooth_l1_loss(t.tensor([1]), t.tensor([2]))
"""
COMPUTED = """
t.clamp(t.tensor([1.0]), 0.5, t.tensor(2.0))
t.tensor([1.0]).clamp_(t.tensor(0.1), 0.5)
t.tensor([1.5, 2.5], requires_grad=True).detach().sum(dtype=t.int64)
written(t.tensor([1.0, 2.0]), t.tensor([True, False]), t.tensor([5], dtype=t.float64))
written(t.tensor([1.0, 2.0]), 0, t.tensor(5, dtype=t.float64))
written(t.tensor([1.0, 2.0]), t.tensor(0), t.tensor(5, dtype=t.float64))
written(t.tensor([1, 2]), 0, t.tensor(5.5, requires_grad=True))
written(t.tensor([1, 2]), slice(None), t.tensor([5.5, -6.5], requires_grad=True))
written(t.tensor([True, False]), ..., t.tensor([0.0, 2.5], requires_grad=True))
t.tensor([1, 2]).copy_(t.tensor([5.5, -6.5], requires_grad=True))
t.tensor([True, False]).copy_(t.tensor([0.0, 2.5], requires_grad=True))
t.tensor([4]).addcmul_(t.tensor([2]), t.tensor([2]), value=2.7)
t.tensor([4]).addcmul(t.tensor([2]), t.tensor([2]), value=-0.5)
t.tensor([4]).addcmul(t.tensor([2.0]), t.tensor([2]), value=0.5)
t.unique(t.tensor([1.0, 2.0, 1.0], requires_grad=True))
t.unique(t.tensor([1.0, 2.0, 1.0], requires_grad=True), return_inverse=True)[1]
t.unique(t.tensor([1.0, 2.0, 1.0], requires_grad=True), return_counts=True)[0]
t.unique_consecutive(t.tensor([1.0, 2.0, 1.0], requires_grad=True))
t.tensor([1.0, 2.0]).eq_(t.tensor([1.0, 3.0], requires_grad=True))
t.einsum("i,j->ij", t.ones(2), t.ones(2, dtype=t.float64))
t.einsum("ij,jk->ik", t.ones(2, 1), t.ones(1, 2, dtype=t.float64))
t.nn.functional.mse_loss(t.tensor([True, False]), t.tensor([1.0, 2.0], requires_grad=True))
t.nn.functional.mse_loss(t.tensor([1.0, 2.0]), t.tensor([True, False]))
t.nn.functional.smooth_l1_loss(t.tensor([True, False]), t.tensor([1.0, 2.0], requires_grad=True))
t.nn.functional.dropout(t.tensor([1, 2]), 1.0)
"""


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


def error(torch: Any, expression: str) -> Exception | None:
    try:
        eval(expression, {"t": torch})
    except Exception as refusal:
        return refusal
    return None


@pytest.mark.parametrize("expression", lines(BOOLEANS + MIXED_DTYPES + WHOLE_NUMBERS))
def test_refused(expression: str) -> None:
    expected = error(oracle, expression)
    assert expected is not None, "PyTorch computes it: the line belongs elsewhere"
    assert isinstance(error(lamina, expression), type(expected))


def written(tensor: Any, index: Any, value: Any) -> Any:
    tensor[index] = value
    return tensor


@pytest.mark.parametrize("expression", lines(COMPUTED))
def test_computed(expression: str) -> None:
    expected, observed = (eval(expression, {"t": t, "written": written}) for t in (oracle, lamina))
    assert observed.tolist() == expected.tolist()
    assert str(observed.dtype).split(".")[-1] == str(expected.dtype).split(".")[-1]
    assert observed.requires_grad == expected.requires_grad


@pytest.mark.parametrize("name", ["eq_", "ne_", "lt_", "le_", "gt_", "ge_"])
def test_comparisons_in_place_have_no_slope(name: str) -> None:
    gradients = []
    for t in (oracle, lamina):
        a, b = t.tensor([[1.0, 2.0]], requires_grad=True), t.tensor([1.0], requires_grad=True)
        y = a * 3
        getattr(y, name)(b)
        (y * a).sum().backward()
        gradients.append((y.tolist(), a.grad.tolist(), b.grad.tolist()))
    assert gradients[0] == gradients[1]
