"""Several streams of a device: work in its own order on each, events between them, and memory that goes from one to another."""

import gc
import threading

import pytest
from standin import Refused

from lamina_flatarray import FlatArray, Row, Strided
from lamina_flatarray.backends import registry


@pytest.fixture
def registered(cuda):
    yield registry.register(cuda)
    registry.unregister("cuda")


def negative(x):
    out = FlatArray.empty(x.size, x.dtype, x.device)
    out.kernels["negative"](Strided(out, Row(x.size)), Strided(x, Row(x.size)))
    return out


def test_a_stream_that_does_not_wait_is_refused(registered):
    x, side = FlatArray.from_items([1.0, 2.0], device="cuda"), registered.new_stream(0)
    registered.set_stream(0, side)
    with pytest.raises(Refused, match="has not waited"):
        negative(x)
    registered.wait_event(0, side, registered.record_event(0, registered.default_stream(0)))
    y = negative(x)
    registered.set_stream(0, registered.default_stream(0))
    with pytest.raises(Refused, match="has not waited"):
        negative(y)
    registered.wait_event(0, registered.default_stream(0), registered.record_event(0, side))
    assert negative(y).tolist() == [1.0, 2.0]


def test_a_stream_is_chosen_by_one_thread(registered):
    side, seen = registered.new_stream(0), []
    registered.set_stream(0, side)
    thread = threading.Thread(target=lambda: seen.append(registered.current_stream(0)))
    thread.start()
    thread.join()
    assert registered.current_stream(0) is side and seen == [registered.default_stream(0)]


def test_streams_are_given_in_turn_where_there_are_many(cuda):
    streams = [cuda.new_stream(0) for _ in range(10)]
    assert len({id(s) for s in streams}) == 8 and streams[8] is streams[0] and streams[9] is streams[1]
    assert cuda.default_stream(0) not in streams


def test_memory_goes_back_when_the_other_streams_are_done_with_it(registered):
    """The next array on the stream that it was made for may lie where it lay."""
    port, default, side = registered.port, registered.default_stream(0), registered.new_stream(0)
    x = FlatArray.from_items([1.0], device="cuda")
    registered.wait_event(0, side, registered.record_event(0, default))
    registered.set_stream(0, side)
    y = negative(x)
    assert default.clock.get(side.number, 0) < side.clock[side.number]
    del x
    gc.collect()
    assert default.clock[side.number] == side.clock[side.number]
    assert y.tolist() == [-1.0] and port.launches[-1]


def test_events_are_over_when_the_host_has_waited(registered):
    FlatArray.from_items([1.0], device="cuda")
    start = registered.record_event(0, registered.default_stream(0))
    assert not registered.event_done(start)
    with pytest.raises(Refused, match="not over"):
        registered.elapsed_ms(start, start)
    registered.synchronize_event(start)
    assert registered.event_done(start)
    side = registered.new_stream(0)
    registered.port.allocate(8, side)
    end = registered.record_event(0, side)
    registered.synchronize(0)
    assert registered.event_done(end) and registered.elapsed_ms(start, end) > 0
