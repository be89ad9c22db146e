"""In which order results lie in memory, and draws are written to what is transposed: as in PyTorch."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import lamina

LINES = (
    "torch.zeros(4, 3).t().geometric_(0.3)",
    "torch.zeros(4, 3).t().cauchy_()",
    "torch.zeros(4, 3).t().exponential_()",
    "torch.zeros(4, 3, dtype=torch.float64).t().log_normal_()",
    "torch.zeros(2, 4, 3).permute(2, 0, 1)[:, :, 1:].geometric_(0.4)",
    "torch.tensor([[0, 1], [1, 1]]).nonzero()",
    "torch.tensor([[0, 1], [1, 1]]).argwhere()",
    "torch.tensor(1.0).nonzero()",
    "torch.binomial(torch.ones(3, 2), torch.ones(3, 2) * 0.5)",
    "torch.broadcast_tensors(torch.ones(2, 3).t(), torch.ones(2))[0]",
)


def outcome(line: str, library: Any) -> tuple[Any, ...]:
    library.manual_seed(3)
    result = eval(line, {"torch": library})
    return result.stride(), result.shape, result.double().numpy().round(4).tolist(), library.get_rng_state().tolist()


@pytest.mark.parametrize("line", LINES)
def test_strides_and_draws_are_those_of_pytorch(line: str) -> None:
    assert outcome(line, lamina) == outcome(line, torch)


@pytest.mark.parametrize("library", [torch, lamina], ids=["torch", "lamina"])
def test_a_tensor_of_the_shape_of_all_is_broadcast_to_itself(library: Any) -> None:
    x, row = library.ones(2, 3, requires_grad=True), library.ones(3)
    assert library.broadcast_tensors(x, row)[0] is x
    assert library.broadcast_tensors(x, row)[1] is not row
