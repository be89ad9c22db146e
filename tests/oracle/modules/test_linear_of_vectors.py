"""Gradients of `F.linear` where the weight is a vector, as in PyTorch: there is one output, without a dim of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import lamina


def gradients(library: Any, shape: tuple[int, ...], dtype: str, bits: tuple[bool, bool]) -> list[Any]:
    numbers = np.random.default_rng(0).integers(-4, 5, (2, *shape)).astype(dtype)
    x, weight = (
        library.tensor(n, requires_grad=bit)
        for n, bit in zip((numbers[0], numbers[1].reshape(-1)[: shape[-1]]), bits, strict=True)
    )
    result = library.nn.functional.linear(x, weight)
    (result * result.detach()).sum().abs().backward()
    return [result.tolist(), *(None if t.grad is None else t.grad.tolist() for t in (x, weight))]


@pytest.mark.parametrize("bits", [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("shape", [(0,), (3,), (2, 3), (2, 2, 3)])
def test_a_vector_as_weight_has_gradients(shape: tuple[int, ...], dtype: str, bits: tuple[bool, bool]) -> None:
    assert gradients(lamina, shape, dtype, bits) == gradients(torch, shape, dtype, bits)


def test_the_bias_of_one_output_has_a_gradient() -> None:
    for library in (lamina, torch):
        x, weight, bias = library.ones(3), library.ones(3), library.tensor(1.0, requires_grad=True)
        library.nn.functional.linear(x, weight, bias).backward()
        assert bias.grad.item() == 1
