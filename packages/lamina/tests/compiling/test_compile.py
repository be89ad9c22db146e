"""torch.compile: compiled calls give what eager ones give, and what kernel calls do not repeat stays eager."""

import copy
import importlib.util
import threading
import types

import numpy as np
import pytest

import lamina as torch
from lamina import nn

CALLS = 6


def ways(compiled):
    return getattr(compiled, "_compiled_function", compiled).explain()


def is_compiled(compiled):
    return ways(compiled)[-1].kernels is not None


def trouble(compiled):
    return [way.trouble for way in ways(compiled) if way.trouble]


def same(x, y):
    return x.shape == y.shape and x.dtype == y.dtype and x.stride() == y.stride() and x.tolist() == y.tolist()


def small_model():
    return nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.GELU(), nn.Dropout(0.3), nn.Linear(8, 3))


def trained(compile, steps=8):
    torch.manual_seed(0)
    model = small_model()
    called = torch.compile(model) if compile else model
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)
    losses = []
    for _ in range(steps):
        x, y = torch.randn(5, 6), torch.randint(0, 3, (5,))
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(called(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.state_dict(), called


def test_training_is_the_same_bit_for_bit_with_draws_and_buffers():
    eager, state, _ = trained(compile=False)
    losses, compiled_state, called = trained(compile=True)
    assert is_compiled(called)
    assert losses == eager
    assert all(same(state[name], compiled_state[name]) for name in state)


def test_results_of_former_calls_stay():
    f = torch.compile(lambda x: x * 2 + 1)
    results = [f(torch.full((3,), float(i))) for i in range(CALLS)]
    assert is_compiled(f)
    assert [x.tolist() for x in results] == [[2.0 * i + 1] * 3 for i in range(CALLS)]


def test_backward_passes_of_several_calls_in_any_order():
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    f = torch.compile(lambda x: (w * x).tanh().sum())
    for _ in range(CALLS):
        xs = [torch.randn(3) for _ in range(3)]
        losses = [f(x) for x in xs]
        for loss, x in reversed(list(zip(losses, xs, strict=True))):
            assert same(torch.autograd.grad(loss, w)[0], torch.autograd.grad((w * x).tanh().sum(), w)[0])
    assert is_compiled(f)


def test_gradients_of_arguments_that_depend_on_each_other_are_partial():
    f = torch.compile(lambda a, b: (a * b * b).sum())
    for _ in range(CALLS):
        x = torch.randn(4, requires_grad=True)
        a = x.exp()
        b = a * 3
        (got,) = torch.autograd.grad(f(a, b), x, retain_graph=True)
        (expected,) = torch.autograd.grad((a * b * b).sum(), x)
        assert same(got, expected)
    assert is_compiled(f)


def test_some_of_several_results_are_differentiated():
    w = torch.randn(4, requires_grad=True)
    f = torch.compile(lambda x: {"double": (w * x) * 2, "roots": [(w * x).abs().sqrt(), torch.arange(3)]})
    for turn in range(9):
        x = torch.zeros(4) if turn % 3 == 0 else torch.randn(4)
        results = f(x)
        loss = results["double"].sum() if turn % 3 < 2 else results["double"].sum() + results["roots"][0].sum()
        expected = (w * x * 2).sum() if turn % 3 < 2 else (w * x * 2).sum() + (w * x).abs().sqrt().sum()
        torch.testing.assert_close(torch.autograd.grad(loss, w)[0], torch.autograd.grad(expected, w)[0])
    assert is_compiled(f)
    assert not results["roots"][1].requires_grad


def test_shapes_dtypes_layouts_and_modes_are_ways_of_their_own():
    f = torch.compile(lambda x: x.sum(0) * 2)
    x = torch.ones(2, 3)
    given = [x, torch.ones(4, 3), x.double(), torch.ones(3, 2).T, torch.ones(2, 3, requires_grad=True)]
    for _ in range(CALLS):
        for x in given:
            result = f(x)
            assert same(result, x.sum(0) * 2)
            assert result.requires_grad == x.requires_grad
            with torch.no_grad():
                assert not f(x).requires_grad
    assert sum(way.kernels is not None for way in ways(f)) == 8


def test_more_ways_than_are_kept_run_eagerly():
    f = torch.compile(lambda x: x * 2, recompile_limit=2)
    for _ in range(CALLS):
        for n in range(1, 5):
            assert f(torch.ones(n)).tolist() == [2.0] * n
    assert len(ways(f)) == 2


def test_numbers_among_the_arguments_are_told_apart():
    f = torch.compile(lambda x, scale, *, shift=0: x / scale + shift)
    for _ in range(CALLS):
        for scale, shift in ((2, 0), (2.0, 0), (4, 1), (0.0, 0), (-0.0, 0), (True, 0)):
            x = torch.tensor([1.0, 2.0])
            assert same(f(x, scale, shift=shift), x / scale + shift)


class Holder:
    def __init__(self):
        self.scale = 2.0
        self.weights = np.array([1.0, 2.0])
        self.names = types.SimpleNamespace(factor=1.5)
        self.scheduler = torch.optim.lr_scheduler.StepLR(torch.optim.SGD([torch.zeros(1)], lr=0.5), 1)
        self.options = {"shifts": [1.0]}


FACTOR = 1.0


CHANGES = (
    "attribute", "item", "array", "namespace", "schedule", "global", "closure", "eval", "parameter", "hook", "frozen", "data",
)  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_function_refers_to_is_looked_at_before_each_call(change):
    global FACTOR
    FACTOR = 1.0
    holder, offset = Holder(), 0.5
    model = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5))

    def function(x):
        scale = holder.scale * FACTOR * float(holder.weights[0]) * holder.names.factor * holder.scheduler.get_last_lr()[0]
        return model(x) * scale + holder.options["shifts"][0] + offset

    compiled = torch.compile(function)
    x = torch.ones(2, 3)
    for turn in range(3 * CALLS):
        if turn == CALLS:
            if change == "attribute":
                holder.scale = 3.0
            elif change == "item":
                holder.options["shifts"][0] = -1.0
            elif change == "array":
                holder.weights[0] = -2.0
            elif change == "namespace":
                holder.names.factor = 4.0
            elif change == "schedule":
                holder.scheduler.optimizer.step()
                holder.scheduler.step()
            elif change == "global":
                FACTOR = 5.0
            elif change == "closure":
                offset = 7.0
            elif change == "eval":
                model.eval()
            elif change == "parameter":
                model[0].weight = nn.Parameter(torch.ones(3, 3))
            elif change == "hook":
                model.register_forward_hook(lambda module, args, result: result + 100)
            elif change == "frozen":
                model[0].weight.requires_grad_(False)
            else:
                model[0].weight.data = torch.zeros(3, 3)
        torch.manual_seed(turn)
        result = compiled(x)
        torch.manual_seed(turn)
        assert same(result, function(x))
        gradients = [torch.autograd.grad(y.sum(), [p for p in model.parameters() if p.requires_grad]) for y in (result, function(x))]
        torch.manual_seed(turn)
        assert len(gradients[0]) == len(gradients[1])
    assert is_compiled(compiled)


@pytest.mark.parametrize("name", ["code", "lamina_of_mine", "platform.of_mine"])
def test_modules_of_the_users_may_be_called_as_others_are(name, tmp_path):
    """By the file it is told that they are the user's."""
    file = tmp_path / "module.py"
    file.write_text("factor = 2.0\n\n\ndef scaled(x):\n    return x * factor\n")
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    compiled = torch.compile(module.scaled)
    for turn in range(2 * CALLS):
        module.factor = 2.0 if turn < CALLS else 5.0
        assert compiled(torch.ones(2)).tolist() == [module.factor] * 2
    assert is_compiled(compiled)


class Slotted:
    __slots__ = ("__hidden", "shown")

    def __init__(self):
        self.shown, self.__hidden = 1.0, 2.0

    def change(self, name):
        setattr(self, name if name == "shown" else "_Slotted__hidden", 5.0)

    def __call__(self, x):
        return x * self.shown * self.__hidden


@pytest.mark.parametrize("name", ["shown", "hidden"])
def test_slots_are_looked_at(name):
    function = Slotted()
    compiled = torch.compile(lambda x: function(x))
    for turn in range(2 * CALLS):
        if turn == CALLS:
            function.change(name)
        assert same(compiled(torch.ones(2)), function(torch.ones(2)))
    assert is_compiled(compiled)


def test_values_written_in_place_are_seen():
    w = torch.ones(3, requires_grad=True)
    f = torch.compile(lambda x: w * x)
    for turn in range(CALLS):
        with torch.no_grad():
            w.copy_(torch.full((3,), float(turn)))
        assert f(torch.ones(3)).tolist() == [float(turn)] * 3
    assert is_compiled(f)


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.seen = []

    def forward(self, x):
        self.calls += 1
        return x * 2


class Collecting(Counting):
    def forward(self, x):
        self.seen.append(x)
        return x * 2


@pytest.mark.parametrize("kind", [Counting, Collecting])
def test_what_a_function_changes_in_python_changes_at_each_call(kind):
    model = kind()
    compiled = torch.compile(model)
    with pytest.warns(UserWarning, match="changes what it refers to|share memory"):
        for turn in range(CALLS):
            compiled(torch.full((2,), float(turn)))
    assert CALLS in (model.calls, len(model.seen))
    assert not is_compiled(compiled)


@pytest.mark.parametrize(
    "function, reason",
    [
        (lambda x: x * x.max().item(), "reads a value"),
        (lambda x: x if x.sum() > 0 else -x, "reads a value"),
        (lambda x: print("called") or x * 2, "calls print"),
        (lambda x: x.add_(1), "argument"),
        (lambda x: x[1:], "shares memory"),
        (lambda x: (x * 2).split(1), "results share memory"),
        (lambda x: x[x > 0], "reads a value"),
        (lambda x: torch.from_numpy(x.numpy()) * 2, "reads a value"),
        (lambda x: torch.manual_seed(3) and x + torch.rand(3), "random generator"),
        (lambda x: object(), "object among"),
    ],
)
def test_what_cannot_be_repeated_runs_eagerly_and_says_why(function, reason, capsys):
    compiled = torch.compile(function)
    with pytest.warns(UserWarning, match=reason) as seen:
        for _ in range(CALLS):
            x = torch.tensor([1.0, -2.0, 3.0])
            expected, result = function(x.clone()), compiled(x)
            assert type(result) is type(expected)
            if isinstance(expected, torch.Tensor):
                assert same(result, expected)
    assert len(seen) == 1
    assert not ways(compiled) or not is_compiled(compiled)
    assert capsys.readouterr().out.count("called") in (0, 2 * CALLS)


def test_values_that_are_the_same_at_each_call_may_be_read():
    def function(x):
        positions = torch.arange(x.shape[1])
        steps = torch.diff(positions)
        return x * 2 if (steps == 1).all() and torch.tensor([2.0]).item() == 2 else x

    compiled = torch.compile(function)
    for _ in range(CALLS):
        assert compiled(torch.ones(2, 3)).tolist() == [[2.0] * 3] * 2
    assert is_compiled(compiled)


@pytest.mark.parametrize("made", [lambda x: torch.rand(3), lambda x: x.abs(), lambda x: torch.zeros(3).add_(x)])
def test_values_that_are_drawn_or_depend_on_arguments_may_not(made):
    compiled = torch.compile(lambda x: x * made(x).sum().item())
    with pytest.warns(UserWarning, match="reads a value"):
        for _ in range(CALLS):
            compiled(torch.ones(3))


def test_fullgraph_makes_it_an_error():
    compiled = torch.compile(lambda x: x * x.max().item(), fullgraph=True)
    with pytest.raises(RuntimeError, match="reads a value of a tensor"):
        for _ in range(3):
            compiled(torch.ones(2))


def test_a_second_pass_is_refused_and_a_retained_graph_is_passed_twice():
    w = torch.ones(3, requires_grad=True)
    f = torch.compile(lambda x: (w * x).exp().sum())
    for _ in range(CALLS):
        loss = f(torch.ones(3))
    first = torch.autograd.grad(loss, w, retain_graph=True)[0]
    assert same(first, torch.autograd.grad(loss, w)[0])
    with pytest.raises(RuntimeError, match="second time"):
        torch.autograd.grad(loss, w)
    with pytest.raises(RuntimeError, match="double backward"):
        torch.autograd.grad(f(torch.ones(3)), w, create_graph=True)


def test_a_write_between_the_passes_is_found():
    w = torch.ones(3, requires_grad=True)
    f = torch.compile(lambda x: (w * x).exp().sum())
    for _ in range(CALLS):
        x = torch.ones(3)
        loss = f(x)
    x.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
    g = torch.compile(lambda x: (w * x).tanh())
    for _ in range(CALLS):
        y = g(torch.ones(3))
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()
    y = g(torch.ones(3)).clone().add_(1)
    y.sum().backward()


def test_an_error_of_a_kernel_comes_as_it_does_eagerly_and_the_next_call_is_right():
    table = torch.randn(4, 2)
    f = torch.compile(lambda i: nn.functional.embedding(i, table) * 2)
    for _ in range(CALLS):
        f(torch.tensor([0, 3]))
    assert is_compiled(f)
    with pytest.raises(IndexError):
        f(torch.tensor([0, 9]))
    assert same(f(torch.tensor([1, 2])), table[torch.tensor([1, 2])] * 2)


def test_a_function_of_a_module_within_a_larger_one():
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2))
    inner = torch.compile(model[2])
    for _ in range(CALLS):
        x = torch.randn(3, 4)
        inner(model[1](model[0](x))).pow(2).sum().backward()
        got = [p.grad.clone() for p in model.parameters()]
        model.zero_grad()
        model(x).pow(2).sum().backward()
        assert all(same(a, p.grad) for a, p in zip(got, model.parameters(), strict=True))
        model.zero_grad()
    assert is_compiled(inner)


def test_an_argument_into_which_the_function_writes_is_computed_with_eagerly():
    total = torch.zeros(3)

    def function(x):
        total.add_(1)
        return x * 2

    compiled = torch.compile(function)
    for _ in range(CALLS):
        compiled(torch.randn(3))
    assert is_compiled(compiled)
    assert total.tolist() == [CALLS] * 3
    assert compiled(total).tolist() == [2.0 * (CALLS + 1)] * 3
    assert compiled(torch.ones(3)).tolist() == [2.0] * 3


def test_one_tensor_as_two_arguments():
    f = torch.compile(lambda a, b: a * b + a)
    for _ in range(CALLS):
        f(torch.randn(3, requires_grad=True), torch.randn(3, requires_grad=True))
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    f(x, x).sum().backward()
    assert x.grad.tolist() == [3.0, 5.0, 7.0]


def test_compiled_functions_within_compiled_functions():
    inner = torch.compile(lambda x: x * 2)
    outer = torch.compile(lambda x: inner(x) + 1)
    for _ in range(CALLS):
        assert outer(torch.ones(2)).tolist() == [3.0, 3.0]
    assert is_compiled(outer)


def test_threads_share_a_compiled_function():
    f = torch.compile(lambda x: (x * 2 + 1).tanh().sum(1))
    wrong = []

    def work(seed):
        for i in range(40):
            x = torch.full((7, 5), seed + i / 10)
            if not same(f(x), (x * 2 + 1).tanh().sum(1)):
                wrong.append((seed, i))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert is_compiled(f)


def test_autocast_and_profiles_see_compiled_calls():
    f = torch.compile(lambda a, b: a @ b)
    a, b = torch.randn(3, 4), torch.randn(4, 2)
    for _ in range(CALLS):
        f(a, b)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert f(a, b).dtype is torch.bfloat16
    assert torch.vmap(f)(a.expand(2, 3, 4), b.expand(2, 4, 2)).shape == (2, 3, 2)
    with torch.profiler.profile() as profile:
        f(a, b)
    assert any("mm" in event.key or "matmul" in event.key for event in profile.key_averages())


def test_memory_is_shared_by_what_is_not_needed_at_once():
    def chain(x):
        for _ in range(10):
            x = (x * 1.01).cumsum(0)
        return x

    f = torch.compile(chain)
    with torch.no_grad():
        for _ in range(CALLS):
            assert same(f(torch.ones(1000)), chain(torch.ones(1000)))
    assert ways(f)[0].scratch_bytes == (8000, 19 * 4000)


def test_modules_keep_their_names_and_attributes():
    model = small_model()
    compiled = torch.compile(model)
    assert compiled._orig_mod is model
    assert [name.removeprefix("_orig_mod.") for name in compiled.state_dict()] == list(model.state_dict())
    compiled.eval()
    assert not model.training
    assert not compiled.training
    compiled.extra = 3
    assert model.extra == 3
    assert type(compiled).__name__ == "OptimizedModule"
    assert torch.compile(model, backend="eager") is model
    copied = copy.deepcopy(compiled)
    assert type(copied) is type(compiled)
    assert copied._orig_mod is not model
    assert same(copied.get_parameter("_orig_mod.0.weight"), model[0].weight)
    torch.compiler.reset()
    assert ways(compiled) == []
