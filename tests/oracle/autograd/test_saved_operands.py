"""What may be overwritten before a backward pass: whatever PyTorch does not need, lamina does not need either.

The other way round lamina saves less: it computes gradients where PyTorch refuses.
"""

from __future__ import annotations

from typing import Any

import pytest
import torch
from program_machine.computing import BINARY, LAYERS, UNARY

import lamina

REDUCTIONS = """
sum() mean() sum(0) cumsum(0) amax(0) max() logsumexp(0) prod(0) softmax(0) log_softmax(0) var(0) std(0) norm() norm(2,0) norm(1)
prod() cumprod(0) diff(dim=0) nansum(0) trace() logcumsumexp(0) std() median() erfinv() erfc() lgamma() exp() log() sqrt() tan()
cosh() asin() acos() atanh() logit() pow(2.5) inverse() det() tril() flip(0) roll(1,0) repeat(2,1) t().contiguous()
"""
FURTHER = """
x @ y
torch.mv(x, y[0])
torch.outer(x[0], x[1])
torch.einsum('ij,jk->ik', x, y)
F.linear(x, y)
F.linear(x, y, y[0])
torch.bmm(x[None], y[None])
F.layer_norm(x, (3,))
F.normalize(x, dim=0)
F.smooth_l1_loss(x, y)
F.pairwise_distance(x, y)
F.group_norm(x[None], 1)
F.batch_norm(x, None, None, training=True)
F.binary_cross_entropy_with_logits(x, y)
F.max_pool2d(x[None, None], 2)
F.conv2d(x[None, None], y[None, None])
F.interpolate(x[None, None], scale_factor=2.0)
F.embedding(torch.tensor([0, 1]), x)
F.prelu(x, y[0])
F.logsigmoid(x)
F.hardsigmoid(x)
F.dropout(x, 0.5)
x.gather(0, torch.zeros(3, 3, dtype=torch.int64))
x.index_select(0, torch.tensor([0]))
x.index_add(0, torch.tensor([0]), y[:1])
x.scatter(0, torch.zeros(3, 3, dtype=torch.int64), y)
x.scatter_reduce(0, torch.zeros(3, 3, dtype=torch.int64), y, 'prod')
x.masked_fill(x > 0, 0.5)
x[x > 0]
torch.where(x > 0, x, y)
torch.cat([x, y])
torch.addmm(x, x, y)
torch.logaddexp(x, y)
torch.lerp(x, y, x)
"""
DELIBERATE = {"x.sign()"}
"""Its rule is that of complex numbers, too, which needs the operand."""

EXPRESSIONS = (
    *(f"x.{op}()" for op in UNARY),
    *(f"F.{op}(x)" for op in LAYERS),
    *(template.format(x="x", y="y") for template in BINARY),
    *(f"x.{call}" for call in REDUCTIONS.split()),
    *FURTHER.strip().splitlines(),
)


def refused(expression: str, overwritten: str, t: Any) -> bool | None:
    """Whether a backward pass is refused after a write to the operand x or y, or to the result; None where there is none."""
    t.manual_seed(0)
    leaves = [t.tensor(rows, dtype=t.float64, requires_grad=True) for rows in (
        [[0.9, -0.3, 0.2], [0.5, 0.8, -0.1], [0.3, 0.6, -0.7]], [[0.4, 0.3, -0.6], [-0.5, 0.2, 0.1], [0.7, -0.2, 0.35]]
    )]  # fmt: skip
    names = {"torch": t, "F": t.nn.functional, "x": leaves[0] * 1, "y": leaves[1] * 1}
    try:
        names["result"] = eval(expression, names)
        with t.no_grad():
            names[overwritten].add_(0.0)
    except (RuntimeError, TypeError):
        return None
    if not names["result"].requires_grad:
        return None
    try:
        names["result"].sum().backward()
    except RuntimeError as error:
        return "modified by an inplace operation" in str(error)
    return False


@pytest.mark.parametrize("overwritten", ["x", "y", "result"])
def test_no_backward_pass_is_refused_that_pytorch_allows(overwritten: str) -> None:
    alone = {e for e in EXPRESSIONS if refused(e, overwritten, lamina) and refused(e, overwritten, torch) is False}
    assert alone <= DELIBERATE
