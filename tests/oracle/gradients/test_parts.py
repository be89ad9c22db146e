"""Gradients of several parts of one tensor, which meet in one place of memory."""

import pytest
import torch

import lamina

SHAPE = (4, 6, 3)
PROGRAMS = {
    "split": lambda t, x: sum((i + 1) * (p * p).sum() for i, p in enumerate(x.split(2, 1))),
    "split, some left out": lambda t, x: (x.split([1, 3, 2], 1)[1] ** 3).sum(),
    "chunk": lambda t, x: t.cat([p * i for i, p in enumerate(x.chunk(3, 1), 1)], 2).sin().sum(),
    "unbind": lambda t, x: sum((p * p * i).sum() for i, p in enumerate(x.unbind(0))),
    "one after the other": lambda t, x: sum((x[i] * x[i - 1]).sum() for i in range(4)),
    "overlapping": lambda t, x: (x[:, 1:] * x[:, :-1]).sum() + (x[:, 2:].exp() * x[:, :-2]).sum(),
    "beside the whole": lambda t, x: (x * 2).sum() + (x[1:, ::2] ** 2).sum() + x[0, 0, 0],
    "the whole last": lambda t, x: x[0].sum() + x[-1].sum() * 3 + x.sigmoid().sum(),
    "of a part": lambda t, x: sum((p[:, i].relu() * p[:, 1]).sum() for i, p in enumerate(x.split(2, 1)[:2])),
    "transposed": lambda t, x: sum((p.transpose(0, 1).tanh() * i).sum() for i, p in enumerate(x.transpose(0, 2).split(1, 1))),
    "by positions": lambda t, x: x[t.tensor([0, 0, 2])].sum() + x[t.tensor(1)].sum() + x[2].prod(),
    "one item for all": lambda t, x: (x[0, 0].expand(5, 3) * x[1, :5]).sum(),
    "in two dtypes": lambda t, x: (x[0] ** 2).sum() + x[1].to(t.float32).sum() + x[1:3].double().sum(),
    "written": lambda t, x: (lambda y: (y[0].mul_(2), y[1].copy_(y[2]), (y * y).sum() + y[3].sum())[-1])(x * 1),
}


def gradients(t, program, then, items):
    x = t.tensor(items, dtype=t.float64, requires_grad=True)
    inner, seen = x * 1.5, []
    inner.retain_grad()
    inner.register_hook(lambda g: seen.append(g.tolist()))
    loss = program(t, inner)
    if then == "again":
        loss.backward(retain_graph=True)
    if then == "twice":
        (slope,) = t.autograd.grad(loss, x, create_graph=True)
        (slope * slope).sum().backward()
    else:
        loss.backward()
    return [x.grad.tolist(), inner.grad.tolist(), *seen]


@pytest.mark.parametrize("then", ["once", "again", "twice"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_pytorch(name, then):
    items = torch.randn(SHAPE, generator=torch.Generator().manual_seed(0), dtype=torch.float64).tolist()
    ours, theirs = (gradients(t, PROGRAMS[name], then, items) for t in (lamina, torch))
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(torch.tensor(a), torch.tensor(b), rtol=1e-6, atol=1e-6)
