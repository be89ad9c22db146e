"""Memory of a device handed over by DLPack and taken over: without a copy, in order, and alive as long as somebody needs it."""

import gc

import numpy as np
import pytest
from standin import HostPort, Refused

from lamina_backend_cuda import CudaBackend
from lamina_flatarray import DTYPES, FlatArray, dlpack
from lamina_flatarray.backends import registry

nd = pytest.importorskip("lamina_ndarray")


@pytest.fixture(autouse=True)
def registered(cuda):
    yield registry.register(cuda)
    registry.unregister("cuda")


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=DTYPES)
def test_a_round_trip_shares_memory(dtype):
    x = FlatArray.from_items([1, 0, 1], dtype).to("cuda:1")
    assert x.__dlpack_device__() == (2, 1)
    back = FlatArray.from_dlpack(x)
    assert back.dtype is dtype and str(back.device) == "cuda:1" and back.memory.address == x.memory.address
    back.fill(0)
    assert x.tolist() == [0, 0, 0]


@pytest.mark.parametrize("view", [
    lambda x: x, lambda x: x.T, lambda x: x[1:, ::2], lambda x: x[::-1], lambda x: x[1, 2], lambda x: x[:0], lambda x: x[0],
    lambda x: nd.broadcast_to(x[:, :1], (3, 4)),
])  # fmt: skip
def test_layouts_are_kept(view):
    x = nd.arange(12.0, device="cuda").reshape(3, 4)
    theirs = view(x)
    ours = nd.from_dlpack(Other(theirs))
    assert ours.shape == theirs.shape and ours.tolist() == theirs.tolist()
    if theirs.size > 1:
        assert ours.strides == theirs.strides and ours.flat.memory.address >= x.flat.memory.address


class Other:
    """Another library's array over ours: it has no methods of ours, and may be of DLPack's first version."""

    def __init__(self, array, old=False, device=None):
        self.array, self.old, self.device, self.asked = array, old, device, {}

    def __dlpack__(self, **asked):
        self.asked = asked
        if self.old and set(asked) - {"stream"}:
            raise TypeError("unexpected keyword")
        return self.array.__dlpack__(**asked)

    def __dlpack_device__(self):
        return self.device or self.array.__dlpack_device__()


def test_a_consumer_s_stream_waits_for_the_producer(registered):
    port, x = registered.port, FlatArray.from_items([1.0, 2.0], device="cuda")
    theirs = port.stream(0)
    with pytest.raises(Refused, match="has not waited"):
        port.copy_out(x.memory.address, memoryview(bytearray(8)), theirs)
    x.__dlpack__(stream=-1)  # wants no order
    with pytest.raises(Refused, match="has not waited"):
        port.copy_out(x.memory.address, memoryview(bytearray(8)), theirs)
    x.__dlpack__(stream=port.number(theirs))
    port.copy_out(x.memory.address, memoryview(bytearray(8)), theirs)
    x.fill(3.0)
    x.__dlpack__()  # CUDA's default stream
    port.copy_out(x.memory.address, memoryview(bytearray(8)), port.stream_of(1, 0))


def test_the_stream_that_waits_is_the_current_one(registered):
    side = registered.new_stream(0)
    x = Other(FlatArray.from_items([1.0, 2.0], device="cuda"))
    waits = []

    class Asked(Other):
        def __dlpack__(self, **asked):
            waits.append(asked["stream"])
            registered.set_stream(0, registered.default_stream(0))  # the producer's own
            try:
                return super().__dlpack__(**asked)
            finally:
                registered.set_stream(0, side)

    registered.set_stream(0, side)
    ours = FlatArray.from_dlpack(Asked(x.array))
    assert waits == [registered.port.number(side)] and ours.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("stream", [0, -2])
def test_numbers_that_are_no_stream_are_refused(stream):
    with pytest.raises(BufferError, match="stream"):
        FlatArray.from_items([1.0], device="cuda").__dlpack__(stream=stream)


def test_memory_is_kept_until_it_is_let_go_and_its_work_is_done(registered):
    port, x = registered.port, FlatArray.from_items([1.0, 2.0], device="cuda")
    ours = FlatArray.from_dlpack(x)
    number = x.memory.address >> 32
    del x
    gc.collect()
    ours.fill(4.0)
    assert ours.tolist() == [4.0, 4.0] and number in port.space.blocks
    ours.fill(5.0)
    del ours
    gc.collect()
    assert number in port.space.blocks  # the fill is perhaps under way
    registered.synchronize(0)
    FlatArray.from_dlpack(FlatArray.from_items([1.0], device="cuda"))
    gc.collect()
    assert number not in port.space.blocks


def test_a_capsule_that_nobody_takes_lets_its_memory_go(registered):
    x = FlatArray.from_items([1.0], device="cuda")
    number, capsule = x.memory.address >> 32, x.__dlpack__(max_version=(1, 0))
    del x
    gc.collect()
    assert number in registered.port.space.blocks
    del capsule
    gc.collect()
    assert number not in registered.port.space.blocks


def test_copies_and_other_places():
    x = nd.arange(4.0, device="cuda")
    copied = nd.from_dlpack(Other(x), copy=True)
    copied[0] = 9.0
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0] and copied.tolist() == [9.0, 1.0, 2.0, 3.0]
    on_host = nd.from_dlpack(Other(x), device="cpu")
    assert str(on_host.device) == "cpu" and on_host.tolist() == x.tolist()
    assert np.from_dlpack(Other(x), device="cpu").tolist() == x.tolist()
    with pytest.raises(BufferError, match="can only go to"):
        x.__dlpack__(dl_device=(2, 1))
    with pytest.raises(BufferError, match="must be copied"):
        nd.from_dlpack(Other(x), device="cpu", copy=False)


def test_what_the_first_version_cannot_tell_to_be_writable_is_copied():
    x = nd.arange(4.0, device="cuda")
    ours = nd.from_dlpack(Other(x, old=True))
    ours[0] = 9.0
    assert x.tolist()[0] == 0.0
    with pytest.raises(BufferError, match="read-only"):
        nd.from_dlpack(Other(x, old=True), copy=False)


@pytest.mark.parametrize("where", [(2, 7), (10, 0), (99, 0)])
def test_devices_that_no_backend_serves_are_refused(where):
    with pytest.raises(BufferError, match="no backend here takes over"):
        nd.from_dlpack(Other(nd.arange(2.0, device="cuda"), device=where))


def test_a_backend_that_hands_nothing_over_says_so(registered, monkeypatch):
    x = FlatArray.from_items([1.0], device="cuda")
    monkeypatch.setattr(CudaBackend, "dlpack_device", lambda self, index: None)
    with pytest.raises(BufferError, match=r"\.to\('cpu'\)"):
        x.__dlpack__()
    assert HostPort().stream(0).number > 2
    assert dlpack.HOST == (1, 0)


def test_tensors_share_memory_of_a_device():
    torch = pytest.importorskip("lamina")
    from lamina.utils.dlpack import from_dlpack, to_dlpack

    x = torch.arange(6.0, device="cuda:1").reshape(2, 3)
    for y in (torch.from_dlpack(Other(x.t())), from_dlpack(to_dlpack(x.t()))):
        assert str(y.device) == "cuda:1" and y.tolist() == x.t().tolist()
