"""Which calls of a compiled function are repetitions: what is looked at before each, and what stays eager, with the reason."""

import importlib.util
import types

import numpy as np
import pytest
from compiling.outcomes import CALLS, is_compiled, same, ways

import lamina as torch
from lamina import nn, tanh
from lamina.nn.functional import relu


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


class Proxy:
    """Has no attributes but those of what it stands for."""

    __slots__ = ("_target",)

    def __init__(self, target):
        self._target = target

    def __getattr__(self, name):
        return getattr(self._target, name)


def test_functions_by_their_own_names_and_proxies():
    proxy = Proxy(types.SimpleNamespace(factor=2.0))
    compiled = torch.compile(lambda x: relu(tanh(x)) * proxy.factor)
    for turn in range(2 * CALLS):
        proxy._target.factor = 2.0 if turn < CALLS else 3.0
        assert same(compiled(torch.ones(2)), torch.ones(2).tanh() * proxy.factor)
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


class Last:
    def __del__(self):
        print("called")


@pytest.mark.parametrize(
    "function, reason",
    [
        (lambda x: x * x.max().item(), "reads a value"),
        (lambda x: x if x.sum() > 0 else -x, "reads a value"),
        (lambda x: print("called") or x * 2, "calls print"),
        (lambda x: Last() and x * 2, "calls print"),
        (lambda x: x.add_(1), "argument"),
        (lambda x: x[1:], "shares memory"),
        (lambda x: (x * 2).split(1), "results share memory"),
        (lambda x: x[x > 0], "reads a value"),
        (lambda x: torch.from_numpy(x.cpu().numpy()).to(x.device) * 2, "reads a value|another device"),
        (lambda x: x * x.max().cpu().item(), "reads a value|another device"),
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
        return x * 2 if (steps == 1).all() and torch.tensor([[2.0]]).item() == 2 else x

    compiled = torch.compile(function)
    for _ in range(CALLS):
        assert compiled(torch.ones(2, 3)).tolist() == [[2.0] * 3] * 2
    assert is_compiled(compiled)


MADE = [lambda x: torch.rand(3), lambda x: nn.functional.dropout(torch.ones(3)), lambda x: x.abs(), lambda x: torch.zeros(3).add_(x)]


@pytest.mark.parametrize("made", MADE)
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


def test_a_backward_pass_that_fails_leaves_the_call_eager():
    class Failing(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            raise ValueError("no gradient here")

    compiled = torch.compile(Failing.apply)
    with pytest.warns(UserWarning, match="backward pass raises ValueError: no gradient here"):
        for _ in range(CALLS):
            assert compiled(torch.ones(2, requires_grad=True)).tolist() == [2.0, 2.0]
