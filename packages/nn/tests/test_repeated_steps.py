"""Steps of optimizers that are made again as they were, and all that makes them other steps."""

import copy
import inspect
import pickle
import warnings

import numpy as np
import pytest

import lamina_tensor as lt
from lamina_flatarray import float64
from lamina_nn import optim
from lamina_nn.optim.memory.repeats import Repeats, stepped_again

KINDS = [
    (optim.SGD, {"lr": 0.1}),
    (optim.SGD, {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01, "maximize": True}),
    (optim.Adam, {"lr": 0.1, "amsgrad": True}),
    (optim.AdamW, {"lr": 0.1, "betas": (0.5, 0.7)}),
    (optim.Adamax, {"weight_decay": 0.1}),
    (optim.RAdam, {"betas": (0.5, 0.6)}),
    (optim.RMSprop, {"centered": True, "momentum": 0.7}),
    (optim.Adagrad, {"lr_decay": 0.1}),
    (optim.NAdam, {}),
]


def another_rate(optimizer):
    optimizer.param_groups[0]["lr"] = 0.03


def another_group(optimizer):
    optimizer.add_param_group({"params": [lt.ones(2, dtype=float64, requires_grad=True)], "lr": 0.5})


def one_parameter_more(optimizer):
    optimizer.param_groups[0]["params"].append(lt.full((2,), 3.0, dtype=float64, requires_grad=True))


def other_items(optimizer):
    optimizer.param_groups[0]["params"][0].data = lt.full((3, 2), 0.25, dtype=float64)


def a_count_of_its_own(optimizer):
    entries = optimizer.state[optimizer.param_groups[0]["params"][0]]
    if "step" in entries:
        entries["step"].fill_(7)


def other_state(optimizer):
    entries = optimizer.state[optimizer.param_groups[0]["params"][0]]
    for name, value in entries.items():
        entries[name] = value + 1


def loaded(optimizer):
    optimizer.load_state_dict(copy.deepcopy(optimizer.state_dict()))


def no_gradient(optimizer):
    optimizer.param_groups[0]["params"][1].grad = None


def nothing(optimizer):
    pass


CHANGES = [
    nothing, another_rate, another_group, one_parameter_more, other_items, a_count_of_its_own, other_state, loaded, no_gradient,
]  # fmt: skip


def make(kind, settings):
    generator = np.random.default_rng(5)
    return kind([lt.tensor(generator.normal(size=shape), requires_grad=True) for shape in ((3, 2), (4,))], **settings)


def steps(optimizer, change, apart):
    """The items of parameters and state after steps, of which the fifth comes after a change; `apart`: none repeats the one before."""
    generator = np.random.default_rng(9)
    for number in range(8):
        for group in optimizer.param_groups:
            for p in group["params"]:
                p.grad = lt.tensor(generator.normal(size=p.shape))
        if number == 4:
            change(optimizer)
        if apart:
            optimizer._repeats = Repeats()
        optimizer.step()
    params = [p for group in optimizer.param_groups for p in group["params"]]
    remembered = [[name, x.tolist()] for p in params for name, x in sorted(optimizer.state[p].items())]
    return [p.tolist() for p in params], remembered


def after_steps(kind, **settings):
    """A parameter of zeros that four steps have changed, each by a gradient of ones, and its optimizer."""
    p = lt.zeros(2, requires_grad=True)
    optimizer = kind([p], **settings)
    for _ in range(4):
        p.grad = lt.ones(2)
        optimizer.step()
    return p, optimizer


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(("kind", "settings"), KINDS)
def test_a_repeated_step_is_the_step(kind, settings, change):
    assert steps(make(kind, settings), change, apart=False) == steps(make(kind, settings), change, apart=True)


@pytest.mark.parametrize(("kind", "settings"), KINDS[:7])
def test_steps_are_repeated_until_a_setting_changes(kind, settings):
    optimizer = make(kind, settings)
    groups, known = optimizer.param_groups, []
    for _ in range(5):
        for p in groups[0]["params"]:
            p.grad = lt.ones_like(p)
        known.append(stepped_again(optimizer))
        if not known[-1]:
            optimizer.step()
    assert known[-2:] == [True, True]
    another_rate(optimizer)
    assert not stepped_again(optimizer)


def test_a_step_is_told_of_as_a_method():
    """Whatever stands for it, it has the name, the words and the parameters of what was written, and is found by them."""
    step = make(optim.Adam, {}).step
    assert inspect.ismethod(step) and step.__name__ == "step" and step.__qualname__ == "Optimizer.step"
    assert inspect.getdoc(step) == inspect.getdoc(optim.SGD.step) and inspect.getdoc(step).startswith("Update every parameter")
    assert list(inspect.signature(step).parameters) == ["closure"]
    assert pickle.loads(pickle.dumps(optim.Adam.step)) is optim.Adam.step


def test_a_repeated_step_notes_what_it_writes():
    """A backward pass that saved a parameter is told that it was changed."""
    p, optimizer = after_steps(optim.SGD, lr=0.1)
    loss = (p * p).sum()
    optimizer.step()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_a_rate_that_is_a_tensor_is_read_at_each_step():
    rate = lt.tensor(0.5)
    p, optimizer = after_steps(optim.SGD, lr=rate)
    rate.fill_(0.0)
    optimizer.step()
    assert p.tolist() == [-2.0, -2.0]


def test_an_error_in_a_repeated_step_says_whose_it_was():
    p, optimizer = after_steps(optim.Adam)
    p._grad = lt.ones(3)
    with pytest.raises(ValueError) as caught:
        optimizer.step()
    assert "in Adam.step()" in caught.value.__notes__


def test_schedulers_see_a_repeated_step():
    _, optimizer = after_steps(optim.SGD, lr=0.1)
    scheduler = optim.lr_scheduler.StepLR(optimizer, 1)
    optimizer.step()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scheduler.step()
    assert optimizer.param_groups[0]["lr"] == pytest.approx(0.01)


def test_hooks_are_called_though_a_step_could_be_repeated():
    called = []
    p, optimizer = after_steps(optim.SGD, lr=0.1)
    handles = [optimizer.register_step_pre_hook(lambda *_: called.append("before")),
               optim.hooks.register_optimizer_step_post_hook(lambda *_: called.append("after"))]  # fmt: skip
    optimizer.step()
    for handle in handles:
        handle.remove()
    optimizer.step()
    assert called == ["before", "after"]
    assert p.tolist() == pytest.approx([-0.6, -0.6])
