"""What a record's gradients are, of leaves, parameters and results: PyTorch's, of the same program with `requires_grad`."""

import numpy as np
import pytest
import torch

import lamina
from lamina_testkit import error_bounds


def layers(t, seed=0):
    random = np.random.default_rng(seed)
    return {
        "first": {"w": t.tensor(random.normal(size=(3, 4))), "b": t.tensor(random.normal(size=4))},
        "second": [t.tensor(random.normal(size=(4, 4))), t.tensor(random.normal(size=4))],
    }


def shared(t, x, p):
    """A result used three times."""
    h = (x @ p["first"]["w"] + p["first"]["b"]).tanh()
    y = (h @ p["second"][0] + h * p["second"][1] + h).exp().mean()
    return [h], y


def in_place(t, x, p):
    h = x @ p["first"]["w"]
    h += p["first"]["b"]
    rows = h[1:]
    rows.mul_(2)
    h[0] = p["second"][1] * 3
    k = h.clamp(min=-1).cumsum(1)
    return [k], (k @ p["second"][0]).pow(2).sum()


def several_results(t, x, p):
    h = x @ p["first"]["w"]
    values, _ = h.sort(1)
    first, second = values.split(2, 1)
    return [h, values, first], (first * second.sin()).sum() + values.logsumexp(1).sum() + p["second"][1].max()


def layers_of_nn(t, x, p):
    h = t.nn.functional.linear(x, p["first"]["w"].T, p["first"]["b"])
    h = t.nn.functional.relu(h) * p["second"][1]
    return [h], t.nn.functional.cross_entropy(h @ p["second"][0], t.tensor([0, 3]))


@pytest.mark.parametrize("program", [shared, in_place, several_results, layers_of_nn], ids=lambda f: f.__name__)
@pytest.mark.parametrize("named", [False, True])
def test_gradients(program, named):
    data = np.random.default_rng(1).normal(size=(2, 3))
    x, p = lamina.tensor(data), layers(lamina)
    with lamina.record(*([p, x] if named else [])) as rec:
        results, loss = program(lamina, x, p)
    grads = rec.gradients(loss)
    of_parameters = grads.wrt(p)
    ours = [grads.wrt(x), *of_parameters["first"].values(), *of_parameters["second"], *grads.wrt(results)]

    x, p = torch.tensor(data, requires_grad=True), layers(torch)
    leaves = [x, *(v.requires_grad_() for v in (*p["first"].values(), *p["second"]))]
    results, loss = program(torch, x, p)
    theirs = torch.autograd.grad(loss, [*leaves, *results], allow_unused=True, materialize_grads=True)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine.numpy(), other.numpy(), rtol=1e-9, atol=1e-12)


def test_a_module_is_trained_without_its_parameters_asking():
    data = np.random.default_rng(2).normal(size=(5, 3)).astype("float32")
    found = []
    for t in (lamina, torch):
        t.manual_seed(0)
        model = t.nn.Sequential(t.nn.Linear(3, 4), t.nn.Tanh(), t.nn.Linear(4, 1))
        with t.no_grad():
            for i, p in enumerate(model.parameters()):
                p.copy_(t.linspace(-1, 1, p.numel()).reshape(p.shape) * (i + 1))
        x = t.tensor(data)
        if t is lamina:
            model.requires_grad_(False)
            with t.record() as rec:
                loss = model(x).pow(2).mean()
            found.append(list(rec.gradients(loss).wrt(dict(model.named_parameters())).values()))
            assert not any(p.requires_grad or p.grad is not None for p in model.parameters())
        else:
            model(x).pow(2).mean().backward()
            found.append([p.grad for p in model.parameters()])
    for mine, other in zip(*found, strict=True):
        bound = error_bounds.products_of_noise("float32") * float(other.abs().max())
        np.testing.assert_allclose(mine.numpy(), other.numpy(), rtol=1e-5, atol=bound)
