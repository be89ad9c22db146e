"""What all processes recorded, on one timeline."""

import json
import subprocess
import sys
from pathlib import Path

PROGRAM = str(Path(__file__).parent / "timeline.py")


def test_a_step_of_two_processes(tmp_path):
    words = [sys.executable, "-m", "lamina", "launch", "-n", "2", PROGRAM, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=150, check=False)
    assert done.returncode == 0, done.stderr
    found, same = (json.loads((tmp_path / f"found-{rank}.json").read_text()) for rank in range(2))
    assert found == same
    averages = {(average["rank"], average["key"]): average for average in found["averages"]}
    assert set(averages) == {(0, "DistributedDataParallel"), (0, "all_reduce"), (0, "send"), (1, "DistributedDataParallel"),
                             (1, "all_reduce"), (1, "recv")}  # fmt: skip
    for rank in range(2):
        buckets = averages[rank, "DistributedDataParallel"]
        assert buckets["nbytes"] == found["parameters"] and buckets["count"] > 1
        assert (averages[rank, "all_reduce"]["nbytes"], averages[rank, "all_reduce"]["count"]) == (20, 1)
    assert averages[0, "send"]["nbytes"] == averages[1, "recv"]["nbytes"] == 20
    assert averages[1, "all_reduce"]["waiting_time_total"] == 0 < averages[0, "all_reduce"]["waiting_time_total"]
    assert "all_reduce" in found["table"] and "Computing: rank 0 " in found["table"]

    entries = json.loads((tmp_path / "trace-0.json").read_text())["traceEvents"]
    names = {entry["pid"]: entry["args"]["name"] for entry in entries if entry["name"] == "process_name"}
    assert names == {0: "rank 0", 1: "rank 1"}
    spans = [entry for entry in entries if entry["ph"] == "X"]
    assert min(entry["ts"] for entry in spans) == 0 and all(entry["dur"] >= 0 for entry in spans)
    for rank in range(2):
        mine = [entry for entry in spans if entry["pid"] == rank]
        assert {entry["cat"] for entry in mine} >= {"cpu_op", "collective"}
        moved = [entry for entry in mine if entry["name"] == "DistributedDataParallel"]
        assert sum(entry["args"]["Bytes"] for entry in moved) == found["parameters"]
    (collective,) = [entry for entry in spans if entry["name"] == "all_reduce" and entry["pid"] == 0]
    within = [entry["name"] for entry in spans if entry["ts"] == collective["ts"] and entry["pid"] == 0]
    assert within == ["all_reduce", "waiting for rank 1"]
