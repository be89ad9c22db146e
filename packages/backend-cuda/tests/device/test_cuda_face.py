"""What `lamina.cuda` answers, on the stand-in: devices, memory, streams, events and seeds."""

import gc
import threading

import pytest
from standin import HostPort, Refused

from lamina_backend_cuda import CudaBackend
from lamina_flatarray.backends import registry

torch = pytest.importorskip("lamina")


@pytest.fixture(autouse=True)
def backend():
    yield registry.register(CudaBackend(HostPort()))
    torch.cuda.set_device(0)
    gc.collect()
    registry.unregister("cuda")


def test_devices_are_named_and_described():
    assert torch.cuda.device_count() == 2
    properties = torch.cuda.get_device_properties("cuda:1")
    assert (properties.name, properties.index, properties.major, properties.minor) == ("stand-in 1", 1, 9, 0)
    assert (properties.total_memory, properties.multi_processor_count) == (1 << 32, 4)
    assert torch.cuda.get_device_name() == "stand-in 0" and torch.cuda.get_device_capability(1) == (9, 0)
    for wrong in (2, "cuda:2"):
        with pytest.raises(RuntimeError, match="no device 2, but 2"):
            torch.cuda.get_device_name(wrong)
    with pytest.raises(RuntimeError, match="'cpu' given"):
        torch.cuda.synchronize("cpu")


def test_the_current_device_is_what_cuda_stands_for():
    with torch.cuda.device(1):
        assert torch.cuda.current_device() == 1
        assert str(torch.ones(2, device="cuda").device) == str(torch.ones(2).cuda().device) == "cuda:1"
        assert str(torch.rand(2, device="cuda").device) == "cuda:1"
        with torch.cuda.device(None):
            assert torch.cuda.current_device() == 1
    assert torch.cuda.current_device() == 0 and str(torch.ones(2, device="cuda").device) == "cuda:0"
    assert str(torch.ones(2).cuda(1).device) == "cuda:1"
    torch.cuda.set_device("cuda:1")
    elsewhere = []
    thread = threading.Thread(target=lambda: elsewhere.append(torch.cuda.current_device()))
    thread.start()
    thread.join()
    assert torch.cuda.current_device() == 1 and elsewhere == [0]
    with pytest.raises(RuntimeError, match="no device 5"):
        torch.cuda.set_device(5)


def test_memory_is_counted_as_pytorch_counts_it():
    assert torch.cuda.memory_allocated() == torch.cuda.max_memory_allocated() == 0
    x = torch.ones(1000, device="cuda")
    assert torch.cuda.memory_allocated() == 4000
    y = x + 1
    del x
    gc.collect()
    assert (torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated()) == (4000, 8000)
    assert torch.cuda.memory_reserved() == torch.cuda.max_memory_reserved() == 8000
    torch.cuda.empty_cache()
    assert (torch.cuda.memory_reserved(), torch.cuda.max_memory_reserved()) == (4000, 8000)
    torch.cuda.reset_peak_memory_stats()
    stats = torch.cuda.memory_stats()
    assert stats["allocated_bytes.all.peak"] == stats["reserved_bytes.all.peak"] == 4000
    assert (stats["allocation.all.current"], stats["allocation.all.allocated"]) == (1, 2)
    assert torch.accelerator.memory_allocated() == 4000 and torch.cuda.memory_allocated(1) == 0
    assert y.sum().item() == 2000.0


def test_seeds_are_each_device_s_own():
    torch.cuda.manual_seed_all(3)
    first = [torch.rand(4, device=f"cuda:{i}").tolist() for i in (0, 1)]
    assert first[0] == first[1]
    with torch.cuda.device(1):
        torch.cuda.manual_seed(4)
        assert torch.cuda.initial_seed() == 4
    assert torch.cuda.initial_seed() == 3
    assert torch.rand(4, device="cuda:1").tolist() != first[1]
    torch.cuda.manual_seed(3)
    assert torch.rand(4, device="cuda").tolist() == first[0]
    states = torch.cuda.get_rng_state_all()
    drawn = [torch.rand(4, device=f"cuda:{i}").tolist() for i in (0, 1)]
    torch.cuda.set_rng_state_all(states)
    assert [torch.rand(4, device=f"cuda:{i}").tolist() for i in (0, 1)] == drawn
    torch.cuda.seed_all()
    assert torch.rand(4, device="cuda:0").tolist() == torch.rand(4, device="cuda:1").tolist()


def test_streams_order_what_they_are_told_to():
    x, side = torch.ones(3, device="cuda"), torch.cuda.Stream()
    assert torch.cuda.current_stream() == torch.cuda.default_stream() != side
    with torch.cuda.stream(side):
        assert torch.cuda.current_stream() == side
        with pytest.raises(Refused, match="has not waited"):
            x + 1
        side.wait_stream(torch.cuda.default_stream())
        y = x + 1
    assert torch.cuda.current_stream() == torch.cuda.default_stream()
    with pytest.raises(Refused, match="has not waited"):
        y + 1
    event = side.record_event()
    assert not event.query() and not side.query()
    event.wait()
    z = y + 1
    torch.cuda.synchronize()
    assert event.query() and side.query() and z.tolist() == [3.0, 3.0, 3.0]


def test_a_stream_brings_its_device():
    with torch.cuda.Stream(1) as stream:
        assert stream.device_index == torch.cuda.current_device() == 1
        assert str(torch.ones(2, device="cuda").device) == "cuda:1"
    assert torch.cuda.current_device() == 0
    torch.cuda.set_stream(stream)
    assert torch.cuda.current_device() == 1 and torch.cuda.current_stream() == stream


def test_events_tell_the_time_when_they_are_over():
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    torch.ones(10, device="cuda")
    end.record()
    with pytest.raises(RuntimeError, match="must be over"):
        start.elapsed_time(end)
    end.synchronize()
    assert start.elapsed_time(end) > 0
