"""What `fully_shard` gathers and lets go, and what it refuses."""

import copy
import weakref

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray import AutogradError
from lamina_nn.gradient_clipping import clip_grad_norm_
from lamina_nn.optim import SGD, Adam
from lamina_nn.sharding.distributed_tensor import DTensor
from lamina_nn.sharding.fully_shard import FSDPModule, fully_shard
from lamina_nn.sharding.prefetching import Gathering
from lamina_tensor.transforms.checkpoint import checkpoint


class Watched(nn.Linear):
    """A layer that notes its whole weight, and how many bytes of whole weights live while it runs."""

    seen = []

    def forward(self, x):
        Watched.seen.append(weakref.ref(self.weight.array.flat))
        self.bytes = living()
        return super().forward(x)


def living():
    return sum(flat.nbytes for flat in (ref() for ref in Watched.seen) if flat is not None)


def layers(count=3, **options):
    Watched.seen = []
    lt.manual_seed(0)
    model = nn.Sequential(*(Watched(8, 8) for _ in range(count)))
    for part in (*model, model):
        fully_shard(part, **options)
    return model


def test_whole_parameters_live_in_one_layer_at_a_time():
    model = layers()
    x = lt.randn(4, 8, requires_grad=True)
    loss = model(x).square().sum()
    assert [layer.bytes for layer in model] == [8 * 8 * 4] * 3  # its own only
    assert living() == 0
    gathered = []
    before = Gathering.wholes

    def wholes(self):
        result = before(self)
        gathered.append(weakref.ref(result[0].flat))
        assert sum(ref() is not None for ref in gathered) <= 2  # the one of this layer, and the one that has just been used
        return result

    Gathering.wholes = wholes
    try:
        loss.backward()
    finally:
        Gathering.wholes = before
    assert len(gathered) == 3  # each once more
    assert [ref() for ref in gathered] == [None] * 3
    assert all(isinstance(p, DTensor) and p.grad.to_local().nbytes == p.to_local().nbytes for p in model.parameters())


def test_stage_2_keeps_them_until_the_backward_pass():
    model = layers(reshard_after_forward=False)
    loss = model(lt.ones(4, 8)).sum()
    assert living() == 3 * 8 * 8 * 4
    loss.backward()
    assert living() == 0
    model.set_reshard_after_forward(True)
    loss = model(lt.ones(4, 8)).sum()
    assert living() == 0


def test_nothing_stays_without_a_backward_pass():
    model = layers()
    with lt.no_grad():
        model(lt.ones(4, 8))
    assert living() == 0
    loss = layers(reshard_after_forward=False)(lt.ones(4, 8)).sum()
    del loss
    assert living() == 0


def test_an_error_in_forward_puts_the_shards_back():
    model = layers()
    with pytest.raises(ValueError, match=r"mat|shape|size"):
        model(lt.ones(4, 5))
    assert all(isinstance(p, DTensor) for p in model.parameters())
    assert model(lt.ones(4, 8)).shape == (4, 8)


def both(model, step):
    """The gradients that a step leaves in a plain model, and in the same one in shards, in a row; None is left out."""
    found = []
    for shards in (False, True):
        copied = copy.deepcopy(model)
        if shards:
            fully_shard(copied)
        step(copied)
        gradients = [None if p.grad is None else p.grad.to_local() if shards else p.grad for p in copied.parameters()]
        found.append([number for g in gradients for number in ([] if g is None else g.flatten().tolist())])
    return found


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.head, self.unused = nn.Embedding(5, 3), nn.Linear(3, 5, bias=False), nn.Linear(2, 2)
        self.head.weight = self.words.weight  # shared
        self.scale = nn.Parameter(lt.ones(1), requires_grad=False)

    def forward(self, x):
        return self.head(lt.tanh(self.words(x)) * self.scale)


@pytest.mark.parametrize("step", [
    lambda m: m(lt.tensor([0, 3])).sum().backward(),
    lambda m: (m(lt.tensor([0, 3])).square().sum() + m(lt.tensor([2, 2])).sum()).backward(),
    lambda m: [m(lt.tensor([i, 3])).square().sum().backward() for i in range(3)],
    lambda m: checkpoint(m, lt.tensor([1, 2])).square().sum().backward(),
    lambda m: m(lt.tensor([1, 2])).square().sum().backward(retain_graph=True),
], ids=["once", "two passes in one graph", "accumulated", "checkpointed", "retained"])  # fmt: skip
def test_gradients_are_those_of_the_plain_module(step):
    """Sums of at most 6 terms, of which two passes in one graph add up each pass first: 6 * 2**-24 of their size."""
    plain, shards = both(Twice(), step)
    assert shards == pytest.approx(plain, rel=4e-7, abs=4e-7)
    assert len(plain) == 15 and any(plain)  # what is unused, and what wants no gradient, has none


def test_a_graph_that_is_kept_is_gone_through_again():
    model = fully_shard(nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1)))
    loss = model(lt.ones(2)).sum()
    loss.backward(retain_graph=True)
    once = model[0].weight.grad.to_local().clone()
    loss.backward()
    assert (model[0].weight.grad.to_local() == 2 * once).all()


def test_parameters_changed_before_the_backward_pass():
    model = fully_shard(nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1)))
    loss = model(lt.ones(2)).sum()
    with lt.no_grad():
        model[1].weight.mul_(2)
    with pytest.raises(AutogradError, match="modified since the forward pass"):
        loss.backward()


def test_state_whole_and_in_shards():
    model = layers()
    state = model.state_dict()
    assert all(isinstance(t, DTensor) for t in state.values())
    whole = {name: t.full_tensor() * 2 for name, t in state.items()}
    model.load_state_dict(whole)
    assert (model[0].weight.full_tensor() == whole["0.weight"]).all()
    model.load_state_dict({name: t * 0.5 for name, t in model.state_dict().items()})
    assert (model[0].weight.full_tensor() == whole["0.weight"] / 2).all()


def test_a_parameter_that_was_replaced_is_told():
    model = layers()
    model.load_state_dict(model.state_dict(), assign=True)
    with pytest.raises(RuntimeError, match="the parameter 'weight' was replaced since"):
        model(lt.ones(4, 8))


def test_optimizers_and_norms():
    plain, shards = nn.Linear(4, 3), nn.Linear(4, 3)
    shards.load_state_dict(plain.state_dict())
    fully_shard(shards)
    for model in (plain, shards):
        for optimizer in (Adam(model.parameters(), lr=0.1), SGD(model.parameters(), lr=0.1, momentum=0.9)):
            optimizer.zero_grad()
            model(lt.ones(4)).square().sum().backward()
            model.norm = clip_grad_norm_(model.parameters(), 0.5).item()
            optimizer.step()
    assert plain.norm == shards.norm
    assert plain.weight.tolist() == shards.weight.to_local().tolist()


def test_what_is_refused():
    model = fully_shard(nn.Linear(3, 2))
    assert isinstance(model, FSDPModule) and type(model).__name__ == "FSDPLinear"
    with pytest.raises(ValueError, match="sharded already"):
        fully_shard(model)
    with pytest.raises(NotImplementedError, match=r"sum: not served by DTensor; take x.to_local\(\)"):
        model.weight.sum()
    with pytest.raises(NotImplementedError, match="linear: not served by DTensor"):
        nn.functional.linear(lt.ones(3), model.weight)
    with pytest.raises(NotImplementedError, match="mp_policy is not served"):
        fully_shard(nn.Linear(3, 2), mp_policy=object())
    with pytest.raises(TypeError, match="assigned grad expected to be None or a DTensor"):
        model.weight.grad = lt.ones(2, 3)
    with pytest.raises(NotImplementedError, match="no deep copies"):
        copy.deepcopy(model)
    with pytest.raises(RuntimeError, match=r"in-place|in place|leaf"):
        model.weight.mul_(2)
    scalar = nn.Module()
    scalar.p = nn.Parameter(lt.tensor(1.0))
    with pytest.raises(ValueError, match="doesn't support scalar parameters"):
        fully_shard(scalar)
