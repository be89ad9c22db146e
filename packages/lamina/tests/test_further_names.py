"""What lamina says and does where PyTorch has switches, capsules, control flow and devices of other kinds."""

import pytest

import lamina as torch


def test_switches():
    torch.use_deterministic_algorithms(True, warn_only=True)
    assert torch.are_deterministic_algorithms_enabled() and torch.is_deterministic_algorithms_warn_only_enabled()
    assert torch.get_deterministic_debug_mode() == 1
    torch.set_deterministic_debug_mode("error")
    assert torch.get_deterministic_debug_mode() == 2 and not torch.is_deterministic_algorithms_warn_only_enabled()
    torch.use_deterministic_algorithms(False)
    assert not torch.are_deterministic_algorithms_enabled()
    with pytest.raises(RuntimeError, match="none of the modes"):
        torch.set_deterministic_debug_mode("loud")
    with pytest.raises(RuntimeError, match="positive"):
        torch.set_num_interop_threads(0)
    assert torch.set_flush_denormal(True) is False
    torch.set_anomaly_enabled(True)
    assert torch.is_anomaly_enabled()
    torch.set_anomaly_enabled(False)
    assert not torch.is_anomaly_enabled()


def test_capsules():
    from lamina.utils.dlpack import from_dlpack, to_dlpack

    x = torch.arange(6).reshape(2, 3)
    for y in (from_dlpack(to_dlpack(x)), from_dlpack(x), from_dlpack(torch.to_dlpack(x))):
        assert y.tolist() == x.tolist()
    shared = from_dlpack(x)
    shared[0, 0] += 1
    assert x[0, 0].item() == 1


def test_control_flow():
    x = torch.tensor(2.0, requires_grad=True)
    found = torch.cond(x > 1, lambda x: x**2, lambda x: -x, (x,))
    found.backward()
    assert (found.item(), x.grad.item()) == (4.0, 4.0)
    assert torch.cond(False, lambda: 1, lambda: 2) == 2
    i, total = torch.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, s + i), (torch.tensor(0), torch.tensor(0)))
    assert (i.item(), total.item()) == (4, 6)
    with pytest.raises(RuntimeError, match="one truth value"):
        torch.cond(torch.ones(2), lambda: 1, lambda: 2)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a device")
@pytest.mark.parametrize("asked", [
    torch.cuda.Stream, torch.cuda.Event, torch.cuda.current_stream, torch.cuda.get_device_name, torch.cuda.get_device_properties,
])  # fmt: skip
def test_without_a_device_its_names_are_refused(asked):
    with pytest.raises(RuntimeError, match="no device of this type"):
        asked()


@pytest.fixture
def one_order():
    """A backend for "cuda" on host memory, of two devices, which has one order of work and counts nothing."""
    from lamina_flatarray import backends
    from lamina_flatarray.numpy_backend import NumpyBackend

    class Some(NumpyBackend):
        name, device_type, waited = "some", "cuda", []

        def device_count(self):
            return 2

        def synchronize(self, index):
            self.waited.append(index)

    yield backends.register(Some())
    backends.unregister("some")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a device")
def test_what_a_backend_does_not_count_is_not_answered(one_order):
    for asked in (torch.cuda.memory_allocated, torch.cuda.max_memory_reserved, torch.cuda.memory_stats, torch.accelerator.memory_reserved):
        with pytest.raises(RuntimeError, match=f"{asked.__name__}: backend 'some' does not count its memory"):
            asked()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a device")
def test_streams_and_events_of_one_order(one_order):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    with pytest.raises(RuntimeError, match="must be recorded"):
        start.elapsed_time(end)
    start.record()
    with torch.cuda.Stream() as stream:
        stream.record_event(end)
    assert one_order.waited == [0, 0] and start.elapsed_time(end) >= 0 and end.query()
    with pytest.raises(RuntimeError, match="enable_timing"):
        start.elapsed_time(stream.record_event())
    assert torch.cuda.get_device_capability(1) == (0, 0)
    assert torch.cuda.get_device_name(1) == torch.cuda.get_device_properties("cuda:1").name == "some:1"
    assert torch.cuda.Stream("cuda:1").device_index == torch.cuda.current_stream(1).device_index == 1
    for of in (torch.cuda.get_device_name, torch.cuda.Stream):
        with pytest.raises(RuntimeError, match="no device 3"):
            of(3)
