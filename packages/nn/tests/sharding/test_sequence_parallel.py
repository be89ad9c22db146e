"""Slices of a sequence in a group of one: plans, layouts and what is refused; `tests/processes` has several."""

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_nn.functional import dropout
from lamina_nn.sharding.placements import Replicate, Shard
from lamina_nn.sharding.tensor_parallel import exchanges
from lamina_nn.sharding.tensor_parallel.parallelize import parallelize_module
from lamina_nn.sharding.tensor_parallel.sequence import (
    PrepareModuleInput,
    PrepareModuleInputOutput,
    PrepareModuleOutput,
    SequenceParallel,
)
from lamina_nn.sharding.tensor_parallel.styles import ColwiseParallel, RowwiseParallel


def made():
    lt.manual_seed(0)
    return nn.Sequential(nn.Embedding(7, 4), nn.LayerNorm(4), nn.Linear(4, 6), nn.GELU(), nn.Linear(6, 4), nn.RMSNorm(4), nn.Linear(4, 7))


def test_the_usual_plan():
    plain, cut = made(), made()
    parallelize_module(cut, parallelize_plan={
        "0": RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(1)), "1": SequenceParallel(), "5": SequenceParallel(),
        "2": ColwiseParallel(input_layouts=Shard(1)), "4": RowwiseParallel(output_layouts=Shard(1)),
        "6": ColwiseParallel(input_layouts=Shard(1), output_layouts=Replicate()),
    })  # fmt: skip
    assert [p.placements[0] for p in (cut[1].weight, cut[1].bias, cut[5].weight)] == [Replicate()] * 3
    x = lt.tensor([[1, 6], [0, 1]])
    for model in (plain, cut):
        model(x).square().sum().backward()
    assert [p.grad.tolist() for p in plain.parameters()] == [p.grad.to_local().tolist() for p in cut.parameters()]


def test_a_dropout_draws_by_itself_and_leaves_random_numbers_in_step():
    layer, x = parallelize_module(nn.Dropout(0.5), parallelize_plan=SequenceParallel()), lt.ones(64)
    lt.manual_seed(3)
    seed = int(lt.randint(2**62, ()).item())
    behind = lt.rand(2).tolist()
    lt.manual_seed(3)
    dropped = layer(x)
    assert lt.rand(2).tolist() == behind
    lt.manual_seed(seed)  # and the rank, 0
    assert (dropout(x, 0.5) == dropped).all()
    lt.manual_seed(3)
    layer.eval()(x)
    assert lt.randint(2**62, ()).item() == seed


class Sum(nn.Module):
    def forward(self, x, other=None, *, scale=None):
        return x if other is None else (x, other, scale)


def test_layouts_are_changed_where_they_are_said_to(monkeypatch):
    seen = []
    for name in ("joined", "own_slice_of"):
        before = getattr(exchanges, name)
        monkeypatch.setattr(exchanges, name, lambda *args, before=before, name=name: (seen.append((name, args[-1])), before(*args))[1])
    shard, whole, x = Shard(1), Replicate(), lt.ones(2, 4, 3)
    style = PrepareModuleInput(
        input_layouts=(shard, None), desired_input_layouts=(whole, None), input_kwarg_layouts={"scale": whole},
        desired_input_kwarg_layouts={"scale": Shard(2)},
    )  # fmt: skip
    assert parallelize_module(Sum(), parallelize_plan=style)(x, 5, scale=x)[1] == 5
    assert seen == [("joined", 1), ("own_slice_of", 2)]
    seen.clear()
    style = PrepareModuleOutput(output_layouts=shard, desired_output_layouts=Shard(0))
    parallelize_module(Sum(), parallelize_plan=style)(x)
    assert seen == [("joined", 1), ("own_slice_of", 0)]
    seen.clear()
    style = PrepareModuleInputOutput(
        input_layouts=shard, desired_input_layouts=whole, output_layouts=whole, desired_output_layouts=whole
    )  # fmt: skip
    parallelize_module(Sum(), parallelize_plan=style)(x)
    assert seen == [("joined", 1)]


def test_what_is_refused():
    x = lt.ones(2, 4)
    with pytest.raises(AssertionError, match="should have the same length, not 1 and 2"):
        PrepareModuleInput(input_layouts=Shard(1), desired_input_layouts=(Replicate(), None))
    with pytest.raises(AssertionError, match="desired_input_layouts should not be None"):
        PrepareModuleInput(input_layouts=Shard(1))
    with pytest.raises(AssertionError, match="should have the same names"):
        PrepareModuleInput(input_kwarg_layouts={"x": Shard(1)})
    with pytest.raises(TypeError, match=r"are Shard\(dim\), Replicate\(\) or None, not 1"):
        PrepareModuleOutput(output_layouts=1, desired_output_layouts=Shard(1))
    module = parallelize_module(Sum(), parallelize_plan=PrepareModuleInput(input_layouts=Shard(1), desired_input_layouts=Replicate()))
    with pytest.raises(ValueError, match="inputs and their layouts should have the same length, not 2 and 1"):
        module(x, x)
    with pytest.raises(AssertionError, match="a int has no layout"):
        module(3)
    cut = parallelize_module(nn.Linear(2, 2), parallelize_plan=ColwiseParallel())
    with pytest.raises(NotImplementedError, match="DTensor already"):
        parallelize_module(cut, parallelize_plan=SequenceParallel())
