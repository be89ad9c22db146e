"""Chapter 3: broadcasting, functions of items, folds and products, beside NumPy's on the same numbers."""

from __future__ import annotations

import math
import operator
from random import Random
from typing import Any, Final

import numpy as np

import lamina_ndarray as nd

from ..expecting import expect, expect_error
from ..learner import Stack
from ..marking import Checks

__all__ = ["CHECKS"]

Shape = tuple[int, ...]


def _numbers(chance: Random, shape: Shape) -> np.ndarray[Any, Any]:
    """Whole numbers as float64: sums and products of a few are exact, in any order."""
    return np.array([chance.randrange(-9, 10) for _ in range(math.prod(shape))], np.float64).reshape(shape)


def _array(stack: Stack, values: np.ndarray[Any, Any], how: str = "plain", dtype: str = "float64") -> Any:
    """The learner's array of these values: plain, transposed in memory, or every second place of it, not from the start."""
    flat_of, Layout = stack.memory.flat_of, stack.strides.Layout
    plain = nd.Layout.dense(values.shape).strides
    if how == "transposed":
        strides = nd.Layout.dense(values.shape[::-1]).strides[::-1]
        return stack.arrays.Array(flat_of(values.T.ravel().tolist(), dtype), Layout(values.shape, strides))
    if how == "gapped":
        spread = [99.0] * (2 * values.size + 3)
        spread[3::2] = values.ravel().tolist()
        return stack.arrays.Array(flat_of(spread, dtype), Layout(values.shape, tuple(2 * s for s in plain), 3))
    return stack.arrays.Array(flat_of(values.ravel().tolist(), dtype), Layout(values.shape, plain))


def _read(x: Any) -> list[Any]:
    """The items, read by the learner's first two chapters alone."""
    return [x.flat.read(p) for p in _places(x.layout)]


def _places(layout: Any) -> list[int]:
    found = [layout.offset]
    for length, stride in zip(layout.shape, layout.strides, strict=True):
        found = [begin + i * stride for begin in found for i in range(length)]
    return found


def of_any_layout(stack: Stack) -> None:
    """Items come in the order in which one reads, however they lie."""
    chance = Random(1)
    for shape in ((2, 3), (4,), (), (2, 0), (3, 1, 2)):
        values = _numbers(chance, shape)
        for how in ("plain", "transposed", "gapped"):
            x = _array(stack, values, how)
            in_memory = [x.flat.read(p) for p in range(x.flat.size)]
            wrong = {"these are the items in the order of memory: it is the layout that says where each one lies": in_memory}
            expect(f"items of a {how} array of shape {shape}, {x.layout}", stack.arrays.items(x), values.ravel().tolist(), wrong)


def shapes_of_numpy(stack: Stack) -> None:
    """Shapes fit, or do not, as NumPy says."""
    pairs: list[tuple[Shape, ...]] = [
        ((2, 3), (2, 3)), ((2, 1), (1, 3)), ((2, 3), (3,)), ((3,), (2, 3)), ((), (4,)), ((5, 1, 2), (3, 1)), ((0,), (1,)),
        ((2, 1), (3,), (4, 1, 1)),
    ]  # fmt: skip
    for shapes in pairs:
        wanted = np.broadcast_shapes(*shapes)
        asked = f"broadcast_shapes({', '.join(map(str, shapes))})"
        try:
            came = stack.arrays.broadcast_shapes(*shapes)
        except ValueError:
            came = "ValueError"
        wrong: dict[str, Any] = {"these do fit together: their last axes meet, and one that is lacking in front counts as 1": "ValueError"}
        if 0 in wanted:
            wrong["an axis of length 1 becomes as long as the other one: with 0 that is 0, not the greater"] = (1,)
        expect(asked, came, wanted, wrong)
    for refused in (((2, 3), (2,)), ((2, 3), (4, 3)), ((2,), (3,)), ((0,), (2,))):
        mistake = "the last axes meet, and two lengths that differ must be 1 and something"
        expect_error(f"broadcast_shapes({refused[0]}, {refused[1]})", ValueError, mistake, stack.arrays.broadcast_shapes, *refused)


def stride_zero(stack: Stack) -> None:
    """The axes that are new, or were of length 1, have the stride 0; all others keep theirs, and so does the offset."""
    Layout = stack.strides.Layout
    cases: list[tuple[Shape, Shape, int, Shape]] = [
        ((3,), (1,), 0, (2, 3)), ((2, 1), (1, 1), 0, (2, 3)), ((3,), (2,), 5, (4, 3)), ((2, 1, 4), (4, 4, 1), 1, (3, 2, 5, 4)),
        ((), (), 6, (2, 2)), ((2, 3), (1, 2), 3, (2, 3)),
    ]  # fmt: skip
    for shape, strides, offset, wanted in cases:
        layout, new = Layout(shape, strides, offset), len(wanted) - len(shape)
        right = tuple(0 if n == 1 else s for n, s in zip(shape, strides, strict=True))
        came = stack.arrays.broadcast_to(layout, wanted)
        spread = nd.Layout.of(wanted, (0,) * new + right, offset)
        expect(
            f"broadcast_to({layout}, {wanted})", came, Layout(wanted, (0,) * new + right, offset),
            {
                "these are the strides of a new array: nothing is repeated in memory, so a step along a new axis goes nowhere": Layout(
                    wanted, nd.Layout.dense(wanted).strides, offset
                ),
                "an axis of length 1 that is read again and again has the stride 0": Layout(wanted, (0,) * new + strides, offset),
                "the new axes are in front, not at the end": Layout(wanted, right + (0,) * new, offset),
                "the offset was left out": Layout(wanted, (0,) * new + right, 0),
            }, drawing=nd.explain_layout(nd.NDArray(nd.arange(spread.extent()[1] + 1).flat, spread)),
        )  # fmt: skip


def what_does_not_fit(stack: Stack) -> None:
    """Only lengths of 1 are spread, and nothing shrinks."""
    Layout = stack.strides.Layout
    for shape, strides, target in (((3,), (1,), (4,)), ((3,), (1,), (3, 2)), ((2, 3), (3, 1), (3,)), ((2, 3), (3, 1), (1, 3))):
        layout, mistake = Layout(shape, strides, 0), "some of these items would never be read, or some indices would have none"
        expect_error(f"broadcast_to({layout}, {target})", ValueError, mistake, stack.arrays.broadcast_to, layout, target)


def of_all_layouts(stack: Stack) -> None:
    """Every item of the result is the function of the items with its index, whatever the layouts of the arrays."""
    chance = Random(2)
    for shape in ((3,), (2, 3), (), (2, 1, 3)):
        one, other = _numbers(chance, shape), _numbers(chance, shape)
        for how in (("plain", "plain"), ("plain", "transposed"), ("gapped", "plain"), ("transposed", "gapped")):
            a, b = _array(stack, one, how[0]), _array(stack, other, how[1])
            came = stack.arrays.map_items(operator.sub, a, b)
            asked = f"map_items(a - b) of {one.tolist()} ({how[0]}) and {other.tolist()} ({how[1]})"
            expect(f"shape of {asked}", came.shape, shape)
            wrong = {
                "the arguments came in the other order": (other - one).ravel().tolist(),
                "the items were paired in the order of memory: a layout says where each lies": _paired_in_memory(a, b),
            }
            expect(asked, _read(came), (one - other).ravel().tolist(), wrong)


def _paired_in_memory(a: Any, b: Any) -> list[Any]:
    count = math.prod(a.shape)
    return [a.flat.read(p) - b.flat.read(p) for p in range(count)]


def after_broadcasting(stack: Stack) -> None:
    """Arrays of different shapes are spread to one; three of them, too."""
    chance = Random(3)
    for shapes in (((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2, 2)), ((2, 1, 2), (3, 1)), ((2, 3), (0, 1, 3))):
        one, other = (_numbers(chance, shape) for shape in shapes)
        came = stack.arrays.map_items(operator.add, _array(stack, one), _array(stack, other, "gapped"))
        expect(f"shape of map_items(a + b) of shapes {shapes[0]} and {shapes[1]}", came.shape, (one + other).shape)
        expect(f"map_items(a + b) of {one.tolist()} and {other.tolist()}", _read(came), (one + other).ravel().tolist())
    one, two, three = _numbers(chance, (2, 1)), _numbers(chance, (3,)), _numbers(chance, ())
    came = stack.arrays.map_items(lambda a, b, c: a * b + c, *(_array(stack, x) for x in (one, two, three)))
    expect("map_items(a * b + c) of shapes (2, 1), (3,) and ()", _read(came), (one * two + three).ravel().tolist())


def dtypes_and_memory(stack: Stack) -> None:
    """The result has memory of its own and the wanted dtype; the arrays are as they were."""
    values = np.array([1.0, 2.0])
    a = _array(stack, values)
    came = stack.arrays.map_items(lambda x: x > 1, a, dtype="bool")
    expect("dtype of map_items(a > 1, dtype='bool')", came.dtype, "bool")
    halves = stack.arrays.map_items(lambda x: x / 4, _array(stack, values, dtype="float32"))
    expect("dtype of map_items(a / 4) of float32", halves.dtype, "float32", {"without `dtype` it is that of the first array": "float64"})
    stack.arrays.map_items(lambda x: x + 5, a)
    written = "the result was written into an array that was given"
    expect("a, after map_items(a + 5)", _read(a), [1.0, 2.0], {written: [6.0, 7.0]})


def folded_as_numpy_does(stack: Stack) -> None:
    """Sums over any axes, of any layout, are NumPy's; the axes are gone."""
    chance = Random(4)
    cases: list[tuple[Shape, Shape]] = [
        ((3,), (0,)), ((2, 3), (0,)), ((2, 3), (1,)), ((2, 3), (0, 1)), ((2, 3, 4), (1,)), ((2, 3, 4), (0, 2)), ((2, 3), ()), ((), ()),
        ((2, 0), (1,)),
    ]  # fmt: skip
    for shape, axes in cases:
        values = _numbers(chance, shape)
        for how in ("plain", "transposed", "gapped"):
            came, wanted = stack.arrays.reduce_items(operator.add, 0.0, _array(stack, values, how), axes), values.sum(axis=axes)
            kept = tuple(1 if axis in axes else length for axis, length in enumerate(shape))
            asked = f"reduce_items(add, 0, x, {axes}) of a {how} x of shape {shape}"
            others = values.sum(axis=tuple(axis for axis in range(len(shape)) if axis not in axes))
            wrong: dict[str, Any] = {"a folded axis is gone: its length is not 1": kept, "the other axes were folded": others.shape}
            expect(f"shape of {asked}", came.shape, wanted.shape, wrong)
            wrong = {"the other axes were folded": others.ravel().tolist()}
            expect(f"{asked}: {values.tolist()}", _read(came), wanted.ravel().tolist(), wrong)


def other_functions_and_starts(stack: Stack) -> None:
    """Each result begins with `start`, and is `function(so far, item)` from the first item to the last."""
    values = np.array([[-3.0, -1.0], [-2.0, -7.0]])
    highest = stack.arrays.reduce_items(max, -math.inf, _array(stack, values), (0,))
    wrong = {"it was begun with 0 in the place of `start`": [0.0, 0.0]}
    expect("reduce_items(max, -inf, [[-3, -1], [-2, -7]], (0,))", _read(highest), [-2.0, -1.0], wrong)
    after = stack.arrays.reduce_items(operator.add, 100.0, _array(stack, values), (1,))
    wrong = {"it was begun with 0 in the place of `start`": [-4.0, -9.0], "it was begun with the first item": [-4.0, -9.0]}
    expect("reduce_items(add, 100, [[-3, -1], [-2, -7]], (1,))", _read(after), [96.0, 91.0], wrong)
    digits = _array(stack, np.array([1.0, 2.0, 3.0]), "gapped")
    order = stack.arrays.reduce_items(lambda so_far, item: 10 * so_far + item, 0.0, digits, (0,))
    wrong = {"it was folded from the last item to the first": [321.0], "the item was handed over first": [60.0]}
    expect("reduce_items(10 * so_far + item, 0, [1, 2, 3], (0,))", _read(order), [123.0], wrong)
    kind = stack.arrays.reduce_items(operator.add, 0, _array(stack, np.array([1.0, 2.0]), dtype="int64"), (0,)).dtype
    expect("dtype of a sum of int64", kind, "int64", {"the result has x's dtype": "float64"})


def products_of_numpy(stack: Stack) -> None:
    """Products of matrices are NumPy's, of any layout."""
    chance = Random(5)
    for m, k, n in ((2, 2, 1), (2, 3, 4), (1, 1, 1), (3, 1, 2), (2, 0, 2)):
        one, other = _numbers(chance, (m, k)), _numbers(chance, (k, n))
        for how in (("plain", "plain"), ("transposed", "plain"), ("gapped", "transposed")):
            came = stack.arrays.matmul(_array(stack, one, how[0]), _array(stack, other, how[1]))
            over: dict[str, Any] = {"the sum goes over k, and not over n": (m, k), "the sum goes over k, and not over m": (k, n)}
            expect(f"shape of matmul of shapes {(m, k)} and {(k, n)}", came.shape, (m, n), over)
            turned = [x.T.reshape(x.shape) if way == "transposed" else x for x, way in zip((one, other), how, strict=True)]
            wrong = {
                "these are the items of the transposed product": (other.T @ one.T).ravel().tolist(),
                "a matrix was read as if it were row-major: its own strides say where items lie": (turned[0] @ turned[1]).ravel().tolist(),
            }
            asked = f"matmul of {one.tolist()} ({how[0]}) and {other.tolist()} ({how[1]})"
            expect(asked, _read(came), (one @ other).ravel().tolist(), wrong)


def stacks_of_matrices(stack: Stack) -> None:
    """Axes in front stand for many products, one beside the other."""
    chance = Random(6)
    for front in ((2,), (2, 3)):
        one, other = _numbers(chance, (*front, 2, 3)), _numbers(chance, (*front, 3, 2))
        came = stack.arrays.matmul(_array(stack, one, "gapped"), _array(stack, other, "transposed"))
        expect(f"shape of matmul of shapes {one.shape} and {other.shape}", came.shape, (*front, 2, 2))
        expect(f"matmul of shapes {one.shape} and {other.shape}", _read(came), (one @ other).ravel().tolist())


CHECKS: Final[Checks] = {
    "items": (of_any_layout,),
    "broadcast_shapes": (shapes_of_numpy,),
    "broadcast_to": (stride_zero, what_does_not_fit),
    "map_items": (of_all_layouts, after_broadcasting, dtypes_and_memory),
    "reduce_items": (folded_as_numpy_does, other_functions_and_starts),
    "matmul": (products_of_numpy, stacks_of_matrices),
}
