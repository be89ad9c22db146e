"""Errors say which module they came from, by its path, whatever calls it; a call that succeeds pays nothing for that."""

import subprocess
import sys

import pytest

import lamina_nn as nn
import lamina_tensor as lt
from lamina_flatarray import ShapeError
from lamina_nn.stateless import functional_call
from lamina_tensor.transforms.function import Function
from lamina_tensor.transforms.mapping.vmap import vmap

LINEAR = "Linear(in_features=20, out_features=10, bias=True)"


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Sequential(nn.ReLU(), nn.Linear(20, 10))])
        self.heads = nn.ModuleDict({"a": nn.Linear(4, 3)})

    def forward(self, x, head=None):
        if head is not None:
            return self.heads[head](x)
        for layer in self.layers:
            x = layer(x)
        return x


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()

    def forward(self, x, head=None):
        return self.encoder(x, head)


def notes(error, call):
    with pytest.raises(error) as caught:
        call()
    return caught.value.__notes__


X = lt.ones(2, 4)
CALLS = {
    "containers": (lambda m: m(X), f"in encoder.layers.1.1: {LINEAR}"),
    "dict": (lambda m: m(lt.ones(2, 5), "a"), "in encoder.heads.a: Linear(in_features=4, out_features=3, bias=True)"),
    "nested": (lambda m: nn.Sequential(nn.Identity(), nn.Sequential(m))(X), f"in 1.0.encoder.layers.1.1: {LINEAR}"),
    "below": (lambda m: m.encoder(X), f"in layers.1.1: {LINEAR}"),
    "data parallel": (lambda m: nn.DataParallel(m)(X), f"in module.encoder.layers.1.1: {LINEAR}"),
    "functional_call": (lambda m: functional_call(m, dict(m.named_parameters()), (X,)), f"in encoder.layers.1.1: {LINEAR}"),
    "vmap": (lambda m: vmap(m)(lt.ones(3, 2, 4)), f"in encoder.layers.1.1: {LINEAR}"),
}


@pytest.mark.parametrize("hooked", [False, True], ids=["", "with hooks"])
@pytest.mark.parametrize("name", CALLS)
def test_the_path(name, hooked):
    call, note = CALLS[name]
    model = Model()
    handles = [part.register_forward_hook(lambda *_: None) for part in model.modules()] if hooked else []
    for _ in range(2):
        assert notes(ShapeError, lambda: call(model)) == [note]
    for handle in handles:
        handle.remove()


def test_a_hook_is_its_module_s():
    model = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.ReLU()))
    handle = model[1][0].register_forward_hook(lambda *_: 1 / 0)
    assert notes(ZeroDivisionError, lambda: model(lt.ones(1, 2))) == ["in 1.0: ReLU()"]
    handle.remove()
    for register in (model[1][0].register_full_backward_hook, model[1][0].register_full_backward_pre_hook):
        handle = register(lambda *_: 1 / 0)
        first, second = notes(ZeroDivisionError, lambda: model(lt.ones(1, 2)).sum().backward())
        assert first == "in a backward hook of ReLU()"
        assert second.startswith("in the backward pass, at ")
        handle.remove()


class Failing(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1

    @staticmethod
    def backward(ctx, g):
        raise ZeroDivisionError


def test_a_backward_pass_within_a_module_is_of_the_module():
    class Penalty(nn.Module):
        def forward(self, x):
            return lt.grad(Failing.apply(x).sum(), x)[0]

    model = nn.Sequential(nn.Linear(2, 2), Penalty())
    at, place = notes(ZeroDivisionError, lambda: model(lt.ones(1, 2)))
    assert at == "in the backward pass, at FailingBackward: float32[1, 2] of float32[1, 2]" and place == "in 1: Penalty()"


def test_an_error_that_was_handled_leaves_no_trace():
    class Retry(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(3, 3), nn.Linear(4, 4)

        def forward(self, x):
            try:
                return self.a(x)
            except ShapeError:
                return self.b(x)

    found = notes(ShapeError, lambda: nn.Sequential(Retry())(lt.ones(2, 5)))
    assert found == ["in 0.b: Linear(in_features=4, out_features=4, bias=True)"]


def test_a_repr_that_fails_does_not_hide_the_error():
    class Odd(nn.Module):
        def __repr__(self):
            raise ValueError

        def forward(self, x):
            raise KeyError("the error")

    assert notes(KeyError, lambda: nn.Sequential(Odd())(1)) == ["in 0: Odd"]


def test_notes_that_were_taken_away_are_not_missed():
    class Tidy(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Linear(3, 3)

        def forward(self, x):
            try:
                return self.inner(x)
            except ShapeError as error:
                error.__notes__.clear()
                raise

    assert notes(ShapeError, lambda: nn.Sequential(Tidy())(lt.ones(2, 5))) == []


PROGRAM = """
import sys
import lamina_nn as nn

class Same(nn.Module):
    def forward(self, x):
        return x

model, entered = Same(), []
sys.setprofile(lambda frame, event, _: entered.append(frame.f_code.co_name) if event == "call" else None)
model(1)
sys.setprofile(None)
print(entered)
"""


def test_a_call_that_succeeds_enters_the_call_and_forward_and_nothing_else():
    """In a process of its own: one in which somebody has registered a hook looks for hooks."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['__call__', 'forward']"
