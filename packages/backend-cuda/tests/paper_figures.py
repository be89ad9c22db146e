"""What kernels should reach on two devices, from registers and shared memory as compiled: no device is wanted, and none was timed.

    python paper_figures.py        # prints the table of README.md; wants CuPy for NVRTC, and ptxas

A kernel that moves memory is limited by the smallest of three: what memory gives, at most 92 % of its nominal rate; how many bytes
its resident threads have under way, by Little's law; and how many instructions they issue, 128 a clock and multiprocessor, counted
by hand for each item. One that multiplies is limited by the share of its instructions that multiply. Latency under load is taken as
twice that of an idle device, which is about 480 clocks (H100) and 540 (RTX 4090).
"""

from typing import NamedTuple

from every_source import fused_sources
from ptxas import used

from lamina_backend_cuda.ops import maps, reductions
from lamina_flatarray.dtypes import DTYPES, DType
from lamina_flatarray.ops import OPS

__all__ = ["main"]

REACHED = 0.92
ISSUED = 128  # instructions of threads, a clock and multiprocessor


class Device(NamedTuple):
    """Nominal figures: bytes and float32 operations a second, clock, and what a multiprocessor has."""

    name: str
    architecture: int
    processors: int
    bandwidth: float
    flops: float
    clock: float
    latency: float
    threads: int
    blocks: int
    shared: int


DEVICES = (
    Device("H100 SXM", 90, 132, 3.35e12, 66.9e12, 1.755e9, 2 * 480 / 1.755e9, 2048, 32, 228 << 10),
    Device("RTX 4090", 89, 128, 1.008e12, 82.6e12, 2.52e9, 2 * 540 / 2.52e9, 1536, 24, 100 << 10),
)


class Kernel(NamedTuple):
    """A kernel and one size that it is figured for.

    Attributes:
        title, size: what the table says.
        source, entry: the op, or its name among fused_sources, and its dtype; and its name in the source.
        items: how many it has.
        bytes: moved for each of them, to and from memory.
        under_way: bytes that a thread has asked for before it waits.
        instructions: issued for each item.
        multiplied: float32 operations, where it is these that count, and the share of instructions that do two of them.
        reason: why so many.
    """

    title: str
    size: str
    source: str
    entry: str
    items: float
    bytes: float
    under_way: int
    instructions: float
    multiplied: tuple[float, float] | None
    reason: str


ROWS = 8192 * 1024
KERNELS = (
    Kernel("add", "4096 x 4096, float32", "add-float32", "dense", 4096 * 4096, 12, 32, 4, None, "reads of 16 bytes of two operands"),
    Kernel("sum of rows", "8192 x 1024, float32", "sum-float32", "warps", ROWS, 4, 16, 8, None,
           "a warp for each row; four reads of 4 bytes under way"),
    Kernel("softmax", "8192 x 1024, float32", "softmax-False-False-plain-float32", "warps", ROWS, 8, 16, 45, None,
           "two passes, the second from cache; two exponentials"),
    Kernel("layer_norm", "8192 x 1024, bfloat16", "normalize-True-plain-bfloat16", "warps", ROWS, 4, 16, 45, None,
           "three passes, two from cache; eight reads of 2 bytes under way"),
    Kernel("layer_norm_gradient, items", "8192 x 1024, float32", "normalize_gradient-True-plain-float32", "warps", ROWS, 12, 32, 50, None,
           "two passes over two operands"),
    Kernel("layer_norm_gradient, vectors", "8192 x 1024, float32", "affine_gradient-False-plain-float32", "alone", ROWS, 8, 32, 25, None,
           "a thread for each column and part"),
    Kernel("cross_entropy", "8192 x 50304, bfloat16", "entropy-plain-bfloat16", "blocks", 8192 * 50304, 2, 16, 25, None,
           "one pass, an exponential for each item"),
    Kernel("adam_step", "100 million, float32", "adam_step-float32", "step_all", 1e8, 28, 64, 40, None,
           "reads of 16 bytes of four lists; a root and two divisions"),
    Kernel("dropout", "64 million, float32", "dropout-float32", "dropout", 64e6, 8.125, 32, 150, None,
           "ten rounds of Philox for each item: 40 products of integers, which go at half rate"),
    Kernel("max_pool", "64 x 64 x 112 x 112 by 3 x 3, stride 2, float32", "max_pool-False-float32", "max_pool", 64 * 64 * 56 * 56, 28, 4,
           260, None, "nine items a window, mostly from cache, and one under way; places take divisions"),
    Kernel("attention", "32 x 16 x 2048 x 64, float32", "attention-1-float32", "attention", 32 * 16 * 2048, 4 * 64 * 4, 0, 0,
           (4 * 32 * 16 * 2048 * 2048 * 64, 0.55), "256 products against 32 + 110 instructions that read; exponentials; no tensor cores"),
    Kernel("convolution", "32 x 64 x 56 x 56, 64 of 3 x 3, float32", "convolution-float32", "slide", 32 * 64 * 56 * 56, 8, 0, 0,
           (2 * 32 * 64 * 64 * 9 * 56 * 56, 0.45), "256 products against 32 + 250 that read, as positions are tested; no tensor cores"),
)  # fmt: skip


def resident(device: Device, registers: int, shared: int, block: int = 256) -> int:
    """Threads of a multiprocessor: registers go to warps in units of 256, and a block costs 1 KiB of shared memory beside its own."""
    of_warp = -(-registers * 32 // 256) * 256
    by_registers = 65536 // of_warp // (block // 32)
    by_shared = device.shared // (shared + 1024)
    return min(by_registers, by_shared, device.blocks, device.threads // block) * block


def expected(kernel: Kernel, device: Device, threads: int) -> tuple[float, str]:
    """The share of nominal bandwidth, or of float32 operations, and what limits it."""
    if kernel.multiplied is not None:
        return kernel.multiplied[1] * (0.9 if threads <= 512 else 1), "instructions"
    needed = device.bandwidth * device.latency / device.processors
    issued = ISSUED * device.processors * device.clock / kernel.instructions * kernel.bytes / device.bandwidth
    limits = {"memory": REACHED, "latency": threads * kernel.under_way / needed, "instructions": issued}
    least = min(limits, key=lambda name: limits[name])
    return limits[least], least


def text_of(name: str, dtype: DType) -> str:
    """The source that `Kernel.source` names."""
    family = OPS[name].family if name in OPS else "fused"
    if family == "map":
        return maps._program_of(name, dtype, dtype, (True,) * OPS[name].arity).text
    return reductions._text(name, dtype, dtype) if family == "reduce" else fused_sources(dtype)[f"fused-{name}"]


def main() -> None:
    """Print the table."""
    head = " | ".join(f"{d.name}: registers, shared, threads | expected" for d in DEVICES)
    print(f"| kernel | size | moved | {head} | why |\n|{'---|' * (4 + 2 * len(DEVICES))}")
    for kernel in KERNELS:
        source, _, dtype = kernel.source.rpartition("-")
        text = text_of(source, DTYPES[dtype])
        moved = kernel.items * kernel.bytes
        cells = [kernel.title, kernel.size, f"{moved / 1e6:,.0f} MB"]
        for device in DEVICES:
            taken = used(text, device.architecture)[kernel.entry]
            threads = resident(device, taken.registers, taken.shared)
            share, limit = expected(kernel, device, threads)
            cells.append(f"{taken.registers}, {taken.shared}, {threads}")
            if kernel.multiplied is None:
                time = moved / share / device.bandwidth * 1e3
                cells.append(f"{share:.0%} of {device.bandwidth / 1e12:.2f} TB/s, {time:.2f} ms ({limit})")
            else:
                time = kernel.multiplied[0] / share / device.flops * 1e3
                cells.append(f"{share:.0%} of {device.flops / 1e12:.0f} TFLOP/s, {time:.2f} ms ({limit})")
        print(f"| {' | '.join(cells)} | {kernel.reason} |")


if __name__ == "__main__":
    main()
