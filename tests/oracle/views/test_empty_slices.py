"""Where empty slices lie: at their start, as in PyTorch, though there is nothing to read there."""

from __future__ import annotations

import pytest
import torch

import lamina

SLICES = (
    "a[2:1]", "a[9:]", "a[4:4]", "a[1:-3, -3:]", "a[2:1:2]", "a[:, 3:]", "a[3][3:]", "a[1:0, 2]", "a.T[1:1]", "a[::2][2:]",
    "a[:, ::2][:, 2:]", "a.narrow(0, 4, 0)", "a.narrow(1, 2, 0)", "a.split([4, 0])[1]", "a.tensor_split([1, 1])[1]",
)  # fmt: skip


def place(library, line: str):
    part = eval(line, {"a": library.arange(12).reshape(4, 3)})
    return part.storage_offset(), tuple(part.stride()), tuple(part.shape)


@pytest.mark.parametrize("line", SLICES)
def test_an_empty_slice_begins_at_its_start(line: str) -> None:
    assert place(lamina, line) == place(torch, line)


@pytest.mark.parametrize("line", SLICES)
def test_an_empty_slice_beyond_the_memory_can_be_used(line: str) -> None:
    """Its offset may be past the last item: nothing may make a pointer or an array of it that is refused."""
    part = eval(line, {"a": lamina.arange(12).reshape(4, 3)})
    assert part.numpy().shape == tuple(part.shape)
    assert part.tolist() == part.clone().tolist() == (part + 1).tolist() == part.contiguous().tolist()
    assert part.sum().item() == 0
    assert lamina.cat([part, part]).numel() == 0
    assert part.fill_(1) is part
    part += 1
    part[...] = 2
    assert part.view(-1).numel() == 0
    assert part.to(lamina.float32).exp_().numel() == 0
    assert part.data_ptr() == 0
    assert lamina.from_dlpack(part).shape == part.shape
