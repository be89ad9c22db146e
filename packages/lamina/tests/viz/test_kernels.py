"""The kernels of a compiled function: what is counted is what the ops read and write."""

import xml.etree.ElementTree as ElementTree

import pytest
from compiling.outcomes import CALLS

import lamina as torch
from lamina import viz
from lamina.backends import backend_for


def called(function, *arguments):
    compiled = torch.compile(function)
    for _ in range(CALLS):
        result = compiled(*arguments)
        if result.requires_grad:
            result.sum().backward()
    return compiled


def test_bytes_and_reasons():
    drawing = viz.compiled(called(lambda x, w: ((x * w + 1).tanh().sum(-1) * 3).exp(), torch.ones(50, 40), torch.ones(40)))
    (way,) = drawing.data
    (steps,) = way.steps
    assert [op for step in steps for op in step.ops] == ["multiply", "add", "tanh", "sum", "multiply", "exp"]
    items, columns, rows = 4 * 2000, 4 * 40, 4 * 50
    assert sum(step.nbytes_apart for step in steps) == (2 * items + columns) + 2 * (2 * items) + (items + rows) + 2 * (2 * rows)
    if backend_for("cpu").fuses("add", torch.float32):
        (only,) = steps
        assert (only.shape, only.nbytes, only.apart) == ((50, 1), items + columns + rows, None)
        assert "instead of" in str(drawing)


def test_what_is_not_one_kernel_says_why():
    (way,) = viz.compiled(called(lambda x: (x * 2).exp().sum(0), torch.ones(50, 10))).data
    *_, total = way.steps[0]
    backend = backend_for(torch.get_default_device().type)
    fuses = backend.fuses("sum", torch.float32)
    why = "10 columns of 50 items are reduced; a kernel takes 17 to 2048" if fuses else f"{backend.name} does not fuse sum of float32"
    assert (total.ops, total.apart) == (("sum",), why)


def test_backward_is_drawn_and_the_rest_counted():
    compiled = called(lambda x: (x.sum(-1) * x.sum(0)[:3]).cumsum(0), torch.ones(3, 4, requires_grad=True))
    whole, short = viz.compiled(compiled), viz.compiled(compiled, limit=1)
    forward, backward = whole.data[0].steps
    assert len(forward) > 1
    assert len(backward) > 1
    assert f"... kernels left out: {len(backward) - 1}" in str(short)
    bars = [box for box in ElementTree.fromstring(whole.svg).iter("{http://www.w3.org/2000/svg}rect") if box.get("class") in ("f0", "f5")]
    assert len(bars) == len(forward) + len(backward)
    assert torch.explain_compiled(compiled) in str(whole)


def test_what_cannot_be_drawn():
    with pytest.raises(TypeError, match=r"it wants what torch\.compile returned"):
        viz.compiled(len)
    with pytest.raises(ValueError, match="not called yet"):
        viz.compiled(torch.compile(lambda x: x))
    with pytest.raises(ValueError, match="limit=0"):
        viz.compiled(called(lambda x: x + 1, torch.ones(2)), limit=0)
    with pytest.warns(UserWarning, match="reads a value"):
        eager = called(lambda x: x * float(x.sum()), torch.ones(2))
    assert "reads a value" in str(viz.compiled(eager))
