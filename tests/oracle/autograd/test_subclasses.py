"""Classes derived from Tensor and Parameter: what ops make of them, and `__torch_function__`, as PyTorch has it."""

import copy
import re

import pytest
import torch

import lamina


def derived(t):
    class Mine(t.Tensor):
        def doubled(self):
            return self * 2

    class Deeper(Mine):
        pass

    x = Mine([1.0, 2.0])
    plain = t.ones(2)
    y = t.ones(2, requires_grad=True)
    z = y.as_subclass(Mine)
    z.sum().backward()
    base = t.zeros(4)
    view = base.as_subclass(Mine)[1:3]
    view.add_(1)
    results = [
        x, x + 1, 1 + x, plain + x, x + plain, x.exp(), x.sum(), x.doubled(), x[0], x.view(2, 1), x.max(0).values,
        x.split(1)[0], x.T, x.data, x.clone(), x.detach(), x.double(), x.to(t.float64), t.exp(x), t.add(plain, x),
        t.cat([plain, x]), t.stack([x, plain]), t.sum(x), t.where(x > 1, x, plain), t.nn.functional.relu(x),
        t.matmul(x, x), t.zeros_like(x), x.new_zeros(2), Deeper([1.0]) + x[:1], x[:1] + Deeper([1.0]), x.add_(1),
        x.numpy().tolist(), x.tolist(), x.shape, x == x, z, z * 2, y.grad, base, copy.copy(x),
        t.nn.Parameter(plain) + 1, t.nn.Parameter(plain), x.as_subclass(t.Tensor), plain.as_subclass(Mine),
        t.Tensor._make_subclass(Mine, plain, True), t.unbind(x)[0], x.clone().requires_grad_(),
        isinstance(x, t.Tensor), x.unsqueeze(0).t(), Mine(plain).data_ptr() == plain.data_ptr(), x.sort(),
        t.sort(x).values,
    ]
    return [(type(r).__name__, re.sub(r", grad_fn=<\w+>|\b(lamina|torch)\.", "", repr(r))) for r in results]


@pytest.mark.filterwarnings("ignore")
def test_results_of_derived_tensors_are_derived():
    for ours, theirs in zip(derived(lamina), derived(torch), strict=True):
        assert ours == theirs


def overriding(t):
    calls = []

    class Logging(t.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            calls.append((func.__name__, [kind.__name__ for kind in types]))
            return super().__torch_function__(func, types, args, kwargs or {})

    class Refusing(t.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return NotImplemented

    x = Logging([1.0, 2.0])
    t.exp(x)
    t.add(t.ones(2), x)
    x.exp().sum()
    t.nn.functional.softmax(x, dim=0)
    with pytest.raises(TypeError):
        t.exp(Refusing([1.0]))
    with pytest.raises(TypeError):
        t.add(x, Refusing([1.0]))
    return calls


BOUND_EARLY = {t: (t.exp, t.add, t.Tensor.sum, t.nn.functional.softmax) for t in (lamina, torch)}


def bound_early(t):
    calls = []

    class Named(t.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            calls.append(func.__name__)
            return len(calls)

    x = Named([1.0, 2.0])
    exp, add, total, softmax = BOUND_EARLY[t]
    return [exp(x), add(t.ones(2), x), total(x), softmax(x, dim=0)], calls


def test_functions_that_were_bound_before_the_class_was_made_ask_it():
    assert bound_early(lamina) == bound_early(torch) == ([1, 2, 3, 4], ["exp", "add", "sum", "softmax"])


def test_a_derived_class_may_override_functions():
    ours, theirs = overriding(lamina), overriding(torch)
    assert [c for c in ours if c[0] != "_softmax"] == theirs[: len(ours)]


def parameters(t):
    class Scaled(t.nn.Parameter):
        def __new__(cls, data, scale=1.0):
            made = super().__new__(cls, data)
            made.scale = scale
            return made

    class Model(t.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = Scaled(t.ones(2), 3.0)

        def forward(self, x):
            return (x * self.w * self.w.scale).sum()

    model = Model()
    model(t.ones(2)).backward()
    w = model.w
    deep = copy.deepcopy(model)
    return [
        [n for n, _ in model.named_parameters()], w.grad.tolist(), type(deep.w).__name__, type(w * 1).__name__,
        w.requires_grad, isinstance(w, t.nn.Parameter), t.nn.Parameter().shape == (0,),
    ]


def test_derived_parameters():
    assert parameters(lamina) == parameters(torch)
