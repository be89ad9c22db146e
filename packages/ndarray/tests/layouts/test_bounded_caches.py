"""A process does not grow with the number of distinct shapes that it has seen."""

import gc
import os
from pathlib import Path

import pytest

import lamina_ndarray as nd
from lamina_ndarray import Layout
from lamina_ndarray.layouts.bounded_cache import BoundedCache

SHAPES = 80_000
LIMIT = 8_000_000  # bytes: 100 a shape, where full tables take half of it, and a table without a limit five times


def resident():
    """Bytes of this process that are in memory now."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.fixture(autouse=True)
def grows_little():
    if not Path("/proc/self/statm").exists():
        pytest.skip("resident memory is read from /proc")
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("a sanitizer keeps memory that was freed")
    before = resident()
    yield
    assert resident() - before < LIMIT
    assert all(len(cache) <= cache.limit for cache in BoundedCache.every)


def test_layouts():
    for n in range(SHAPES):
        Layout.of((2, 3), (n + 3, 1), n)


def test_functions_of_arrays():
    row, x, y = nd.zeros((1, 1, 1)), nd.zeros((1100,)), nd.zeros((1,))
    for n in range(SHAPES // 4):
        shape = (n % 50 + 1, 1, n // 50 % 20 + 1)
        part = nd.as_strided(x, shape, (1, 1, n // 1000 + 1))
        nd.sum(part + row, axis=1)
        nd.broadcast_to(y, (n + 1, 2))
        nd.reshape(nd.broadcast_to(y, (2, n + 1)), (1, 2, n + 1))


def test_a_full_cache_drops_its_older_half():
    cache = BoundedCache("numbers", 10)
    for n in range(9):
        assert cache.remember(n, str(n)) == str(n)
    assert cache.remember(8, "another") == "8"
    cache.remember(9, "9")
    cache.remember(10, "10")
    assert list(cache) == [6, 7, 8, 9, 10]
    BoundedCache.every.remove(cache)


def _layouts():
    return sum(type(x) is Layout for x in gc.get_objects())


@pytest.mark.parametrize("use", [
    lambda shape: nd.zeros(shape) + 1,
    lambda shape: nd.exp(nd.zeros(shape)) * nd.ones(shape[-1:]),
    lambda shape: nd.permute(nd.zeros(shape), (1, 0)) + nd.zeros(shape[::-1]),
    lambda shape: nd.sum(nd.broadcast_to(nd.zeros((1,)), shape) + nd.zeros(shape), axis=0),
    lambda shape: nd.zeros(shape)[1:, ::2] * nd.zeros(shape)[1:, ::2],
])  # fmt: skip
def test_layouts_go_without_a_collector(use):
    """As many stay as the tables hold, and those in use stay the same objects."""
    kept = nd.zeros((3, 7))[:, 1:]
    layout, result = kept.layout, kept.layout.result
    gc.collect()
    gc.disable()
    try:
        before = _layouts()
        for n in range(12_000):
            use((n % 100 + 2, n // 100 + 2))
        assert _layouts() - before < 10_000
    finally:
        gc.enable()
    assert kept.layout is layout
    assert layout.result is result
    assert Layout.of((3, 6), (7, 1), 1) is layout
    assert (kept + 1).layout is result
