"""What several processes recorded, on one clock: who waited for whom."""

import json

from lamina_nn.profiling import Collective, CollectiveAverage, Timeline
from lamina_nn.profiling.timeline import Recording


def made():
    """Two ranks, of which the second one's clock is 1,000,000 ns ahead: rank 0 waits 4 us of 6, and for an unmatched one not at all."""
    first = Recording(7.0, [
        Collective("all_reduce", 1, 3, (0, 1), 80, 1_000, 7_000), Collective("all_reduce", 1, 4, (0, 1), 80, 8_000, 9_000),
        Collective("send", 1, -1, (0, 1), 8, 9_000, 10_000),
    ], [])  # fmt: skip
    second = Recording(2.0, [Collective("all_reduce", 1, 3, (0, 1), 80, 1_005_000, 1_008_000)], [
        {"ph": "X", "cat": "cpu_op", "name": "aten::mul", "pid": 0, "tid": 5, "ts": 1_002.0, "dur": 1.0, "args": {}},
    ])  # fmt: skip
    return Timeline([first, second], [0, 1_000_000])


def test_waiting_ends_when_the_last_one_comes():
    timeline = made()
    assert [timeline.last(c) for c in timeline.collectives[0]] == [(1, 5_000), (-1, 8_000), (-1, 9_000)]
    assert [timeline.last(c) for c in timeline.collectives[1]] == [(1, 5_000)]
    assert timeline.key_averages() == [
        CollectiveAverage(0, "all_reduce", 2, 160, 4.0, 3.0), CollectiveAverage(0, "send", 1, 8, 0.0, 1.0),
        CollectiveAverage(1, "all_reduce", 1, 80, 0.0, 3.0),
    ]  # fmt: skip
    assert "Computing: rank 0 7.000us, rank 1 2.000us" in timeline.table()


def test_the_trace_is_on_the_clock_of_rank_0(tmp_path):
    made().export_chrome_trace(tmp_path / "trace.json")
    entries = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    spans = {(e["pid"], e["tid"], e["name"], round(e["ts"], 6), round(e["dur"], 6)) for e in entries if e["ph"] == "X"}
    assert spans == {
        (0, 2, "all_reduce", 0.0, 6.0), (0, 2, "waiting for rank 1", 0.0, 4.0), (0, 2, "all_reduce", 7.0, 1.0),
        (0, 3, "send", 8.0, 1.0), (1, 2, "all_reduce", 4.0, 3.0), (1, 5, "aten::mul", 1.0, 1.0),
    }  # fmt: skip
    rows = {(e["pid"], e["tid"]): e["args"]["name"] for e in entries if e["name"] == "thread_name"}
    assert rows == {(0, 2): "collectives of group 1", (0, 3): "messages of group 1", (1, 2): "collectives of group 1"}
