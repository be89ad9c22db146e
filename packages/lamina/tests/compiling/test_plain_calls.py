"""Calls that take plain tensors and give new ones: each thing that they depend on is looked at, however short the way is."""

import builtins
import threading

import pytest

import lamina as torch
from lamina_flatarray.instruments import count_ops
from lamina_tensor.compiling import way

scale = 2.0


class Settings:
    power = 3.0


settings = Settings()


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Compiled calls are taken without being timed, so that no chance decides which are."""
    monkeypatch.setattr(way, "_TRIALS", 0)


def settled(function, *args):
    """A function compiled, after calls enough that the short way is taken."""
    compiled = torch.compile(function)
    for _ in range(6):
        assert torch.equal(compiled(*args), function(*args))
    assert compiled._plain is not None
    return compiled


def test_calls_are_told_as_others_are():
    compiled = settled(lambda x: x * 2 + 1, torch.ones(3))
    assert [way.calls for way in compiled.explain()] == [6]


def test_a_global(monkeypatch):
    x = torch.arange(4.0)
    compiled = settled(lambda x: x * scale + 1, x)
    monkeypatch.setitem(globals(), "scale", 5.0)
    assert compiled(x).tolist() == [1, 6, 11, 16]


def test_a_name_that_comes_to_be(monkeypatch):
    x = torch.arange(-2.0, 2)
    compiled = settled(lambda x: abs(x) + 1, x)
    monkeypatch.setitem(globals(), "abs", lambda x: x * 0)
    assert compiled(x).tolist() == [1, 1, 1, 1]
    assert abs is not builtins.abs


def test_a_closure():
    factor, x = 2.0, torch.arange(4.0)

    def function(x):
        return x * factor + 1

    compiled = settled(function, x)
    factor = 7.0
    assert compiled(x).tolist() == [1, 8, 15, 22]


def test_an_attribute(monkeypatch):
    x = torch.arange(4.0)
    compiled = settled(lambda x: x * settings.power + 1, x)
    monkeypatch.setattr(settings, "power", 1.0)
    assert compiled(x).tolist() == [1, 2, 3, 4]


def test_a_tensor_that_it_refers_to():
    weight, x = torch.ones(3), torch.arange(3.0)
    compiled = settled(lambda x: x * weight + 1, x)
    weight.mul_(3)
    assert compiled(x).tolist() == [1, 4, 7]
    weight.data = torch.full((3,), 10.0)
    assert compiled(x).tolist() == [1, 11, 21]


@pytest.mark.parametrize(
    "other",
    [
        torch.ones(3), torch.ones(4, dtype=torch.float64), torch.ones(4, dtype=torch.int64), torch.ones(8)[::2], torch.ones(4, 1),
        torch.ones(4, requires_grad=True), torch.nn.Parameter(torch.ones(4)),
    ],
    ids=lambda x: f"{type(x).__name__} {x.dtype} {tuple(x.shape)} {x.stride()} {x.requires_grad}",
)  # fmt: skip
def test_another_argument(other):
    def function(x):
        return (x * 2 + 1) / 3

    compiled = settled(function, torch.ones(4))
    result, expected = compiled(other), function(other)
    assert (result.dtype, result.shape, result.stride(), result.requires_grad) == (
        expected.dtype, expected.shape, expected.stride(), expected.requires_grad,
    )  # fmt: skip
    assert torch.equal(result, expected)
    if expected.requires_grad:
        assert torch.equal(*[torch.autograd.grad(y.sum(), other)[0] for y in (result, expected)])


def test_a_slice_at_another_place():
    base = torch.arange(12.0)
    compiled = settled(lambda x: x * 2 + 1, base[:4])
    assert compiled(base[8:]).tolist() == [17, 19, 21, 23]
    assert compiled(base[8:]).tolist() == [17, 19, 21, 23]


def test_other_modes():
    x = torch.ones(4)
    compiled = settled(lambda x: (x * 2 + 1) * torch.ones(4), x)
    try:
        torch.set_default_dtype(torch.float64)
        assert compiled(x).dtype is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
    assert compiled(x).dtype is torch.float32
    with torch.device("meta"):
        assert compiled(torch.ones(4)).device.type == "meta"
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert compiled(x).dtype is torch.float32


def test_instruments_see_each_op():
    compiled = settled(lambda x: x * 2 + 1, torch.ones(4))
    x = torch.ones(4)
    with count_ops() as counts:
        compiled(x)
    assert counts == {"multiply": 1, "add": 1}


def test_results_are_new_each_time():
    x = torch.arange(4.0)
    compiled = settled(lambda x: (x * 2 + 1, x - 1)[0], x)
    first, second = compiled(x), compiled(x)
    first.zero_()
    assert second.tolist() == [1, 3, 5, 7]
    assert x.tolist() == [0, 1, 2, 3]


def test_several_results_in_their_places():
    def function(x, y):
        return {"sum": x + y * 2, "both": [x * y + 1, (y - x * 3,)]}

    x, y = torch.arange(4.0), torch.full((4,), 2.0)
    compiled = torch.compile(function)
    for _ in range(6):
        result = compiled(x, y)
    assert compiled._plain is not None
    assert result["sum"].tolist() == [4, 5, 6, 7]
    assert result["both"][0].tolist() == [1, 3, 5, 7]
    assert result["both"][1][0].tolist() == [2, -1, -4, -7]


def test_two_threads():
    """One program has one scratch memory: a thread that finds it in use waits for it."""
    x = torch.arange(30_000.0)
    compiled = settled(lambda x: (x * 2 + 1).sin() * x, x)
    expected = {k: (x * k * 2 + 1).sin() * (x * k) for k in (1, 2)}
    wrong = []

    def calls(k):
        mine = x * k
        wrong.extend(1 for _ in range(200) if not torch.equal(compiled(mine), expected[k]))

    threads = [threading.Thread(target=calls, args=(k,)) for k in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def trained_step(optimizer, weight):
    def step(x):
        optimizer.zero_grad()
        loss = (x * weight).square().sum()
        loss.backward()
        optimizer.step()
        return loss

    return step


@pytest.mark.parametrize("kind", [torch.optim.SGD, torch.optim.Adam])
def test_a_training_step(kind):
    x, weights = torch.arange(1.0, 4), [torch.ones(3, requires_grad=True) for _ in range(2)]
    optimizers = [kind([weight], lr=0.01) for weight in weights]
    steps = [trained_step(optimizer, weight) for optimizer, weight in zip(optimizers, weights, strict=True)]
    compiled = torch.compile(steps[0])
    for turn in range(12):
        if turn == 6:
            assert compiled._plain is not None
            for optimizer in optimizers:
                optimizer.param_groups[0]["lr"] = 0.5
        if turn == 8:
            for weight in weights:
                weight.data = torch.full((3,), 2.0)
        version = weights[0]._version
        losses = compiled(x), steps[1](x)
        assert torch.equal(*losses)
        assert torch.equal(*weights)
        assert torch.equal(*[weight.grad for weight in weights])
        assert weights[0]._version == version + 1
        with pytest.raises(RuntimeError, match="second time"):
            losses[0].backward()


def test_a_leaf_that_has_a_gradient_of_ones_own():
    weight, x = torch.ones(3, requires_grad=True), torch.arange(3.0)

    def gradient(x):
        (x * weight).sum().backward()

    compiled = torch.compile(gradient)
    for _ in range(6):
        weight.grad = None
        compiled(x)
        assert weight.grad.tolist() == [0, 1, 2]
    assert compiled._plain is not None
    compiled(x)
    assert weight.grad.tolist() == [0, 2, 4]


def test_an_argument_in_memory_that_is_written():
    total, x = torch.zeros(4), torch.arange(4.0)

    def function(x):
        total.add_(x)
        return x * 2

    compiled = torch.compile(function)
    for _ in range(6):
        compiled(x)
    assert compiled._plain is not None
    assert total.tolist() == [0, 6, 12, 18]
    assert compiled(total).tolist() == [0, 24, 48, 72]


def gradients_of(function, *args):
    leaves = [x for x in args if x.requires_grad]
    for x in leaves:
        x.grad = None
    function(*args).sum().backward()
    return [x.grad for x in leaves]


def test_gradients():
    x, y = torch.arange(4.0).requires_grad_(), torch.full((4,), 3.0)

    def function(x, y):
        return ((x * y).exp() * x + y.sin()).tanh()

    compiled = settled(function, x, y)
    for _ in range(3):
        assert torch.equal(gradients_of(compiled, x, y)[0], gradients_of(function, x, y)[0])
    inner = x * 2
    result = compiled(inner, y)
    assert compiled._plain is not None
    expected = gradients_of(lambda x, y: function(x * 2, y), x, y)[0]
    x.grad = None
    result.sum().backward()
    assert torch.equal(x.grad, expected)
    with torch.no_grad():
        assert not compiled(x, y).requires_grad


def test_what_a_backward_pass_reads_is_of_its_call():
    x, y = torch.arange(4.0).requires_grad_(), torch.arange(4.0, 8.0).requires_grad_()
    compiled = settled(lambda x: (x.sin() * x).cos(), x)
    results = compiled(x), compiled(y)
    for leaf, result in zip((x, y), results, strict=True):
        result.sum().backward()
        assert torch.equal(*[leaf.grad, gradients_of(lambda x: (x.sin() * x).cos(), leaf.detach().requires_grad_())[0]])


def test_an_argument_that_is_written_to_before_its_gradient():
    x, y = torch.ones(4, requires_grad=True), torch.arange(4.0)
    compiled = settled(lambda x, y: x * y * y, x, y)
    result = compiled(x, y)
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        result.sum().backward()


def test_gradients_of_parameters_and_their_hooks():
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    x, seen = torch.ones(5, 3), []
    compiled = settled(lambda x: model(x), x)

    def grads(function):
        model.zero_grad()
        function(x).sum().backward()
        return [p.grad for p in model.parameters()]

    for _ in range(3):
        assert all(map(torch.equal, grads(compiled), grads(model)))
    handle = model[0].weight.register_hook(lambda g: seen.append(g.shape))
    expected = grads(model)
    assert all(map(torch.equal, grads(compiled), expected))
    assert len(seen) == 2
    handle.remove()
    model[0].weight.requires_grad_(False)
    assert compiled(x).requires_grad
    assert grads(compiled)[0] is None
