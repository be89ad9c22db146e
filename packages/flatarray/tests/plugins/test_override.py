"""One op of a running backend overridden: seen by every table and report, ordered among others, and gone when it is removed."""

from __future__ import annotations

import io
import json
import threading
from typing import Any

import numpy as np
import pytest

from lamina_flatarray import DTypeError, FlatArray, Row, Strided, backends, count_ops
from lamina_flatarray.backends import override
from lamina_flatarray.backends.doctor import examine
from lamina_flatarray.backends.kernel_table import KernelTable


def constant(value: float) -> Any:
    def kernel(out: Any, *inputs: Any, **params: Any) -> None:
        out.flat.kernels["fill"](out, value=value)

    return kernel


def negative(x: FlatArray) -> list[Any]:
    out = x.like(x.size)
    out.kernels["negative"](Strided(out, Row(x.size)), Strided(x, Row(x.size)))
    return out.tolist()


@pytest.fixture
def x() -> FlatArray:
    return FlatArray.from_items([1.0, 2.0])


def test_it_is_in_force_for_arrays_that_exist_until_it_is_removed(x: FlatArray) -> None:
    name = x.backend.name
    assert negative(x) == [-1.0, -2.0]  # the entry is there before
    sevens = override(name, "negative", "float32", constant(7))
    assert negative(x) == [7.0, 7.0] and negative(x.cast("float64")) == [-1.0, -2.0]
    with override(name, "negative", None, constant(8)) as eights:
        assert negative(x) == negative(x.cast("float64")) == [8.0, 8.0]
        sevens.remove()
        sevens.remove()
        assert negative(x) == [8.0, 8.0]
    assert negative(x) == [-1.0, -2.0]
    assert repr(eights).endswith(f"on {name}, removed>") and "float64" in eights.dtypes


def test_the_same_kernel_twice_is_removed_once(x: FlatArray) -> None:
    kernel = constant(7)
    with override(x.backend.name, "negative", "float32", kernel, reads_strides=True):
        with override(x.backend.name, "negative", "float32", kernel, reads_strides=True):
            pass
        assert negative(x) == [7.0, 7.0]
    assert negative(x) == [-1.0, -2.0]


def test_a_table_is_reached_whose_name_another_object_has_taken() -> None:
    x = FlatArray.from_items([1.0, 2.0], device="cpu")
    assert negative(x) == [-1.0, -2.0]
    taken = KernelTable.of(type(x.backend)(), 0, x.dtype)
    assert taken is not x.kernels
    with override(x.backend.name, "negative", "float32", constant(7)):
        assert negative(x) == [7.0, 7.0]
    KernelTable.of(x.backend, 0, x.dtype)


def test_it_is_told_of(x: FlatArray) -> None:
    name, told = x.backend.name, io.StringIO()
    before = backends.capabilities(name)
    with override(name, "negative", ("float32", "float64"), constant(7)), override(name, "exp", "float32", constant(1)):
        ops = backends.capabilities(name)["ops"]
        assert ops["negative"]["float32"] == ops["exp"]["float32"] == "overridden" != ops["negative"]["int8"]
        assert backends.explain("negative", x).origin == "overridden"
        (status,) = (s for s in backends.status() if s.name == name)
        assert status.overridden == ("negative (float32, float64)", "exp (float32)")
        assert json.loads(json.dumps(status.as_dict()))["overridden"] == list(status.overridden)
        examine(told)
        assert "overridden here: negative (float32, float64); exp (float32)" in told.getvalue()
    assert backends.capabilities(name) == before and all(not s.overridden for s in backends.status())


def test_who_extends_the_backend_inherits_it(quick: Any) -> None:
    quick.extends = "numpy"
    with override("numpy", "negative", "float64", constant(7)):
        assert backends.capabilities("quick")["ops"]["negative"]["float64"] == "inherited from numpy"
        assert negative(FlatArray.empty(2, "float64", "quick")) == [7.0, 7.0]


def test_a_kernel_that_reads_no_strides_is_given_rows(x: FlatArray) -> None:
    from struct import pack

    class Column(Row):
        """Every second item, from the second on."""

        strides, offset, contiguous = (2,), 1, False

        def __init__(self, size: int) -> None:
            super().__init__(size)
            self.packed = pack("4q", 1, 1, size, 2)

        @property
        def compact(self) -> Row:
            return Row(self.size)

    seen = []

    def kernel(out: Any, given: Any) -> None:
        seen.append((out.layout.strides, given.layout.strides, given.layout.offset))
        out.flat.numpy()[...] = np.negative(given.flat.numpy())

    whole = FlatArray.from_items([1.0, 2.0, 3.0, 4.0])
    with override(x.backend.name, "negative", "float32", kernel):
        x.kernels["negative"](Strided(whole, Column(2)), Strided(whole, Column(2)))
    assert whole.tolist() == [1.0, -2.0, 3.0, -4.0] and seen == [((1,), (1,), 0)]


def test_instruments_see_it(x: FlatArray) -> None:
    with override(x.backend.name, "negative", "float32", constant(7)), count_ops() as counted:
        negative(x)
    assert counted["negative"] == 1


def test_an_override_goes_with_its_backend(tiny: Any) -> None:
    backends.register(tiny())
    handle = override("tiny", "negative", "float32", constant(7))
    backends.unregister("tiny")
    backends.register(tiny())
    try:
        assert all(not s.overridden for s in backends.status())
        handle.remove()
    finally:
        backends.unregister("tiny")


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        (("nobody", "negative", None, constant(1)), RuntimeError, "nobody"),
        (("numpy", "no_such_op", None, constant(1)), NotImplementedError, "no_such_op"),
        (("numpy", "bitwise_and", "float32", constant(1)), DTypeError, "bitwise_and is not computed in float32, but in bool"),
        (("numpy", "negative", "float33", constant(1)), TypeError, "float33"),
        (("numpy", "negative", None, 3), TypeError, "kernel"),
    ],
)
def test_what_cannot_be_overridden_is_refused(given: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        override(*given)


def test_an_entry_that_is_being_made_meanwhile_is_made_again(quick: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if another thread overrode the op just when this one has found the backend's own kernel."""
    monkeypatch.setattr(quick, "capabilities", lambda: {"negative": ("float32",)})
    handles: list[override] = []

    def kernel(op: str) -> Any:
        if not handles:
            handles.append(override("quick", "negative", "float32", constant(7)))
        return constant(1)

    monkeypatch.setattr(quick, "kernel", kernel)
    quick.extends = "numpy"
    x = FlatArray.empty(2, "float32", "quick")
    x.kernels.pop("negative", None)
    assert negative(x) == [7.0, 7.0]
    handles[0].remove()
    assert negative(x) == [1.0, 1.0]


def test_threads_override_and_run_at_once(x: FlatArray) -> None:
    """Whoever has just overridden the op sees its own kernel or a later one, and in the end the backend's own is back."""
    wrong: list[Any] = []
    stop = threading.Event()

    def first_uses() -> None:
        while not stop.is_set():
            x.kernels.pop("negative", None)
            negative(x)

    def overrides() -> None:
        for _ in range(300):
            with override(x.backend.name, "negative", "float32", constant(7)):
                if negative(x) != [7.0, 7.0]:
                    wrong.append("its own kernel is not in force")
        stop.set()

    threads = [threading.Thread(target=first_uses), threading.Thread(target=overrides)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and negative(x) == [-1.0, -2.0]
