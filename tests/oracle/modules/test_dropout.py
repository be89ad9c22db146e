"""Dropout against PyTorch's from one seed: values, gradients of both orders, and what the generator gives afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch, the oracle, is not installed")

import lamina

LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "dense": lambda x: x,
    "transposed": lambda x: x.transpose(0, 1),
    "sliced": lambda x: x[1:, ::2],
    "offset": lambda x: x[3:],
    "flipped": lambda x: x.flip(0),
    "no items": lambda x: x[:0],
}


def both(f: Callable[[Any, Any], Any], array: Any) -> tuple[Any, Any]:
    """What a program gives on lamina and on PyTorch, and the next number of the generator."""
    found = []
    for t, x in ((lamina, lamina.tensor(array)), (torch, torch.tensor(array))):
        t.manual_seed(11)
        found.append((f(t, x), t.rand(1).item()))
    assert found[0][1] == found[1][1]
    return found[0][0], found[1][0]


def same(ours: Any, theirs: Any) -> None:
    assert str(ours.dtype).split(".")[-1] == str(theirs.dtype).split(".")[-1]
    np.testing.assert_array_equal(ours.detach().double().numpy(), theirs.detach().double().numpy())


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
def test_values_and_gradients(dtype: str, layout: str) -> None:
    def program(t: Any, x: Any) -> list[Any]:
        x = x.to(getattr(t, dtype)).requires_grad_()
        y = t.nn.functional.dropout(LAYOUTS[layout](x), 0.3)
        (first,) = t.autograd.grad((y * y * y).sum(), x, create_graph=True)
        (second,) = t.autograd.grad(first.sum(), x)
        return [y, first, second]

    found = both(program, np.linspace(-2, 2, 35 * 41).reshape(35, 41))
    for ours, theirs in zip(*found, strict=True):
        same(ours, theirs)
    assert found[0][0].stride() == found[1][0].stride()


def test_the_places_of_infinities_and_zeros() -> None:
    array = np.array([np.inf, -np.inf, np.nan, -0.0, 0.0] * 9, np.float32)
    ours, theirs = both(lambda t, x: t.nn.functional.dropout(x, 0.5), array)
    same(ours, theirs)
    np.testing.assert_array_equal(np.signbit(ours.numpy()), np.signbit(theirs.numpy()))


@pytest.mark.parametrize("p", [0.0, 0.5, 1.0])
def test_modules_in_place(p: float) -> None:
    def program(t: Any, x: Any) -> list[Any]:
        x.requires_grad_()
        y = t.nn.Dropout(p, inplace=True)(x * 2)
        y.sum().backward()
        return [y, x.grad]

    for ours, theirs in zip(*both(program, np.linspace(-2, 2, 50, dtype=np.float32)), strict=True):
        same(ours, theirs)


@pytest.mark.parametrize("randomness", ["different", "same"])
def test_mapped_functions_and_forward_mode(randomness: str) -> None:
    def program(t: Any, x: Any) -> list[Any]:
        f = t.nn.functional.dropout
        mapped = t.func.vmap(lambda v: f(v, 0.4), randomness=randomness)(x)
        slopes = t.func.vmap(t.func.grad(lambda v: (f(v, 0.4) ** 2).sum()), randomness=randomness)(x)
        return [mapped, slopes, *t.func.jvp(lambda v: f(v, 0.4), (x,), (x * 3,))]

    for ours, theirs in zip(*both(program, np.linspace(-2, 2, 54, dtype=np.float32).reshape(6, 9)), strict=True):
        same(ours, theirs)


def test_a_graph_is_passed_once() -> None:
    def program(t: Any, x: Any) -> str:
        y = t.nn.functional.dropout(x.requires_grad_(), 0.5).sum()
        y.backward()
        with pytest.raises(RuntimeError, match="second time") as raised:
            y.backward()
        return str(raised.type)

    both(program, np.ones(5, np.float32))
