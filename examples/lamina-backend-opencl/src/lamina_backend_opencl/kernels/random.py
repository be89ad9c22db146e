"""Random fills: Philox on the device, by the counters of lamina's generators, so every device draws the same numbers.

Item i of a fill owns the four words of the counter (i, offset) under the key seed (Salmon et al., Parallel random numbers: as
easy as 1, 2, 3, SC 2011). A generator of the CPU's stream, which no device can jump about in, draws on the host.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import numpy as np

from lamina_flatarray import DType, random
from lamina_flatarray.contract import Kernel, Row, Strided
from lamina_flatarray.dtypes import uint64
from lamina_flatarray.random.philox import Philox

from ..layouts import declaration, packed, start
from ..scalars import PRELUDE, cast, load, store, stored
from .copies import copy
from .sort import order

__all__ = ["KERNELS"]

_WIDE: Final = 1 << 28
"""From this width of a range on, an item takes two words: lamina's rule, as PyTorch's."""

_PHILOX: Final = """
uint4 philox(const long item, const ulong seed, const ulong offset) {
    uint4 c = (uint4)((uint)item, (uint)(item >> 32), (uint)offset, (uint)(offset >> 32));
    uint key0 = (uint)seed, key1 = (uint)(seed >> 32);
    for (int turn = 0; turn < 10; turn++, key0 += 0x9E3779B9, key1 += 0xBB67AE85) {
        c = (uint4)(mul_hi(c.z, 0xCD9E8D57u) ^ c.y ^ key0, c.z * 0xCD9E8D57u, mul_hi(c.x, 0xD2511F53u) ^ c.w ^ key1, c.x * 0xD2511F53u);
    }
    return c;
}
ulong joined(uint high, uint low) { return (ulong)high << 32 | low; }
double unit64(ulong draw) { return (double)(draw & 0x1fffffffffffff) * 0x1p-53; }
float unit32(uint draw) { return (float)(draw & 0xffffff) * 0x1p-24f; }
"""


@lru_cache(maxsize=256)
def _source(name: str, dtype: DType, parameters: str, kind: str, value: str, last: str = "") -> str:
    """The program that fills out with `value`, an expression of the four words w, cast from the C type `kind`."""
    return f"""{PRELUDE}{_PHILOX}{declaration("Layout", 1)}
__kernel void {name}(
    const Layout l, __global {stored(dtype)} *out, const long start, const ulong seed, const ulong offset{parameters}
) {{
    const long item = get_global_id(0);
    if (item >= l.size) return;
    long at[1] = {{start}};
    Layout_places(&l, item, at);
    const uint4 w = philox(item, seed, offset);
    const {kind} value = {value};
    {store(dtype, "out", "at[0]", cast("value", kind, dtype))}
    {last}
}}"""


def _fill(out: Any, generator: Any, source: str, *arguments: Any) -> None:
    """Run a program under the next offset of the generator, whose lock is held."""
    size, layout = packed(out.layout.shape, out.layout.strides)
    if size:
        stream = generator.source
        seed, offset = np.uint64(stream.seed_value), np.uint64(stream.offset)
        stream.offset = (stream.offset + 1) & (2**64 - 1)
        out.flat.memory.queue.run(source, size, layout, out.flat.memory, start(out), seed, offset, *arguments)


def _on_host(out: Any, fill: Callable[[np.ndarray[Any, Any]], None]) -> None:
    """Let the host draw, and copy the numbers over."""
    drawn = np.empty(out.layout.size, out.flat.dtype.numpy)
    fill(drawn)
    flat = out.flat.like(drawn.size)
    flat.memory.queue.copy_in(flat.memory, flat.offset, drawn.view(np.uint8).data)
    copy(Strided(out.flat, out.layout), Strided(flat, out.layout.compact))


def _kernel(draw: Callable[..., None], host: Callable[..., None]) -> Kernel:
    def kernel(out: Any, generator: Any, **params: Any) -> None:
        with generator.lock:
            if isinstance(generator.source, Philox):
                draw(out, generator, **params)
            else:
                _on_host(out, lambda items: host(items, generator, **params))

    return kernel


# -- the draws ---------------------------------------------------------------------------------------------------------


def _uniform(out: Any, generator: Any, low: float = 0.0, high: float = 1.0) -> None:
    """`low + (high - low) * u`, rounded once; where it is rounded up to `high`, it is `low`."""
    dtype = out.flat.dtype
    random.uniform(np.empty(0, dtype.numpy), generator, low, high)  # the reference's errors, and no draw
    kind = "double" if dtype.itemsize == 8 else "float"
    number = np.float64 if kind == "double" else np.float32
    unit = "unit64(joined(w.x, w.y))" if kind == "double" else "unit32(w.x)"
    parameters = "".join(f", const {kind} {name}" for name in ("scale", "shift", "top", "bottom"))
    last = f"if ({load(dtype, 'out', 'at[0]')} == top) {{ {store(dtype, 'out', 'at[0]', 'bottom')} }}"
    ends = (np.asarray(number(end)).astype(dtype.numpy).astype(number)[()] for end in (high, low))
    source = _source("uniform", dtype, parameters, kind, f"fma({unit}, scale, shift)", last)
    _fill(out, generator, source, number(high) - number(low), number(low), *ends)


def _normal(out: Any, generator: Any, mean: float = 0.0, std: float = 1.0) -> None:
    """Box and Muller's transform in double precision, of two uniform numbers per item."""
    dtype = out.flat.dtype
    random.normal(np.empty(0, dtype.numpy), generator, mean, std)
    kind = "double" if dtype.itemsize == 8 else "float"
    first, second = ("unit64(joined(w.x, w.y))", "unit64(joined(w.z, w.w))") if kind == "double" else ("unit32(w.x)", "unit32(w.y)")
    standard = f"sqrt(-2.0 * log1p(-(double){first})) * cos({2 * math.pi!r} * {second})"
    source = _source("normal", dtype, ", const double std, const double mean", kind, f"({kind})fma({standard}, std, mean)")
    _fill(out, generator, source, np.float64(std), np.float64(mean))


def _integers(out: Any, generator: Any, low: int = 0, high: int | None = None) -> None:
    """One word modulo the width of a narrow range, two of a wide one."""
    dtype = out.flat.dtype
    if dtype.kind not in "ui":  # whose bounds are a matter of rounding
        _on_host(out, lambda items: _drawn_integers(items, generator, low, high))
        return
    if high is None:
        low, high, wide = 0, int(np.iinfo(dtype.numpy).max) + 1, dtype.itemsize == 8
    else:
        random.random_integers(np.empty(0, dtype.numpy), generator, low, high)
        wide = high - low >= _WIDE
    word = "joined(w.x, w.y)" if wide else "(ulong)w.x"
    value = f"(width ? {word} % width : {word}) + low"
    source = _source("integers", dtype, ", const ulong width, const ulong low", "ulong", value)
    _fill(out, generator, source, np.uint64((high - low) % 2**64), np.uint64(low % 2**64))


def _bernoulli(out: Any, generator: Any, probability: float = 0.5) -> None:
    """Whether a uniform number of 53 bits is below the probability."""
    dtype = out.flat.dtype
    random.bernoulli(np.empty(0, dtype.numpy), generator, probability)
    source = _source("bernoulli", dtype, ", const double p", "int", "unit64(joined(w.x, w.y)) < p")
    _fill(out, generator, source, np.float64(probability))


def _permutation(out: Any, generator: Any) -> None:
    """The order of draws of 64 bits."""
    count, dtype = out.layout.size, out.flat.dtype
    if dtype.kind not in "ui" or count - 1 > np.iinfo(dtype.numpy).max or not count:
        _on_host(out, lambda items: random.permutation(items, generator))
        return
    draws = Strided(out.flat.like(count, out.flat.kernels.sibling(uint64)), Row(count))
    _fill(draws, generator, _source("draws", uint64, "", "ulong", "joined(w.x, w.y)"))
    queue = draws.flat.memory.queue
    places = order(queue, (1, count), packed((), ())[1], (draws.flat.memory, 0, 1), uint64, False)
    size, layout = packed(out.layout.shape, out.layout.strides)
    queue.run(_places_source(dtype), size, layout, out.flat.memory, start(out), places)


@lru_cache(maxsize=16)
def _places_source(dtype: DType) -> str:
    return f"""{PRELUDE}{declaration("Layout", 1)}
__kernel void places(const Layout l, __global {stored(dtype)} *out, const long start, __global const long *places) {{
    const long item = get_global_id(0);
    if (item >= l.size) return;
    long at[1] = {{start}};
    Layout_places(&l, item, at);
    out[at[0]] = places[item];
}}"""


def _drawn_integers(items: Any, generator: Any, low: int = 0, high: int | None = None) -> None:
    if high is None:
        random.random_full(items, generator)
    else:
        random.random_integers(items, generator, low, high)


def _drawn_bernoulli(items: Any, generator: Any, probability: float = 0.5) -> None:
    random.bernoulli(items, generator, probability)


KERNELS: Final[dict[str, Kernel]] = {
    "random_uniform": _kernel(_uniform, random.uniform),
    "random_normal": _kernel(_normal, random.normal),
    "random_integers": _kernel(_integers, _drawn_integers),
    "random_permutation": _kernel(_permutation, random.permutation),
    "random_bernoulli": _kernel(_bernoulli, _drawn_bernoulli),
}
