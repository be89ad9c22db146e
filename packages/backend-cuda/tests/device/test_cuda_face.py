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


def test_what_the_driver_tells_of_devices():
    assert torch.cuda.mem_get_info() == torch.cuda.mem_get_info("cuda:1") == (1 << 32, 1 << 32)
    x = torch.ones(1000, device="cuda")
    assert torch.cuda.mem_get_info() == ((1 << 32) - x.nbytes, 1 << 32)
    assert torch.cuda.can_device_access_peer(0, 1) and not torch.cuda.can_device_access_peer(0, "cuda:0")
    assert torch.cuda.get_arch_list() == ["sm_90"]
    assert torch.cuda.get_gencode_flags() == "-gencode compute=compute_90,code=sm_90"
    assert torch.cuda.is_tf32_supported() and not torch.cuda.is_current_stream_capturing()
    torch.cuda.ipc_collect()
    with pytest.raises(RuntimeError, match="no device 2"):
        torch.cuda.can_device_access_peer(0, 2)


def test_it_is_initialized_by_use(backend):
    registry.unregister("cuda")
    registry.register(backend)  # as in a process that has not used it
    assert torch.cuda.is_available() and not torch.cuda.is_initialized()
    torch.cuda.init()
    assert torch.cuda.is_initialized()


def test_the_device_of_a_tensor():
    with torch.cuda.device_of(torch.ones(2, device="cuda:1")):
        assert torch.cuda.current_device() == 1
        with torch.cuda.device_of(torch.ones(2)):
            assert torch.cuda.current_device() == 1
    assert torch.cuda.current_device() == 0


def test_a_process_takes_no_more_than_its_share():
    x = torch.ones(1000, device="cuda")
    y = torch.ones(1000, device="cuda")
    torch.cuda.set_per_process_memory_fraction(8192 / 2**32)
    assert torch.cuda.get_per_process_memory_fraction() == 8192 / 2**32
    with pytest.raises(torch.cuda.OutOfMemoryError, match="this process may take 8192"):
        x + y
    del y
    gc.collect()
    assert torch.cuda.memory_reserved() == 8000
    z = torch.ones(1001, device="cuda")  # what is kept is given back first
    assert torch.cuda.memory_reserved() == torch.cuda.memory_allocated() == 8004
    torch.cuda.set_per_process_memory_fraction(1.0)
    assert (x + 1).sum().item() == 2000.0 and z.shape == (1001,)
    for wrong, kind in ((1, TypeError), (1.5, ValueError), (-0.5, ValueError)):
        with pytest.raises(kind, match="set_per_process_memory_fraction"):
            torch.cuda.set_per_process_memory_fraction(wrong)


def test_memory_is_told_in_other_forms():
    x = torch.ones(1_000_000, device="cuda")
    nested = torch.cuda.memory_stats_as_nested_dict()
    assert nested["allocated_bytes"]["all"]["current"] == x.nbytes and nested["allocation"]["all"]["allocated"] == 1
    summary = torch.cuda.memory_summary(abbreviated=True)
    assert "Memory of cuda:0" in summary and len({len(line) for line in summary.splitlines()}) == 1
    assert [cell.strip() for cell in summary.splitlines()[3].split("|")[1:4]] == ["Allocated memory", "3906 KiB", "3906 KiB"]
    for old, new in (("memory_cached", "memory_reserved"), ("max_memory_cached", "max_memory_reserved")):
        with pytest.warns(FutureWarning, match=f"now called torch.cuda.{new}"):
            assert getattr(torch.cuda, old)() == getattr(torch.cuda, new)() == x.nbytes
    del x
    gc.collect()
    for reset in (torch.cuda.reset_max_memory_allocated, torch.cuda.reset_max_memory_cached):
        with pytest.warns(FutureWarning, match="reset_peak_memory_stats"):
            reset()
    assert torch.cuda.max_memory_allocated() == 0


def test_old_types_are_of_these_devices():
    x = torch.cuda.FloatTensor([1, 2])
    assert x.type() == "torch.cuda.FloatTensor" and x.tolist() == [1.0, 2.0] and str(x.device) == "cuda:0"
    assert isinstance(x, torch.cuda.FloatTensor) and not isinstance(x, torch.FloatTensor) and not isinstance(x, torch.cuda.LongTensor)
    y = torch.ones(2).type("torch.cuda.LongTensor")
    assert isinstance(y, torch.cuda.LongTensor) and y.type(torch.cuda.LongTensor) is y
    back = y.type(torch.FloatTensor)
    assert (back.device.type, back.dtype) == ("cpu", torch.float32)
    assert str(torch.cuda.HalfTensor(3, device="cuda:1").device) == "cuda:1"
    torch.set_default_tensor_type("torch.cuda.DoubleTensor")
    z = torch.ones(2)
    with pytest.raises(TypeError, match="only floating-point types"):
        torch.set_default_tensor_type(torch.LongTensor)
    assert torch.get_default_device().type == "cuda"
    torch.set_default_tensor_type(torch.FloatTensor)
    assert z.type() == "torch.cuda.DoubleTensor" and torch.ones(2).type() == "torch.FloatTensor"


def test_marks_are_shown_to_a_profiler(backend):
    nvtx, marks = torch.cuda.nvtx, backend.port.marks
    assert (nvtx.range_push("outer"), nvtx.range_push("inner")) == (0, 1)
    depths = []
    thread = threading.Thread(target=lambda: depths.append(nvtx.range_pop()))
    thread.start()
    thread.join()
    assert depths == [-1], "ranges are a thread's own"
    assert (nvtx.range_pop(), nvtx.range_pop(), nvtx.range_pop()) == (1, 0, -1)
    with pytest.raises(KeyError), nvtx.range("step {}", 3):
        nvtx.mark("here")
        raise KeyError
    assert marks == ["begin outer", "begin inner", "end", "end", "begin step 3", "here", "end"]
    with torch.cuda.profiler.profile():
        assert marks[-1] == "record"
    assert marks[-1] == "record no more"


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
    generators = torch.cuda.default_generators
    assert len(generators) == 2 and [str(g.device) for g in generators] == ["cuda:0", "cuda:1"]
    generators[1].manual_seed(7)
    with torch.cuda.device(1):
        assert torch.cuda.initial_seed() == 7
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


def test_work_is_queued_on_a_stream_of_another_library(backend):
    theirs = backend.port.stream(0)  # as another library makes one
    x, stream = torch.ones(3, device="cuda"), torch.cuda.get_stream_from_external(theirs.number)
    assert stream == torch.cuda.ExternalStream(theirs.number, "cuda:0") != torch.cuda.current_stream()
    assert stream.cuda_stream == theirs.number and stream.__cuda_stream__() == (0, theirs.number) and str(stream.device) == "cuda:0"
    own = torch.cuda.current_stream()
    assert torch.cuda.ExternalStream(own.cuda_stream) == own
    with torch.cuda.stream(stream):
        with pytest.raises(Refused, match="has not waited"):
            x + 1
        stream.wait_stream(own)
        y = x + 1
        found = y[torch.tensor([5], device="cuda")]  # a kernel that tells of it later
    del x, found  # used again on its own stream, which waits for theirs
    z = torch.ones(3, device="cuda")
    with pytest.raises(IndexError, match="index 5"):
        torch.cuda.synchronize()
    assert (y + z).tolist() == [3.0, 3.0, 3.0]
    del y, stream
    gc.collect()
    del theirs  # nothing of it is used any more
    assert (z + z).tolist() == [2.0, 2.0, 2.0]


def test_a_stream_that_its_owner_has_destroyed_is_not_used(backend):
    theirs = backend.port.stream(0)
    stream = torch.cuda.ExternalStream(theirs.number)
    del theirs
    with torch.cuda.stream(stream), pytest.raises(Refused, match="its owner has destroyed"):
        torch.ones(3, device="cuda")
    with pytest.raises(Refused, match="has no stream 987654"):
        torch.cuda.ExternalStream(987654)


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


def test_what_is_computed_again_draws_the_same():
    x = torch.ones(200, device="cuda", requires_grad=True)
    for _ in range(2):  # as the first to draw there, and later
        y = torch.utils.checkpoint.checkpoint(lambda x: torch.dropout(x * 2, 0.5, True) * x, x, use_reentrant=False)
        after = torch.rand(3, device="cuda")
        (gradient,) = torch.autograd.grad(y.sum(), x)
        assert torch.equal(gradient, 2 * y.detach()) and not torch.equal(after, torch.rand(3, device="cuda"))


@pytest.mark.parametrize(("devices", "kept"), [(None, (True, True)), ([], (True, False)), ([0], (True, True)), (["cuda:1"], (True, False))])
def test_forked_generators(devices, kept):
    torch.cuda.manual_seed(3)
    with torch.random.fork_rng(devices):
        drawn = torch.rand(3), torch.rand(3, device="cuda")
    again = torch.rand(3), torch.rand(3, device="cuda")
    assert tuple(torch.equal(x, y) for x, y in zip(drawn, again, strict=True)) == kept


def test_a_training_run_goes_on_with_the_device_s_numbers(tmp_path):
    def trainer():
        torch.manual_seed(1)
        model = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.Dropout(0.5), torch.nn.Linear(8, 2)).to("cuda")
        return torch.training.Trainer(model, torch.optim.SGD(model.parameters(), 0.1), torch.nn.functional.cross_entropy)

    batches = [(torch.randn(4, 3), torch.tensor([0, 1, 1, 0])) for _ in range(3)]
    whole, second = trainer(), trainer()
    whole.fit(batches, 1)
    whole.save(tmp_path / "run")
    whole.fit(batches, 2)
    torch.rand(5, device="cuda")
    second.load(tmp_path / "run")
    second.fit(batches, 2)
    assert second.history == whole.history and len(whole.history) == 2
