"""What a generated program showed of in-place views: they count as writes, and what may not be detached or transposed is refused."""

import pytest
import torch

import lamina

WRITES = (
    "t_()", "transpose_(0, 1)", "swapaxes_(0, 1)", "swapdims_(0, 1)", "squeeze_()", "unsqueeze_(0)", "as_strided_((1,), (1,))",
)  # fmt: skip
REFUSED = (
    "torch.ones(2).mT",
    "torch.ones(2, 3)[0].detach_()",
    "torch.ones(2, requires_grad=True).detach()[:1].detach_()",
)


@pytest.mark.parametrize("write", WRITES)
def test_a_new_shape_counts_as_a_write(write):
    for library in (torch, lamina):
        base = library.ones(2, 3)
        view = base[:]
        eval(f"view.{write}")
        assert base._version == view._version == 1, library


@pytest.mark.parametrize("expression", REFUSED)
def test_refused(expression):
    for library in (torch, lamina):
        with pytest.raises(RuntimeError):
            eval(expression, {"torch": library})


def test_what_may_be_detached_in_place():
    for library in (torch, lamina):
        x = library.ones(2, requires_grad=True)
        assert (x * 2).detach_().is_leaf
        assert x.detach().detach_().is_leaf
    assert lamina.ones(()).mT.shape == ()  # PyTorch's too, with a warning


@pytest.mark.parametrize("write", [write for write in WRITES if not write.startswith("as_strided")])
@pytest.mark.parametrize("retained", ["before", "after"])
def test_other_views_of_a_base_are_views_of_what_it_becomes(write, retained):
    """What comes back through them is part of the base's gradient."""
    found = []
    for library in (torch, lamina):
        leaf = library.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
        base = leaf * 1
        views = base[:, :2], base[:, 1:]
        if retained == "before":
            base.retain_grad()
        eval(f"base.{write}", {"base": base})
        if retained == "after":
            base.retain_grad()
        (base.sum() + (views[0] ** 2 * 10).sum() + (views[1] ** 2 * 100).sum()).backward()
        shape = tuple(base.grad.shape) if retained == "after" else None  # what PyTorch has retained before is of the shape from before
        found.append((shape, base.grad.flatten().tolist(), leaf.grad.tolist(), [view.grad_fn.name() for view in views]))
    assert found[0] == found[1]
