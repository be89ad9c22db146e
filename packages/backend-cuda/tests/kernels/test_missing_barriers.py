"""Kernels of which a barrier is taken away: the emulated device finds the race."""

import numpy as np
import pytest
from emulated import EmulatedPort, Fault
from emulated.nvrtc import available

from lamina_backend_cuda import CudaBackend
from lamina_backend_cuda.ops.sources import source
from lamina_flatarray.dtypes import DTYPES
from lamina_testkit.placement import place, read

BARRIER = "__syncthreads();"
RESULTS = np.random.default_rng(5).standard_normal((70, 600))  # more lines than blocks, and longer than a block

pytestmark = pytest.mark.skipif(not available(), reason="NVRTC is not installed: pip install nvidia-cuda-nvrtc-cu12")


class Without(EmulatedPort):
    """The emulated device, for kernels of which one barrier is taken away."""

    def __init__(self, nth):
        super().__init__()
        self.nth = nth

    def _entries(self, text, stream):
        parts = text.split(BARRIER)
        if self.nth is not None and len(parts) > 1:
            parts[self.nth : self.nth + 2] = [parts[self.nth] + parts[self.nth + 1]]
        return super()._entries(BARRIER.join(parts), stream)


def reduce(backend, x):
    lines, out = np.tile(RESULTS, 4), zeros(backend, (70,))  # longer than a warp folds
    backend.kernel("sum")(out, place(lines.astype(np.float32), "compact", backend, DTYPES["float32"]), axes=(1,))
    assert set(backend.port.launches) == {"rows"}
    return read(out), lines.sum(1)


def scan(backend, x):
    out = zeros(backend, RESULTS.shape)
    backend.kernel("cumsum")(out, x, axis=1)
    assert set(backend.port.launches) == {"blocks"}
    return read(out), RESULTS.cumsum(1)


def sort(backend, x):
    out = zeros(backend, RESULTS.shape)
    backend.kernel("sorted_values")(out, x, axis=1)
    return read(out), np.sort(RESULTS.astype(np.float32), 1)


def matmul(backend, x):
    out = zeros(backend, (70, 70))
    y = place(np.ascontiguousarray(RESULTS[:, :40].T).astype(np.float32), "compact", backend, DTYPES["float32"])
    backend.kernel("matmul")(out, place(RESULTS[:, :40].astype(np.float32), "compact", backend, DTYPES["float32"]), y)
    return read(out), RESULTS[:, :40] @ RESULTS[:, :40].T


def zeros(backend, shape):
    return place(np.zeros(shape, np.float32), "compact", backend, DTYPES["float32"])


FAMILIES = {family.__name__: family for family in (reduce, scan, sort, matmul)}
UNSEEN = {("reduce", 2)}  # of what each thread reads after it, the compiler keeps the first thread's only: there is no race in the PTX
CASES = [(name, nth) for name in FAMILIES for nth in (None, *range(source(name).count(BARRIER))) if (name, nth) not in UNSEEN]


@pytest.mark.parametrize(("family", "nth"), CASES)
def test_a_barrier_that_is_missing_is_found(family, nth):
    backend = CudaBackend(Without(nth))
    x = place(RESULTS.astype(np.float32), "compact", backend, DTYPES["float32"])
    backend.port.launches.clear()
    if nth is not None:
        with pytest.raises(Fault, match="a race"):
            FAMILIES[family](backend, x)
    else:
        result, expected = FAMILIES[family](backend, x)
        assert np.allclose(result, expected, rtol=1e-5, atol=1e-4)
