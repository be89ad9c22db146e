"""Frozen programs of arrays alone: what kernels are given goes through a file, and comes out as the same calls."""

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray.instruments import installed
from lamina_ndarray.programs.frozen import FrozenProgram, load_program
from lamina_ndarray.programs.program import GIVEN, KEPT, SCRATCH, STATE
from lamina_ndarray.programs.recorder import Call, Operand, Recorder, Unrepeatable


def frozen(function, given, stays):
    """A program of the calls that a function of one array makes, of which it gives the last result."""
    recorder = Recorder()
    with recorder.seeing_allocations(), installed(recorder):
        result = function(given)
    result = recorder.operand(result)
    roles = []
    for storage in recorder.storages:
        found = next((x for x in stays if recorder.number_of(x.flat) == storage.number), None)
        roles.append(
            (GIVEN, (0, 0)) if storage.number == recorder.number_of(given.flat)
            else (KEPT, 0) if storage.number == result.storage
            else (SCRATCH, None) if found is None else (STATE, found.flat)
        )  # fmt: skip
    names = {recorder.number_of(x.flat): (f"weight {i}", x.shape) for i, x in enumerate(stays)}
    return FrozenProgram(recorder.calls, recorder.storages, roles, [(given.dtype, given.shape)], [result], names), recorder


def layer(weight, bias):
    return lambda x: nd.softmax(nd.tanh(x @ weight + bias).T[::-1, 1:] * 0.5, axis=0)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_views_broadcasts_and_numbers_come_back(dtype, tmp_path):
    pytest.importorskip("safetensors", reason="the extra `files` is not installed")
    generator = np.random.default_rng(0)
    x, weight, bias = (nd.asarray(generator.standard_normal(shape).astype(dtype)) for shape in ((4, 3), (3, 5), (5,)))
    function = layer(weight, bias)
    program, _ = frozen(function, x, [weight, bias])
    program.save(tmp_path / "layer.safetensors")
    loaded = load_program(tmp_path / "layer.safetensors")
    for given in (x, nd.asarray(generator.standard_normal((4, 3)).astype(dtype)), nd.copy(x.T).T):
        expected = np.asarray(function(given)).tolist()
        assert np.asarray(program(given)[0]).tolist() == np.asarray(loaded(given)[0]).tolist() == expected
    assert np.asarray(loaded(np.asarray(x))[0]).tolist() == np.asarray(function(x)).tolist()


def test_parts_of_one_memory_are_saved_once(tmp_path):
    pytest.importorskip("safetensors", reason="the extra `files` is not installed")
    whole = nd.arange(12.0, dtype="float32")
    first, second = whole[2:5], whole[6:9]
    program, _ = frozen(lambda x: x * first + second, nd.ones((3,)), [whole])
    program.save(tmp_path / "parts.safetensors")
    arrays = nd.files.load_safetensors(tmp_path / "parts.safetensors")
    assert [array.tolist() for array in arrays.values()] == [list(range(12))]
    assert load_program(tmp_path / "parts.safetensors")(np.ones(3, "float32"))[0].tolist() == [8.0, 10.0, 12.0]


def test_what_a_kernel_is_given_that_no_file_holds(tmp_path):
    program, recorder = frozen(nd.exp, nd.ones((3,)), [])
    call = recorder.calls[0]
    program._calls = [Call(call.op, call.kernels, call.out, call.inputs, {"what": object()})]
    with pytest.raises(Unrepeatable, match="exp is given a object"):
        program.save(tmp_path / "never.safetensors")
    assert not list(tmp_path.iterdir())


def test_all_kinds_of_parameters_come_back():
    from lamina_ndarray.programs.recorder import Numbers
    from lamina_ndarray.programs.written import Reader, Writer

    program, recorder = frozen(nd.exp, nd.ones((3,)), [])
    call = recorder.calls[0]
    params = {"a": [1, 2.5, None], "b": (True, "text", (float("inf"),)), "c": 2 - 3j, "d": nd.float16, "e": {"f": -0.0},
              "g": Numbers(np.arange(6, dtype=np.int16).reshape(2, 3)), "h": [call.out]}  # fmt: skip
    writer = Writer([0] * len(recorder.storages))
    row = writer.call(Call(call.op, call.kernels, call.out, call.inputs, params))
    read = Reader(writer.table(), recorder.storages, program.device).call(row)
    assert isinstance(read.out, Operand) and (read.op, read.out, read.inputs) == (call.op, call.out, call.inputs)
    assert read.params == params and str(read.params["e"]) == "{'f': -0.0}"
