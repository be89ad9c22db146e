"""How much memory a training step holds at most: what real PyTorch saves for backward, the gradients, and little more.

Bytes are counted, not sampled: every block that a kernel table gives out, for as long as somebody holds it.
"""

import sys
from contextlib import contextmanager

import pytest
import torch

import lamina

LAYERS, WIDTH, BATCH = 20, 32, 512
ACTIVATIONS = ("ReLU", "Tanh", "GELU", "Sigmoid")


def step(t, activation):
    """A model and its input, and the function that computes the loss."""
    layers = [layer for _ in range(LAYERS) for layer in (t.nn.Linear(WIDTH, WIDTH), getattr(t.nn, activation)())]
    model, x = t.nn.Sequential(*layers), t.randn(BATCH, WIDTH)
    return model, x, lambda: (model(x) ** 2).mean()


def saved_by_pytorch(model, x, loss):
    """The bytes of the storages that its nodes keep, other than those of the parameters and the input."""
    owned = {t.untyped_storage().data_ptr() for t in (x, *model.parameters())}
    saved = {}

    def pack(t):
        storage = t.untyped_storage()
        if storage.data_ptr() not in owned:
            saved[storage.data_ptr()] = storage.nbytes(), t  # held, lest its address be another's
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        loss()
    return sum(nbytes for nbytes, _ in saved.values())


@contextmanager
def counted(*tables):
    """The blocks given out meanwhile, and the greatest sum of bytes that were held at once."""
    blocks, peak = [], [0]
    before = [table.allocate for table in tables]

    def held():
        # the list and the argument of getrefcount hold a block besides its owners
        blocks[:] = [block for block in blocks if sys.getrefcount(block[0]) > 2]
        return sum(nbytes for _, nbytes in blocks)

    def counting(allocate):
        def allocated(nbytes):
            memory = allocate(nbytes)
            blocks.append((memory, nbytes))
            peak[0] = max(peak[0], held())
            return memory

        return allocated

    for table, allocate in zip(tables, before, strict=True):
        table.allocate = counting(allocate)
    try:
        yield held, peak
    finally:
        for table, allocate in zip(tables, before, strict=True):
            table.allocate = allocate


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_peak_of_a_step(activation):
    saved = saved_by_pytorch(*step(torch, activation))
    model, x, loss = step(lamina, activation)
    gradients = sum(p.nbytes for p in model.parameters())
    table = x.array.flat.kernels
    with counted(table, table.sibling(lamina.bool)) as (held, peak):
        result = loss()
        after_forward = held()
        result.backward()
        after_backward = held()
    shown = {
        "saved by PyTorch": saved, "gradients": gradients, "after forward": after_forward, "peak": peak[0],
        "after backward": after_backward,
    }  # fmt: skip
    print(activation, shown)  # pytest -rP shows it
    assert peak[0] <= 1.1 * (saved + gradients), shown
    assert after_forward <= saved + result.nbytes, shown
    assert after_backward == gradients + result.nbytes, shown


def test_what_nobody_holds_is_not_counted():
    x = lamina.ones(1000)
    with counted(x.array.flat.kernels) as (held, peak):
        y = x + 1
        for _ in range(5):
            z = x * 2
        assert held() == 8000
        del z
        assert held() == 4000
        del y
        assert held() == 0
    assert peak[0] == 12000
