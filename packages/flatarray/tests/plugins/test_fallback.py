"""The fallback policy: an error unless allowed, and then a counted round trip with the same result."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from lamina_flatarray import (
    DTYPES,
    OPS,
    ArgumentValueError,
    FlatArray,
    OpNotImplemented,
    Row,
    Strided,
    backends,
    float32,
)
from lamina_flatarray.backends import kernel_table as table
from lamina_flatarray.backends.kernel_table import KernelTable

pytestmark = pytest.mark.usefixtures("fresh")


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No counts, the default policy, and no decompositions, whatever storeys above are imported."""
    monkeypatch.setattr(table, "decompositions", {})
    backends.reset_fallbacks()
    yield
    backends.set_fallback_policy("error")
    backends.reset_fallbacks()


def far(items: Any, dtype: str = "float32") -> Strided:
    flat = FlatArray.from_items(items, dtype).to("far")
    return Strided(flat, Row(flat.size))


def run(op: str, out: Any, *inputs: Any, **params: Any) -> None:
    first = next((x for x in inputs if hasattr(x, "flat")), out)
    first.flat.kernels[op](out, *inputs, **params)


def copy_remotely(out: Any, x: Any) -> None:
    """A copy kernel for the test device, any layouts."""

    def seen(operand: Any) -> np.ndarray[Any, Any]:
        flat, layout = operand.flat, operand.layout
        steps = tuple(s * flat.itemsize for s in layout.strides)
        at = flat.offset + layout.offset * flat.itemsize
        return np.ndarray(layout.shape, flat.dtype.numpy, flat.memory[0], at, steps)

    seen(out)[...] = seen(x)


def test_error_is_the_default(remote: Any) -> None:
    x = far([1.0, 2.0])
    assert backends.get_fallback_policy() == "error"
    with pytest.raises(OpNotImplemented) as caught:
        run("add", far([0.0, 0.0]), x, x)
    message = str(caught.value)
    assert len(message.splitlines()) <= 6
    for part in ("add: backend 'remote'", "float32[2], float32[2] -> float32[2]", "for any dtype", "fallback_policy"):
        assert part in message
    assert isinstance(caught.value, NotImplementedError)
    assert backends.fallbacks() == {}


def test_the_error_tells_other_dtypes(remote: Any) -> None:
    remote.table["add"] = (("float64", "int32"), lambda *a: None)
    x = far([1.0])
    with pytest.raises(OpNotImplemented, match="it has kernels for float64, int32 only"):
        run("add", x, x, x)


def test_a_copy_to_a_dtype_that_is_not_stored_is_an_error(remote: Any) -> None:
    """Whatever the backend stores instead, such as as many others."""
    stored = (*(name for name in DTYPES if name != "float64"), "float8_e5m2")
    remote.table["copy"] = (stored, lambda *a: None)
    with pytest.raises(OpNotImplemented, match="does not store float64; it stores bool"):
        run("copy", far([0.0], "float64"), far([1.0]))


@pytest.mark.parametrize("op", sorted(OPS))
def test_error_really_means_error_for_every_op(remote: Any, op: str) -> None:
    out = (far([0.0]),) * OPS[op].outputs if OPS[op].outputs > 1 else far([0.0])
    with pytest.raises(OpNotImplemented, match=f"^{op}: "):
        KernelTable(remote, 0, float32)[op](out, *[far([0.0])] * OPS[op].arity)


def test_allow_gives_the_reference_result_and_counts(remote: Any) -> None:
    x, y, out = far([1.0, 2.0, 3.0]), far([10.0, 20.0, 30.0]), far([0.0] * 3)
    with backends.fallback_policy("allow"):
        run("add", out, x, y)
        run("add", out, out, 1.0)  # in place, and a scalar
    assert out.flat.tolist() == [12.0, 23.0, 34.0]
    # out there and back, and inputs there: 12 bytes each
    assert backends.fallbacks() == {"add": (2, 12 * 4 + 12 * 3)}
    backends.reset_fallbacks()
    assert backends.fallbacks() == {}


def test_the_result_may_have_another_dtype(remote: Any) -> None:
    x, out = far([1.0, 2.0]), far([False, False], "bool")
    with backends.fallback_policy("allow"):
        run("less", out, x, 1.5)
    assert out.flat.tolist() == [True, False]


def test_warn_warns(remote: Any) -> None:
    x = far([1.0])
    backends.set_fallback_policy("warn")
    with pytest.warns(RuntimeWarning, match="add: backend 'remote' has no kernel for float32; it runs on the host"):
        run("add", x, x, x)
    assert x.flat.tolist() == [2.0]
    assert backends.fallbacks()["add"].calls == 1


def test_views_travel_and_only_their_items_change(remote: Any, shaped: Any) -> None:
    remote.table["copy"] = (("float32",), copy_remotely)
    flat = far(range(12)).flat
    column = Strided(flat, shaped((3,), (4,), 1))  # of 3 x 4
    backwards = Strided(far([1.0, 2.0, 3.0]).flat, shaped((3,), (-1,), 2))
    with backends.fallback_policy("allow"):
        run("add", column, column, backwards)
    assert flat.tolist() == [0, 1 + 3, 2, 3, 4, 5 + 2, 6, 7, 8, 9 + 1, 10, 11]
    repeated = Strided(far([5.0]).flat, shaped((3,), (0,)))
    with backends.fallback_policy("allow"):
        run("multiply", column, repeated, 2.0)
    assert flat.tolist()[1::4] == [10.0] * 3


def test_copy_itself_can_be_missing(remote: Any, shaped: Any) -> None:
    flat = far(range(6)).flat
    out = far([0.0, 0.0])
    with backends.fallback_policy("allow"):
        run("copy", out, Strided(flat, shaped((2,), (3,), 1)))
        run("copy", Strided(flat, shaped((2,), (1,), 4)), out)
    assert out.flat.tolist() == [1.0, 4.0]
    assert flat.tolist() == [0, 1, 2, 3, 1, 4]


def test_an_op_that_changes_parts_of_out(remote: Any) -> None:
    out, indices = far([1.0, 2.0, 3.0]), far([2, 0], "int64")
    with backends.fallback_policy("allow"):
        run("index_put", out, far([30.0, 10.0]), indices, accumulate=False)
    assert out.flat.tolist() == [10.0, 2.0, 30.0]


def test_several_outputs(remote: Any) -> None:
    values, positions = far([0.0] * 3), far([0] * 3, "int64")
    with backends.fallback_policy("allow"):
        run("sort", (values, positions), far([3.0, 1.0, 2.0]), axis=0, descending=False)
    assert values.flat.tolist() == [1.0, 2.0, 3.0]
    assert positions.flat.tolist() == [1, 2, 0]


def test_lists_of_outs_and_state_are_updated_in_place(remote: Any) -> None:
    parameters = [far([1.0, 2.0]), far([3.0])]
    gradients = [far([0.5, 0.5]), far([1.0])]
    buffers = [far([1.0, 1.0]), far([1.0])]
    options = {"lr": 1.0, "momentum": 1.0, "dampening": 0.0, "weight_decay": 0.0}
    with backends.fallback_policy("allow"):
        gradients[0].flat.kernels["sgd_step"](
            parameters, *gradients, buffers=buffers, nesterov=False, maximize=False, first=False, **options
        )
    assert [p.flat.tolist() for p in parameters] == [[-0.5, 0.5], [1.0]]
    assert [b.flat.tolist() for b in buffers] == [[1.5, 1.5], [2.0]]


def test_nothing_can_help_where_the_reference_has_no_kernel(remote: Any) -> None:
    x = far([True], "bool")  # subtract is not defined for bool
    with backends.fallback_policy("allow"), pytest.raises(OpNotImplemented, match="no fallback can help"):
        run("subtract", x, x, x)


def test_a_decomposition_that_came_later_is_used(remote: Any) -> None:
    x = far([1.0])
    with pytest.raises(OpNotImplemented):
        run("add", x, x, x)
    table.decompositions["add"] = lambda out, a, b: copy_remotely(out, far([42.0]))
    run("add", x, x, x)
    assert x.flat.tolist() == [42.0]


def test_policies_nest_and_are_checked() -> None:
    with backends.fallback_policy("allow"):
        with backends.fallback_policy("warn"):
            assert backends.get_fallback_policy() == "warn"
        assert backends.get_fallback_policy() == "allow"
    assert backends.get_fallback_policy() == "error"
    backends.set_fallback_policy("warn")
    with backends.fallback_policy("error"):
        assert backends.get_fallback_policy() == "error"
    for wrong in (backends.fallback_policy, backends.set_fallback_policy):
        with pytest.raises(ArgumentValueError, match="one of error, warn, allow"):
            wrong("ignore")


def test_a_policy_belongs_to_its_thread_and_task() -> None:
    async def task(policy: str) -> str:
        with backends.fallback_policy(policy):
            await asyncio.sleep(0.01)
            return backends.get_fallback_policy()

    async def both() -> list[str]:
        return list(await asyncio.gather(task("allow"), task("warn")))

    assert asyncio.run(both()) == ["allow", "warn"]
    with backends.fallback_policy("allow"), ThreadPoolExecutor(1) as pool:
        assert pool.submit(backends.get_fallback_policy).result() == "error"


def test_counts_add_up_over_threads(remote: Any) -> None:
    def work(_: int) -> None:
        x = far([1.0])
        with backends.fallback_policy("allow"):
            for _ in range(20):
                run("add", x, x, x)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert backends.fallbacks()["add"].calls == 80
