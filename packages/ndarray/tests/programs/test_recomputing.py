"""Cheap results that are needed late are made again rather than kept, where that takes much less memory and what they are made of stays."""

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray.backends.kernel_table import origin
from lamina_flatarray.instruments import installed
from lamina_ndarray.layers.normalizations import layer_norm
from lamina_ndarray.programs.arena import Arena
from lamina_ndarray.programs.program import GIVEN, KEPT, SCRATCH, STATE, Program
from lamina_ndarray.programs.recorder import Call, Effect, Recorder

ROWS, COLUMNS = 128, 2048  # a megabyte


class Acting(Effect):
    """Adds 1 to an array that stays."""

    __slots__ = ("array", "writes")

    def __init__(self, array, writes):
        self.array, self.writes = array, writes

    def __call__(self):
        if self.writes:
            nd.add(self.array, 1.0, out=self.array)


def layers(x, scale, between=None, activation=nd.gelu, n=6):
    """What several layers and their gradients are like: late uses in the opposite order, of results and of what these are made of."""
    kept = []
    for _ in range(n):
        x = nd.cumsum(x, 1) * scale
        y = activation(x)
        kept.append((x, y))
        x = y
    if between is not None:
        between()
    g = nd.flip(x, (0,))
    for x, y in reversed(kept):
        g = nd.flip(g * y, (1,)) + x * g
    return g


def program(function, x, scale, effect=None):
    recorder = Recorder()
    with recorder.seeing_allocations(), installed(recorder):
        result = function(x, scale, effect and (lambda: recorder.calls.append(Call("act", effect, None, (), {}))))
    result = recorder.operand(result)
    known = {recorder.number_of(x.flat): (GIVEN, (0, 0)), recorder.number_of(scale.flat): (STATE, scale.flat), result.storage: (KEPT, 0)}
    roles = [known.get(storage.number, (SCRATCH, None)) for storage in recorder.storages]
    made = Program(recorder.calls, recorder.storages, roles, Arena(), lambda run: (run[0].kernels, ()))

    def run(x):
        out = nd.empty(x.shape, dtype=x.dtype)
        made.run([(x.flat.memory, x.flat.offset)], [out.flat.memory])
        return out

    return made, run, sum(call.op in ("gelu", "relu", "layer_norm") for call in recorder.calls)


def made_again(made, ops=("gelu", "relu", "layer_norm")):
    return sum(op in ops for step in made.steps() for op in step.ops)


@pytest.fixture
def x():
    return nd.asarray(np.random.default_rng(0).standard_normal((ROWS, COLUMNS)).astype("float32") / 8)


@pytest.fixture
def scale():
    return nd.asarray(np.full(COLUMNS, 0.5, "float32"))


def test_the_same_bits_in_less_memory(x, scale):
    made, run, recorded = program(layers, x, scale)
    assert recorded == 6 < made_again(made) <= 11  # the last is needed at once
    assert made.scratch_bytes < 0.85 * 12 * x.nbytes
    for given in (x, x * 3):
        np.testing.assert_array_equal(np.asarray(run(given)), np.asarray(layers(given, scale)))


@pytest.mark.parametrize("op", ["relu", "layer_norm"])
def test_other_cheap_ops(x, scale, op):
    """Of a normalisation, which has statistics beside its result, all are made again. What is composed of other kernels is not cheap."""
    activations = {"relu": nd.relu, "layer_norm": lambda x: layer_norm(x, None, None, 1, 1e-5)[0]}
    made, run, recorded = program(lambda *given: layers(*given, activation=activations[op]), x, scale)
    is_kernel = origin(x.flat.kernels.backend, op, x.dtype) == "native"
    assert recorded == 6 and (made_again(made) > 6) == is_kernel
    np.testing.assert_array_equal(np.asarray(run(x)), np.asarray(layers(x, scale, activation=activations[op])))


def test_little_memory_is_left_as_it_is(x, scale):
    made, run, recorded = program(layers, x[:16], scale)
    assert made_again(made) == recorded
    np.testing.assert_array_equal(np.asarray(run(x[:16])), np.asarray(layers(x[:16], scale)))


def test_what_stays_may_be_written_meanwhile(x, scale):
    """An activation of an array that stays is not made again behind what may write to it, and one of scratch is."""

    def of_state(x, scale, between=None):
        tables = [nd.gelu(nd.broadcast_to(scale, x.shape)) for _ in range(6)]
        big = [nd.cumsum(table, 1) for table in tables]
        if between is not None:
            between()
        g = nd.flip(big[0], (0,))
        for a, b in zip(big, tables, strict=True):
            g = nd.flip(g * b, (1,)) + a * g * x
        return g

    made, run, recorded = program(of_state, x, scale, Acting(scale, False))
    assert made_again(made) > recorded
    np.testing.assert_array_equal(np.asarray(run(x)), np.asarray(of_state(x, scale)))
    made, run, recorded = program(of_state, x, scale, Acting(scale, True))
    assert made_again(made) == recorded
    expected = np.asarray(of_state(x, nd.copy(scale)))
    np.testing.assert_array_equal(np.asarray(run(x)), expected)


def test_what_a_result_is_made_of_may_be_written_meanwhile(x, scale):
    def written(x, scale, between=None):
        kept = []
        for _ in range(6):
            x = nd.cumsum(x, 1) * scale
            y = nd.gelu(x)
            nd.add(x, 1.0, out=x)
            kept.append((x, y))
            x = y
        g = nd.flip(x, (0,))
        for x, y in reversed(kept):
            g = nd.flip(g * y, (1,)) + x * g
        return g

    made, run, recorded = program(written, x, scale)
    assert made_again(made) == recorded
    np.testing.assert_array_equal(np.asarray(run(x)), np.asarray(written(nd.copy(x), scale)))
