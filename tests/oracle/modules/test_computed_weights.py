"""A layer reads its weight as an attribute: however that is computed or replaced, it agrees with PyTorch's layer."""

import numpy as np
import pytest
import torch
import torch.nn.utils.parametrizations
import torch.nn.utils.parametrize
import torch.nn.utils.prune

import lamina

LAYERS = {
    "Linear": (lambda nn: nn.Linear(4, 3), [(5, 4)], "weight"),
    "Bilinear": (lambda nn: nn.Bilinear(4, 3, 2), [(5, 4), (5, 3)], "weight"),
    "Conv1d": (lambda nn: nn.Conv1d(4, 3, 2), [(2, 4, 5)], "weight"),
    "Conv2d": (lambda nn: nn.Conv2d(4, 3, 2, padding_mode="circular", padding=1), [(2, 4, 5, 5)], "weight"),
    "ConvTranspose1d": (lambda nn: nn.ConvTranspose1d(4, 3, 2), [(2, 4, 5)], "weight"),
    "LayerNorm": (lambda nn: nn.LayerNorm((3, 4)), [(5, 3, 4)], "weight"),
    "BatchNorm1d": (lambda nn: nn.BatchNorm1d(4), [(5, 4)], "weight"),
    "PReLU": (lambda nn: nn.PReLU(4), [(5, 4)], "weight"),
    "GRUCell": (lambda nn: nn.GRUCell(4, 3), [(5, 4)], "weight_ih"),
    "LSTM": (lambda nn: nn.LSTM(4, 3), [(5, 2, 4)], "weight_hh_l0"),
    "MultiheadAttention": (lambda nn: nn.MultiheadAttention(4, 2), [(5, 2, 4)] * 3, "in_proj_weight"),
}


def _doubled(kit):
    return type("Doubled", (kit.nn.Module,), {"forward": lambda self, x: x * 2})()


def _as_property(kit, layer, name):
    layer.__class__ = type("Own", (type(layer),), {})
    setattr(type(layer), name, property(lambda self: self._parameters[name] * 3))


def _as_plain_tensor(kit, layer, name):
    value = getattr(layer, name).detach() * 2
    delattr(layer, name)
    setattr(layer, name, value)


def _by_hook(kit, layer, name):
    def hook(module, args):
        module.__dict__[name] = module._parameters[name] * 4

    layer.register_forward_pre_hook(hook)


WAYS = {
    "parametrized": lambda kit, m, name: kit.nn.utils.parametrize.register_parametrization(m, name, _doubled(kit)),
    "weight_norm": lambda kit, m, name: kit.nn.utils.parametrizations.weight_norm(m, name),
    "older weight_norm": lambda kit, m, name: kit.nn.utils.weight_norm(m, name),
    "spectral_norm": lambda kit, m, name: kit.nn.utils.parametrizations.spectral_norm(m, name),
    "older spectral_norm": lambda kit, m, name: kit.nn.utils.spectral_norm(m, name),
    "orthogonal": lambda kit, m, name: kit.nn.utils.parametrizations.orthogonal(m, name),
    "pruned": lambda kit, m, name: kit.nn.utils.prune.l1_unstructured(m, name, 0.3),
    "pruned by slices": lambda kit, m, name: kit.nn.utils.prune.ln_structured(m, name, 1, 2, 0),
    "property": _as_property,
    "plain tensor": _as_plain_tensor,
    "hook": _by_hook,
}

MATRICES_ONLY = {"orthogonal", "pruned by slices"}
VECTORS = {"BatchNorm1d", "PReLU"}
CASES = [(layer, way) for layer in LAYERS for way in WAYS if not (layer in VECTORS and way in MATRICES_ONLY)]


def _called(kit, layer, way):
    make, shapes, name = LAYERS[layer]
    kit.manual_seed(0)
    module = make(kit.nn)
    inputs = [kit.randn(*shape) for shape in shapes]
    with kit.no_grad():
        getattr(module, name).uniform_(-1, 1)
    WAYS[way](kit, module, name)
    y = module(*inputs)
    while isinstance(y, tuple):
        y = y[0]
    if y.requires_grad:
        y.square().sum().backward()
    return y, module


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("layer", "way"), CASES)
def test_a_weight_is_what_the_attribute_says(layer, way):
    (wanted, theirs), (found, ours) = _called(torch, layer, way), _called(lamina, layer, way)
    assert repr(ours) == repr(theirs)
    assert list(ours.state_dict()) == list(theirs.state_dict())
    np.testing.assert_allclose(found.detach().numpy(), wanted.detach().numpy(), rtol=1e-4, atol=1e-5)
    for a, b in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert (a.grad is None) == (b.grad is None)
        if b.grad is not None:
            np.testing.assert_allclose(a.grad.numpy(), b.grad.numpy(), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("layer", LAYERS)
def test_functional_call_puts_other_weights_in_their_place(layer):
    make, shapes, name = LAYERS[layer]
    found = []
    for kit in (torch, lamina):
        kit.manual_seed(0)
        module = make(kit.nn)
        inputs = tuple(kit.randn(*shape) for shape in shapes)
        y = kit.func.functional_call(module, {name: getattr(module, name).detach() * 2}, inputs)
        while isinstance(y, tuple):
            y = y[0]
        found.append(y.detach().numpy())
    np.testing.assert_allclose(found[1], found[0], rtol=1e-4, atol=1e-5)
