"""Fused kernels: one kernel for several maps, casts and reductions gives, bit for bit, what those give one after the other."""

import random
from typing import Any

import numpy as np
import pytest

from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.contract import Backend
from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.dtypes import DTYPES, DType
from lamina_flatarray.fused_steps import FusedStep
from lamina_flatarray.ops import OPS
from lamina_ndarray.array import NDArray

from ..placement import LAYOUTS, place, read, untouched
from ..samples.values import PARAMETERS, VALUES, numbers

INPUTS = 3
SHAPES = ((5,), (1100,), (7, 33), (3, 40, 11))
DTYPES_CAST = [pytest.param(dtype, id=name, marks=pytest.mark.conformance("copy", name)) for name, dtype in DTYPES.items()]
DTYPES_ASKED = [pytest.param(dtype, id=name, marks=pytest.mark.conformance("add", name)) for name, dtype in DTYPES.items()]


def _same_bits(one: Any, other: Any) -> bool:
    """Whether two arrays have the same bytes, but for those that tell one NaN from another. Where an `assert` compares bytes themselves,
    pytest takes long to show how they differ: of 60,000, half a minute."""
    one, other = one.reshape(-1), other.reshape(-1)
    nan = one != one
    return np.array_equal(nan, other != other) and bool(one[~nan].tobytes() == other[~nan].tobytes())


def _fusable(backend: Backend, dtype: DType) -> list[tuple[str, DType]]:
    """The ops that a backend fuses in a dtype, each with the dtype of its result."""
    found = []
    for name, op in OPS.items():
        if op.is_elementwise and {*op.params} <= {*PARAMETERS} and name != "where" and dtype.name in backend.capabilities().get(name, ()):
            dtypes = DTYPE_RULES[op.rule](dtype)
            if dtypes is not None and dtypes[0] is dtype and backend.fuses(name, dtype):
                found.append((name, dtypes[1]))
    return found


def _steps(draw: random.Random, ops: list[tuple[str, DType]], dtype: DType, count: int) -> list[tuple[str, DType, list[Any]]]:
    """Steps on the values so far, of which the first are the inputs: op, dtype of its result, and its inputs as numbers of values or as
    Python numbers in a list of one."""
    kinds = [dtype] * INPUTS
    steps = []
    for _ in range(count):
        op, result = draw.choice(ops)
        usable = [i for i, kind in enumerate(kinds) if kind is dtype]
        inputs: list[Any] = [draw.choice(usable[-4:]) for _ in OPS[op].inputs]
        if op == "pow":
            inputs[1] = [draw.choice((2.0, 3.0, -1.0, 0.5, 2.5))]  # by an array it is never a step
        elif len(inputs) == 2 and dtype.kind in "fc" and draw.random() < 0.3:
            inputs[draw.randrange(2)] = [draw.choice((0.75, 0.1))]  # the second is no number of any dtype
        steps.append((op, result, [*inputs, *[[PARAMETERS[name][0]] for name in OPS[op].params]]))
        kinds.append(result)
    return steps


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("dtype", DTYPES_ASKED)
def test_fused_maps_are_their_steps(dtype: DType, seed: int, backend: Backend) -> None:
    """Nine steps drawn at random, of which two results are seen, beside the same kernels one by one."""
    ops = _fusable(backend, dtype)
    if not ops:
        pytest.skip(f"{backend.name} fuses nothing in {dtype.name}")
    draw = random.Random(seed)
    shape, table = SHAPES[seed], KernelTable.of(backend, 0, dtype)
    steps = _steps(draw, ops, dtype, 9)
    kinds = ("plain", "special", "plain")
    values = [place(numbers(i, shape, dtype, kind=kind), draw.choice(LAYOUTS), backend, dtype) for i, kind in enumerate(kinds)]
    for op, result, inputs in steps:
        out = place(np.zeros(shape, result.numpy), "compact", backend, result)
        params = OPS[op].params
        given = [x[0] if isinstance(x, list) else values[x] for x in inputs]
        count = len(given) - len(params)
        table[op](out, *given[:count], **dict(zip(params, given[count:], strict=True)))
        values.append(out)

    wanted = [len(values) - 1, INPUTS + 2]
    outs = [place(np.zeros(shape, values[i].dtype.numpy), draw.choice(LAYOUTS[:-1]), backend, values[i].dtype) for i in wanted]
    slots = {i: slot for slot, i in enumerate([*wanted, *range(INPUTS)])}
    temporaries: list[DType] = []
    for i in range(INPUTS, len(values)):
        if i not in slots:
            slots[i] = len(wanted) + INPUTS + len(temporaries)
            temporaries.append(values[i].dtype)
    told = [
        FusedStep(op, dtype, slots[INPUTS + at], tuple(x[0] if isinstance(x, list) else (slots[x],) for x in inputs))
        for at, (op, _, inputs) in enumerate(steps)
    ]
    kernel = backend.fuse(told, [*[x.dtype for x in outs], *[dtype] * INPUTS], temporaries)
    kernel(*outs, *values[:INPUTS])
    for i, out in zip(wanted, outs, strict=True):
        same = _same_bits(read(out), read(values[i]))
        assert same, f"value {i - INPUTS} of {[(op, inputs) for op, _, inputs in steps]} on {shape}"
        assert untouched(out)


@pytest.mark.conformance("add", "float32")
def test_a_result_may_be_an_input(backend: Backend) -> None:
    """Steps that write over what they read, as in-place ops do."""
    dtype = DTYPES["float32"]
    if not backend.fuses("add", dtype) or not backend.fuses("multiply", dtype):
        pytest.skip(f"{backend.name} fuses nothing in float32")
    x, y = (place(numbers(i, (1300,), dtype), "compact", backend, dtype) for i in range(2))
    expected = (read(x) + read(y)) * read(y)
    backend.fuse([FusedStep("add", dtype, 0, ((0,), (1,))), FusedStep("multiply", dtype, 0, ((0,), (1,)))], [dtype] * 2, [])(x, y)
    assert _same_bits(read(x), expected)


def _long(shape: tuple[int, ...], dtype: DType) -> np.ndarray[Any, Any]:
    """Plain numbers of more bits than float32 has, where the dtype has them: a cast by way of it rounds twice."""
    items = numbers(0, shape, dtype)
    if dtype.kind in "iu" and dtype.itemsize >= 4:
        items *= dtype.numpy.type((1 << 24) + 3)
    if dtype.name == "float64":
        items.reshape(-1)[::2] = 1 + 2.0**-11 + 2.0**-40  # just above what is halfway between two of float16
    return items


@pytest.mark.parametrize("dtype", DTYPES_CAST)
def test_fused_casts_are_their_steps(dtype: DType, backend: Backend) -> None:
    """A cast into every dtype, and back; what is between has memory where the numbers are special."""
    others = [other for other in DTYPES.values() if other is not dtype and backend.fuses("copy", other)]
    if not others or not backend.fuses("copy", dtype):
        pytest.skip(f"{backend.name} fuses no casts of {dtype.name}")
    draw = random.Random(dtype.code)
    for other in others:
        for kind in VALUES:
            shape = draw.choice(SHAPES)
            items = numbers(0, shape, dtype, kind=kind) if kind == "special" else _long(shape, dtype)
            x = place(items, draw.choice(LAYOUTS), backend, dtype)
            there, back = (place(np.zeros(shape, of.numpy), "compact", backend, of) for of in (other, dtype))
            KernelTable.of(backend, 0, dtype)["copy"](there, x)
            KernelTable.of(backend, 0, other)["copy"](back, there)
            steps = [FusedStep("copy", other, 2, ((1,),)), FusedStep("copy", dtype, 0, ((2,),))]
            outs = [place(np.zeros(shape, of.numpy), draw.choice(LAYOUTS[:-1]), backend, of) for of in (dtype, other)]
            if kind == "special":
                backend.fuse(steps, [dtype, dtype, other], [])(outs[0], x, outs[1])
            else:
                backend.fuse(steps, [dtype, dtype], [other])(outs[0], x)
            for out, expected in zip(outs if kind == "special" else outs[:1], (back, there), strict=False):
                assert _same_bits(read(out), read(expected)), f"{dtype.name} to {other.name} and back, on {shape}"
                assert untouched(out)


@pytest.mark.parametrize("dtype", DTYPES_CAST)
def test_fused_casts_beside_rows_and_totals(dtype: DType, backend: Backend) -> None:
    """Items as float32, about their row's mean, added up by column, and cast back."""
    wide, shape = DTYPES["float32"], (130, 33)
    if dtype is wide or not all(backend.fuses("copy", kind) for kind in (dtype, wide)):
        pytest.skip(f"{backend.name} does not fuse a cast of {dtype.name} to float32, or there is none")
    if not all(backend.fuses(op, wide) for op in ("mean", "sum", "subtract")):
        pytest.skip(f"{backend.name} does not fuse reductions with maps")
    table, rows, columns = KernelTable.of(backend, 0, wide), {"axes": (1,)}, {"axes": (0,)}
    x = place(numbers(0, shape, dtype), "gapped", backend, dtype)
    floats, row, centred, total, back = (
        place(np.zeros(of, kind.numpy), "compact", backend, kind)
        for of, kind in ((shape, wide), (shape[:1], wide), (shape, wide), (shape[1:], wide), (shape, dtype))
    )
    KernelTable.of(backend, 0, dtype)["copy"](floats, x)
    table["mean"](row, floats, **rows)
    table["subtract"](centred, floats, NDArray(row.flat, row.layout.unsqueeze(1).broadcast_to(shape)))
    table["sum"](total, centred, **columns)
    table["copy"](back, centred)

    kernel = backend.fuse(
        [
            FusedStep("copy", wide, 3, ((2,),)),
            FusedStep("mean", wide, 4, ((3,),), rows),
            FusedStep("subtract", wide, 5, ((3,), (4,))),
            FusedStep("sum", wide, 1, ((5,),), columns, is_total=True),
            FusedStep("copy", dtype, 0, ((5,),)),
        ],
        [dtype, wide, dtype], [wide] * 3,
    )  # fmt: skip
    outs = place(np.zeros(shape, dtype.numpy), "offset", backend, dtype), place(np.zeros(shape[1:], np.float32), "compact", backend, wide)
    kernel(*outs, x)
    for out, expected in zip(outs, (back, total), strict=True):
        assert _same_bits(read(out), read(expected))
        assert untouched(out)


@pytest.mark.parametrize("shape", [(700, 3), (301, 33), (9, 500), (4, 900), (2, 8, 5), (1, 4), (5, 0)])
@pytest.mark.conformance("add", "float32")
def test_one_row_beside_all(shape: tuple[int, ...], backend: Backend) -> None:
    """A bias, a mask and a scale of 16 bits that each row has, beside rows that follow one another, and rows with gaps."""
    dtype, half, truth = (DTYPES[name] for name in ("float32", "float16", "bool"))
    asked = [*[(op, dtype) for op in ("add", "multiply", "where")], ("copy", dtype), ("copy", half)]
    if not all(backend.fuses(op, kind) for op, kind in asked):
        pytest.skip(f"{backend.name} does not fuse add, multiply, where and casts")
    table = KernelTable.of(backend, 0, dtype)
    bias, mask, scale = (place(numbers(i + 1, shape, kind), "broadcast", backend, kind) for i, kind in enumerate((dtype, truth, half)))
    for layout in ("compact", "gapped", "reversed"):
        x = place(numbers(0, shape, dtype), layout, backend, dtype)
        scales, scaled, kept, expected = (place(np.zeros(shape, np.float32), "compact", backend, dtype) for _ in range(4))
        if expected.layout.size:
            KernelTable.of(backend, 0, half)["copy"](scales, scale)
            table["multiply"](scaled, x, scales)
            table["where"](kept, mask, scaled, 0.1)
            table["add"](expected, kept, bias)
        steps = [
            FusedStep("copy", dtype, 5, ((3,),)),
            FusedStep("multiply", dtype, 0, ((1,), (5,))),
            FusedStep("where", dtype, 6, ((2,), (0,), 0.1)),
            FusedStep("add", dtype, 0, ((6,), (4,))),
        ]
        out = place(np.zeros(shape, np.float32), layout, backend, dtype)
        backend.fuse(steps, [dtype, dtype, truth, half, dtype], [dtype] * 2)(out, x, mask, scale, bias)
        assert _same_bits(read(out), read(expected))
        assert untouched(out)


ROWS = (((7, 33), 1), ((40, 5), 1), ((3, 2, 1100), 1), ((4, 3, 10), 2), ((1, 2000), 2), ((1, 9), 1))
"""Shapes, and how many of their last axes are a row."""


@pytest.mark.parametrize(("shape", "axes"), ROWS)
@pytest.mark.parametrize("op", ["sum", "mean", "max", "var"])
@pytest.mark.conformance("sum", "float32")
def test_fused_rows_are_their_steps(op: str, shape: tuple[int, ...], axes: int, backend: Backend) -> None:
    """Items about what their row comes to, and the sum of these: maps, two reductions, and a map of what rows come to."""
    dtype = DTYPES["float32"]
    if not all(backend.fuses(name, dtype) for name in (op, "sum", "subtract", "multiply", "add")):
        pytest.skip(f"{backend.name} does not fuse {op} with maps")
    kept, table = len(shape) - axes, KernelTable.of(backend, 0, dtype)
    reduced = {"axes": tuple(range(kept, len(shape)))}
    params = {**reduced, "correction": 1} if op == "var" else reduced
    one = (*shape[:kept], *[1] * axes)
    x, weight = place(numbers(0, shape, dtype), "compact", backend, dtype), place(numbers(1, shape, dtype), "broadcast", backend, dtype)

    def new(kind: str = "compact", of: tuple[int, ...] = shape) -> Any:
        return place(np.zeros(of, np.float32), kind, backend, dtype)

    def alike(row: Any) -> Any:
        """What rows come to, beside each of their items."""
        return NDArray(row.flat, row.layout.unsqueeze(tuple(range(kept, len(shape)))).broadcast_to(shape))

    first, second, shifted, centred, weighted = new(of=one[:kept]), new(of=one[:kept]), new(of=one[:kept]), new(), new()
    table[op](first, x, **params)
    table["add"](shifted, first, 0.5)
    table["subtract"](centred, x, alike(shifted))
    table["multiply"](weighted, centred, weight)
    table["sum"](second, weighted, **reduced)

    kernel = backend.fuse(
        [
            FusedStep(op, dtype, 4, ((2,),), params),
            FusedStep("add", dtype, 4, ((4,), 0.5)),
            FusedStep("subtract", dtype, 0, ((2,), (4,))),
            FusedStep("multiply", dtype, 5, ((0,), (3,))),
            FusedStep("sum", dtype, 1, ((5,),), reduced),
        ],
        [dtype] * 4, [dtype] * 2,
    )  # fmt: skip
    outs = new("gapped" if axes == 1 else "compact"), new("offset", one)
    kernel(*outs, x, weight)
    assert _same_bits(read(outs[0]), read(centred))
    assert _same_bits(read(outs[1]), read(second))
    assert all(map(untouched, outs))


TOTALS = (((700, 33), 1), ((65, 128), 1), ((9, 40, 17), 2), ((2, 300, 20), 1), ((70000,), 1), ((300, 500), 2))
"""Shapes, and how many of their first axes totals reduce."""


@pytest.mark.parametrize(("shape", "axes"), TOTALS)
@pytest.mark.parametrize("op", ["sum", "mean", "max", "var"])
@pytest.mark.conformance("sum", "float32")
def test_fused_totals_are_their_steps(op: str, shape: tuple[int, ...], axes: int, backend: Backend) -> None:
    """Two totals of what maps give, of which one is seen, about what rows come to where there are any."""
    dtype = DTYPES["float32"]
    if not all(backend.fuses(name, dtype) for name in (op, "sum", "subtract", "multiply")):
        pytest.skip(f"{backend.name} does not fuse {op} with maps")
    table, reduced, rows = KernelTable.of(backend, 0, dtype), {"axes": tuple(range(axes))}, {"axes": (len(shape) - 1,)}
    params = {**reduced, "correction": 1} if op == "var" else reduced
    has_rows = axes < len(shape)
    x, weight = place(numbers(0, shape, dtype), "compact", backend, dtype), place(numbers(1, shape, dtype), "broadcast", backend, dtype)

    def new(kind: str = "compact", of: tuple[int, ...] = shape) -> Any:
        return place(np.zeros(of, np.float32), kind, backend, dtype)

    row, centred, weighted, first, second = new(of=shape[:-1]), new(), new(), new(of=shape[axes:]), new(of=shape[axes:])
    shift: Any = 0.5
    if has_rows:
        table["mean"](row, x, **rows)
        shift = NDArray(row.flat, row.layout.unsqueeze((len(shape) - 1,)).broadcast_to(shape))
    table["subtract"](centred, x, shift)
    table["multiply"](weighted, centred, weight)
    table[op](first, centred, **params)
    table["sum"](second, weighted, **reduced)

    kernel = backend.fuse(
        [
            *([FusedStep("mean", dtype, 6, ((3,),), rows)] if has_rows else []),
            FusedStep("subtract", dtype, 0, ((3,), (6,) if has_rows else shift)),
            FusedStep(op, dtype, 1, ((0,),), params, is_total=True),
            FusedStep("multiply", dtype, 5, ((0,), (4,))),
            FusedStep("sum", dtype, 2, ((5,),), reduced, is_total=True),
        ],
        [dtype] * 5, [dtype] * (2 if has_rows else 1),
    )  # fmt: skip
    outs = new(), new("offset", shape[axes:]), new(of=shape[axes:])
    kernel(*outs, x, weight)
    for out, expected in zip(outs, (centred, first, second), strict=True):
        assert _same_bits(read(out), read(expected))
        assert untouched(out)
