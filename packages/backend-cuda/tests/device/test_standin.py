"""The stand-in itself: it runs kernels as they are written, and refuses what a device would refuse or do wrong."""

import resource
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from standin import HostPort, Refused

DOUBLE = """
extern "C" __global__ void twice(float* out, const float* x, long long n) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) out[i] = 2 * x[i];
}
extern "C" __global__ void beyond(float* out, long long n) { if (!threadIdx.x) out[n] = 1; }
"""
FORMATS = {"twice": ("P", "P", "q"), "beyond": ("P", "q")}
TURNED = """
extern "C" __global__ void turned(float* x) {
  __shared__ float kept[256];
  kept[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = kept[blockDim.x - 1 - threadIdx.x];
}
extern "C" __global__ void apart(float* x) { if (threadIdx.x) { __syncthreads(); } x[0] = 1; }
"""


@pytest.fixture
def stream(port):
    return port.stream(0)


def filled(port, stream, values):
    array = np.array(values, np.float32)
    memory = port.allocate(array.nbytes, stream)
    port.copy_in(memory.address, array.view(np.uint8).data, stream)
    return memory


def read(port, stream, memory):
    out = np.empty(memory.nbytes, np.uint8)
    port.copy_out(memory.address, out.data, stream)
    return out.view(np.float32).tolist()


def test_a_kernel_runs_as_it_is_written(port, stream):
    functions = port.compile(DOUBLE, FORMATS, stream)
    x, out = filled(port, stream, range(300)), port.allocate(1200, stream)
    port.launch(functions["twice"], 2, 64, (out.address, x.address, 300), stream)
    assert read(port, stream, out) == [2.0 * i for i in range(300)]


def test_threads_of_a_block_meet_at_barriers(port, stream):
    functions = port.compile(TURNED, {"turned": ("P",), "apart": ("P",)}, stream)
    x = filled(port, stream, range(64))
    port.launch(functions["turned"], 1, 64, (x.address,), stream)
    assert read(port, stream, x) == [float(i) for i in reversed(range(64))]
    with pytest.raises(Refused, match="barrier"):
        port.launch(functions["apart"], 1, 64, (x.address,), stream)


def test_kernels_share_the_stacks_of_their_threads(port, stream):
    """Each kernel with a barrier is a library, and there are some thousand."""

    def resident():
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    kernels = [port.compile(TURNED.replace("= 1;", f"= {i};"), {"turned": ("P",)}, stream)["turned"] for i in range(9)]
    x = filled(port, stream, range(256))
    port.launch(kernels[0], 1, 256, (x.address,), stream)
    before = resident()
    for kernel in kernels[1:]:
        port.launch(kernel, 1, 256, (x.address,), stream)
    assert resident() - before < 16 << 20


def test_threads_of_the_host_launch_at_once(port):
    def turned(i):
        stream = port.stream(0)
        kernel = port.compile(TURNED.replace("= 1;", f"= {i};"), {"turned": ("P",)}, stream)["turned"]
        x = filled(port, stream, range(256))
        for _ in range(301):
            port.launch(kernel, 1, 256, (x.address,), stream)
        return read(port, stream, x)

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(turned, range(6))) == [[float(i) for i in reversed(range(256))]] * 6


@pytest.mark.parametrize("neighbour", ["threadIdx.x + 1 < 64 ? threadIdx.x + 1 : 0", "threadIdx.x ? threadIdx.x - 1 : 63"])
@pytest.mark.parametrize("barrier", [True, False])
def test_a_missing_barrier_shows(port, stream, neighbour, barrier):
    """Before a second round overwrites what neighbours still read."""
    source = f"""
extern "C" __global__ void rounds(float* x) {{
  __shared__ float kept[64];
  int other = {neighbour};
  for (int round = 0; round < 3; ++round) {{
    kept[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = kept[other] + 1;
    {"__syncthreads();" if barrier else ""}
  }}
}}
"""
    x = filled(port, stream, range(64))
    port.launch(port.compile(source, {"rounds": ("P",)}, stream)["rounds"], 1, 64, (x.address,), stream)
    step = -3 if "- 1" in neighbour else 3
    assert (read(port, stream, x) == [float((i + step) % 64 + 3) for i in range(64)]) == barrier


@pytest.mark.parametrize("formats", [("P", "P"), ("P", "q", "P"), ("P", "P", "i"), ("P", "P", "d")])
def test_formats_that_are_not_those_of_the_parameters_are_refused(port, stream, formats):
    with pytest.raises(Refused, match="twice"):
        port.compile(DOUBLE, {"twice": formats}, stream)


@pytest.mark.parametrize("values", [(), (1,), (1, 2, 3, 4), ("address", 2, 3)])
def test_numbers_of_the_wrong_count_or_type_are_refused(port, stream, values):
    twice = port.compile(DOUBLE, FORMATS, stream)["twice"]
    with pytest.raises((Refused, TypeError)):
        port.launch(twice, 1, 1, values, stream)


def test_memory_is_gone_when_it_is_freed(port, stream):
    x = filled(port, stream, [1, 2])
    address = x.address
    del x
    with pytest.raises(Refused, match="none any more"):
        port.copy_out(address, memoryview(bytearray(8)), stream)


def test_an_address_means_nothing_to_the_host(port, stream):
    """Nothing of the memory has the buffer protocol, and no two blocks ever have one address."""
    x = filled(port, stream, [1, 2])
    with pytest.raises(TypeError):
        memoryview(x)
    first = x.address
    del x
    assert port.allocate(8, stream).address != first


def test_bytes_outside_of_a_block_are_refused(port, stream):
    functions = port.compile(DOUBLE, FORMATS, stream)
    x = filled(port, stream, [1, 2])
    with pytest.raises(Refused, match="wrote outside"):
        port.launch(functions["beyond"], 1, 1, (x.address, 2), stream)
    with pytest.raises(Refused, match="of a block of 8"):
        port.copy_out(x.address + 4, memoryview(bytearray(8)), stream)


def test_memory_of_another_stream_is_refused_until_it_is_waited_for(port, stream):
    other, x = port.stream(0), filled(port, stream, [1, 2])
    with pytest.raises(Refused, match="has not waited"):
        read(port, other, x)
    port.wait(other, port.record(stream))
    assert read(port, other, x) == [1.0, 2.0]


def test_what_is_still_read_is_not_overwritten(port, stream):
    functions = port.compile(DOUBLE, FORMATS, stream)
    other, x, out = port.stream(0), filled(port, stream, [1, 2]), port.allocate(8, stream)
    port.synchronize(stream)
    port.launch(functions["twice"], 1, 32, (out.address, x.address, 2), stream)
    with pytest.raises(Refused, match="writes memory"):
        port.copy_in(x.address, memoryview(bytearray(8)), other)
    port.synchronize(stream)
    port.copy_in(x.address, memoryview(bytearray(8)), other)


def test_memory_and_kernels_of_another_device_are_refused(port, stream):
    there, x = port.stream(1), filled(port, stream, [1, 2])
    port.synchronize(stream)
    with pytest.raises(Refused, match="memory of device 0"):
        read(port, there, x)
    twice = port.compile(DOUBLE, FORMATS, stream)["twice"]
    y = port.allocate(8, there)
    with pytest.raises(Refused, match="loaded on device 0"):
        port.launch(twice, 1, 1, (y.address, y.address, 2), there)


def test_an_uninitialised_block_is_poisoned(port, stream):
    assert read(port, stream, port.allocate(4, stream)) == [np.full(4, 0xA5, np.uint8).view(np.float32)[0].item()]


def test_a_kernel_that_does_not_compile_tells_why():
    port = HostPort()
    with pytest.raises(Refused, match="nonsense"):
        port.compile('extern "C" __global__ void f(int n) { nonsense; }', {"f": ("i",)}, port.stream(0))


def test_threads_of_a_warp_hand_numbers_to_each_other(port, stream):
    """And a warp of which some threads do not take part is refused, as a device would wait or give anything."""
    source = """
extern "C" __global__ void summed(float* x) {
  float mine = x[threadIdx.x];
  for (int reach = 16; reach; reach /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, reach);
  x[threadIdx.x] = mine + __shfl_sync(0xffffffffu, x[threadIdx.x], 3);
}
extern "C" __global__ void halved(float* x) {
  if (threadIdx.x < 16) x[threadIdx.x] = __shfl_xor_sync(0xffffffffu, x[threadIdx.x], 1);
}
"""
    functions = port.compile(source, {"summed": ("P",), "halved": ("P",)}, stream)
    x = filled(port, stream, range(64))
    port.launch(functions["summed"], 1, 64, (x.address,), stream)
    assert read(port, stream, x) == [sum(range(32)) + 3.0] * 32 + [sum(range(32, 64)) + 35.0] * 32
    with pytest.raises(Refused, match="barrier"):
        port.launch(functions["halved"], 1, 32, (x.address,), stream)


@pytest.mark.parametrize("barrier", [True, False])
def test_a_missing_barrier_between_warps_shows(port, stream, barrier):
    """Before one that is ahead overwrites what another still reads, though each warp's own threads keep step."""
    source = f"""
extern "C" __global__ void rounds(float* x) {{
  __shared__ float kept[2];
  float mine = threadIdx.x / 32 + 1;
  for (int round = 0; round < 3; ++round) {{
    mine = __shfl_sync(0xffffffffu, mine, 0);
    {"__syncthreads();" if barrier else ""}
    kept[threadIdx.x / 32] = mine;
    __syncthreads();
    mine = kept[0] + kept[1];
  }}
  x[threadIdx.x] = mine;
}}
"""
    x = filled(port, stream, range(64))
    port.launch(port.compile(source, {"rounds": ("P",)}, stream)["rounds"], 1, 64, (x.address,), stream)
    assert (read(port, stream, x) == [12.0] * 64) == barrier
