"""Native products with weights of 4 to 16 bits an item: by channels and by tiles, in parts, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_operands import empty, operand, run

from lamina_backend_cpp import get_num_threads, set_num_threads
from lamina_flatarray import dtype_of
from lamina_testkit import error_bounds


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize(("bits", "group"), [(8, 601), (8, 32), (4, 128), (4, 30)])
@pytest.mark.parametrize("rows", [1, 3, 6, 9, 70])
def test_no_number_of_threads_changes_a_bit(rows: int, bits: int, group: int, zeros: bool) -> None:
    length, channels = 601, 300
    rng, groups = np.random.default_rng(0), -(-length // group)
    x = rng.standard_normal((rows, length)).astype(np.float32)
    if bits == 8:
        weight = items = rng.integers(-128, 128, (channels, length)).astype(np.int8)
    else:
        weight = rng.integers(0, 256, (channels, (length + 1) // 2)).astype(np.uint8)
        items = np.stack([weight & 15, weight >> 4], -1).reshape(channels, -1)[:, :length]
    scale = (rng.random((channels, groups)) + 0.5).astype(np.float32)
    zero = (rng.standard_normal((channels, groups)) * 9).astype(np.float32) if zeros else None
    bias = rng.standard_normal(channels).astype(np.float32)
    given = [operand(a) if a is not None else None for a in (x, weight, scale, zero, bias)]
    before, found = get_num_threads(), []
    try:
        for threads in (1, 2, 8):
            set_num_threads(threads)
            found.append(run("quantized_linear", empty((rows, channels), "float32"), *given, bits=bits, group_size=group).copy())
    finally:
        set_num_threads(before)
    spread = [np.repeat(a.astype(float), group, 1)[:, :length] for a in (scale, zero if zeros else 8.0 * (bits == 4) + 0 * scale)]
    wanted = x.astype(float) @ ((items - spread[1]) * spread[0]).T + bias
    terms = np.abs(x.astype(float)) @ ((np.abs(items.astype(float)) + np.abs(spread[1])) * spread[0]).T + np.abs(bias)
    error_bounds.assert_within(found[0], wanted, error_bounds.products_of_noise("float32") * terms)
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("rows", [1, 2, 7, 9, 70])
def test_a_weight_of_16_bits_is_taken_apart_alike(rows: int, dtype: str) -> None:
    length, channels, kind = 601, 300, dtype_of(dtype).numpy
    rng = np.random.default_rng(0)
    x, weight, bias = (rng.standard_normal(shape).astype(kind) for shape in ((rows, length), (channels, length), (channels,)))
    before, found = get_num_threads(), []
    try:
        for threads in (1, 2, 8):
            set_num_threads(threads)
            out = empty((rows, channels), dtype)
            found.append(run("linear", out, operand(x), operand(weight), operand(bias)).copy())
    finally:
        set_num_threads(before)
    x, weight, bias = (a.astype(float) for a in (x, weight, bias))
    wanted = x @ weight.T + bias
    bound = error_bounds.products_of_noise("float32") * (np.abs(x) @ np.abs(weight).T + np.abs(bias))
    error_bounds.assert_within(found[0].astype(float), wanted, bound + error_bounds.unit_roundoff(dtype) * np.abs(wanted))
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])


def test_wrong_operands_are_refused_before_a_write() -> None:
    x, weight, scale = np.ones((2, 6), np.float32), np.ones((3, 6), np.int8), np.ones((3, 2), np.float32)
    good = {"x": x, "weight": weight, "scale": scale, "zero_point": scale, "bias": np.ones(3, np.float32)}
    for name, wrong, kind in (
        ("weight", weight.astype(np.uint8), TypeError), ("weight", weight[:, :5], ValueError), ("weight", weight[:2], ValueError),
        ("scale", scale[:, :1], ValueError), ("zero_point", scale[:2], ValueError), ("bias", np.ones(2, np.float32), ValueError),
        ("bias", np.ones(3), TypeError), ("x", x[:, :5], ValueError),
    ):  # fmt: skip
        out = empty((2, 3), "float32")
        with pytest.raises(kind, match="quantized_linear"):
            run("quantized_linear", out, *[operand(a) for a in ({**good, name: wrong}).values()], bits=8, group_size=3)
    for params in ({"bits": 5, "group_size": 3}, {"bits": 8, "group_size": 0}, {"bits": 4, "group_size": 3}):
        with pytest.raises(ValueError, match="quantized_linear"):
            run("quantized_linear", empty((2, 3), "float32"), *[operand(a) for a in good.values()], **params)
