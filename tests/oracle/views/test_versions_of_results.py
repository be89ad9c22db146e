"""What `_version` counts, as in PyTorch: a new result was written by nobody, whatever kernels filled it."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import lamina

NEW = (
    "torch.select_scatter(torch.zeros(2, 3), torch.ones(3), 0, 1)",
    "torch.slice_scatter(torch.zeros(2, 3), torch.ones(1, 3), 0, 0, 1)",
    "torch.diagonal_scatter(torch.zeros(3, 3), torch.ones(3))",
    "torch.as_strided_scatter(torch.zeros(3, 3), torch.ones(3), (3,), (1,))",
    "torch.index_put(torch.zeros(3), (torch.tensor([0]),), torch.ones(1))",
    "torch.masked_scatter(torch.zeros(3), torch.tensor([True, False, True]), torch.ones(3))",
    "torch.normal(0.0, 1.0, (3,))",
    "torch.normal(0.0, torch.ones(3))",
    "torch.randint(5, (3,))",
    "torch.randint_like(torch.zeros(3), 5)",
    "torch.randperm(4)",
    "torch.randn(3, dtype=torch.complex64)",
    "torch.rand_like(torch.zeros(3, 4).t())",
)
WRITTEN = (
    "torch.zeros(3).random_()",
    "torch.zeros(3, dtype=torch.int64).geometric_(0.5)",
    "torch.zeros(3).index_copy_(0, torch.tensor([0]), torch.ones(1))",
    "torch.zeros(3).normal_().uniform_()",
    "torch.zeros(3).scatter_(0, torch.zeros(0, dtype=torch.int64), 0.5)",
    "torch.zeros(3).resize_(4)",
    "torch.zeros(3).add_(1).resize_(4).resize_(4).resize_(2)",
)


def version(line: str, library: Any) -> int:
    return eval(line, {"torch": library})._version


@pytest.mark.parametrize("line", NEW)
def test_a_new_result_is_of_version_0(line: str) -> None:
    assert version(line, lamina) == version(line, torch) == 0


@pytest.mark.parametrize("line", WRITTEN)
def test_writes_are_counted(line: str) -> None:
    assert version(line, lamina) == version(line, torch) > 0
