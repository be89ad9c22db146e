"""Chapter 4: each part of the backend by itself, then all of it by the conformance kit, then a model of lamina's on it."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import as_strided

import lamina as torch
from lamina_flatarray import FlatArray, Strided, backends
from lamina_ndarray import Layout
from lamina_testkit import cases_of, check
from lamina_testkit.placement import LAYOUTS

from ..expecting import Wrong, close, expect
from ..learner import Stack
from ..marking import Check, Checks

__all__ = ["CHECKS"]

_KIT_SAYS: Final = {  # by the word with which the kit names a layout
    "compact": "this is the plainest layout, so it is the arithmetic",
    "offset": "the layout's own offset, in items, was left out",
    "transposed": "items were taken in the order of memory, and not in that of the indices",
    "sliced": "the strides were taken for 1",
    "reversed": "a stride may be negative",
    "gapped": "there are gaps between the rows",
    "broadcast": "a stride of 0 reads one item again and again",
    "in place of": "the result lies where an input does: have all values before you write the first",
}


def _operand(values: Any, dtype: str = "float64", strides: tuple[int, ...] | None = None, offset: int = 0, begin: int = 16) -> Strided:
    """An operand of these values, whose flat array begins at a byte of a bytearray; all other items of it are 99."""
    values = np.asarray(values, dtype)
    layout = Layout.of(values.shape, Layout.dense(values.shape).strides if strides is None else strides, offset)
    size = 2 * values.size + offset + 3
    host = np.full(begin // values.itemsize + size, 99, dtype)
    as_strided(host[begin // values.itemsize + offset :], values.shape, [s * values.itemsize for s in layout.strides])[...] = values
    kernels = FlatArray.empty(0, dtype).kernels
    return Strided(FlatArray(bytearray(host.tobytes()), begin, size, kernels), layout)


def _memory(operand: Strided) -> list[Any]:
    """All items of the memory that an operand is in, from its first byte on."""
    return list(np.frombuffer(operand.flat.memory, operand.flat.dtype.numpy).tolist())


def _values(operand: Strided) -> list[Any]:
    """The items of an operand, in the order in which one reads."""
    host = np.frombuffer(operand.flat.memory, operand.flat.dtype.numpy, offset=operand.flat.offset)
    strides = [s * host.itemsize for s in operand.layout.strides]
    return list(as_strided(host[operand.layout.offset :], operand.layout.shape, strides).ravel().tolist())


def both_offsets(stack: Stack) -> None:
    """The flat array begins at a byte, the layout at an item behind it."""
    for begin, offset in ((0, 0), (16, 0), (0, 2), (16, 2)):
        operand = _operand([[1.0, 2.0], [3.0, 4.0]], offset=offset, begin=begin)
        x = stack.backend.as_array(operand)
        asked = f"as_array of an operand whose flat.offset is {begin} (bytes) and layout.offset is {offset} (items)"
        mixed = "the two offsets were added, but one counts bytes and the other one items"
        expect(f"flat.offset of {asked}", x.flat.offset, begin, {"the offset in bytes was left out": 0, mixed: begin + offset})
        expect(f"layout.offset of {asked}", x.layout.offset, offset, {"the offset in items was left out": 0})
        expect(f"items of {asked}", stack.arrays.items(x), [1.0, 2.0, 3.0, 4.0])


def the_same_memory(stack: Stack) -> None:
    """What is written into the array is in the operand's memory."""
    operand = _operand([1.0, 2.0])
    x = stack.backend.as_array(operand)
    x.flat.write(1, 5.0)
    asked = "the operand's items, after as_array(operand).flat.write(1, 5.0)"
    expect(asked, _values(operand), [1.0, 5.0], {"the memory was copied": [1.0, 2.0]})


def only_its_places(stack: Stack) -> None:
    """Values go to the places of the layout, in the order in which one reads; what lies between stays."""
    for shape, strides, offset in (((3,), (1,), 0), ((3,), (2,), 1), ((2, 2), (1, 3), 0), ((3,), (-1,), 2)):
        values = [float(value) for value in range(1, math.prod(shape) + 1)]
        out, wanted = (_operand(filled, strides=strides, offset=offset) for filled in (np.zeros(shape), np.array(values).reshape(shape)))
        stack.backend.store(values, stack.backend.as_array(out))
        in_a_row = _memory(_operand(np.zeros(shape), strides=strides, offset=offset))
        in_a_row[2 : 2 + len(values)] = values
        asked = f"all memory of `out`, of shape {shape}, strides {strides} and offset {offset}, after store({values}, out); 99 is others'"
        row = "they were written one after the other, and not to the places of the layout"
        expect(asked, _memory(out), _memory(wanted), {row: in_a_row})


def _called(kernel: Any, shape: tuple[int, ...], *inputs: Any, dtype: str = "float64", **parameters: Any) -> list[Any]:
    out = _operand(np.zeros(shape), dtype)
    returned = kernel(out, *inputs, **parameters)
    if returned is not None:
        raise Wrong("what the kernel returns", type(returned).__name__, "None", "a kernel writes into `out`, and returns nothing")
    return _values(out)


def item_by_item(stack: Stack) -> None:
    """The function is applied to items with the same index, however they lie."""
    subtract = stack.backend.kernel_of_items(operator.sub)
    one, other = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), np.array([[10.0, 20.0, 30.0], [40.0, 50.0, 60.0]])
    for strides, offset in (((3, 1), 0), ((1, 2), 0), ((3, 1), 4)):
        came = _called(subtract, (2, 3), _operand(one, strides=strides, offset=offset), _operand(other))
        asked = f"kernel_of_items(a - b), a with strides {strides} and offset {offset}"
        expect(asked, came, (one - other).ravel().tolist(), {"the arguments came in the other order": (other - one).ravel().tolist()})


def numbers_stand_for_items(stack: Stack) -> None:
    """An input may be a plain number, on either side of the function, or on both."""
    subtract, x = stack.backend.kernel_of_items(operator.sub), [1.0, 2.0]
    for inputs, wanted, text in (((_operand(x), 10.0), [-9.0, -8.0], "x - 10.0"), ((10.0, _operand(x)), [9.0, 8.0], "10.0 - x")):
        asked = f"kernel_of_items of {text}, where x is [1, 2]"
        try:
            came = _called(subtract, (2,), *inputs)
        except (AttributeError, TypeError) as error:
            numbers = "an input that has no `layout` is a number, which stands for as many items as are wanted"
            raise Wrong(asked, f"{type(error).__name__}: {error}", str(wanted), numbers) from error
        expect(asked, came, wanted, {"the number was put on the wrong side": [-item for item in wanted]})
    expect("kernel_of_items of 5.0 - 2.0, for two items", _called(subtract, (2,), 5.0, 2.0), [3.0, 3.0])


def dtype_of_the_result(stack: Stack) -> None:
    """What is computed has the dtype of `out`: comparisons give booleans."""
    less = stack.backend.kernel_of_items(operator.lt)
    came = _called(less, (3,), _operand([1.0, 2.0, 3.0]), _operand([2.0, 2.0, 2.0]), dtype="bool")
    expect("kernel_of_items(a < b) into an `out` of bool", came, [True, False, False])


def axes_that_are_named(stack: Stack) -> None:
    """The axes in `axes` are folded, and no others."""
    add = stack.backend.kernel_of_fold(operator.add, 0.0)
    values = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    for axes in ((0,), (1,), (0, 1), ()):
        wanted = values.sum(axis=axes)
        try:
            came = _called(add, wanted.shape, _operand(values, strides=(1, 2), offset=1), axes=axes)
        except ValueError as error:
            others = "as many results are to be stored as `out` has places: those of the axes that are not folded"
            raise Wrong(f"kernel_of_fold(add, 0) of shape (2, 3), axes={axes}", str(error), str(wanted.tolist()), others) from error
        expect(f"kernel_of_fold(add, 0) of {values.tolist()}, axes={axes}", came, wanted.ravel().tolist())
    product = stack.backend.kernel_of_fold(operator.mul, 1.0)
    expect("kernel_of_fold(multiply, 1) of [2, 3], axes=(0,)", _called(product, (), _operand([2.0, 3.0]), axes=(0,)), [6.0])


def nothing_between(stack: Stack) -> None:
    """Items between those of `out` belong to others, and stay."""
    out, wanted = _operand([0.0, 0.0], strides=(2,), offset=1), _operand([7.0, 7.0], strides=(2,), offset=1)
    stack.backend.fill(out, value=7.0)
    everywhere = [7.0 if place >= 2 else 99.0 for place in range(len(_memory(out)))]
    whole = "all of the memory was filled, but the layout says which items are `out`'s"
    asked = "all memory around `out`, of strides (2,) and offset 1, after fill(out, value=7); 99 is others'"
    expect(asked, _memory(out), _memory(wanted), {whole: everywhere})


def in_that_order(stack: Stack) -> None:
    """The product is a @ b, of any layout, into any layout."""
    a, b = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.0, 1.0], [5.0, 2.0]])
    came = _called(stack.backend.product, (2, 2), _operand(a, strides=(1, 2)), _operand(b, offset=3))
    expect(f"product of {a.tolist()} and {b.tolist()}", came, (a @ b).ravel().tolist(), {"that is b @ a": (b @ a).ravel().tolist()})


def enough_and_its_own(stack: Stack) -> None:
    """Each call gives other memory, of as many bytes as were asked for."""
    backend = stack.backend.CourseBackend()
    one, other = backend.allocate(24, 0), backend.allocate(24, 0)
    expect("len(allocate(24, 0)) >= 24", len(one) >= 24, True, {"so many items do not fit into it": False})
    one[0] = 1
    expect("the first byte of one allocation, after that of another was set to 1", other[0], 0, {"both are the same memory": 1})


def bytes_go_in(stack: Stack) -> None:
    """The bytes are where they should be, and all others as they were."""
    backend, memory = stack.backend.CourseBackend(), bytearray(b"........")
    backend.copy_in(memory, 3, memoryview(b"abc"))
    shorter = "the memory became shorter: a slice without an end is replaced up to the end"
    wrong = {"the offset was ignored": bytearray(b"abc....."), shorter: bytearray(b"...abc")}
    expect("memory of 8 bytes, after copy_in(memory, 3, b'abc')", memory, bytearray(b"...abc.."), wrong)


def bytes_come_out(stack: Stack) -> None:
    """The target, which is given, holds the bytes afterwards."""
    backend, target = stack.backend.CourseBackend(), bytearray(3)
    backend.copy_out(bytearray(b"abcdefgh"), 2, memoryview(target))
    rebound = "nothing was written into `target`: `target = ...` gives the name to another object; assign to `target[:]`"
    wrong = {"the offset was ignored": b"abc", rebound: bytes(3)}
    expect("target of 3 bytes, after copy_out(b'abcdefgh', 2, target)", target, b"cde", wrong)


@contextmanager
def _registered(stack: Stack) -> Iterator[Any]:
    """The learner's backend, while it is one of lamina's."""
    backend = backends.register(stack.backend.CourseBackend())
    try:
        yield backend
    finally:
        backends.unregister("course")


def _judged(op: str, stack: Stack) -> None:
    with _registered(stack) as backend:
        for case in cases_of():
            if case.op != op or case.dtype.name not in stack.backend.DTYPES:
                continue
            try:
                check(case, backend, LAYOUTS if case.dtype.name == "float32" else ("compact",))  # a dtype changes no layout
            except AssertionError as mismatch:
                raise _in_words(mismatch) from mismatch


def _in_words(mismatch: AssertionError) -> Wrong:
    """What the kit found, as what was asked, what came and what was expected."""
    first, *lines = str(mismatch).splitlines()
    told = {word: line.removeprefix(word).strip() for line in lines for word in ("inputs", "expected", "observed") if line.startswith(word)}
    short = {word: text if len(text) <= 160 else f"{text[:150]} ..." for word, text in told.items()}
    case = first.replace(" {}", "").removesuffix(":").removesuffix(" on course")
    kinds = [kind for kind in _KIT_SAYS if kind in first]
    asked = f"{case}: of {short['inputs']}" if "inputs" in short else case
    return Wrong(asked, short.get("observed", case), short.get("expected", "nothing else changes"), _KIT_SAYS[kinds[-1]] if kinds else "")


def _kit(op: str) -> Check:
    judged: Any = partial(_judged, op)
    judged.__name__ = f"the kit on {op}"
    judged.__doc__ = f"lamina's conformance kit compares your {op} with NumPy's: in float32 on every kind of layout, and in float64."
    return judged  # type: ignore[no-any-return]


def a_model_of_lamina(stack: Stack) -> None:
    """A model of lamina's learns on your device, and comes to the numbers that it comes to on NumPy's."""
    losses: dict[str, list[float]] = {"cpu": [], "course": []}
    with _registered(stack):
        for device, found in losses.items():
            torch.manual_seed(0)
            model = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1)).double().to(device)
            points = torch.randn(8, 2, dtype=torch.float64).to(device)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for _ in range(3):
                loss = ((model(points) - points[:, :1] * points[:, 1:]) ** 2).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                found.append(loss.item())
    expect("the losses of three steps on device 'course'", losses["course"], losses["cpu"], alike=close)


CHECKS: Final[Checks] = {
    "as_array": (both_offsets, the_same_memory),
    "store": (only_its_places,),
    "kernel_of_items": (item_by_item, numbers_stand_for_items, dtype_of_the_result),
    "kernel_of_fold": (axes_that_are_named,),
    "fill": (nothing_between,),
    "product": (in_that_order,),
    "CourseBackend.allocate": (enough_and_its_own,),
    "CourseBackend.copy_in": (bytes_go_in,),
    "CourseBackend.copy_out": (bytes_come_out,),
    "CourseBackend.kernel": (
        *map(_kit, ("negative", "add", "subtract", "multiply", "divide", "maximum", "minimum", "sqrt", "exp", "log", "tanh", "less")),
        *map(_kit, ("sum", "prod", "max", "min", "matmul")), a_model_of_lamina,
    ),
}  # fmt: skip
