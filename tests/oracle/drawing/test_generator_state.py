"""`Generator.get_state` and `set_state` against real PyTorch's: the kind, the bytes, what is refused, what is drawn afterwards."""

import copy
import pickle

import numpy as np
import pytest
import torch

import lamina

KINDS = {"default": lambda m: m.default_generator, "new": lambda m: m.Generator()}


@pytest.mark.parametrize("kind", KINDS)
def test_states_are_the_same_tensors(kind):
    ours, theirs = KINDS[kind](lamina).manual_seed(4), KINDS[kind](torch).manual_seed(4)
    lamina.randn(5, generator=ours), torch.randn(5, generator=theirs)
    a, b = ours.get_state(), theirs.get_state()
    assert isinstance(a, lamina.Tensor) and isinstance(ours, lamina.Generator)
    assert (a.dtype, tuple(a.shape), a.device.type) == (lamina.uint8, tuple(b.shape), b.device.type)
    assert a.tolist() == b.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_a_state_repeats_the_draws(kind):
    generator = KINDS[kind](lamina).manual_seed(4)
    lamina.rand(700, generator=generator)
    state = generator.get_state()
    draws = lamina.rand(50, generator=generator).tolist()
    for again in (state, np.array(state), lamina.tensor(torch.tensor(state.tolist(), dtype=torch.uint8).numpy())):
        assert generator.set_state(again) is generator
        assert lamina.rand(50, generator=generator).tolist() == draws
    theirs = torch.Generator()
    theirs.set_state(torch.from_numpy(np.array(state)))
    assert torch.rand(50, generator=theirs).tolist() == draws


def test_the_state_of_the_module_is_that_of_its_generator():
    assert lamina.get_rng_state().tolist() == lamina.default_generator.get_state().tolist()
    state = lamina.Generator().manual_seed(8).get_state()
    lamina.set_rng_state(state)
    torch.set_rng_state(torch.from_numpy(np.array(state)))
    assert lamina.rand(9).tolist() == torch.rand(9).tolist()


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g)), lamina.Generator.clone])
def test_twins_are_of_the_class(twin):
    source = lamina.Generator().manual_seed(5)
    other = twin(source)
    assert type(other) is lamina.Generator and other.get_state().tolist() == source.get_state().tolist()


@pytest.mark.parametrize("damage", [lambda s: s[:10], lambda s: s.float(), lambda s: s.tolist(), lambda s: b"state"])
def test_what_is_no_state_is_refused(damage):
    ours, theirs = lamina.Generator().manual_seed(6), torch.Generator().manual_seed(6)
    before = ours.get_state()
    with pytest.raises((TypeError, RuntimeError)) as refusal:
        theirs.set_state(damage(theirs.get_state()))
    with pytest.raises(refusal.type):
        ours.set_state(damage(ours.get_state()))
    assert ours.get_state().tolist() == before.tolist()
