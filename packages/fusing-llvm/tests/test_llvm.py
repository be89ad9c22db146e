"""LLVM's loops: the kit of fusing engines, and fused kernels of the cpp backend before and after they become machine code."""

from ctypes import CFUNCTYPE, c_size_t, c_void_p

import numpy as np
import pytest

from lamina_flatarray import fusing_engines
from lamina_flatarray.backends import registry
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.errors import BackendError
from lamina_flatarray.fused_steps import FusedStep
from lamina_fusing_llvm import LLVMEngine
from lamina_fusing_llvm.loops import WIDTH, MachineCode, written
from lamina_testkit.fusing_engines.__main__ import run
from lamina_testkit.placement import place, read, untouched

FLOAT32, BOOL = DTYPES["float32"], DTYPES["bool"]


@pytest.fixture(scope="module")
def cpp():
    try:
        return registry.backend("cpp")
    except BackendError as error:
        pytest.skip(f"there is no compiled backend to compare with: {error}")


class Counting(LLVMEngine):
    """LLVM's, which knows what it was asked for."""

    name = "counting"

    def __init__(self):
        self.asked = []

    def loop(self, steps, results, inputs, dtypes):
        self.asked.append([step.op for step in steps])
        return super().loop(steps, results, inputs, dtypes)


@pytest.fixture
def engine():
    fusing_engines.register(made := Counting())
    yield made
    fusing_engines.unregister("counting")


def test_the_kit_passes(cpp):
    assert run(fusing_engines.engine("llvm"), cpp) == []


def steps(*rows):
    return [FusedStep(op, FLOAT32, result, tuple(inputs), params) for op, result, inputs, params in rows]


def until_it_is_joined(kernel, items, count):
    """Call a kernel on large arrays until it has done enough to ask for loops."""
    for _ in range(2**26 // (items * count) + 1):
        kernel()


CHAIN = steps(
    ("multiply", 3, ((1,), 1.5), {}), ("add", 3, ((3,), (2,)), {}), ("maximum", 4, ((3,), (1,)), {}), ("exp", 4, ((4,),), {}),
    ("subtract", 3, ((4,), (3,)), {}), ("multiply", 0, ((3,), (3,)), {}),
)  # fmt: skip


@pytest.mark.parametrize("layout", ["compact", "offset", "transposed", "sliced", "broadcast"])
def test_results_are_the_same_as_machine_code(layout, cpp, engine):
    plain, joined = (cpp.fuse(CHAIN, [FLOAT32] * 3, [FLOAT32] * 2) for _ in range(2))
    large = [place(np.ones(2**20), "compact", cpp, FLOAT32) for _ in range(3)]
    until_it_is_joined(lambda: joined(*large), 2**20, len(CHAIN))
    assert engine.asked == [["multiply", "add", "maximum"], ["subtract", "multiply"]]
    items = np.random.default_rng(0).standard_normal((2, 7, 1005)).astype("f")
    x, y = place(items[0], layout, cpp, FLOAT32), place(items[1], "compact", cpp, FLOAT32)
    outs = [place(np.zeros((7, 1005)), layout if layout != "broadcast" else "compact", cpp, FLOAT32) for _ in range(2)]
    for kernel, out in zip((plain, joined), outs, strict=True):
        kernel(out, x, y)
        assert untouched(out)
    assert read(outs[0]).tobytes() == read(outs[1]).tobytes()


ROWS = steps(
    ("mean", 4, ((1,),), {"axes": (1,)}), ("subtract", 3, ((1,), (4,)), {}), ("square", 5, ((3,),), {}),
    ("mean", 4, ((5,),), {"axes": (1,)}), ("add", 4, ((4,), 1e-5), {}), ("rsqrt", 4, ((4,),), {}),
    ("multiply", 3, ((3,), (4,)), {}), ("multiply", 0, ((3,), (2,)), {}),
)  # fmt: skip


@pytest.mark.parametrize("length", [1, 5, 768, 1005])
def test_rows_are_the_same_as_machine_code(length, cpp, engine):
    """What rows come to is no step of a loop of the rows' items, and the other way round."""
    plain, joined = (cpp.fuse(ROWS, [FLOAT32] * 3, [FLOAT32] * 3) for _ in range(2))
    large = [place(np.ones((2**10, 2**10)), "compact", cpp, FLOAT32) for _ in range(3)]
    until_it_is_joined(lambda: joined(*large), 2**20, len(ROWS))
    assert engine.asked == [["subtract", "square"], ["add", "rsqrt"], ["multiply", "multiply"]]
    items = np.random.default_rng(0).standard_normal((40, length)).astype("f")
    x, weight = place(items, "compact", cpp, FLOAT32), place(items, "broadcast", cpp, FLOAT32)
    outs = [place(np.zeros_like(items), "compact", cpp, FLOAT32) for _ in range(2)]
    for kernel, out in zip((plain, joined), outs, strict=True):
        kernel(out, x, weight)
    assert read(outs[0]).tobytes() == read(outs[1]).tobytes()


def test_small_kernels_never_ask(cpp, engine):
    kernel = cpp.fuse(CHAIN, [FLOAT32] * 3, [FLOAT32] * 2)
    small = [place(np.ones(10), "compact", cpp, FLOAT32) for _ in range(3)]
    for _ in range(1000):
        kernel(*small)
    assert engine.asked == []


def test_an_engine_that_fails_is_told(cpp):
    class Failing(Counting):
        name = "failing"

        def loop(self, steps, results, inputs, dtypes):
            raise ValueError("no memory for machine code")

    fusing_engines.register(Failing())
    try:
        kernel = cpp.fuse(CHAIN, [FLOAT32] * 3, [FLOAT32] * 2)
        large = [place(np.ones(2**20), "compact", cpp, FLOAT32) for _ in range(3)]
        with pytest.raises(ValueError, match="no memory for machine code"):
            until_it_is_joined(lambda: kernel(*large), 2**20, len(CHAIN))
        kernel(*large)  # it does without from then on
    finally:
        fusing_engines.unregister("failing")


def test_equal_steps_share_a_loop():
    engine = LLVMEngine()
    dtypes = dict.fromkeys(range(5), FLOAT32)
    first, second = (engine.loop(CHAIN[:3], [3, 4], [1, 2], dtypes) for _ in range(2))
    assert first.address == second.address


def test_what_is_not_written_here_is_not_taken():
    engine = LLVMEngine()
    refused = [
        FusedStep("exp", FLOAT32, 0, ((1,),)), FusedStep("add", DTYPES["float16"], 0, ((1,), (2,))),
        FusedStep("add", DTYPES["complex64"], 0, ((1,), (2,))), FusedStep("sum", FLOAT32, 0, ((1,),), {"axes": (0,)}),
        FusedStep("pow", FLOAT32, 0, ((1,), 2.5)), FusedStep("pow", FLOAT32, 0, ((1,), (2,))), FusedStep("add", FLOAT32, 0, (1.0, 2.0)),
        FusedStep("where", FLOAT32, 0, (True, (1,), (2,))), FusedStep("add", DTYPES["int64"], 0, ((1,), 0.5)),
    ]  # fmt: skip
    assert [step.op for step in refused if engine.takes(step)] == []
    with pytest.raises(ValueError, match="loop: exp of float32 is not taken"):
        engine.loop(refused[:1], [0], [1], {0: FLOAT32, 1: FLOAT32})


def test_machine_code_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("LAMINA_COMPILE_CACHE", str(tmp_path))
    text = written([FusedStep("add", FLOAT32, 0, ((1,), 0.125))], [0], [1], {0: FLOAT32, 1: FLOAT32})

    def added():
        code, items, results = MachineCode(text), np.ones(WIDTH, "float32"), np.zeros(WIDTH, "float32")
        addresses, strides = np.array([results.ctypes.data, items.ctypes.data]), np.array([4 * WIDTH, 4 * WIDTH])
        loop = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_size_t, c_size_t)(code.address)
        loop(addresses.ctypes.data, strides.ctypes.data, strides.ctypes.data, 1, 1)
        return results.tolist()

    assert added() == [1.125] * WIDTH
    (file,) = tmp_path.iterdir()
    content, when = file.read_bytes(), file.stat().st_ino
    assert added() == [1.125] * WIDTH and file.stat().st_ino == when  # read, not written
    file.write_bytes(content[:-1])
    assert added() == [1.125] * WIDTH
    assert file.read_bytes() == content
