"""How kernels reach memory: 16 bytes at once where operands are dense, and strided and broadcast ones where they are."""

import re

import pytest
from counting import CountingPort
from emulated.nvrtc import available, ptx_of

from lamina_backend_cuda import CudaBackend
from lamina_backend_cuda.ops import maps
from lamina_flatarray.backends import registry
from lamina_flatarray.dtypes import DTYPES

_ACCESS = re.compile(r"\b(ld|st)\.global(?:\.nc)?(?:\.v(\d))?\.[bufs](\d+)")


@pytest.mark.skipif(not available(), reason="NVRTC is not installed: pip install nvidia-cuda-nvrtc-cu12")
@pytest.mark.parametrize("name", maps.served("add"))
def test_dense_operands_are_read_and_written_16_bytes_at_once(name):
    dtype = DTYPES[name]
    ptx = ptx_of(maps._program_of("add", dtype, dtype, (True, True)).text)
    dense = ptx[ptx.index(".entry dense") :].partition(".entry strided")[0]
    widest = dict.fromkeys(("ld", "st"), 0)
    for kind, count, bits in _ACCESS.findall(dense):
        widest[kind] = max(widest[kind], int(count or 1) * int(bits) // 8)
    assert widest == {"ld": 16, "st": 16}


@pytest.fixture(scope="module")
def launched():
    """A function that runs another one on a device that computes nothing, and returns the kernels that it launched."""
    backend = registry.register(CudaBackend(CountingPort()))

    def run(function):
        before = len(backend.port.launches)
        function()
        return backend.port.launches[before:]

    yield run
    registry.unregister("cuda")


def test_strided_and_broadcast_operands_are_not_copied(launched):
    import lamina_tensor as lt

    x, row = lt.zeros(6, 8, device="cuda"), lt.zeros(8, device="cuda")
    assert launched(lambda: x + x) == ["dense"]
    assert launched(lambda: x.exp()) == ["dense"]
    for function in (lambda: x + row, lambda: x.T + x.T[:, :1], lambda: x[:, ::2].exp(), lambda: x[1:, 1:] * 2):
        assert launched(function) == ["strided"]
    assert launched(lambda: x.T + x.T) == ["dense"]  # transposed alike: the same items one after another
    for function in (lambda: x.T.sum(0), lambda: x[:, ::2].amax(1), lambda: x.T.cumsum(1), lambda: x[:, ::2].softmax(1)):
        (name,) = launched(function)
        assert name not in ("strided", "dense")
    places = lt.zeros(8, 3, dtype=DTYPES["int64"], device="cuda")
    assert launched(lambda: x.T[:, ::2].gather(0, places)) == ["take"]
