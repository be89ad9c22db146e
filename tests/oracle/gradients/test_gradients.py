"""Values, first and second gradients against real PyTorch, over ops, shapes, indices and losses."""

import numpy as np
import pytest
import torch
from gradients.both_orders import close, compare

import lamina
from lamina_flatarray.ops import OPS
from lamina_tensor.autograd.rules import RULES
from lamina_tensor.dispatch.tensor_functions import FUNCTIONS

UNIT, ABOVE_ONE = {"asin", "acos", "atanh", "erfinv", "ndtri"}, {"acosh"}
POSITIVE = {"log", "sqrt", "rsqrt", "log2", "log10", "pow", "lgamma", "digamma"}
APART = {"airy_ai", "igamma", "igammac", "polygamma", "zeta"} | {  # no gradient in PyTorch: tensor's test_special_gradients.py
    "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "modified_bessel_k0", "modified_bessel_k1",
    "scaled_modified_bessel_k0", "scaled_modified_bessel_k1",
}  # fmt: skip
APART |= {"heaviside", "complex", "polar"}  # it has none; and test_elementwise_gradients.py
NOT_THERE = {"floor_divide", "trunc_divide"}  # no functions of their own with a derivative there; ours is zero
LINEAR_ALMOST_EVERYWHERE = {"relu", "abs", "floor", "ceil", "trunc", "round", "sign"}  # second gradients: see below


def numbers(op, *shapes):
    rng = np.random.default_rng(0)
    low, high = (0.1, 0.9) if op in UNIT | POSITIVE else (1.1, 3.0) if op in ABOVE_ONE else (-2, 2)
    return [rng.uniform(low, high, shape) for shape in shapes]


def named(op):
    row = OPS[op]

    def function(lib, *tensors):
        if lib is lamina:
            return FUNCTIONS[op](*tensors)
        places = ((torch, row.spelling), (torch, op), (torch.special, op), (torch.nn.functional, op))
        return next(found for where, name in places if (found := getattr(where, name, None)))(*tensors)

    return function


MAPS = [n for n, row in OPS.items() if row.family == "map" and n in RULES and n not in NOT_THERE | APART | {"where", "clip"}]


@pytest.mark.parametrize("op", [n for n in MAPS if OPS[n].arity == 1])
def test_unary(op):
    compare(named(op), numbers(op, (3, 4)), second=op not in LINEAR_ALMOST_EVERYWHERE)


@pytest.mark.parametrize("shapes", [((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 1), (1, 4)), ((), (3, 4)), ((2, 0), (1,))])
@pytest.mark.parametrize("op", [n for n in MAPS if OPS[n].arity == 2])
def test_binary(op, shapes):
    compare(named(op), numbers(op, *shapes))


@pytest.mark.parametrize("dim", [0, 1, -1, (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("keepdim", [False, True])
@pytest.mark.parametrize("op", ["sum", "mean", "amax", "amin", "var", "std", "logsumexp"])
def test_reductions(op, dim, keepdim):
    compare(lambda lib, x: getattr(lib, op)(x, dim, keepdim=keepdim), numbers(op, (2, 3, 4)))


@pytest.mark.parametrize("dim", [0, 1, 2])
@pytest.mark.parametrize("op", ["prod", "cumsum", "cumprod", "softmax", "log_softmax"])
def test_along_a_dim(op, dim):
    compare(lambda lib, x: getattr(lib, op)(x, dim), numbers(op, (2, 3, 4)))


SUBGRADIENTS = {
    "abs at 0": lambda lib, x: x.abs(), "relu at 0": lambda lib, x: x.relu(), "ties of amax": lambda lib, x: x.amax(0),
    "max of all": lambda lib, x: x.max(), "maximum with itself": lambda lib, x: lib.maximum(x, x.detach()),
    "clamp at its bounds": lambda lib, x: x.clamp(0, 1), "power 0": lambda lib, x: x**0, "power 2": lambda lib, x: x**2,
    "max along a dim": lambda lib, x: x.max(0).values, "masked_fill": lambda lib, x: x.masked_fill(x > 0, 5.0),
    "sqrt behind where": lambda lib, x: lib.where(x > 0, x, lib.ones_like(x)).sqrt(), "sign": lambda lib, x: x.sign(),
}  # fmt: skip


@pytest.mark.parametrize("name", SUBGRADIENTS)
def test_subgradients(name):
    compare(SUBGRADIENTS[name], [np.array([[0.0, 1.0, -1.0, 0.0], [0.0, 1.0, 1.0, -2.0]])], second=False)


MATRICES = [
    ((3, 4), (4, 5)),
    ((4,), (4,)),
    ((4,), (4, 5)),
    ((3, 4), (4,)),
    ((2, 3, 4), (4, 5)),
    ((2, 1, 3, 4), (5, 4, 2)),
]


@pytest.mark.parametrize("shapes", MATRICES)
def test_matmul(shapes):
    compare(lambda lib, a, b: a @ b, numbers("matmul", *shapes))


@pytest.mark.parametrize(
    "index",
    [3, (slice(None), 2), (Ellipsis, [0, 2]), ([0, 1], slice(None), [1, 1]), (None, 2), ([[0, 1], [1, 1]],)],
    ids=str,
)
def test_indices(index):
    compare(lambda lib, x: x[index], numbers("getitem", (4, 5, 6)))


LOSSES = {
    "cross_entropy": lambda f, x, y, t: f.cross_entropy(x, y), "smoothed": lambda f, x, y, t: f.cross_entropy(x, y, label_smoothing=0.1),
    "ignored": lambda f, x, y, t: f.cross_entropy(x, y, ignore_index=1), "sums": lambda f, x, y, t: f.cross_entropy(x, y, reduction="sum"),
    "soft": lambda f, x, y, t: f.cross_entropy(x, t.softmax(1)), "nll": lambda f, x, y, t: f.nll_loss(x, y, reduction="none"),
    "weighted": lambda f, x, y, t: f.cross_entropy(x, y, weight=t[0].detach().abs()), "mse": lambda f, x, y, t: f.mse_loss(x, t),
    "l1": lambda f, x, y, t: f.l1_loss(x, t, reduction="sum"),
    "bce": lambda f, x, y, t: f.binary_cross_entropy_with_logits(x, t.sigmoid()),
}  # fmt: skip


@pytest.mark.parametrize("name", LOSSES)
def test_losses(name):
    classes = np.random.default_rng(2).integers(0, 4, 5)

    def function(lib, x, t):
        return LOSSES[name](lib.nn.functional, x, lib.tensor(classes), t.detach())

    rng = np.random.default_rng(3)
    x, t = rng.normal(size=(5, 4)), rng.normal(size=(5, 4))
    ours, theirs = lamina.tensor(x, dtype="float64", requires_grad=True), torch.tensor(x, requires_grad=True)
    y = function(lamina, ours, lamina.tensor(t, dtype="float64"))
    z = function(torch, theirs, torch.tensor(t))
    close(y, z)
    y.sum().backward()
    z.sum().backward()
    close(ours.grad, theirs.grad)


OPTIMIZERS = [
    ("SGD", {"lr": 0.1}), ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.1, "weight_decay": 0.01}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True, "maximize": True}), ("Adam", {"lr": 0.01}),
    ("Adam", {"lr": 0.01, "weight_decay": 0.1, "amsgrad": True}), ("AdamW", {"lr": 0.01}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "settings"), OPTIMIZERS, ids=str)
def test_the_same_seed_gives_the_same_training(name, settings):
    """Weights are drawn, data shuffled and steps taken as by PyTorch: losses agree with nothing copied."""

    def losses(lib, loader_of, dataset_of):
        lib.manual_seed(7)
        model = lib.nn.Sequential(lib.nn.Linear(5, 16), lib.nn.ReLU(), lib.nn.Dropout(0.25), lib.nn.Linear(16, 3))
        x, y = lib.randn(60, 5), lib.randint(0, 3, (60,))
        optimizer = getattr(lib.optim, name)(model.parameters(), **settings)
        found = []
        for _ in range(4):
            for batch, labels in loader_of(dataset_of(x, y), batch_size=16, shuffle=True):
                loss = lib.nn.functional.cross_entropy(model(batch), labels)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                found.append(loss.item())
        return found

    import torch.utils.data as theirs

    import lamina.utils.data as ours

    expected = losses(torch, theirs.DataLoader, theirs.TensorDataset)
    assert losses(lamina, ours.DataLoader, ours.TensorDataset) == pytest.approx(expected, rel=2e-4)


def test_files_are_read_by_the_library(tmp_path):
    from safetensors.torch import load_file as theirs_load
    from safetensors.torch import save_file as theirs_save

    from lamina_nn.files import load_file, save_file

    x = lamina.randn(3, 4)
    save_file({"x": x.t(), "half": x.to(lamina.bfloat16)}, tmp_path / "a")
    back = theirs_load(tmp_path / "a")
    assert back["x"].tolist() == x.t().tolist()
    assert back["half"].dtype is torch.bfloat16
    theirs_save({"x": torch.ones(2, dtype=torch.float16)}, tmp_path / "b")
    assert load_file(tmp_path / "b")["x"].dtype is lamina.float16


def test_the_second_gradient_of_logcumsumexp_where_the_first_is_0():
    """It is that of `logsumexp` over the first items; PyTorch's goes by the logarithm of the first gradient."""
    found = []
    for function in (lambda v: v.logcumsumexp(0), lambda v: lamina.stack([v[: i + 1].logsumexp(0) for i in range(3)])):
        x = lamina.tensor([0.0, -0.7, 0.4], dtype=lamina.float64, requires_grad=True)
        y = function(x)
        (g,) = lamina.autograd.grad((y[:1] * y[:1]).sum(), [x], create_graph=True)
        (g * g.cos()).sum().backward()
        found.append(x.grad.tolist())
    assert found[0] == pytest.approx(found[1], rel=1e-13) and found[0][0] == pytest.approx(2)
