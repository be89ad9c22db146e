"""Chapter 6: modules and optimizers, beside lamina's with the same numbers; and two moons that must be told apart."""

from __future__ import annotations

import math
from random import Random
from typing import Any, Final

import lamina as torch

from ..expecting import close, expect
from ..learner import Stack
from ..marking import Checks

__all__ = ["CHECKS"]

_STEPS: Final = 30
_POINTS: Final = 40


def _items(stack: Stack, x: Any) -> Any:
    return None if x is None else stack.arrays.items(x)


def _tensor(stack: Stack, values: list[float], shape: tuple[int, ...]) -> Any:
    return stack.gradients.Tensor(stack.arrays.array(values, shape))


def _flat(x: Any) -> list[float]:
    return [float(item) for item in x.detach().reshape(-1).tolist()]


def wherever_they_are(stack: Stack) -> None:
    """Parameters are found in attributes, in modules, and in lists of either; in order, and each once."""
    Module, parameter = stack.training.Module, stack.training.parameter
    made = {name: parameter([1.0], (1,)) for name in ("a", "b", "c", "d", "e")}
    inner, listed, outer = Module(), Module(), Module()
    inner.b, listed.c = made["b"], made["c"]
    outer.a, outer.inner, outer.rest, outer.again = made["a"], inner, [listed, made["d"], "text"], made["a"]
    outer.data, outer.e = _tensor(stack, [1.0], (1,)), made["e"]
    names = {id(tensor): name for name, tensor in made.items()} | {id(outer.data): "data"}
    came = [names.get(id(tensor), "?") for tensor in outer.parameters()]
    expect(
        "parameters of a module with: a; inner, which has b; [a module with c, d, a text]; a again; data; e", came, list("abcde"),
        {
            "what is in attributes that are modules was not looked at": ["a", "c", "d", "e"],
            "what is in lists was not looked at": ["a", "b", "e"],
            "modules within lists were not looked at": ["a", "b", "d", "e"],
            "a parameter that is found twice is one parameter: an optimizer would move it twice": ["a", "b", "c", "d", "a", "e"],
            "data is a tensor that does not ask for a gradient: it is no parameter": ["a", "b", "c", "d", "data", "e"],
        },
    )  # fmt: skip


def linear_of_lamina(stack: Stack) -> None:
    """Value, and gradients of weight and bias, are those of lamina's `linear`."""
    layer, chance = stack.training.Linear(3, 2, Random(1)), Random(2)
    values = [chance.uniform(-2, 2) for _ in range(12)]
    x = torch.tensor(values, dtype=torch.float64).reshape(4, 3)
    weight = torch.tensor(_items(stack, layer.weight.array), dtype=torch.float64).reshape(3, 2).requires_grad_()
    bias = torch.tensor(_items(stack, layer.bias.array), dtype=torch.float64).requires_grad_()
    wanted = torch.nn.functional.linear(x, weight.T, bias)
    came = layer(_tensor(stack, values, (4, 3)))
    expect("shape of Linear(3, 2) of x of shape (4, 3)", came.shape, (4, 2))
    without = {"the bias is missing": _flat(wanted - bias)}
    expect("Linear(3, 2) of x of shape (4, 3)", _items(stack, came.array), _flat(wanted), without, alike=close)
    stack.gradients.backward(stack.gradients.total(came))
    wanted.sum().backward()
    detached = "the trail ends here: compute with the functions of gradients.py, which record, and not with those of arrays.py"
    for name, mine, theirs in (("weight", layer.weight, weight), ("bias", layer.bias, bias)):
        expect(f"{name}.grad, after the total of it", _items(stack, mine.grad), _flat(theirs.grad), {detached: None}, alike=close)


def one_after_the_other(stack: Stack) -> None:
    """Each step is given what the one before it returned, from the first to the last; its parameters are found."""
    number, add, multiply = stack.training.number, stack.gradients.add, stack.gradients.multiply
    steps = (lambda x: add(x, number(1.0)), lambda x: multiply(x, number(10.0)), lambda x: add(x, number(2.0)))
    came = stack.training.Sequential(*steps)(number(3.0))
    wrong = {"the steps came in the other order": [51.0], "only the last step was taken": [5.0], "only the first step was taken": [4.0]}
    expect("Sequential(x + 1, x * 10, x + 2) of 3", _items(stack, came.array), [42.0], wrong)
    found = len(stack.training.Sequential(stack.training.Linear(1, 1, Random(0)), *steps).parameters())
    expect("the number of parameters of a Sequential with one Linear", found, 2)


def loss_of_lamina(stack: Stack) -> None:
    """The loss, and its gradient, are those of lamina's `binary_cross_entropy_with_logits`."""
    chance = Random(3)
    for n in (1, 2, 5):
        values, labels = [chance.uniform(-3, 3) for _ in range(n)], [float((i + 1) % 2) for i in range(n)]
        z, y = torch.tensor(values, dtype=torch.float64, requires_grad=True), torch.tensor(labels, dtype=torch.float64)
        wanted = torch.nn.functional.binary_cross_entropy_with_logits(z, y)
        logits = stack.gradients.Tensor(stack.arrays.array(values, (n, 1)), requires_grad=True)
        came = stack.training.binary_cross_entropy(logits, _tensor(stack, labels, (n, 1)))
        asked = f"binary_cross_entropy of logits {[round(v, 3) for v in values]} and labels {labels}"
        wrong = {
            "that is the sum: divide by the number of logits": [n * wanted.item()],
            "the labels are left out: y * z is subtracted": _flat((z.exp() + 1).log().mean()),
            "y * z is subtracted, and not added": _flat(((z.exp() + 1).log() + y * z).mean()),
        }
        expect(f"shape of {asked}", came.shape, ())
        expect(asked, _items(stack, came.array), [wanted.item()], wrong, alike=close)
        wanted.backward()
        stack.gradients.backward(came)
        detached = "the trail ends here: compute with the functions of gradients.py, which record"
        expect(f"logits.grad, after {asked}", _items(stack, logits.grad), _flat(z.grad), {detached: None}, alike=close)


def gradients_are_forgotten(stack: Stack) -> None:
    """After `zero_grad` no parameter has a `grad`, and the next pass begins anew."""
    p = stack.training.parameter([1.0], (1,))
    optimizer = stack.training.Optimizer([p], 0.1)
    for _ in range(2):
        optimizer.zero_grad()
        stack.gradients.backward(p)
    expect("p.grad, after zero_grad and backward, twice", _items(stack, p.grad), [1.0], {"the gradients of both passes were added": [2.0]})
    optimizer.zero_grad()
    expect("p.grad, after zero_grad", p.grad, None)


def _steps(stack: Stack, mine: str, options: dict[str, Any], gradients: list[list[float]]) -> tuple[list[float], list[float]]:
    """Where a parameter of two numbers is after these gradients, by the learner's optimizer and by lamina's."""
    p, q = stack.training.parameter([1.0, -2.0], (2,)), torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)
    still = stack.training.parameter([5.0], (1,))
    optimizer, theirs = getattr(stack.training, mine)([still, p], **options), getattr(torch.optim, mine)([q], **options)
    for gradient in gradients:
        p.grad, q.grad = stack.arrays.array(gradient, (2,)), torch.tensor(gradient, dtype=torch.float64)
        optimizer.step()
        theirs.step()
    expect(f"a parameter without a gradient, after {mine}.step()", _items(stack, still.array), [5.0])
    return _items(stack, p.array), _flat(q)


def sgd_of_lamina(stack: Stack) -> None:
    """Step by step, parameters are where lamina's SGD puts them: without momentum, then with it."""
    for momentum in (0.0, 0.9):
        gradients = [[0.5, -1.0], [1.0, 2.0], [-0.25, 0.5]]
        for count in (1, 2, 3):
            came, wanted = _steps(stack, "SGD", {"lr": 0.1, "momentum": momentum}, gradients[:count])
            start, moves = [1.0, -2.0], [[g[i] for g in gradients[:count]] for i in range(2)]
            damped = [start[i] - 0.1 * sum(_damped(moves[i], momentum)) for i in range(2)]
            uphill = [2 * s - w for s, w in zip(start, wanted, strict=True)]
            wrong = {
                "the parameter moved along its gradient: against it, the loss falls": uphill,
                "the velocity was left out": [start[i] - 0.1 * sum(moves[i]) for i in range(2)],
                "the velocity is momentum * v + g: g comes whole": damped,
                "the learning rate was left out": [s - 10 * (s - w) for s, w in zip(start, wanted, strict=True)],
            }
            asked = f"p = [1, -2], after gradients {gradients[:count]} by SGD(lr=0.1, momentum={momentum})"
            expect(asked, came, wanted, wrong, alike=close)


def _damped(moves: list[float], momentum: float) -> list[float]:
    """Velocities of which the gradient is only a part."""
    velocities, v = [], 0.0
    for i, g in enumerate(moves):
        v = g if i == 0 else momentum * v + (1 - momentum) * g
        velocities.append(v)
    return velocities


def a_new_array(stack: Stack) -> None:
    """The array that a parameter had before a step is as it was: others may hold it."""
    p = stack.training.parameter([1.0], (1,))
    before, p.grad = p.array, stack.arrays.array([1.0], (1,))
    stack.training.SGD([p], 0.5).step()
    written = {"it was written to in place: set `p.array` to a new one": [0.5]}
    expect("the array that p had before step()", _items(stack, before), [1.0], written)


def adam_of_lamina(stack: Stack) -> None:
    """Step by step, parameters are where lamina's Adam puts them."""
    gradients = [[0.5, -1.0], [1.0, 2.0], [-0.25, 0.5], [0.125, 4.0]]
    for count in (1, 2, 4):
        came, wanted = _steps(stack, "Adam", {"lr": 0.1}, gradients[:count])
        start, b1, b2 = [1.0, -2.0], 0.9, 0.999
        ends: dict[str, list[float]] = {"raw": [], "half": [], "late": []}
        for i in range(2):
            m, s = 0.0, 0.0
            at = dict.fromkeys(ends, start[i])
            for t, g in enumerate((gradient[i] for gradient in gradients[:count]), 1):
                m, s = b1 * m + (1 - b1) * g, b2 * s + (1 - b2) * g * g
                at["raw"] -= 0.1 * m / (math.sqrt(s) + 1e-8)
                at["half"] -= 0.1 * m / (1 - b1**t) / (math.sqrt(s) + 1e-8)
                at["late"] -= 0.1 * m / (1 - b1 ** (t + 1)) / (math.sqrt(s / (1 - b2 ** (t + 1))) + 1e-8)
            for name, end in at.items():
                ends[name].append(end)
        wrong = {
            "m and s are not put right for having begun at 0: divide by 1 - b1**t and 1 - b2**t": ends["raw"],
            "s is not put right for having begun at 0: divide by 1 - b2**t": ends["half"],
            "t counts the calls from 1": ends["late"],
        }
        expect(f"p = [1, -2], after gradients {gradients[:count]} by Adam(lr=0.1)", came, wanted, wrong, alike=close)


def _moons(chance: Random) -> tuple[list[float], list[float]]:
    """Points on two half circles that reach into each other, x and y in turns, and which one each is on."""
    points, labels = [], []
    for i in range(_POINTS):
        angle, label = chance.random() * math.pi, i % 2
        x, y = (math.cos(angle), math.sin(angle)) if label == 0 else (1 - math.cos(angle), 0.5 - math.sin(angle))
        points += [x + chance.gauss(0, 0.1), y + chance.gauss(0, 0.1)]
        labels.append(float(label))
    return points, labels


def losses_that_fall(stack: Stack) -> None:
    """The losses of three steps on one weight are those of lamina, before each step."""
    layer = stack.training.Linear(1, 1, Random(4))
    weight = torch.tensor(_items(stack, layer.weight.array), dtype=torch.float64, requires_grad=True)
    bias = torch.tensor(_items(stack, layer.bias.array), dtype=torch.float64, requires_grad=True)
    x, y = torch.tensor([1.0, -2.0], dtype=torch.float64), torch.tensor([1.0, 0.0], dtype=torch.float64)
    theirs = torch.optim.SGD([weight, bias], lr=0.5)
    losses: dict[bool, list[float]] = {True: [], False: []}  # where gradients are forgotten, and where they are not
    for forget in (True, False):
        for _ in range(4):
            loss = torch.nn.functional.binary_cross_entropy_with_logits(x * weight + bias, y)
            losses[forget].append(loss.item())
            if forget:
                theirs.zero_grad()
            loss.backward()
            theirs.step()
        with torch.no_grad():
            weight.copy_(torch.tensor(_items(stack, layer.weight.array), dtype=torch.float64))
            bias.copy_(torch.tensor(_items(stack, layer.bias.array), dtype=torch.float64))
        theirs.zero_grad()
    optimizer = stack.training.SGD(layer.parameters(), 0.5)
    came = stack.training.train(layer, optimizer, _tensor(stack, [1.0, -2.0], (2, 1)), _tensor(stack, [1.0, 0.0], (2, 1)), 3)
    still = "the parameters did not move: walk back before the optimizer steps, and forget gradients before that"
    wrong = {
        "gradients were not forgotten, and added up from step to step": losses[False][:3],
        still: losses[True][:1] * 3,
        "those are the losses after the steps": losses[True][1:],
    }
    expect("train(Linear(1, 1), SGD(lr=0.5), two points, their labels, 3)", came, losses[True][:3], wrong, alike=close)


def two_moons(stack: Stack) -> None:
    """A network of yours, trained by your optimizer on your gradients, tells two moons apart."""
    chance = Random(0)
    (points, labels), model = _moons(chance), stack.training.network(chance)
    optimizer, x = stack.training.Adam(model.parameters(), 0.1), _tensor(stack, points, (_POINTS, 2))
    losses = stack.training.train(model, optimizer, x, _tensor(stack, labels, (_POINTS, 1)), _STEPS)
    right = sum((logit > 0) == (label == 1.0) for logit, label in zip(_items(stack, model(x).array), labels, strict=True))
    expect(f"whether the loss fell below a quarter: {losses[0]:.2f} became {losses[-1]:.2f}", losses[-1] < losses[0] / 4, True)
    expect(f"whether 19 of 20 points are on the right side: {right} of {_POINTS}", right >= 0.95 * _POINTS, True)


CHECKS: Final[Checks] = {
    "Module.parameters": (wherever_they_are,),
    "Linear.forward": (linear_of_lamina,),
    "Sequential.forward": (one_after_the_other,),
    "binary_cross_entropy": (loss_of_lamina,),
    "Optimizer.zero_grad": (gradients_are_forgotten,),
    "SGD.step": (sgd_of_lamina, a_new_array),
    "Adam.step": (adam_of_lamina,),
    "train": (losses_that_fall, two_moons),
}
