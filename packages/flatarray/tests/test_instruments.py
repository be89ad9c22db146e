"""Instruments see every kernel call while they are on, and leave nothing behind."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from lamina_flatarray import (
    FlatArray,
    NotFinite,
    Row,
    Strided,
    count_ops,
    detect_nan,
    instruments,
    profile_ops,
    record_ops,
)
from lamina_flatarray.backends import kernel_table as table


def operand(*items: Any, dtype: str = "float32") -> Strided:
    flat = FlatArray.from_items(items, dtype).to(None)
    return Strided(flat, Row(flat.size))


def run(op: str, out: Any, *inputs: Any, **params: Any) -> None:
    inputs[0].flat.kernels[op](out, *inputs, **params)


@pytest.fixture(autouse=True)
def nothing_left() -> Any:
    run("add", operand(0.0), operand(1.0), operand(1.0))  # an entry that is there before
    before = {id(t): dict(t) for t in table.tables.values()}
    yield
    assert table.wrappers == []
    for kernels in table.tables.values():
        for op, kernel in kernels.items():
            assert not isinstance(kernel, instruments.Watched)
            assert before.get(id(kernels), {}).get(op, kernel) is kernel


def test_record() -> None:
    x, y = operand(1.0, 2.0), operand(3.0, 4.0)
    with record_ops() as seen:
        run("add", x, x, y)
        run("add", x, x, 1.0)
        x.flat.fill(0)
        run("less", operand(False, False, dtype="bool"), x, y)
    run("add", x, x, y)
    assert [record.op for record in seen] == ["add", "add", "fill", "less"]
    assert seen[0] == ("add", ("float32",) * 3, ((2,),) * 3)
    assert seen[1].shapes == ((2,), (2,))
    assert seen[3].dtypes == ("bool", "float32", "float32")


def test_count_and_profile() -> None:
    x = operand(1.0, 2.0)
    with count_ops() as counts, profile_ops() as profile:
        for _ in range(3):
            run("add", x, x, x)
    assert counts == {"add": 3}
    assert profile["add"].calls == 3
    assert profile["add"].bytes == 3 * 3 * 8
    assert 0 < profile["add"].seconds < 5


def test_entries_made_while_on_are_watched_and_released() -> None:
    x = operand(1.0)
    x.flat.kernels.pop("exp2", None)
    with count_ops() as counts:
        run("exp2", x, x)
    assert counts == {"exp2": 1}
    assert not isinstance(x.flat.kernels["exp2"], instruments.Watched)


def test_they_end_in_any_order() -> None:
    x = operand(1.0)
    original = x.flat.kernels["add"]
    first, second = count_ops(), count_ops()
    a, b = first.__enter__(), second.__enter__()
    run("add", x, x, x)
    first.__exit__(None, None, None)
    run("add", x, x, x)
    second.__exit__(None, None, None)
    run("add", x, x, x)
    assert (a["add"], b["add"]) == (1, 2)
    assert x.flat.kernels["add"] is original


def test_an_error_in_the_block_takes_them_off() -> None:
    with pytest.raises(ZeroDivisionError), record_ops():
        raise ZeroDivisionError


def test_threads_come_and_go() -> None:
    x = operand(1.0)
    errors: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(20):
                with count_ops() as counts:
                    run("add", operand(0.0), x, x)
                    assert counts["add"] == 1
        except BaseException as error:
            errors.append(error)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert errors == []


def in_a_thread(function: Callable[[], None]) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(function).result()


def test_another_thread_is_not_seen() -> None:
    x, bad = operand(1.0), operand(-1.0)

    def elsewhere() -> None:
        run("add", operand(0.0), x, x)
        run("sqrt", operand(0.0), bad)

    with count_ops() as counts, record_ops() as records, profile_ops() as profile, detect_nan():
        in_a_thread(elsewhere)
        assert (counts, records, profile) == ({}, [], {})
        run("add", operand(0.0), x, x)
    assert counts == {"add": 1} and len(records) == 1 and profile["add"].calls == 1


def test_all_threads_are_seen_if_asked_for() -> None:
    class Names(instruments.Instrument):
        def __init__(self) -> None:
            self.ops: list[str] = []

        def call(self, op: str, kernel: Any, out: Any, inputs: Any, params: Any) -> Any:
            self.ops.append(op)
            return kernel(out, *inputs, **params)

    x, everywhere, here = operand(1.0), Names(), Names()
    with instruments.installed(everywhere, all_threads=True), instruments.installed(here):
        in_a_thread(lambda: run("add", operand(0.0), x, x))
        run("multiply", operand(0.0), x, x)
    assert (everywhere.ops, here.ops) == (["add", "multiply"], ["multiply"])


def test_tasks_see_their_own_and_those_of_who_started_them() -> None:
    x = operand(1.0)

    async def task(op: str) -> Counter[str]:
        with count_ops() as counts:
            run(op, operand(0.0), x, x)
            await asyncio.sleep(0.01)
            run(op, operand(0.0), x, x)
        return counts

    async def both() -> list[Counter[str]]:
        with count_ops() as outer:
            inner = await asyncio.gather(task("add"), task("multiply"))
        return [*inner, outer]

    assert asyncio.run(both()) == [{"add": 2}, {"multiply": 2}, {"add": 2, "multiply": 2}]


def test_nan_is_found_and_described() -> None:
    x = operand(-1.0, 0.0, 4.0)
    with detect_nan(), pytest.raises(NotFinite) as caught:
        run("log", operand(0.0, 0.0, 0.0), x)
    message = str(caught.value)
    assert message.startswith("log: a value became not finite")
    assert "output: float32[3], 1 NaN and 1 infinite of 3, finite ones from 1.38629 to 1.38629" in message
    assert "input 0: float32[3], 0 NaN and 0 infinite of 3, finite ones from -1 to 4" in message


def test_the_input_is_described_as_it_was_even_in_place() -> None:
    x = operand(-1.0, 1.0)
    with detect_nan(), pytest.raises(NotFinite, match=r"input 0: float32\[2\], 0 NaN and 0 infinite"):
        run("log", x, x)


def test_infinity_may_be_let_through() -> None:
    x = operand(0.0)
    with detect_nan(inf=False):
        run("log", x, x)
    assert x.flat.tolist() == [float("-inf")]
    with detect_nan(), pytest.raises(NotFinite):
        run("add", operand(0.0), x, x)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64", "complex64"])
def test_every_inexact_dtype_is_watched(dtype: str) -> None:
    x = operand(float("nan"), dtype=dtype)
    with detect_nan(), pytest.raises(NotFinite, match=dtype):
        run("add", operand(0.0, dtype=dtype), x, x)


def test_moving_and_asking_for_infinity_is_no_mistake() -> None:
    x = operand(1e30)
    with detect_nan():
        x.flat.fill(float("inf"))
        x.flat.copy()
        run("add", operand(0, dtype="int64"), operand(1, dtype="int64"), 2)
    large = operand(1e30)
    with detect_nan(), pytest.raises(NotFinite, match=r"^copy: "):  # a cast that overflows
        large.flat.cast("float16")


def test_what_an_op_keeps_between_steps_is_searched_too() -> None:
    """Adam's second moment overflows before the parameter itself does."""
    parameters, gradients = [operand(1.0), operand(1.0, 2.0)], [operand(1.0), operand(3e38, 1.0)]
    firsts, seconds = ([operand(0.0), operand(0.0, 0.0)] for _ in range(2))
    settings = {"lr": 0.1, "beta1": 0.9, "beta2": 0.5, "eps": 1e-8, "weight_decay": 0.0, "decoupled": False}
    kernel = parameters[0].flat.kernels
    with detect_nan(), pytest.raises(NotFinite) as caught:
        kernel["adam_step"](
            parameters, *gradients, firsts=firsts, seconds=seconds, maxima=None, maximize=False, step=1, **settings
        )
    lines = str(caught.value).splitlines()
    assert lines[1] == "  seconds 1: float32[2], 0 NaN and 1 infinite of 2, finite ones from 0.5 to 0.5"
    assert [line.split(":")[0] for line in lines[2:]] == ["  input 1", "  firsts before, at 1", "  seconds before, at 1"]


def test_an_entry_that_is_being_made_while_an_instrument_goes_on_is_watched() -> None:
    class Slow(table.KernelTable):
        """Another thread switches an instrument on between the making of an entry and its storing."""

        meanwhile = [instruments.count_ops()]

        def __setitem__(self, op: str, kernel: Any) -> None:
            while self.meanwhile:
                counting.append(self.meanwhile.pop())
                counting[0].__enter__()
            super().__setitem__(op, kernel)

    counting: list[Any] = []
    kernels = operand(1.0).flat.kernels
    slow = Slow(kernels.backend, 0, kernels.dtype)
    entry = slow["multiply"]
    counting[0].__exit__(None, None, None)
    assert entry is slow["multiply"] and instruments.kernel_within(entry) is not entry
