"""Every module of PyTorch's module database, and more, agrees with PyTorch's; so do initial values, hooks and what is said."""

import numpy as np
import pytest
import torch
from databases import op_database
from modules import module_database

import lamina

OTHERS = {"Conv", "Pool", "Pad", "RNN", "GRU", "LSTM", "Transformer", "Attention", "Embedding", "LocalResponse"}
NAMES = [name for name in module_database.names() if not any(other in name for other in OTHERS) or "LazyConv" in name]


@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
@pytest.mark.parametrize("dtype", module_database.DTYPES)
@pytest.mark.parametrize("name", NAMES)
def test_values_gradients_states_and_repr(name, dtype, training):
    assert module_database.check(name, dtype, training) > 0


@pytest.mark.parametrize("name", NAMES)
def test_errors(name):
    module_database.check_errors(name)


def test_a_wrong_module_is_found(monkeypatch):
    monkeypatch.setattr(lamina.nn.GELU, "forward", lambda self, x: x.relu())
    with pytest.raises(op_database.Difference, match="result 0"):
        module_database.check("GELU", "float64", True)


INITIAL = [
    ("uniform_", (3, 4), ()), ("normal_", (5, 20), ()), ("trunc_normal_", (30, 4), (0.0, 0.02)),
    ("trunc_normal_", (30, 4), (0.0, 1.0, 1.5, 3.0)), ("xavier_uniform_", (3, 4), ()), ("xavier_normal_", (3, 4, 2), ()),
    ("kaiming_uniform_", (3, 4), (0.3, "fan_out", "relu")), ("kaiming_normal_", (3, 40), ()), ("sparse_", (6, 4), (0.4,)),
    ("eye_", (3, 4), ()), ("dirac_", (4, 2, 3), (2,)), ("orthogonal_", (3, 4), ()), ("orthogonal_", (4, 3, 2), (2.0,)),
]  # fmt: skip


@pytest.mark.parametrize("dtype", module_database.DTYPES)
@pytest.mark.parametrize(("name", "shape", "args"), INITIAL)
def test_initial_values_are_from_the_same_stream(name, shape, args, dtype):
    theirs, ours = torch.empty(shape, dtype=getattr(torch, dtype)), lamina.empty(shape, dtype=dtype)
    for kit, tensor in ((torch, theirs), (lamina, ours)):
        kit.manual_seed(3)
        getattr(kit.nn.init, name)(tensor, *args)
    np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=0, atol=1e-6 if name == "orthogonal_" else 0)
    assert torch.rand(1).item() == lamina.rand(1).item()


def _hooked(kit, log):
    model = kit.nn.Sequential(kit.nn.Linear(3, 4), kit.nn.Tanh())
    model[0].register_forward_pre_hook(lambda m, a: log.append("pre") or (a[0] * 2,))
    model[0].register_forward_hook(lambda m, a, k, y: log.append("post") or y + 1, with_kwargs=True)
    model[0].register_forward_hook(lambda m, a, y: log.append("first"), prepend=True)
    model[1].register_full_backward_pre_hook(lambda m, g: log.append("backward pre") or (g[0] * 3,))
    model[1].register_full_backward_hook(lambda m, i, o: log.append("backward") or (i[0] * 0.5,))
    return model


def test_hooks():
    found = []
    for kit in (torch, lamina):
        log = []
        kit.manual_seed(0)
        model = _hooked(kit, log)
        x = kit.ones(2, 3, requires_grad=True)
        y = model(x)
        y.sum().backward()
        found.append((log, y.tolist(), x.grad.tolist(), model[0].weight.grad.tolist()))
    assert found[0][0] == found[1][0]
    for theirs, ours in zip(found[0][1:], found[1][1:], strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5)


def test_batch_norm_refuses_shared_statistics_while_mapped():
    norm = lamina.nn.BatchNorm1d(3)
    with pytest.raises(RuntimeError, match="Batch norm got a batched tensor"):
        lamina.vmap(norm)(lamina.randn(2, 4, 3))
    assert lamina.vmap(lamina.nn.BatchNorm1d(3, track_running_stats=False))(lamina.randn(2, 4, 3)).shape == (2, 4, 3)


REPORTS = [
    {"0.weight": (4, 3)}, {"0.weight": (4, 3), "0.bias": (5,), "more": (1,)},
    {"0.weight": (2, 2), "0.bias": (4,), "2.weight": (1, 4), "2.bias": (1,)},
]  # fmt: skip


@pytest.mark.parametrize("shapes", REPORTS)
def test_what_a_state_that_does_not_fit_is_told(shapes):
    told = []
    for kit in (torch, lamina):
        model = kit.nn.Sequential(kit.nn.Linear(3, 4), kit.nn.ReLU(), kit.nn.Linear(4, 1))
        with pytest.raises(RuntimeError) as caught:
            model.load_state_dict({name: kit.zeros(*shape) for name, shape in shapes.items()})
        told.append(str(caught.value))
    assert told[0] == told[1]


@pytest.mark.parametrize("rows", [6, 1, 0])
def test_all_log_probabilities_and_the_most_probable_class(rows):
    found = []
    for kit in (torch, lamina):
        kit.manual_seed(0)
        layer = kit.nn.AdaptiveLogSoftmaxWithLoss(8, 20, [4, 10, 15], div_value=2.0)
        x = kit.randn(rows, 8)
        found.append((layer.log_prob(x).detach().numpy(), layer.predict(x).numpy()))
    (logs, best), (our_logs, our_best) = found
    np.testing.assert_allclose(our_logs, logs, rtol=1e-5, atol=1e-6)
    assert our_best.tolist() == best.tolist()


@pytest.mark.filterwarnings("ignore:Initializing zero-element tensors")
@pytest.mark.parametrize("lengths", [(0, 3), (2, 0), (0, 0)])
def test_a_linear_map_without_features_has_gradients(lengths):
    layer = lamina.nn.Linear(*lengths)
    x = lamina.randn(4, lengths[0], requires_grad=True)
    layer(x).sum().backward()
    assert (x.grad.shape, layer.weight.grad.shape, layer.bias.grad.shape) == ((4, lengths[0]), lengths[::-1], lengths[1:])
    assert layer.bias.grad.tolist() == [4.0] * lengths[1]
