"""Optimizers by themselves: kernel calls counted, formulas exact, state whole, hooks, and steps that are recorded."""

import copy
import pickle

import numpy as np
import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray.instruments import count_ops
from lamina_nn import optim
from lamina_tensor.transforms.gradcheck import gradcheck

RNG = np.random.default_rng(3)
SHAPES = [(4, 3), (), (7,), (2, 0)]
FUSED = [
    (optim.SGD, {"lr": 0.1}),
    (optim.SGD, {"lr": 0.1, "momentum": 0.9, "dampening": 0.3, "weight_decay": 0.01, "maximize": True}),
    (optim.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    (optim.Adam, {"lr": 0.1}),
    (optim.Adam, {"lr": 0.1, "betas": (0.3, 0.6), "weight_decay": 0.1, "amsgrad": True}),
    (optim.AdamW, {"lr": 0.1, "maximize": True}),
    (optim.Adamax, {"weight_decay": 0.1}),
    (optim.NAdam, {"betas": (0.3, 0.6), "weight_decay": 0.1}),
    (optim.NAdam, {"weight_decay": 0.1, "decoupled_weight_decay": True, "maximize": True}),
    (optim.RAdam, {"betas": (0.5, 0.6), "weight_decay": 0.1}),
    (optim.RMSprop, {}),
    (optim.RMSprop, {"centered": True, "momentum": 0.7, "weight_decay": 0.1, "maximize": True}),
    (optim.Adagrad, {"lr_decay": 0.1, "weight_decay": 0.1, "initial_accumulator_value": 0.1}),
    (optim.Adadelta, {"weight_decay": 0.1}),
    (optim.ASGD, {"t0": 1, "lambd": 0.1, "weight_decay": 0.1}),
    (optim.Rprop, {"maximize": True}),
]
OTHERS = [
    optim.ASGD, optim.Adadelta, optim.Adagrad, optim.Adamax, optim.NAdam, optim.RAdam, optim.RMSprop, optim.Rprop,
]  # fmt: skip


def parameters(dtype="float64"):
    return [lt.tensor(RNG.normal(size=shape).astype(dtype), requires_grad=True) for shape in SHAPES]


def stepped(make, groups, gradients):
    """The items of parameters, each optimizer stepping one group of them, after steps by given gradients."""
    optimizers = [make(group) for group in groups]
    for step in gradients:
        for p, g in zip([p for group in groups for p in group], step, strict=True):
            p.grad = lt.tensor(g)
        for optimizer in optimizers:
            optimizer.step()
    return [p.detach().numpy().copy() for group in groups for p in group]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("kind", "settings"), FUSED)
def test_one_call_for_all_is_exactly_a_call_for_each(kind, settings, dtype):
    first = parameters(dtype)
    second = [p.detach().clone().requires_grad_() for p in first]
    gradients = [[RNG.normal(size=shape).astype(dtype) for shape in SHAPES] for _ in range(4)]
    together = stepped(lambda ps: kind(ps, **settings), [first], gradients)
    apart = stepped(lambda ps: kind(ps, **settings), [[p] for p in second], gradients)
    for x, y in zip(together, apart, strict=True):
        assert x.tobytes() == y.tobytes()


@pytest.mark.parametrize(("kind", "settings"), FUSED)
def test_the_kernel_is_the_formula_op_by_op(kind, settings):
    first = parameters()
    second = [p.detach().clone() for p in first]  # a recorded step does not write to leaves that want gradients
    gradients = [[RNG.normal(size=shape) for shape in SHAPES] for _ in range(4)]
    fused = stepped(lambda ps: kind(ps, **settings), [first], gradients)
    by_ops = stepped(lambda ps: kind(ps, differentiable=True, **settings), [second], gradients)
    for x, y in zip(fused, by_ops, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-14, atol=1e-15)  # compilers may round a product and sum once


def test_kernel_calls():
    """One for the group, however many parameters; those that count steps do so in one call besides."""
    for kind in (optim.SGD, optim.AdamW, *OTHERS):
        params = [lt.ones(3, requires_grad=True) for _ in range(20)]
        optimizer = kind(params, lr=0.1)
        for p in params:
            p.grad = lt.ones(3)
        optimizer.step()
        with count_ops() as counts:
            optimizer.step()
        step = "adam_step" if kind is optim.AdamW else f"{kind.__name__.lower()}_step"
        wanted = {step: 1} if kind is optim.SGD else {step: 1, "foreach_add": 1}
        assert {op: n for op, n in counts.items() if op.endswith("_step") or op.startswith("foreach")} == wanted


def test_complex_parameters_are_two_real_ones():
    z = RNG.normal(size=(5, 2))
    for kind in (optim.SGD, optim.Adam, *OTHERS):
        number = lt.tensor(z[:, 0] + 1j * z[:, 1], requires_grad=True)
        pair = lt.tensor(z, requires_grad=True)
        optimizers = [kind([number]), kind([pair])]
        for _ in range(3):
            g = RNG.normal(size=(5, 2))
            number.grad, pair.grad = lt.tensor(g[:, 0] + 1j * g[:, 1]), lt.tensor(g)
            for optimizer in optimizers:
                optimizer.step()
        found = number.detach().numpy()
        np.testing.assert_allclose(np.stack([found.real, found.imag], axis=1), pair.detach().numpy(), rtol=1e-14)


@pytest.mark.parametrize("kind", [optim.SGD, optim.Adam, optim.AdamW, *OTHERS])
def test_gradients_flow_through_recorded_steps(kind):
    """Against finite differences, through three steps: what one step saved, the next one does not overwrite."""
    settings = {"lr": 0.05}
    if kind is not optim.Rprop:
        settings["weight_decay"] = 0.0 if kind is optim.SGD else 0.1
    if kind in (optim.SGD, optim.RMSprop):
        settings["momentum"] = 0.5
    if kind in (optim.Adam, optim.AdamW):
        settings["amsgrad"] = True

    def run(start, *gradients):
        p = start.clone()
        optimizer = kind([p], differentiable=True, **settings)
        for g in gradients:
            p.grad = g * 1.0
            optimizer.step()
        return p

    inputs = [lt.tensor(RNG.uniform(0.5, 1.5, 3), requires_grad=True) for _ in range(4)]
    if kind is optim.SGD:
        inputs[1].requires_grad = False  # a momentum begins apart from the graph, as PyTorch's
    if kind is optim.Rprop:
        inputs = inputs[:1] + [x.detach() for x in inputs[1:]]  # the sign of a gradient has none
    assert gradcheck(run, inputs)


def test_gradients_by_the_learning_rate():
    lr = lt.tensor(0.1, dtype="float64", requires_grad=True)
    for kind in (optim.SGD, optim.Adam):

        def run(lr, kind=kind):
            p = lt.tensor([1.0, 2.0], dtype="float64")
            optimizer = kind([p], lr=lr, differentiable=True)
            for _ in range(2):
                p.grad = p.clone() * 3
                optimizer.step()
            return p

        assert gradcheck(run, [lr])


def test_named_parameters_stay_named():
    model = nn.Linear(2, 1)
    optimizer = optim.SGD(model.named_parameters(), lr=0.1)
    assert optimizer.param_groups[0]["param_names"] == ["weight", "bias"]
    assert optimizer.state_dict()["param_groups"][0]["param_names"] == ["weight", "bias"]
    unnamed = optim.SGD(model.parameters(), lr=0.3).state_dict()
    optimizer.load_state_dict(unnamed)
    assert optimizer.param_groups[0]["param_names"] == ["weight", "bias"]
    assert optimizer.param_groups[0]["lr"] == 0.3
    with pytest.raises(ValueError, match="cannot add param group without names"):
        optimizer.add_param_group({"params": [lt.ones(1)]})


def test_state_is_loaded_whole_or_not_at_all():
    p, q = (lt.ones(2, requires_grad=True) for _ in range(2))
    optimizer = optim.Adam([p], lr=0.1)
    before = copy.deepcopy(optimizer.state_dict())
    for wrong, words in (([p, q], "size of optimizer's group"), ([{"params": p}, {"params": q}], "different number")):
        with pytest.raises(ValueError, match=words):
            optimizer.load_state_dict(optim.Adam(wrong, lr=0.5).state_dict())
    assert optimizer.state_dict() == before
    p.grad = lt.ones(2)
    optimizer.step()
    other = optim.Adam([q], lr=0.5)
    other.load_state_dict(optimizer.state_dict())
    optimizer.step()  # does not change what the other one has loaded
    assert other.state[q]["step"].item() == 1
    assert not lt.equal(other.state[q]["exp_avg"], optimizer.state[p]["exp_avg"])


def test_state_of_older_versions():
    p = lt.ones(2, requires_grad=True)
    optimizer = optim.NAdam([p])
    p.grad = lt.ones(2)
    optimizer.step()
    saved = optimizer.state_dict()
    entries = saved["state"][0]
    saved["state"][0] = {**entries, "step": entries["step"].item(), "mu_product": entries["mu_product"].item()}
    del saved["param_groups"][0]["maximize"]
    other = optim.NAdam([p])
    other.load_state_dict(saved)
    assert isinstance(other.state[p]["step"], lt.Tensor) and isinstance(other.state[p]["mu_product"], lt.Tensor)
    other.step()


def test_copies_and_pickles_go_on():
    p = lt.ones(2, requires_grad=True)
    optimizer = optim.Adam([p], lr=0.1)
    p.grad = lt.ones(2)
    optimizer.step()
    for other in (copy.deepcopy(optimizer), pickle.loads(pickle.dumps(optimizer))):
        (q,) = other.param_groups[0]["params"]
        q.grad = lt.ones(2)
        other.step()
        assert other.state[q]["step"].item() == 2
        assert q.tolist() != p.tolist()


def test_a_hook_may_change_what_step_is_given():
    p = lt.ones(1, requires_grad=True)
    optimizer = optim.SGD([p], lr=0.1)
    with optimizer.register_step_pre_hook(lambda o, args, kwargs: ((o, lambda: 7), {})):
        assert optimizer.step() == 7
    with optimizer.register_step_pre_hook(lambda o, args, kwargs: 3), pytest.raises(RuntimeError, match="must return None"):
        optimizer.step()
    assert optimizer.step() is None


def test_hooks_are_called_once_where_a_step_calls_its_base():
    class Derived(optim.SGD):
        def step(self, closure=None):
            return super().step(closure)

    calls = []
    with optim.register_optimizer_step_post_hook(lambda *_: calls.append(1)):
        Derived([lt.ones(1)], lr=0.1).step()
    assert calls == [1]


def test_an_optimizer_of_ones_own():
    class Signs(optim.Optimizer):
        def __init__(self, params, lr):
            super().__init__(params, {"lr": lr})

        @lt.no_grad()
        def step(self, closure=None):
            for group in self.param_groups:
                for p in group["params"]:
                    p.sub_(p.grad.sign() * group["lr"])

    p = lt.tensor([1.0, -2.0], requires_grad=True)
    (p * p).sum().backward()
    Signs([p], lr=0.5).step()
    assert p.tolist() == [0.5, -1.5]


def test_an_error_names_the_optimizer():
    p = lt.ones(2, requires_grad=True)
    p.grad = lt.ones(2)
    with pytest.raises(RuntimeError, match="dense gradients") as caught:
        optim.SparseAdam([p]).step()
    assert caught.value.__notes__ == ["in SparseAdam.step()"]


def test_running_statistics_are_computed_anew():
    model = nn.Sequential(nn.BatchNorm1d(1), nn.ReLU()).eval()
    model[0].running_mean.fill_(9.0)
    optim.averaging.update_bn([(lt.full((2, 1), v), None) for v in (1.0, 2.0, 6.0)], model)
    assert model[0].running_mean.tolist() == [3.0]
    assert model[0].momentum == 0.1 and not model.training


def test_adagrad_shares_its_sums_between_processes():
    p = nn.Parameter(lt.ones(3))
    optimizer = optim.Adagrad([p])
    optimizer.share_memory()
    p.grad = lt.ones(3)
    optimizer.step()
    assert optimizer.state[p]["sum"].is_shared() and optimizer.state[p]["sum"].tolist() == [1, 1, 1]


def test_a_wrapper_that_calls_no_constructor_steps():
    class Wrapper(optim.Optimizer):
        def __init__(self, optimizer):
            self.optimizer = optimizer

        def step(self):
            self.optimizer.step()

    weight = lt.ones(2).requires_grad_()
    weight.sum().backward()
    Wrapper(optim.SGD([weight], lr=0.5)).step()
    assert weight.tolist() == [0.5, 0.5]
