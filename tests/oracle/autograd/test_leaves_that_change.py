"""Leaves that stop asking for gradients, and tensors that become something else, after they were used: as in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import lamina


def stopped(t: Any) -> Any:
    x, w = t.ones(2, requires_grad=True), t.ones(2, requires_grad=True)
    y = (x * w).sum()
    x.requires_grad_(False)
    y.backward()
    return x.grad, w.grad


def started_again(t: Any) -> Any:
    x = t.ones(2, requires_grad=True)
    y = (x * 3).sum()
    x.requires_grad_(False)
    x.requires_grad_()
    y.backward()
    return x.grad


def moved_into_the_graph(t: Any) -> Any:
    x, w = t.ones(2, requires_grad=True), t.ones(2, requires_grad=True)
    y = x * 2
    x.requires_grad_(False)
    x[:1] = w[:1]
    (y.sum() + x.sum()).backward()


def a_view_of_what_stopped(t: Any) -> Any:
    x = t.ones(2, requires_grad=True)
    view = x[:1]
    x.requires_grad_(False)
    view.mul_(2)


def a_complex_root(t: Any) -> Any:
    t.ones(1, dtype=t.complex64, requires_grad=True).sum().backward()


def a_rounded_quotient(t: Any) -> Any:
    x = t.tensor([7.0, -7.0], requires_grad=True)
    y = (x * 1).div_(2, rounding_mode="floor") + x.div(x, rounding_mode="floor") + x.div(2, rounding_mode="trunc")
    y.sum().backward()
    return y.detach(), x.grad


def a_floor_division(t: Any) -> Any:
    x = t.tensor([7.0, -7.0], requires_grad=True)
    (x // 2).sum().backward()


def a_floor_division_in_place(t: Any) -> Any:
    x = t.tensor([7.0, -7.0], requires_grad=True) * 1
    x //= 2
    x.sum().backward()


def retained_of_a_transpose(t: Any) -> Any:
    x = (t.ones(2, 3, requires_grad=True) * 2).t()
    x.retain_grad()
    (x * x).sum().backward()
    return x.grad.stride()


def a_transposed_leaf_of_no_items(t: Any) -> Any:
    x = t.ones(0, 3).t().detach().requires_grad_()
    (x * 2).sum().backward()
    return x.grad.stride()


def transposes_of_vectors(t: Any) -> Any:
    x, y = t.ones(3, requires_grad=True), t.tensor(2.0, requires_grad=True)
    views = x.t(), y.t(), t.t(x)
    assert all(view is not x and view is not y for view in views)
    sum(view.sum() for view in views).backward()
    return [view.is_leaf for view in views], views[0].grad_fn.name(), x.grad, y.grad


def a_view_that_becomes_another_unrecorded(t: Any) -> Any:
    x = t.arange(6.0, requires_grad=True)
    views = [x.view(2, 3), (x * 2).view(2, 3)]
    with t.no_grad():
        for view in views:
            view.t_()
    sum((view * t.arange(6.0).view(3, 2)).sum() for view in views).backward()
    return x.grad


PROGRAMS = [
    stopped, started_again, moved_into_the_graph, a_view_of_what_stopped, a_complex_root, a_rounded_quotient, a_floor_division,
    a_floor_division_in_place, retained_of_a_transpose, a_transposed_leaf_of_no_items, transposes_of_vectors,
    a_view_that_becomes_another_unrecorded,
]  # fmt: skip


def plain(result: Any) -> Any:
    if isinstance(result, (list, tuple)):
        return [plain(item) for item in result]
    return result.tolist() if isinstance(result, (torch.Tensor, lamina.Tensor)) else result


def outcome(program: Callable[[Any], Any], t: Any) -> Any:
    try:
        return plain(program(t))
    except RuntimeError:
        return "a RuntimeError"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_outcome_is_that_of_pytorch(program: Callable[[Any], Any]) -> None:
    assert outcome(program, lamina) == outcome(program, torch)


@pytest.mark.parametrize("method", ["unsqueeze_", "squeeze_", "t_"])
def test_what_becomes_a_view_of_itself_goes_on_retaining_its_gradient(method: str) -> None:
    """In the shape that it has then; in PyTorch 2.13 that of before, though `retains_grad` is still True."""
    gradients = []
    for t in (torch, lamina):
        x = t.ones(2, 1, requires_grad=True) * 2
        x.retain_grad()
        getattr(x, method)(*[0] * (method == "unsqueeze_"))
        (x * x).sum().backward()
        assert x.retains_grad
        gradients.append(x.grad)
    assert gradients[1].shape == x.shape
    assert gradients[1].flatten().tolist() == gradients[0].flatten().tolist()


def test_a_leaf_that_stopped_asking_may_have_another_shape() -> None:
    for t in (torch, lamina):
        x = t.ones(2, 3, requires_grad=True)
        y = x.view(-1)
        x.requires_grad_(False)
        x.t_()
        y.sum().backward()
        assert x.grad is None and x.shape == (3, 2)
