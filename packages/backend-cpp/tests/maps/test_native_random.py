"""Native draws: the reference's stream bit by bit, and the generator's state as it leaves it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_operands import BACKEND, empty, numpy_view, operand

from lamina_backend_cpp import get_num_threads, set_num_threads
from lamina_flatarray.backends import registry
from lamina_flatarray.random import Generator
from lamina_flatarray.random.known_answers import KNOWN_ANSWERS
from lamina_testkit import error_bounds

SIZES = [0, 1, 2, 5, 15, 16, 17, 31, 32, 100, 623, 624, 625, 5000, 70_003]
FILLS: list[tuple[str, dict[str, Any]]] = [
    ("random_uniform", {"low": 0.0, "high": 1.0}), ("random_uniform", {"low": -0.1, "high": 0.3}),
    ("random_uniform", {"low": 2, "high": 2}), ("random_normal", {"mean": 0.0, "std": 1.0}),
    ("random_normal", {"mean": 0.3, "std": 2.5}), ("random_normal", {"mean": 0, "std": 0.1}),
    ("random_integers", {"low": 0, "high": 100}), ("random_integers", {"low": -100, "high": 27}),
    ("random_integers", {"low": 0, "high": 1}), ("random_integers", {"low": 0, "high": 2**28}),
    ("random_integers", {"low": -(2**40), "high": 2**40}), ("random_permutation", {}),
    ("random_bernoulli", {"probability": 0.3}), ("random_bernoulli", {"probability": 0.0}),
    ("random_bernoulli", {"probability": 1.0}), ("random_bernoulli", {"probability": 1}),
]  # fmt: skip


def drawn(backend: Any, op: str, dtype: str, size: int, params: dict[str, Any], generator: Generator) -> np.ndarray[Any, Any]:
    out = empty((size,), dtype)
    backend.kernel(op)(out, generator=generator, **params)
    return numpy_view(out).copy()


@pytest.mark.parametrize(("op", "params"), FILLS)
def test_as_the_reference(op: str, params: dict[str, Any]) -> None:
    reference = registry.backend("numpy")
    for dtype in BACKEND.capabilities()[op]:
        if op == "random_integers" and not (np.iinfo(dtype).min <= params["low"] and params["high"] - 1 <= np.iinfo(dtype).max):
            continue
        ours, theirs = Generator("cpu").manual_seed(7), Generator("cpu").manual_seed(7)
        for size in SIZES:
            found, wanted = (drawn(b, op, dtype, size, params, g) for b, g in ((BACKEND, ours), (reference, theirs)))
            if op == "random_normal" and (dtype == "float64" or size < 16):  # functions of the C library, and NumPy's own
                bound = error_bounds.normal_numbers(dtype) * (np.abs(wanted) + abs(params["mean"]))
                error_bounds.assert_within(found, wanted, bound)
            else:
                np.testing.assert_array_equal(found, wanted, err_msg=f"{op} {dtype} {size}")
        state, other = ours.get_state(), theirs.get_state()
        differ = np.flatnonzero(state != other)
        assert all(5024 <= place < 5032 for place in differ)  # the normal that waits may differ in its last bit


@pytest.mark.parametrize("answer", [a for a in KNOWN_ANSWERS if f"random_{a.op}" in BACKEND.capabilities()], ids=lambda a: a.op)
def test_known_answers(answer: Any) -> None:
    op = f"random_{answer.op}"
    defaults = {"random_uniform": {"low": 0.0, "high": 1.0}, "random_normal": {"mean": 0.0, "std": 1.0}}.get(op, {})
    names = {"p": "probability"}
    params = {**defaults, **{names.get(k, k): v for k, v in answer.parameters.items()}}
    if answer.dtype not in BACKEND.capabilities()[op] or "serial" in params or isinstance(params.get("probability"), (list, tuple)):
        pytest.skip("the reference draws these")
    found = drawn(BACKEND, op, answer.dtype, answer.size, params, Generator("cpu").manual_seed(answer.seed))
    np.testing.assert_array_equal(found[-len(answer.values) :], np.array(answer.values, found.dtype))


def test_any_number_of_threads() -> None:
    before, found = get_num_threads(), []
    try:
        for threads in (1, 2, 8):
            set_num_threads(threads)
            found.append(drawn(BACKEND, "random_normal", "float32", 300_001, {"mean": 0.0, "std": 1.0}, Generator("cpu").manual_seed(3)))
    finally:
        set_num_threads(before)
    assert found[0].tobytes() == found[1].tobytes() == found[2].tobytes()


def dropped(backend: Any, x: np.ndarray[Any, Any], p: float, generator: Generator) -> tuple[np.ndarray[Any, Any], ...]:
    out, kept = empty(x.shape, x.dtype), empty(((x.size + 7) // 8,), "uint8")
    backend.kernel("dropout")((out, kept), operand(x), generator=generator, p=p)
    back = empty(x.shape, x.dtype)
    backend.kernel("dropout_gradient")(back, operand(x), kept, p=p)
    return tuple([numpy_view(made).copy() for made in (out, kept, back)])


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_dropout_keeps_what_bernoulli_numbers_say(dtype: str) -> None:
    ours, theirs = Generator("cpu").manual_seed(7), Generator("cpu").manual_seed(7)
    reference = registry.backend("numpy")
    for size in (0, 1, 7, 8, 15, 16, 17, 1023, 1024, 1025, 70_003):
        for p in (0.0, 0.3, 0.75):
            x = np.linspace(-3, 3, size).astype(dtype)
            if size > 3:
                x[1], x[3] = np.inf, np.nan
            made, kept, back = dropped(BACKEND, x, p, ours)
            chosen = drawn(reference, "random_bernoulli", dtype, size, {"probability": 1 - p}, theirs)
            scale = (np.float64(1) / (1 - p) if dtype == "float64" else np.float32(1) / np.float32(1 - p)).astype(dtype)
            with np.errstate(invalid="ignore"):
                wanted = x * (chosen * scale)
            np.testing.assert_array_equal(made, wanted)
            np.testing.assert_array_equal(back, wanted)
            np.testing.assert_array_equal(kept, np.packbits(chosen != 0, bitorder="little"))
    assert (ours.get_state() == theirs.get_state()).all()


def test_dropout_on_any_number_of_threads_and_in_place() -> None:
    before, found = get_num_threads(), []
    x = np.linspace(-3, 3, 300_001).astype("float32")
    try:
        for threads in (1, 2, 8):
            set_num_threads(threads)
            found.append(b"".join([a.tobytes() for a in dropped(BACKEND, x, 0.1, Generator("cpu").manual_seed(3))]))
    finally:
        set_num_threads(before)
    assert found[0] == found[1] == found[2]
    place, kept = operand(x), empty((37_501,), "uint8")
    BACKEND.kernel("dropout")((place, kept), place, generator=Generator("cpu").manual_seed(3), p=0.1)
    assert found[0].startswith(numpy_view(place).tobytes())


def test_dropout_refuses_what_does_not_fit() -> None:
    x, generator = operand(np.ones(20, "float32")), Generator("cpu").manual_seed(1)
    state = generator.get_state()
    for out, kept in ((empty((19,), "float32"), empty((3,), "uint8")), (empty((20,), "float32"), empty((2,), "uint8")),
                      (empty((20,), "float64"), empty((3,), "uint8")), (empty((20,), "float32"), empty((3,), "int8"))):  # fmt: skip
        with pytest.raises((ValueError, TypeError)):
            BACKEND.kernel("dropout")((out, kept), x, generator=generator, p=0.5)
    assert (generator.get_state() == state).all()


def test_a_stream_goes_on_in_either_backend() -> None:
    reference = registry.backend("numpy")
    mixed, alone = Generator("cpu").manual_seed(5), Generator("cpu").manual_seed(5)
    for turn, size in enumerate([3, 700, 20, 1, 5, 64]):
        backend = BACKEND if turn % 2 else reference
        found = drawn(backend, "random_uniform", "float32", size, {"low": 0.0, "high": 1.0}, mixed)
        np.testing.assert_array_equal(found, drawn(reference, "random_uniform", "float32", size, {"low": 0.0, "high": 1.0}, alone))
    assert (mixed.get_state() == alone.get_state()).all()


def test_bad_parameters_and_other_generators() -> None:
    generator = Generator("cpu")
    for op, dtype, params in [
        ("random_uniform", "float32", {"low": 1.0, "high": 0.0}), ("random_normal", "float32", {"mean": 0.0, "std": -1.0}),
        ("random_bernoulli", "float32", {"probability": 1.5}), ("random_integers", "int8", {"low": 0, "high": 300}),
    ]:  # fmt: skip
        with pytest.raises((ValueError, RuntimeError)):
            drawn(BACKEND, op, dtype, 5, params, generator)
    philox = Generator("cuda:0").manual_seed(1)
    found = drawn(BACKEND, "random_uniform", "float32", 50, {"low": 0.0, "high": 1.0}, philox)
    same = Generator("cuda:0").manual_seed(1)
    wanted = drawn(registry.backend("numpy"), "random_uniform", "float32", 50, {"low": 0.0, "high": 1.0}, same)
    np.testing.assert_array_equal(found, wanted)
    with pytest.raises((AttributeError, TypeError)):
        drawn(BACKEND, "random_uniform", "float32", 5, {"low": 0.0, "high": 1.0}, None)  # type: ignore[arg-type]
