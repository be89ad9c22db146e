"""The emulated device itself: a fault names the kernel, the line of its PTX, the thread, and the address."""

import emulated
import numpy as np
import pytest
from emulated.nvrtc import available, ptx_of
from emulated.program import programs
from emulated.ptx import parsed
from emulated.translation import translated
from every_source import every_source
from standin.refusals import Refused

Fault, UnknownInstruction = emulated.Fault, emulated.UnknownInstruction

THREADS = 64


pytestmark = pytest.mark.skipif(not available(), reason="NVRTC is not installed: pip install nvidia-cuda-nvrtc-cu12")


@pytest.fixture
def port():
    return emulated.EmulatedPort()


@pytest.fixture
def stream(port):
    return port.stream(0)


@pytest.fixture
def run(port, stream):
    """Runs the body of a kernel of `float* x, int n` over an array, on one block; returns what is in the array then."""

    def run(body, values=None, n=THREADS, grid=1, before=""):
        values = np.arange(THREADS, dtype=np.float32) if values is None else values
        source = f'{before}\nextern "C" __global__ void planted(float* x, int n) {{ int me = threadIdx.x; {body} }}'
        memory = port.allocate(values.nbytes, stream)
        if len(values):
            port.copy_in(memory.address, values.view(np.uint8).data, stream)
        planted = port.compile(source, {"planted": ("P", "i")}, stream)["planted"]
        port.launch(planted, grid, THREADS, (memory.address, n), stream)
        seen = np.empty(values.nbytes, np.uint8)
        port.copy_out(memory.address, seen.data, stream)
        return seen.view(values.dtype)

    return run


# -- what is right --------------------------------------------------------------------------------------------------


def test_threads_meet_at_barriers_and_share_memory(run):
    body = "__shared__ float kept[64]; kept[me] = x[me]; __syncthreads(); x[me] = kept[63 - me];"
    assert run(body).tolist() == list(range(63, -1, -1))


def test_paths_that_part_join_again(run):
    body = "float t = 0; for (int i = 0; i < me % 5; ++i) t += i; if (me & 1) t = -t; else t += 0.5f; x[me] = t;"
    expected = [-sum(range(i % 5)) if i & 1 else sum(range(i % 5)) + 0.5 for i in range(THREADS)]
    assert run(body).tolist() == expected


def test_threads_of_a_warp_shuffle_and_vote(run):
    body = """
    float t = x[me];
    for (int step = 16; step; step /= 2) t += __shfl_xor_sync(0xffffffffu, t, step);
    unsigned odd = __ballot_sync(0xffffffffu, me & 1);
    float below = __shfl_up_sync(0xffffffffu, t, 1, 8);
    x[me] = t + (odd == 0xaaaaaaaau) + (__any_sync(0xffffffffu, me == 40) ? 0.5f : 0) + 0 * below;
    """
    assert run(body).tolist() == [sum(range(32)) + 1.0] * 32 + [sum(range(32, 64)) + 1.5] * 32


def test_padding_that_goes_with_an_item_was_not_read(run):
    """A structure is moved as a whole; what is in its gaps comes to nothing."""
    before = "struct alignas(16) Pair { float a; double b; };"
    body = "__shared__ Pair kept[64]; kept[me].a = x[me]; kept[me].b = 2; __syncthreads(); Pair p = kept[63 - me]; x[me] = p.a * p.b;"
    assert run(body, before=before).tolist() == [2.0 * (63 - i) for i in range(THREADS)]


def test_sums_of_many_threads_in_one_place(run):
    assert run("atomicAdd(x, 1.0f);", grid=3)[0] == 3 * THREADS


def test_local_memory_and_a_generic_address(run):
    """An array with an index that is not known lies in each thread's own memory."""
    body = "float own[8]; for (int i = 0; i < 8; ++i) own[i] = x[i] * me; __syncthreads(); x[me] = own[(n + me) % 8];"
    source = "__device__ __noinline__ void twice(float* y) { *y *= 2; }"
    assert run(body + "twice(x + me);", before=source).tolist()[8:] == [2.0 * (i % 8) * i for i in range(8, THREADS)]


@pytest.mark.parametrize("expression, expected", [
    ("__fmaf_rn(a, a, c)", np.float32(2**-22 + 2**-46)),
    ("__fadd_rd(1.0f, c * 1e-10f)", np.float32(1 - 2**-24)),
    ("__fadd_ru(1.0f, b * 1e-10f)", np.float32(1 + 2**-23)),
    ("__fmul_rz(a * 16777215.0f, 1.0f / 3)", np.float32(5592405.5)),
])  # fmt: skip
def test_numbers_are_rounded_as_they_are_asked_to(run, expression, expected):
    """`a` is 1 + 2**-23, `b` 1, `c` -1; a * a has 2**-46, too, which a product that is rounded first loses."""
    body = f"float a = x[0], b = x[1], c = x[2]; if (!me) x[0] = {expression};"
    values = np.array([1 + 2**-23, 1, -1, *[0] * 61], np.float32)
    assert run(body, values)[0] == expected


def test_fused_products_of_doubles_are_rounded_once():
    """Against exact fractions: numbers that cancel, huge ones, tiny ones."""
    from fractions import Fraction

    from emulated.numbers import fma32, fma64

    random = np.random.default_rng(3)
    for kind, fused in ((np.float64, fma64), (np.float32, fma32)):
        scale = 300 if kind is np.float64 else 30
        a, b = (random.standard_normal(400).astype(kind) * kind(2) ** random.integers(-scale, scale, 400).astype(kind) for _ in "ab")
        with np.errstate(all="ignore"):
            c = np.where(random.random(400) < 0.5, -(a * b) * kind(1 + 2**-20), random.standard_normal(400)).astype(kind)
            results = fused(a, b, c)
        for i in range(400):
            exact = Fraction(float(a[i])) * Fraction(float(b[i])) + Fraction(float(c[i]))
            if kind is np.float64:
                assert results[i] == float(exact)
            else:  # no neighbour is nearer
                near = [Fraction(float(np.nextafter(results[i], to))) for to in (np.float32(-np.inf), np.float32(np.inf))]
                assert all(abs(exact - Fraction(float(results[i]))) <= abs(exact - one) for one in near)


# -- what is wrong --------------------------------------------------------------------------------------------------


PLANTED = {
    "beyond the end": ("x[me + (me == 40)  * 24] = 1;", "out of bounds of a block of 256 bytes", (0, 40)),
    "before the beginning": ("x[me - 3] = 1;", "out of bounds, before a block of 256", (0, 0)),
    "read beyond the end": ("if (me > 50) x[0] = x[n + me - 51];", "out of bounds", (0, 51)),
    "far away": ("x[(1ll << 40) + me] = 1;", "no memory", (0, 0)),
    "misaligned": ("if (me < 63) *(float*)((char*)x + 4 * me + (me == 9)) = 1;", "misaligned access of 4 bytes", (0, 9)),
    "misaligned vector": ("if (!me) *(float4*)(x + 1) = make_float4(0, 0, 0, 0);", "misaligned access of 16 bytes", (0, 0)),
    "shared, never written": (
        "__shared__ float kept[64]; if (me != 7) kept[me] = x[me]; __syncthreads(); x[me] = kept[63 - me];", "never written", (0, 56),
    ),
    "local, never written": (
        "float own[8]; for (int i = 0; i < n; ++i) own[(i * n) % 8] = x[i]; x[me] = own[me % 8];", "never written", (0, 1),
    ),
    "shared, out of bounds": (
        "__shared__ float kept[64]; kept[me + n - 63] = 1; __syncthreads(); x[me] = kept[1];", "out of bounds", (0, 63),
    ),
    "a barrier some do not come to": ("if (me < 33) { x[me] += 1; __syncthreads(); } x[me] = 1;", "barrier", (0, 33)),
    "a barrier some have left before": ("if (me == 5) return; __syncthreads(); x[me] = 1;", "barrier", (0, 5)),
    "a shuffle of absent threads": ("if (me & 1) x[me] = __shfl_xor_sync(0xffffffffu, x[me], 2);", "do not take part", (0, 1)),
    "a shuffle from an absent thread": ("if (me & 1) x[me] = __shfl_xor_sync(0xaaaaaaaau, x[me], 1);", "does not take part", (0, 1)),
    "a vote of absent threads": ("if (me > 3) x[me] = __any_sync(0xffffffffu, me > 9);", "do not take part", (0, 4)),
    "a trap": ("if (me == 12) __trap(); x[me] = 1;", "trap", (0, 12)),
}  # fmt: skip


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_fault_is_found(run, planted):
    body, message, lane = PLANTED[planted]
    with pytest.raises(Fault, match=message) as caught:
        run(body)
    fault = caught.value
    assert (fault.kernel, fault.lane) == ("planted", lane)
    assert fault.line > 0
    assert f"block {lane[0]}, thread {lane[1]}; line" in str(fault) or f"address {fault.address:#x}" in str(fault)


def test_memory_that_was_freed_is_not_used(port, stream):
    source = 'extern "C" __global__ void late(float* x, float** kept) { **kept = 1; }'
    late = port.compile(source, {"late": ("P", "P")}, stream)["late"]
    x, kept = port.allocate(8, stream), port.allocate(8, stream)
    port.copy_in(kept.address, np.array([x.address], np.uint64).view(np.uint8).data, stream)
    port.launch(late, 1, 1, (x.address, kept.address), stream)
    address = x.address
    del x
    y = port.allocate(8, stream)
    with pytest.raises(Fault, match="none any more") as caught:
        port.launch(late, 1, 1, (y.address, kept.address), stream)
    assert caught.value.address == address


def test_memory_that_was_never_written_is_not_read(port, stream):
    source = 'extern "C" __global__ void copied(float* out, const float* x) { out[threadIdx.x] = x[threadIdx.x]; }'
    copied = port.compile(source, {"copied": ("P", "P")}, stream)["copied"]
    x, out = port.allocate(256, stream), port.allocate(256, stream)
    port.copy_in(x.address, memoryview(bytes(100)), stream)
    with pytest.raises(Fault, match="never written") as caught:
        port.launch(copied, 1, 64, (out.address, x.address), stream)
    assert (caught.value.lane, caught.value.address) == ((0, 25), x.address + 100)


def test_an_instruction_that_is_not_known_is_refused_by_name(run):
    with pytest.raises(UnknownInstruction, match=r"planted: .*vadd4"):
        run('int t; asm("vadd4.s32.s32.s32 %0, %1, %1, %1;" : "=r"(t) : "r"(me)); x[me] = t;')


@pytest.mark.parametrize("architecture", [75, 120])
def test_every_op_is_made_of_known_instructions(architecture):
    """Of paths that no test takes, too: each block of each kernel can be translated."""
    for text in every_source(sample=True).values():
        module = parsed(ptx_of(text, architecture))
        for program in programs(module, dict.fromkeys(module.constants, 1 << 32)).values():
            for number in range(len(program.starts)):
                assert callable(translated(program, number))


def test_a_kernel_that_does_not_end_is_stopped(run, monkeypatch):
    from emulated import lanes

    monkeypatch.setattr(lanes, "_STEPS", 1000)
    with pytest.raises(Fault, match="does not end"):
        run("for (int i = 0; i < n || n; i += me) *(volatile float*)x = i;")


def test_parameters_are_those_of_the_ptx(port, stream):
    with pytest.raises(Refused, match="parameter"):
        port.compile('extern "C" __global__ void f(float* x, int n) { x[n] = 1; }', {"f": ("P", "q")}, stream)


def test_a_source_that_does_not_compile_tells_why(port, stream):
    with pytest.raises(emulated.CompileError, match="nonsense"):
        port.compile('extern "C" __global__ void f(int n) { nonsense; }', {"f": ("i",)}, stream)


# -- races: threads run in step here, so that only who used what can tell of a missing barrier ----------------------

KEPT = "__shared__ float kept[64]; kept[me] = x[me]; "
ONE = "__shared__ float kept[1]; if (!me) kept[0] = 1; __syncthreads(); float t = kept[0]; "
RACES = {
    "no barrier before a read": KEPT + "x[me] = kept[63 - me];",
    "no barrier before a write": KEPT + "__syncthreads(); float t = kept[63 - me]; kept[me] = t + 1; x[me] = t;",
    "a write between those who share": ONE + "if (me == 40) kept[0] = 2; x[me] = t;",
    "two writes of one place": "x[me / 2] = me;",
    "a neighbour in global memory": "x[me] = x[(me + 1) % 64] + 1;",
}


@pytest.mark.parametrize("planted", RACES)
def test_a_planted_race_is_found(run, planted):
    with pytest.raises(Fault, match="a race"):
        run(RACES[planted])


def test_blocks_are_not_ordered_by_barriers(run):
    with pytest.raises(Fault, match="a race"):
        run("if (blockIdx.x == 0) x[me] = 1; __syncthreads(); if (blockIdx.x == 1 && me < 4) x[60 + me] = x[me];", grid=2)


ORDERED = {
    "two writes of one number": "x[me / 2] = n;",
    "barriers": KEPT + "__syncthreads(); float t = kept[63 - me]; __syncthreads(); kept[me] = t; x[me] = kept[me];",
    "barriers of a warp": KEPT + "__syncwarp(); x[me] = kept[me ^ 1];",
    "many reads, twice": ONE + "__syncthreads(); t += kept[0]; __syncthreads(); if (me == 40) kept[0] = 2; x[me] = t;",
}


@pytest.mark.parametrize("ordered", ORDERED)
def test_what_is_ordered_is_no_race(run, ordered):
    run(ORDERED[ordered])
