"""Products of matrices by the library, and by the kernel in tiles where there is none, over stacks and strides."""

import numpy as np
import pytest
from standin import HostPort

from lamina_backend_cuda import CudaBackend
from lamina_flatarray.dtypes import DTYPES
from lamina_testkit.placement import place, read, untouched

SHAPES = [((), 3, 4, 5), ((2,), 70, 65, 33), ((2, 3), 1, 7, 1), ((3,), 4, 1, 16), ((), 2, 2, 0), ((0,), 2, 2, 2)]
RIGHT = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-5, "float64": 1e-12, "complex64": 1e-5, "int32": 0}


@pytest.mark.parametrize("library", [True, False])
@pytest.mark.parametrize("name", RIGHT)
def test_products(name, library):
    """Every layout of both operands; a broadcast stack has a step of 0."""
    backend, dtype = CudaBackend(HostPort(library=library)), DTYPES[name]
    backend.port.launches.clear()
    for lead, m, n, k in SHAPES:
        a = (np.arange(int(np.prod((*lead, m, k)))) % 7 - 3.0).reshape(*lead, m, k)
        b = (np.arange(int(np.prod((*lead, k, n)))) % 5 - 2.0).reshape(*lead, k, n)
        for kind in ("compact", "transposed", "sliced", "reversed", "gapped", "broadcast"):
            given = [place(x.astype(dtype.numpy), kind, backend, dtype) for x in (a, b)]
            out = place(np.zeros((*lead, m, n), dtype.numpy), "compact" if kind == "broadcast" else kind, backend, dtype)
            backend.kernel("matmul")(out, *given)
            wide = np.complex128 if dtype.is_complex else np.float64
            expected = read(given[0]).astype(wide) @ read(given[1]).astype(wide)
            assert np.allclose(read(out).astype(wide), expected, rtol=RIGHT[name], atol=RIGHT[name] * 8 * k)
            assert untouched(out)
    assert backend.port.launches or library


def test_the_library_is_asked_where_it_can_read_the_operands():
    """Row-major and transposed ones; what has gaps along both axes goes to the kernel in tiles."""
    backend, dtype = CudaBackend(HostPort()), DTYPES["float32"]
    values = np.ones((64, 64), np.float32)
    for kind, launches in (("compact", []), ("gapped", []), ("sliced", ["multiply"])):
        backend.port.launches.clear()
        a, out = place(values, kind, backend, dtype), place(values, "compact", backend, dtype)
        backend.kernel("matmul")(out, a, place(values, "transposed", backend, dtype))
        assert backend.port.launches == launches
