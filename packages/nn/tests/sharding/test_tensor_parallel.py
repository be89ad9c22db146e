"""Layers in parts: what is cut, what is refused, and gradients in a group of one; `tests/processes` has several."""

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_nn.sharding.placements import Replicate, Shard
from lamina_nn.sharding.tensor_parallel.parallelize import parallelize_module
from lamina_nn.sharding.tensor_parallel.styles import ColwiseParallel, RowwiseParallel


def made():
    lt.manual_seed(0)
    return nn.Sequential(nn.Embedding(7, 4), nn.Sequential(nn.Linear(4, 6), nn.GELU(), nn.Linear(6, 4)), nn.Linear(4, 7, bias=False))


def test_a_plan_is_followed():
    plain, cut = made(), made()
    plan = {"0": RowwiseParallel(input_layouts=Replicate()), "1.0": ColwiseParallel(), "*.2": RowwiseParallel(),
            "2": ColwiseParallel(output_layouts=Replicate())}  # fmt: skip
    parallelize_module(cut, parallelize_plan=plan)
    assert [tuple(p.placements) for p in cut.parameters()] == [
        (Shard(0),), (Shard(0),), (Shard(0),), (Shard(1),), (Replicate(),), (Shard(0),)
    ]  # fmt: skip
    x = lt.tensor([[1, 6], [0, 1]])
    for model in (plain, cut):
        model(x).square().sum().backward()
    assert [p.grad.tolist() for p in plain.parameters()] == [p.grad.to_local().tolist() for p in cut.parameters()]
    with lt.no_grad():
        assert (plain(x) == cut(x)).all()
    with pytest.raises(IndexError, match="out of range of an Embedding of 7 rows"):
        cut(lt.tensor([7]))


def test_what_is_refused():
    for module, style, told in (
        (nn.Conv1d(1, 1, 1), ColwiseParallel(), "only supports nn.Linear and nn.Embedding, not Conv1d"),
        (nn.Embedding(4, 2, max_norm=1.0), ColwiseParallel(), "max_norm=1.0 of an Embedding is not served"),
        (nn.Embedding(4, 2, padding_idx=0), RowwiseParallel(), "padding_idx=0"),
        (parallelize_module(nn.Linear(2, 2), parallelize_plan=ColwiseParallel()), RowwiseParallel(), "DTensor already"),
    ):
        with pytest.raises(NotImplementedError, match=told):
            parallelize_module(module, parallelize_plan=style)
    with pytest.raises(NotImplementedError, match=r"Shard\(dim=0\) is not served here; use Shard\(dim=-1\) or Replicate\(\)"):
        ColwiseParallel(output_layouts=Shard(0))
    with pytest.raises(NotImplementedError, match="columns of an output are not served"):
        parallelize_module(nn.Linear(2, 2), parallelize_plan=RowwiseParallel(output_layouts=Shard(1)))(lt.ones(1, 2))
    with pytest.raises(NotImplementedError, match="use_local_output=False"):
        RowwiseParallel(use_local_output=False)
    with pytest.raises(TypeError, match="a ParallelStyle or a dict of them"):
        parallelize_module(nn.Linear(2, 2), parallelize_plan="columns")
    with pytest.warns(UserWarning, match="no module is at 'nowhere'"):
        parallelize_module(nn.Linear(2, 2), parallelize_plan={"nowhere": ColwiseParallel()})
