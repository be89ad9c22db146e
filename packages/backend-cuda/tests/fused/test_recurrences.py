"""Recurrent cells step by step, and the way back, beside the reference."""

import numpy as np
import pytest
from against_reference import assert_as_reference

from lamina_ndarray.layers.recurrences import GATES


def normal(dtype, *shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(dtype) / 2


def operands(mode, dtype, steps, rows, units, with_bias):
    gates = GATES[mode] * units
    bias = normal(dtype, gates) if with_bias else None
    states = normal(dtype, rows, units), normal(dtype, rows, units) * 2 if mode == "LSTM" else None
    return normal(dtype, steps * rows, gates), *states, normal(dtype, gates, units), bias


def results(mode, steps, rows, units, name):
    cells, gated = mode == "LSTM", mode in ("LSTM", "GRU")
    shapes = (steps * rows, units), (rows, units), (rows, units) if cells else (0,), (steps * rows, units) if cells else (0,)
    return [(shape, name) for shape in (*shapes, (steps * rows, 4 * units) if gated else (0,))]


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("mode", GATES)
@pytest.mark.parametrize("steps, rows, units, name", [(1, 1, 1, "float32"), (4, 3, 5, "float32"), (3, 70, 9, "float64")])
def test_cells_and_their_gradients(cuda, mode, backwards, steps, rows, units, name):
    settings = {"mode": mode, "sizes": (rows,) * steps, "backwards": backwards}
    cuda.port.library = True
    given, state, cell_state, weight, bias = operands(mode, name, steps, rows, units, with_bias=backwards)
    bound = 64 * steps * float(np.finfo(name).eps)  # of numbers of about 1, which each step makes of those before
    outputs = results(mode, steps, rows, units, name)
    made = assert_as_reference(cuda, "recurrence", [given, state, cell_state, weight, bias], outputs, [bound] * 5, **settings)
    assert cuda.port.launches.count("cell_forward") == steps
    output, _, _, cells, kept = made
    gradients = normal(name, steps * rows, units), normal(name, rows, units), normal(name, rows, units) if mode == "LSTM" else None
    wanted = [
        ((steps * rows, GATES[mode] * units), name), ((steps * rows, 3 * units) if mode == "GRU" else (0,), name), ((rows, units), name),
        ((rows, units) if mode == "LSTM" else (0,), name),
    ]  # fmt: skip
    inputs = [*gradients, state, cell_state, weight, output, cells, kept]
    assert_as_reference(cuda, "recurrence_gradient", inputs, wanted, [16 * bound] * 4, **settings)
    assert cuda.port.launches.count("cell_backward") == steps


def test_without_a_library_of_products_they_are_derived(cuda):
    cuda.port.library = False
    outputs = results("LSTM", 2, 3, 4, "float32")
    settings = {"mode": "LSTM", "sizes": (3, 3), "backwards": False}
    assert_as_reference(cuda, "recurrence", operands("LSTM", "float32", 2, 3, 4, True), outputs, [1e-5] * 5, **settings)


def test_sequences_of_different_lengths_are_derived(cuda):
    inputs = operands("GRU", "float32", 2, 3, 4, with_bias=True)
    given = inputs[0][:5]
    settings = {"mode": "GRU", "sizes": (3, 2), "backwards": False}
    outputs = [((5, 4), "float32"), ((3, 4), "float32"), ((0,), "float32"), ((0,), "float32"), ((5, 16), "float32")]
    assert_as_reference(cuda, "recurrence", [given, *inputs[1:]], outputs, [1e-5] * 5, **settings)
    assert "cell_forward" not in cuda.port.launches
