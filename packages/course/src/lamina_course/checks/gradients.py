"""Chapter 5: the walk back by itself, on trails made by hand; then each rule and whole programs, beside lamina's autograd and gradcheck."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

import lamina as torch

from ..expecting import Wrong, close, expect
from ..learner import Stack
from ..marking import Checks

__all__ = ["CHECKS"]

Shape = tuple[int, ...]
_DEEP: Final = 2000  # twice as many as Python allows calls within each other


def _numbers(chance: Random, shape: Shape, low: float = -2.0, high: float = 2.0) -> Any:
    """lamina's tensor of numbers from a range, in float64."""
    count = 1
    for length in shape:
        count *= length
    return torch.tensor([chance.uniform(low, high) for _ in range(count)], dtype=torch.float64).reshape(shape)


def _array(stack: Stack, x: Any) -> Any:
    return stack.arrays.array(x.detach().reshape(-1).tolist(), tuple(x.shape))


def _leaf(stack: Stack, x: Any) -> Any:
    return stack.gradients.Tensor(_array(stack, x), requires_grad=True)


def _items(stack: Stack, x: Any) -> Any:
    return None if x is None else stack.arrays.items(x)


def _flat(x: Any) -> list[float]:
    return [float(item) for item in x.detach().reshape(-1).tolist()]


def as_lamina_undoes_it(stack: Stack) -> None:
    """The gradient of what was broadcast has its shape, and is summed as lamina sums it."""
    chance = Random(1)
    pairs: list[tuple[Shape, Shape]] = [
        ((3,), (2, 3)), ((1, 3), (2, 3)), ((2, 1), (2, 3)), ((), (2, 2)), ((2, 3), (2, 3)), ((1, 1), (2, 4)), ((3, 1), (2, 3, 2)),
    ]  # fmt: skip
    for shape, spread in pairs:
        x, g = torch.zeros(shape, dtype=torch.float64, requires_grad=True), _numbers(chance, spread)
        (wanted,) = torch.autograd.grad(x.expand(spread), x, g)
        came = stack.gradients.unbroadcast(_array(stack, g), shape)
        asked = f"unbroadcast of a gradient of shape {spread} to shape {shape}"
        expect(
            f"shape of {asked}", came.shape, shape,
            {
                "nothing was summed: the gradient has as many items as what it is the gradient of": spread,
                "an axis of length 1 stays, with length 1": tuple(length for length in shape if length != 1),
            },
        )  # fmt: skip
        new = tuple(range(len(spread) - len(shape)))
        wrong = {
            "that is the mean: items that are read many times add up": [item * x.numel() / g.numel() for item in _flat(wanted)],
            "an axis of length 1 was read many times, too: sum over it": _flat(g.sum(new) if new else g)[: x.numel()],
        }
        expect(asked, _items(stack, came), _flat(wanted), wrong, alike=close)


def _trail(stack: Stack, parents_of: list[list[int]], asks: bool = True) -> list[Any]:
    """Tensors of shape () made of those before them, each the sum of its parents; those without parents are leaves."""
    made: list[Any] = []
    for parents in parents_of:
        of, value = [made[parent] for parent in parents], stack.arrays.array([1.0], ())
        count = len(of)
        rule = (lambda g, count=count: [g] * count) if of else None
        made.append(stack.gradients.Tensor(value, of, rule, requires_grad=asks and not of))
    return made


def _random_trail(chance: Random, size: int) -> list[list[int]]:
    """For each of `size` tensors, the 1 to 3 before it that it is made of. The last one is made of all that nobody uses."""
    parents_of: list[list[int]] = [[], []]
    for number in range(2, size):
        parents_of.append([chance.randrange(number) for _ in range(chance.randrange(1, 4))])
    used = {parent for parents in parents_of for parent in parents}
    return [*parents_of, [number for number in range(size) if number not in used]]


def each_once_and_after_its_users(stack: Stack) -> None:
    """A tensor comes once, and after all that were made of it, however many ways lead to it."""
    chance = Random(2)
    small = ([[], [0]], [[], [], [0, 1]], [[], [0], [0, 1]], [[], [0], [1, 0]], [[], [0], [0, 1], [0, 2]], [[], [0], [1, 0], [2, 0]])
    for parents_of in (*small, *(_random_trail(chance, 8) for _ in range(20))):
        made = _trail(stack, parents_of)
        number = {id(tensor): f"t{i}" for i, tensor in enumerate(made)}
        came = [number[id(tensor)] for tensor in stack.gradients.in_order(made[-1])]
        asked = f"in_order(t{len(made) - 1}), where " + ", ".join(
            f"t{i} is made of {' and '.join(f't{p}' for p in parents)}" for i, parents in enumerate(parents_of) if parents
        )
        if len(set(came)) < len(came):
            twice = "a tensor that was used twice is on the trail once: remember which ones you have seen"
            raise Wrong(asked, str(came), "each tensor once", twice)
        expect(f"{asked}: which tensors", sorted(came), sorted(number.values()))
        place = {name: i for i, name in enumerate(came)}
        early = [(f"t{p}", f"t{i}") for i, parents in enumerate(parents_of) for p in parents if place[f"t{p}"] < place[f"t{i}"]]
        if early:
            why = "it was listed when the first way to it was found, but other ways lead to it: list it after all its users"
            raise Wrong(asked, str(came), f"{early[0][0]} after {early[0][1]}, which is made of it", why)


def a_long_trail(stack: Stack) -> None:
    """A trail may be longer than Python allows calls within each other."""
    made = _trail(stack, [[], *([number] for number in range(_DEEP))])
    try:
        came = len(stack.gradients.in_order(made[-1]))
    except RecursionError as error:
        recursion = "the function calls itself for each parent: keep a list of what waits, and take from it until it is empty"
        raise Wrong(f"in_order of a chain of {_DEEP} tensors", "RecursionError", f"{_DEEP + 1} tensors", recursion) from error
    expect(f"len(in_order of a chain of {_DEEP} tensors)", came, _DEEP + 1)


def along_one_path(stack: Stack) -> None:
    """The gradient goes through each rule on its way, and begins with ones."""
    gradients, array = stack.gradients, stack.arrays.array
    x = gradients.Tensor(array([1.0, 2.0], (2,)), requires_grad=True)
    doubled = gradients.Tensor(array([2.0, 4.0], (2,)), (x,), lambda g: [stack.arrays.map_items(lambda item: 2 * item, g)])
    tenfold = gradients.Tensor(array([20.0, 40.0], (2,)), (doubled,), lambda g: [stack.arrays.map_items(lambda item: 10 * item, g)])
    gradients.backward(tenfold)
    expect("x.grad, after backward(10 * (2 * x))", _items(stack, x.grad), [20.0, 20.0], {"the leaf's `grad` was not set": None})
    y = gradients.Tensor(array([1.0, 2.0], (2,)), requires_grad=True)
    gradients.backward(gradients.Tensor(array([1.0, 2.0], (2,)), (y,), lambda g: [g]), array([3.0, 5.0], (2,)))
    ignored = {"`gradient` is where it begins, if it is given": [1.0, 1.0]}
    expect("y.grad, after backward(y, gradient=[3, 5])", _items(stack, y.grad), [3.0, 5.0], ignored)


def uses_add_up(stack: Stack) -> None:
    """What was used several times gets the sum of the gradients of all uses, all of them before it hands anything on."""
    chance = Random(3)
    small = ([[], [0, 0]], [[], [0], [0], [1, 2]], [[], [0], [0, 1], [1, 2]], [[], [0], [1], [1, 2], [0, 3]])
    for parents_of in (*small, *(_random_trail(chance, 7) for _ in range(15))):
        made = _trail(stack, parents_of)
        ways = [0.0] * len(made)
        ways[-1] = 1.0
        for number in reversed(range(len(made))):
            for parent in parents_of[number]:
                ways[parent] += ways[number]
        stack.gradients.backward(made[-1])
        asked = f"the gradient of t0, after backward(t{len(made) - 1}), where " + ", ".join(
            f"t{i} = {' + '.join(f't{p}' for p in parents)}" for i, parents in enumerate(parents_of) if parents
        )
        lost = "an earlier gradient was replaced by a later one: they add up"
        early = "a tensor handed its gradient on before it was complete, or the gradient of one use was lost"
        came = _items(stack, made[0].grad)
        expect(asked, came, [ways[0]] if ways[0] else None, {lost: [1.0], early: came})


def adds_to_what_is_there(stack: Stack) -> None:
    """A second pass adds to `grad`, and does not write into the array of the first."""
    x, y = _trail(stack, [[], [0, 0]])
    stack.gradients.backward(y)
    first = x.grad
    stack.gradients.backward(y)
    lost = "the first gradient was replaced: it is the optimizer that forgets gradients, when it is told to"
    expect("x.grad, after backward(x + x) was called twice", _items(stack, x.grad), [4.0], {lost: [2.0]})
    written = "the array of the first pass was written to, and others may hold it"
    expect("what x.grad was after the first call, after the second", _items(stack, first), [2.0], {written: [4.0]})


def only_leaves_that_ask(stack: Stack) -> None:
    """Others have no `grad`: neither what does not ask for it, nor what was computed on the way."""
    gradients, array = stack.gradients, stack.arrays.array
    x, data = gradients.Tensor(array([1.0], ()), requires_grad=True), gradients.Tensor(array([2.0], ()))
    between = gradients.Tensor(array([3.0], ()), (x, data), lambda g: [g, g])
    gradients.backward(gradients.Tensor(array([3.0], ()), (between,), lambda g: [g]))
    expect("x.grad", _items(stack, x.grad), [1.0])
    asks, leaves = {"only what says `requires_grad` gets one": [1.0]}, {"only leaves, which have no parents, keep one": [1.0]}
    expect("data.grad, where data does not ask for a gradient", _items(stack, data.grad), None, asks)
    expect("between.grad, where between was computed", _items(stack, between.grad), None, leaves)


def through_a_long_trail(stack: Stack) -> None:
    """The walk back is as long as the trail, without recursion."""
    made = _trail(stack, [[], *([number] for number in range(_DEEP))])
    try:
        stack.gradients.backward(made[-1])
    except RecursionError as error:
        recursion = "the walk calls itself for each parent: go through `in_order` in a loop"
        raise Wrong(f"backward of a chain of {_DEEP} tensors", "RecursionError", "a gradient", recursion) from error
    expect(f"the gradient at the end of a chain of {_DEEP} tensors", _items(stack, made[0].grad), [1.0])


Op = Callable[..., Any]


def _beside_lamina(stack: Stack, name: str, theirs: Op, inputs: list[Any], mistakes: Callable[..., dict[str, list[Any]]]) -> None:
    """Compare value and gradients of one op. `mistakes` gives, for inputs and the result's gradient, wrong gradients of all inputs."""
    chance, shapes = Random(4), [tuple(x.shape) for x in inputs]
    given = [x.clone().requires_grad_() for x in inputs]
    result = theirs(*given)
    g = _numbers(chance, tuple(result.shape))
    wanted = torch.autograd.grad(result, given, g)
    leaves = [_leaf(stack, x) for x in inputs]
    came = getattr(stack.gradients, name)(*leaves)
    asked = f"{name} of shape{'s' if len(shapes) > 1 else ''} {' and '.join(map(str, shapes))}"
    expect(f"shape of {asked}", came.shape, tuple(result.shape))
    expect(asked, _items(stack, came.array), _flat(result), alike=close)
    stack.gradients.backward(came, _array(stack, g))
    for i, (leaf, right) in enumerate(zip(leaves, wanted, strict=True)):
        which = f"{'ab'[i] if len(inputs) > 1 else 'x'}.grad, after {asked}"
        none = "the result does not know its parents, or no rule: `Tensor(array, parents, rule)`"
        expect(f"whether there is a gradient: {which}", leaf.grad is not None, True, {none: False})
        unsummed = "the gradient has the result's shape: undo the broadcasting"
        expect(f"shape of {which}", leaf.grad.shape, shapes[i], {unsummed: tuple(result.shape)})
        wrong = {sentence: _flat(gradients[i]) for sentence, gradients in mistakes(*inputs, g).items() if gradients[i] is not None}
        expect(which, _items(stack, leaf.grad), _flat(right), wrong, alike=close)


def multiply_beside_lamina(stack: Stack) -> None:
    """Value and gradients are lamina's, also where shapes are broadcast, and where both factors are one tensor."""
    chance = Random(5)

    def mistakes(a: Any, b: Any, g: Any) -> dict[str, list[Any]]:
        if a.shape != b.shape:
            return {}
        own = "each factor got itself: the gradient of a is g * b, and that of b is g * a"
        return {own: [g * a, g * b], "the gradient of the result, g, was left out": [b, a], "the other factor was left out": [g, g]}

    for one, other in (((3,), (3,)), ((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2,))):
        _beside_lamina(stack, "multiply", lambda a, b: a * b, [_numbers(chance, one), _numbers(chance, other)], mistakes)
    x = _leaf(stack, torch.tensor([3.0], dtype=torch.float64))
    stack.gradients.backward(stack.gradients.multiply(x, x))
    once = {"both factors are x: two gradients add up": [3.0]}
    expect("x.grad, after multiply(x, x) with x = 3", _items(stack, x.grad), [6.0], once)


def total_beside_lamina(stack: Stack) -> None:
    """Value and gradient are lamina's, for any shape."""
    chance = Random(6)

    def mistakes(x: Any, g: Any) -> dict[str, list[Any]]:
        mean = "that is the gradient of the mean: each item moves the sum by as much as it moves itself"
        return {mean: [(g / x.numel()).expand(x.shape)], "the gradient of the result, g, was left out": [torch.ones_like(x)]}

    for shape in ((3,), (2, 3), (), (2, 1, 2)):
        _beside_lamina(stack, "total", lambda x: x.sum(), [_numbers(chance, shape)], mistakes)


def exp_beside_lamina(stack: Stack) -> None:
    """Value and gradient are lamina's."""

    def mistakes(x: Any, g: Any) -> dict[str, list[Any]]:
        return {"the slope of exp is exp(x), not x": [g * x], "the gradient of the result, g, was left out": [x.exp()]}

    for shape in ((3,), (2, 2)):
        _beside_lamina(stack, "exp", lambda x: x.exp(), [_numbers(Random(7), shape)], mistakes)


def log_beside_lamina(stack: Stack) -> None:
    """Value and gradient are lamina's."""

    def mistakes(x: Any, g: Any) -> dict[str, list[Any]]:
        return {"the slope at x is 1 / x, not 1 / log(x)": [g / x.log()], "g is divided by x, and not multiplied with it": [g * x]}

    for shape in ((3,), (2, 2)):
        _beside_lamina(stack, "log", lambda x: x.log(), [_numbers(Random(8), shape, 0.5, 3.0)], mistakes)


def tanh_beside_lamina(stack: Stack) -> None:
    """Value and gradient are lamina's."""

    def mistakes(x: Any, g: Any) -> dict[str, list[Any]]:
        y = x.tanh()
        return {
            "the square is missing: 1 - y * y, where y is the result": [g * (1 - y)],
            "it is the result that is squared, not x": [g * (1 - x * x)],
            "the sign is wrong: 1 - y * y": [g * (y * y - 1)],
        }

    for shape in ((3,), (2, 2)):
        _beside_lamina(stack, "tanh", lambda x: x.tanh(), [_numbers(Random(9), shape)], mistakes)


def product_beside_lamina(stack: Stack) -> None:
    """Value and gradients are lamina's, for square matrices and for others."""
    chance = Random(10)

    def mistakes(a: Any, b: Any, g: Any) -> dict[str, list[Any]]:
        if a.shape != b.shape:
            return {}
        return {
            "nothing was transposed: the gradient of a is g @ b transposed, and that of b is a transposed @ g": [g @ b, a @ g],
            "the factors are in the other order: g stands in front for a, and behind for b": [b.T @ g, g @ a.T],
        }

    for m, k, n in ((2, 2, 2), (3, 2, 4), (1, 3, 1)):
        _beside_lamina(stack, "product", lambda a, b: a @ b, [_numbers(chance, (m, k)), _numbers(chance, (k, n))], mistakes)


def _program(take: Any, x: Any, w: Any, b: Any) -> Any:
    """One program for both libraries: `take` has the functions of one of them."""
    hidden = take.tanh(take.add(take.product(x, w), b))
    return take.total(take.log(take.add(take.exp(hidden), take.multiply(hidden, hidden))))


class _Lamina:
    add, multiply, product = staticmethod(torch.add), staticmethod(torch.mul), staticmethod(torch.matmul)
    tanh, exp, log, total = staticmethod(torch.tanh), staticmethod(torch.exp), staticmethod(torch.log), staticmethod(torch.sum)


def a_whole_program(stack: Stack) -> None:
    """A small network, with a tensor that is used three times, has lamina's gradients."""
    chance = Random(11)
    for n in (1, 4):
        given = [_numbers(chance, shape).requires_grad_() for shape in ((n, 3), (3, 2), (2,))]
        wanted = torch.autograd.grad(_program(_Lamina, *given), given)
        leaves = [_leaf(stack, x) for x in given]
        stack.gradients.backward(_program(stack.gradients, *leaves))
        for name, leaf, right in zip("xwb", leaves, wanted, strict=True):
            asked = f"{name}.grad, after h = tanh(x @ w + b) and total(log(exp(h) + h * h)), with x of shape {(n, 3)}"
            expect(asked, _items(stack, leaf.grad), _flat(right), alike=close)


def gradcheck_of_lamina(stack: Stack) -> None:
    """lamina's gradcheck moves each item by a little, and finds that the result moves as your gradients say."""

    class Yours(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *given: Any) -> Any:
            ctx.leaves = [_leaf(stack, x) for x in given]
            ctx.result = _program(stack.gradients, *ctx.leaves)
            return torch.tensor(_items(stack, ctx.result.array), dtype=torch.float64).reshape(ctx.result.shape)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            for leaf in ctx.leaves:
                leaf.grad = None
            stack.gradients.backward(ctx.result, _array(stack, g))
            return tuple(torch.tensor(_items(stack, leaf.grad), dtype=torch.float64).reshape(leaf.shape) for leaf in ctx.leaves)

    given = [_numbers(Random(12), shape).requires_grad_() for shape in ((2, 3), (3, 2), (2,))]
    try:
        torch.autograd.gradcheck(Yours.apply, given)
    except NotImplementedError:
        raise
    except RuntimeError as error:
        asked = "gradcheck of total(log(exp(h) + h * h)), h = tanh(x @ w + b)"
        raise Wrong(asked, str(error), "gradients that agree with small steps") from error


CHECKS: Final[Checks] = {
    "unbroadcast": (as_lamina_undoes_it,),
    "in_order": (each_once_and_after_its_users, a_long_trail),
    "backward": (along_one_path, uses_add_up, adds_to_what_is_there, only_leaves_that_ask, through_a_long_trail),
    "multiply": (multiply_beside_lamina,),
    "total": (total_beside_lamina,),
    "exp": (exp_beside_lamina,),
    "log": (log_beside_lamina,),
    "tanh": (tanh_beside_lamina,),
    "product": (product_beside_lamina, a_whole_program, gradcheck_of_lamina),
}
