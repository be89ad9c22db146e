"""Strict mode refuses what the user's call spreads or copies, lets lamina's own functions be, and is gone when it is off."""

import asyncio
import threading

import pytest

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_flatarray import OPS, ShapeError
from lamina_ndarray.dispatch import strictness
from lamina_ndarray.elementwise import operations as elementwise
from lamina_tensor import Tensor, strict
from lamina_tensor.dispatch.tensor_functions import af


def found(name):
    """The public function of an op, else the recorded op itself."""
    return getattr(lt, name, None) or getattr(lt, OPS[name].spelling, None) or getattr(af, name)

REFUSED = "different numbers of axes, which strict mode does not broadcast"


@pytest.fixture(autouse=True)
def nothing_left():
    yield
    assert not strictness.is_strict()


def operands(op, *shapes):
    """Tensors that an op takes, with values within most domains."""
    rule = OPS[op].rule
    make = lt.ones if rule not in ("bitwise", "integer") else lambda *n: lt.ones(*n, dtype=nd.int32)
    return [make(*shape) for shape in shapes]


def works(function, *args):
    try:
        function(*args)
    except TypeError:  # no such twin for this dtype
        return False
    return True


PAIRS = [row.name for row in OPS.values() if row.family == "map" and row.arity == 2 and not row.params]
ARITHMETIC = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide", "mod": "remainder",
    "pow": "pow", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "lshift": "bitwise_left_shift",
    "rshift": "bitwise_right_shift",
}  # fmt: skip
COMPARISONS = {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}
DUNDERS = {
    **{f"__{prefix}{name}__": op for prefix in ("", "r", "i") for name, op in ARITHMETIC.items()},
    **{f"__{name}__": op for name, op in COMPARISONS.items()},
}


@pytest.mark.parametrize("op", PAIRS)
def test_every_spelling_of_every_pair_is_refused(op):
    matrix, vector = operands(op, (2, 3), (3,))
    if not works(elementwise.RANKED[op], matrix.array, vector.array):
        matrix, vector = matrix.to(nd.int32), vector.to(nd.int32)
    row = OPS[op]
    calls = {"array": lambda: getattr(nd, op)(matrix.array, vector.array)}
    names = {name for name in (op, row.spelling) if name != "equal" or row.spelling == "equal"}  # `equal` compares whole tensors
    for name in names:
        calls[name] = lambda name=name: found(name)(matrix, vector)
        if hasattr(Tensor, name):
            calls[f".{name}"] = lambda name=name: getattr(matrix, name)(vector)
        if hasattr(Tensor, f"{name}_"):
            calls[f".{name}_"] = lambda name=name: getattr(matrix.clone(), f"{name}_")(vector)
    for dunder, of in DUNDERS.items():
        if of == op and len(OPS[op].inputs) == 2 and hasattr(Tensor, dunder):
            calls[dunder] = lambda dunder=dunder: getattr(matrix.clone(), dunder)(vector)
    asked = 0
    for name, call in calls.items():
        if not works(call):
            continue
        asked += 1
        with strict(), pytest.raises(ShapeError, match=REFUSED) as caught:
            call()
        assert "(2, 3)" in str(caught.value) and "(3,)" in str(caught.value), name
        call()
    assert asked >= 2


@pytest.mark.parametrize("call", [
    lambda m, v: lt.where(m > 0, m, v), lambda m, v: found("lerp")(m, v, 0.5), lambda m, v: lt.clamp(m, v, None),
    lambda m, v: found("addcmul")(m, v, v), lambda m, v: found("isclose")(m, v), lambda m, v: m.max(v),
    lambda m, v: m.div_(v), lambda m, v: sum([m, v]), lambda m, v: lt.complex(m, v),
])  # fmt: skip
def test_what_takes_more_or_others(call):
    matrix, vector = lt.ones(2, 3), lt.ones(3)
    call(matrix, vector)
    with strict(), pytest.raises(ShapeError, match=REFUSED):
        call(matrix, vector)


def test_the_message_names_op_and_shapes():
    with strict(), pytest.raises(ShapeError) as caught:
        lt.ones(4, 1) - lt.ones(4)
    assert str(caught.value).startswith("sub: float32(4, 1) on cpu and float32(4,) on cpu: ")
    assert "x[None]" in str(caught.value)


def test_numbers_arrays_without_axes_and_axes_of_length_1_are_welcome():
    matrix = lt.ones(2, 3)
    with strict():
        for other in (2, 2.0, lt.tensor(2.0), lt.ones(1, 3), lt.ones(2, 1), lt.ones(3)[None], lt.ones(2, 3)):
            assert (matrix + other).shape == (other + matrix).shape == (2, 3)


def test_a_pair_that_met_before_is_refused_and_meets_again():
    matrix, vector = lt.ones(5, 7), lt.ones(7)
    before = (matrix * vector).tolist()
    with strict(), pytest.raises(ShapeError):
        matrix * vector
    with strict(), pytest.raises(ShapeError):
        matrix * vector
    assert (matrix * vector).tolist() == before


def test_lamina_s_own_functions_spread_and_copy_as_they_need():
    x, w = lt.rand(2, 3, 4, requires_grad=True), lt.rand(5, 4, requires_grad=True)
    with strict():
        y = af.linear(x, w, lt.rand(5))
        (y @ lt.rand(5, 6)).sum().backward()
        found("kron")(lt.rand(2, 2), lt.rand(3))
        found("addmm")(lt.rand(6), lt.rand(2, 5), lt.rand(5, 6))
        assert x.transpose(0, 2).repeat(2, 1, 1).shape == (8, 3, 2)
    assert x.grad.shape == x.shape and w.grad.shape == w.shape


def test_gradients_of_what_was_spread_before():
    x, b = lt.ones(3, 2, requires_grad=True), lt.ones(2, requires_grad=True)
    y = x + b
    with strict():
        y.sum().backward()
    assert b.grad.tolist() == [3, 3]


COPIES = {
    "reshape": lambda t: t.reshape(6),
    "reshape_as": lambda t: t.reshape_as(lt.ones(6)),
    "flatten": lambda t: t.flatten(),
    "function": lambda t: lt.reshape(t, (-1,)),
    "array": lambda t: nd.reshape(t.array, (6,)),
}


@pytest.mark.parametrize("name", COPIES)
def test_a_reshape_that_copies_is_refused(name):
    matrix = lt.arange(6).reshape(2, 3)
    with strict():
        COPIES[name](matrix)
        with pytest.raises(ShapeError, match=r"(reshape|reshape_as|flatten): shape \(3, 2\) with strides \(1, 3\) .*contiguous\(\)"):
            COPIES[name](matrix.T)
        COPIES[name](matrix.T.contiguous())
    COPIES[name](matrix.T)


def test_a_copy_that_is_asked_for_is_none_of_its_business():
    matrix = lt.arange(6).reshape(2, 3).T
    with strict():
        for made in (matrix.clone(), matrix.ravel(), matrix[[0, 1]], matrix[matrix > 2], matrix.double(), lt.cat([matrix, matrix])):
            assert made.numel()


def test_switching():
    assert not strictness.is_strict()
    with strict():
        with strict(False):
            lt.ones(2, 3) + lt.ones(3)
        assert strictness.is_strict()
    switch = strict()
    assert strictness.is_strict()
    strict(False)
    assert not strictness.is_strict()
    with switch:
        assert strictness.is_strict()

    @strict()
    def spread():
        return lt.ones(2, 3) + lt.ones(3)

    assert not strictness.is_strict()
    with pytest.raises(ShapeError):
        spread()


def test_an_error_in_the_block_takes_it_off():
    with pytest.raises(ZeroDivisionError), strict():
        raise ZeroDivisionError


def test_other_threads_are_not_strict():
    seen = []

    def work():
        seen.append((lt.ones(2, 3) + lt.ones(3)).shape)

    with strict():
        worker = threading.Thread(target=work)
        worker.start()
        worker.join()
    assert seen == [(2, 3)]


def test_tasks_have_it_by_themselves_and_inherit_it():
    inherited = asyncio.Event()

    async def child():
        await inherited.wait()  # until its parent is no longer strict
        assert strictness.is_strict()
        with pytest.raises(ShapeError):
            lt.ones(2, 3) + lt.ones(3)

    async def careless():
        for _ in range(3):
            await asyncio.sleep(0)
            lt.ones(2, 3) + lt.ones(3)

    async def careful():
        with strict():
            task = asyncio.create_task(child())
            for _ in range(3):
                await asyncio.sleep(0)
                with pytest.raises(ShapeError):
                    lt.ones(2, 3) + lt.ones(3)
        inherited.set()
        await task

    async def both():
        await asyncio.gather(careful(), careless())

    asyncio.run(both())
